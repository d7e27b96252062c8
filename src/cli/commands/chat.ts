// `saydo chat`: one task after the other to the same agent, which remembers what was said. A person types at a terminal; a pipe gives one task a line.

import { join } from 'node:path'
import { newRunId } from '../../agent/run-options.js'
import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import type { AgentEvent } from '../../core/event.js'
import { RECORDS } from '../../transcript/runs-folder.js'
import { createMask, createTextMask, joinedSecrets } from '../../transcript/secrets.js'
import { AGENT_OPTIONS } from '../agent-options.js'
import type { ChatInput } from '../chat/chat-input.js'
import type { Command, Invocation, Io, OptionSpec, Verdict } from '../command.js'
import { paintFor } from '../paint.js'
import { Person } from '../person.js'
import { continued, RECORD_OPTIONS, recorded } from '../record.js'
import { recordedSettings, withScene } from '../recorded-settings.js'
import { newestFile, recordPath } from '../run-files.js'
import { sayOn } from '../say.js'
import { secretsOfScenes } from '../scenes/index.js'
import { readSettings, type Settings } from '../settings.js'
import { run, VIEW_OPTIONS } from './run.js'

const CHAT_OPTIONS: readonly OptionSpec[] = [
  { flags: '-c, --continue [id]', description: 'go on with the last conversation, or the one that is named' },
  { flags: '--step', description: 'stop after every reading of a reply' },
]

export const chat: Command = {
  name: 'chat',
  summary: 'give an agent one task after the other; it remembers what was said',
  options: [...CHAT_OPTIONS, ...AGENT_OPTIONS, ...RECORD_OPTIONS, ...VIEW_OPTIONS],
  examples: [
    'saydo chat --url http://localhost:8080 --tool calculator',
    'saydo chat -c --url http://localhost:8080',
    'saydo chat --url http://localhost:8080 < tasks.txt > answers.txt',
  ],
  async run(invocation) {
    const { io, options } = invocation
    const { continue: from } = options
    const settle = (flags: Settings['flags']) => readSettings({ ...invocation, options: flags }, run.options)
    const settings = await settle(options)
    if (from === undefined)
      return recorded(settings, io, ({ runId, onEvent }) =>
        talk(invocation, { settings, settle, runId, past: [], record: onEvent }),
      )
    const file = typeof from === 'string' ? recordPath(from, io.cwd) : newestFile(io.cwd)
    return continued(file, settings, io, async (past, record) => {
      const goingOn = async (flags: Settings['flags']) => recordedSettings(past, await settle(flags), io.cwd)
      return talk(invocation, { settings: await goingOn(options), settle: goingOn, runId: newRunId(), past, record })
    })
  },
}

interface Beginning {
  readonly settings: Settings
  /** What other flags would come to. */
  readonly settle: (flags: Settings['flags']) => Promise<Settings>
  readonly runId: string
  readonly past: readonly AgentEvent[]
  readonly record: (event: AgentEvent) => void
}

async function talk({ io, options }: Invocation, { settings: given, settle, ...rest }: Beginning): Promise<Verdict> {
  const [{ buildAgent }, { ChatSession }, { Conversation }, { StepGate }] = await Promise.all([
    import('../build-agent.js'),
    import('../chat/chat-session.js'),
    import('../chat/conversation.js'),
    import('../chat/step-gate.js'),
  ])
  if (options.step === true && !hasPerson(io))
    throw new SaydoError('CONFIG', '--step wants somebody at a terminal', { hint: 'leave it out, or type the tasks' })
  // what was secret once stays so
  const hiding = async (chosen: Settings, before: Settings['secrets'] = {}): Promise<Settings> => ({
    ...chosen,
    secrets: [chosen.secrets, await secretsOfScenes(chosen.options, io)].reduce(joinedSecrets, before),
  })
  let settings = await hiding(given)
  // the record knows the secrets that a chat begins with; it is told no others
  let mask = (event: AgentEvent): AgentEvent => event
  const record = (event: AgentEvent): void => rest.record(mask(withScene(event, settings, io.cwd)))
  const paint = paintFor(io.stderr, io.env, { color: settings.options.color, stderr: true })
  const person = new Person(io, () => session.hush())
  const gate = new StepGate(person, paint, options.step === true)
  const say = sayOn(io, settings.options.quiet === true)
  const agentFor = (chosen: Settings) => buildAgent(chosen, io, say, { person, more: { hooks: gate.hooks, keepOpen: true } })
  const close = (one: { close(): Promise<void> }) => one.close().catch((error: Error) => say(`closing failed: ${error.message}`))
  const conversation = new Conversation({ agent: await agentFor(settings), ...rest, record })
  const input = await inputFrom(io, () => settings, say)
  const resettle = async (flags: Settings['flags']) => {
    const changed = await hiding(await settle(flags), settings.secrets)
    await close(conversation.changeAgent(await agentFor(changed)))
    settings = changed
    mask = createMask(settings.secrets)
    return settings
  }
  const session = new ChatSession({ io, paint, input, conversation, gate, settings, resettle })
  try {
    if (input.isTerminal) session.say(greeting(conversation.length))
    return await session.talk()
  } finally {
    input.close()
    await close(conversation)
  }
}

async function inputFrom(io: Io, settings: () => Settings, say: (line: string) => void): Promise<ChatInput> {
  if (!hasPerson(io)) {
    const { PipedInput } = await import('../chat/piped-input.js')
    return new PipedInput(io)
  }
  const [{ TerminalInput }, { History }, { CHAT_COMMANDS }, { withoutHeader }] = await Promise.all([
    import('../chat/terminal-input.js'),
    import('../chat/history.js'),
    import('../chat/chat-commands.js'),
    import('../chat/change-setting.js'),
  ])
  const file = settings().options.record === false ? undefined : join(io.cwd, RECORDS, 'history')
  return new TerminalInput(io, {
    history: new History(file, entry => createTextMask(settings().secrets)(withoutHeader(entry)), say),
    labels: { first: '> ', more: '… ' },
    complete: line => CHAT_COMMANDS.map(({ name }) => `/${name}`).filter(name => name.startsWith(line)),
  })
}

function hasPerson({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true
}

function greeting(turns: number): string {
  const before = turns === 0 ? '' : `; it goes on behind ${counted(turns, 'turn')}`
  return `type a task, or /help; Ctrl-D leaves${before}`
}
