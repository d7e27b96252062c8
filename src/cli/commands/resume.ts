// `saydo resume ID|FILE`: a recorded run that was cut short goes on, into the same record; with `--from N` another run goes on from that step of it, in a
// record of its own. What is on record is neither asked nor called again.
import { resolve } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import type { AgentEvent } from '../../core/event.js'
import { once } from '../../core/once.js'
import { createMask } from '../../transcript/secrets.js'
import { AGENT_OPTIONS } from '../agent-options.js'
import type { Command, Invocation, Verdict } from '../command.js'
import { readText } from '../fixtures/files.js'
import { wholeNumber } from '../numbers.js'
import { continued, RECORD_OPTIONS, recorded } from '../record.js'
import { recordedSettings } from '../recorded-settings.js'
import { recordPath } from '../run-files.js'
import { secretsOfScenes } from '../scenes/index.js'
import { readSettings, type Settings } from '../settings.js'
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
    const file = recordPath(name, io.cwd)
    if (typeof given.options.from === 'number') return fork(file, given.options.from, given, invocation)
    if (typeof given.options.reply === 'string')
      throw new SaydoError('CONFIG', '--reply is of a new run', { hint: 'add --from N: it makes one' })
    return continued(file, given, io, async (events, record) => {
      const settings = await recordedSettings(events, given, io.cwd)
      // the record was opened before anybody knew what it names
      const mask = createMask(await secretsOfScenes(settings.options, io))
      return perform(settings, io, { how: { resume: events }, record: event => record(mask(event)) })
    })
  },
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
  const settings = await recordedSettings(events, given, io.cwd)
  const { reply: said } = given.options
  const reply = typeof said === 'string' ? { reply: readText(resolve(io.cwd, said), said, 'CONFIG') } : {}
  return recorded(settings, io, async ({ runId, onEvent }) => {
    const taken = [...runs.slice(0, -1).flat(), ...forkOf(runs.at(-1) ?? [], { step, run: runId, ...reply })]
    // where it cannot even begin, nothing is taken over
    const takeOver = once(() => {
      for (const event of taken) onEvent(event)
    })
    const record = (event: AgentEvent): void => {
      takeOver()
      onEvent(event)
    }
    return perform(settings, io, { how: { resume: taken }, record })
  })
}
