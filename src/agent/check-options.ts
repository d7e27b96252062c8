// Options as plain JavaScript may give them → nothing, or a `CONFIG` error that names the one that can be of no use, before anything is run.
import {
  A_FLAG,
  A_FUNCTION,
  AN_ABORT_SIGNAL,
  has,
  isFunction,
  isGiven,
  namesWhere,
  type OptionTable,
  oneOf,
  requireFitting,
  requireKnown,
  requireObject,
  type Wanted,
} from '../core/options.js'
import type { BaseAgentOptions } from './base-agent-options.js'
import { HOOK_NAMES, type Hooks } from './hooks.js'
import type { RunOptions } from './run-options.js'
import type { ToolCallAgentOptions } from './tool-call-options.js'

const A_LANGUAGE: Wanted = [value => typeof value === 'string', 'the code of a language, such as "de"']

const HOOKS = Object.fromEntries(HOOK_NAMES.map(name => [name, A_FUNCTION])) as OptionTable<Hooks>

const BASE_OPTIONS: OptionTable<BaseAgentOptions> = {
  name: 'elsewhere',
  description: 'elsewhere',
  maxSteps: 'elsewhere',
  onMaxSteps: oneOf(['answer', 'return', 'throw']),
  deadlineMs: 'elsewhere',
  maxRunTokens: 'elsewhere',
  stuck: 'elsewhere',
  hooks: [value => typeof value === 'object', `an object with functions, such as ${HOOK_NAMES.join(', ')}`],
  resources: [value => Array.isArray(value) && value.every(has('close')), 'a list of things with a close function'],
  keepOpen: 'elsewhere',
}

const TOOL_CALL_OPTIONS: OptionTable<ToolCallAgentOptions> = {
  ...BASE_OPTIONS,
  maxFormatErrors: 'elsewhere',
  model: 'elsewhere',
  tools: [
    value => isFunction((value as Partial<Iterable<unknown>>)[Symbol.iterator]) || has('specs')(value),
    'a list of tools, or a ToolRegistry',
  ],
  toolChoice: 'elsewhere',
  answer: 'elsewhere',
  dialect: 'elsewhere',
  language: A_LANGUAGE,
  labels: A_LANGUAGE,
  template: [has('render'), 'a template, such as loadTemplate() gives'],
  examples: [value => Array.isArray(value) && value.every(isExample), 'a list of examples, each with a name, a task and steps'],
  contextTokens: 'elsewhere',
  maxObserve: 'elsewhere',
  vision: A_FLAG,
  toolTimeoutMs: [value => typeof value === 'number' && value > 0, 'a positive number'],
  confirm: [isFunction, 'a function of the tool and its input'],
  strict: [Array.isArray, 'a list of problem codes'],
  parallel: 'elsewhere',
  concurrency: 'elsewhere',
}

const RUN_OPTIONS: OptionTable<RunOptions> = {
  onEvent: [isFunction, 'a function of the event'],
  signal: AN_ABORT_SIGNAL,
  maxSteps: 'elsewhere',
  deadlineMs: 'elsewhere',
  maxRunTokens: 'elsewhere',
  toolChoice: 'elsewhere',
  runId: 'elsewhere',
  resume: 'elsewhere',
}

/** A class of somebody's own may have further options. */
export function requireBaseOptions(options: BaseAgentOptions): void {
  requireObject(options, 'an agent')
  requireFitting(options, BASE_OPTIONS)
  const hooks = options.hooks ?? {}
  // what is no function may be a hooks object's own
  requireKnown(namesWhere(hooks, isFunction), HOOKS, 'hook')
  requireFitting(hooks, HOOKS)
}

/** Without the options of the classes above. `isOwn`: of the class itself, which has no further ones. */
export function requireToolCallOptions(options: ToolCallAgentOptions, isOwn: boolean): void {
  if (isOwn) requireKnown(namesWhere(options, isGiven), TOOL_CALL_OPTIONS, 'option')
  requireFitting(options, TOOL_CALL_OPTIONS)
}

export function requireRunOptions(options: RunOptions): void {
  requireObject(options, 'a run')
  requireKnown(namesWhere(options, isGiven), RUN_OPTIONS, 'option')
  requireFitting(options, RUN_OPTIONS)
}

function isExample(value: unknown): boolean {
  const { name, task, steps } = (value ?? {}) as { name?: unknown; task?: unknown; steps?: unknown }
  return typeof name === 'string' && typeof task === 'string' && Array.isArray(steps)
}
