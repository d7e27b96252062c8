// `--approve ask|all|none`, by itself so that help stays quick.
import type { OptionSpec } from './command.js'

export const APPROVE_OPTION: OptionSpec = {
  flags: '--approve <whom>',
  description: 'who confirms the calls that want it: ask (default: you, at the terminal; without one they are denied), all, none',
  choices: ['ask', 'all', 'none'],
}
