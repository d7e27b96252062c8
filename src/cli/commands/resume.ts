// `saydo resume ID|FILE`: a recorded run that was cut short goes on, into the same record; with `--from N` another run goes on from that step of it, in a
// record of its own. What is on record is neither asked nor called again.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import type { AgentEvent } from '../../core/event.js'
import { AGENT_OPTIONS } from '../agent-options.js'
import type { Command, Invocation, Io, Verdict } from '../command.js'
import { wholeNumber } from '../numbers.js'
import { continued, RECORD_OPTIONS, recorded } from '../record.js'
import { recordedSettings } from '../recorded-settings.js'
import { recordPath } from '../run-files.js'
import { readSettings, type Settings } from '../settings.js'
import { whyUnread } from '../why-unread.js'
import { OUTPUT_OPTIONS, perform, requireOneOutput } from './run.js'

export const resume: Command = {
  name: 'resume',
  summary: 'go on with a recorded run that was cut short, or from one of its steps on',
  positional: '<run>',
  options: [
    {
      flags: '--from <n>',
      description: 'a new run takes over what stands before this step; the record stays as it is',
      parse: wholeNumber(1),
    },
    { flags: '--reply <file>', description: 'with --from: what the model said at that step, in place of what it did say' },
    ...AGENT_OPTIONS,
    ...RECORD_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
  examples: [
    'saydo resume m5x --url http://localhost:8080',
    'saydo resume m5x --url http://localhost:8080 --tools my-tools.mjs',
    'saydo resume m5x --url http://localhost:8080 --from 3',
    'saydo resume m5x --url http://localhost:8080 --from 3 --reply better.txt',
  ],
  async run(invocation) {
    const { args, io } = invocation
    const [name = ''] = args
    const given = await readSettings(invocation, resume.options)
    requireOneOutput(given)
    requireFork(invocation)
    const file = recordPath(name, io.cwd)
    if (typeof given.options.from === 'number') return fork(file, given.options.from, given, invocation)
    return continued(file, given, io, async (events, record) => {
      const settings = await recordedSettings(startOf(events, name), given)
      return perform(settings, io, { how: { resume: events }, record })
    })
  },
}

function requireFork({ options }: Invocation): void {
  const [own] = ['reply', 'record'].filter(name => options[name] !== undefined && options[name] !== true)
  if (own !== undefined && options.from === undefined)
    throw new SaydoError('CONFIG', `--${own === 'record' && options.record === false ? 'no-record' : own} is of a new run`, {
      hint: 'a run that goes on is recorded where it was; --from N makes a new one',
    })
}

/** A new run, in a record of its own; what is taken over stands in it, too. */
async function fork(file: string, step: number, given: Settings, invocation: Invocation): Promise<Verdict> {
  const { io } = invocation
  const [{ readJournal }, { conversationIn }, { forkOf }] = await Promise.all([
    import('../../transcript/read-journal.js'),
    import('../../transcript/conversation.js'),
    import('../../transcript/fork.js'),
  ])
  const { events } = readJournal(file)
  const runs = conversationIn(events)
  const settings = await recordedSettings(startOf(events, file), given)
  const reply = typeof given.options.reply === 'string' ? { reply: readReply(given.options.reply, io) } : {}
  return recorded(settings, io, async ({ runId, onEvent }) => {
    const taken = [...runs.slice(0, -1).flat(), ...forkOf(runs.at(-1) ?? [], { step, run: runId, ...reply })]
    for (const event of taken) onEvent(event)
    return perform(settings, io, { how: { resume: taken }, record: onEvent })
  })
}

function readReply(file: string, io: Io): string {
  try {
    return readFileSync(resolve(io.cwd, file), 'utf8')
  } catch (cause) {
    throw new SaydoError('CONFIG', `cannot read ${file}: ${whyUnread(cause)}`, { cause })
  }
}

/** Of the last run. */
function startOf(events: readonly AgentEvent[], name: string): Extract<AgentEvent, { type: 'run_start' }> {
  const start = events.findLast(event => event.type === 'run_start')
  if (!start) throw new SaydoError('CONFIG', `${name} holds no run: nothing was recorded before it was cut short`)
  return start
}
