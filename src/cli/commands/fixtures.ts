// `saydo fixtures`: recorded runs as files that people read, edit and commit, and as tests. Each action is a file in cli/fixtures/.
import { SaydoError } from '../../core/errors.js'
import { didYouMean } from '../../core/near-names.js'
import { ENDPOINT_OPTIONS, TOOL_OPTIONS } from '../agent-options.js'
import type { Command, Invocation, Verdict } from '../command.js'
import { wholeNumber } from '../numbers.js'

type Action = (names: readonly string[], invocation: Invocation) => Promise<Verdict>

const ACTIONS: Readonly<Record<string, () => Promise<Action>>> = {
  from: async () => (await import('../fixtures/from.js')).from,
  check: async () => (await import('../fixtures/check.js')).check,
  update: async () => (await import('../fixtures/check.js')).update,
  review: async () => (await import('../fixtures/changes.js')).review,
  accept: async () => (await import('../fixtures/changes.js')).accept,
  diff: async () => (await import('../fixtures/changes.js')).diff,
  convert: async () => {
    const { convert } = await import('../fixtures/convert.js')
    return (names, { io }) => convert(names, io)
  },
  play: async () => {
    const { play } = await import('../fixtures/play.js')
    return (names, invocation) => play(names, invocation, fixtures.options)
  },
  migrate: async () => (await import('../fixtures/migrate.js')).migrate,
}

export const fixtures: Command = {
  name: 'fixtures',
  summary: 'make a test of a recorded run; check, update and compare the files that tests replay',
  positional: '[action] [files...]',
  options: [
    { flags: '--test', description: 'from: write a test, too' },
    { flags: '--name <name>', description: 'from: what to call it (default: words of the task)' },
    { flags: '--prompt <file>', description: 'check, update, play: the template that the runs had' },
    {
      flags: '--mode <mode>',
      description:
        'play: replay (default, and where CI is set), auto, extend, rewrite, live or continue; for the model and the tools apart: model=live,tools=replay (SAYDO_MODE)',
    },
    { flags: '--from <n>', description: 'play --mode continue: the first step that is made for real', parse: wholeNumber(1) },
    { flags: '--task <text>', description: 'play --mode auto: what is asked in a file that is made' },
    ...ENDPOINT_OPTIONS,
    ...TOOL_OPTIONS,
  ],
  examples: [
    'saydo fixtures from --test                       # of the newest run (or ID): a fixture, and its test',
    'saydo fixtures check                             # does each still hold?',
    'saydo fixtures update rivers                     # what is concluded today is right',
    'saydo fixtures play rivers --mode rewrite --url http://localhost:8080       # asks the model again',
    'saydo fixtures play --mode model=live,tools=replay --url http://localhost:8080 --model other',
    'saydo fixtures review                            # what playing changed and nobody accepted',
    'saydo fixtures accept rivers                     # takes that',
    'saydo fixtures diff main..HEAD                   # who changed: model, parser, world or prompt',
    'saydo fixtures convert m5x rivers.saydo.yaml     # a record as a file for people, or back',
    'saydo fixtures migrate                           # files of an older format',
  ],
  async run(invocation) {
    const [action, ...names] = invocation.args
    const known = Object.keys(ACTIONS)
    const open = action === undefined || !Object.hasOwn(ACTIONS, action) ? undefined : ACTIONS[action]
    if (!open)
      throw new SaydoError(
        'CONFIG',
        action === undefined ? 'say what to do' : `saydo fixtures does not know '${action}'${didYouMean(action, known)}`,
        { hint: `one of ${known.join(', ')}` },
      )
    return (await open())(names, invocation)
  },
}
