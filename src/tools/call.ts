// A call that is ready → what it gave: one Observation as the model will read it, and whether the run ends with it. Whatever goes wrong is told
// in the Observation; nothing is retried behind the model's back.
import type { Image } from '../core/image.js'
import type { Say } from '../core/text.js'
import type { Ending, Observation, Tool, ToolCall } from '../core/tool.js'
import { collect } from './collect.js'
import { copyInput } from './copy-input.js'
import { GivenObservation } from './given-observation.js'
import { type IsolateOptions, isolate, type Outcome } from './isolate.js'
import { contextOf, failedWork, type PrepareOptions, type ReadyCall, type Result } from './prepare.js'
import { spoken, threw } from './refusal.js'
import { readResult } from './result.js'
import { type MaxObserve, truncate } from './truncate.js'
import { shownOf, WithImages } from './with-images.js'

export interface CallOptions extends PrepareOptions {
  readonly maxObserve?: MaxObserve
  /** The images of a result are kept. */
  readonly vision?: boolean | undefined
  /** ms of a clock that never runs backwards; default `performance.now`. */
  readonly now?: (() => number) | undefined
}

export interface Made {
  readonly observation: Observation
  /** Set when the run ends with this call. */
  readonly ending?: Ending
}

/**
 * Runs the tool. Never rejects, and always settles: when the tool's time is up or the signal is aborted, what it still does is dropped.
 * `observation.data` is the result as JSON, unless it is a string, over 64 KiB, or no plain JSON.
 */
export async function makeCall(ready: ReadyCall, options: CallOptions): Promise<Made> {
  const measured = stopwatch(options)
  const { result, ending } = await attempt(ready, options).catch(fault => faulty(ready, fault, options.say))
  const observation = measured(ready.call, result)
  return ending === undefined ? { observation } : { observation, ending }
}

/** Starts to measure; gives the observation of a result with the time since then. */
export function stopwatch({ now = () => performance.now() }: CallOptions): (call: ToolCall, result: Result) => Observation {
  const startedAt = now()
  return (call, result) => ({ tool: call.tool, truncated: 0, ...result, ms: Math.max(0, Math.round(now() - startedAt)) })
}

interface Attempted {
  readonly result: Result
  readonly ending?: Ending
}

async function attempt(ready: ReadyCall, options: CallOptions): Promise<Attempted> {
  const { tool, call, given, timeoutMs } = ready
  const { say, signal, step } = options
  const run = async (signal: AbortSignal) => collect(await tool.run(given as never, contextOf(ready, step, signal)), signal)
  const outcome = await isolate(run, { signal, timeoutMs })
  if (outcome.kind !== 'value') return { result: fitting(failedWork(tool, outcome, timeoutMs, say), options) }
  if (outcome.value instanceof GivenObservation) return recalled(ready, outcome.value, options)
  const { value, images } = seenIn(outcome.value, options)
  const { text, data } = readResult(value)
  const whole: Result = { text: text ?? '', ...(data === undefined ? {} : { data }), ...(images.length > 0 ? { images } : {}) }
  if (!tool.finishes) return { result: told(ready, whole, options) }

  const decided = await askEnding(tool, call, { tool: tool.name, truncated: 0, ms: 0, ...whole }, { signal, timeoutMs })
  if (decided.kind !== 'value') return { result: failedWork(tool, decided, timeoutMs, say) }
  const ending = decided.value as Ending | undefined
  return ending === undefined ? { result: told(ready, whole, options) } : { result: whole, ending }
}

function seenIn(value: unknown, { vision = false }: CallOptions): { readonly value: unknown; readonly images: readonly Image[] } {
  if (!(value instanceof WithImages)) return { value, images: [] }
  return { value: value.result, images: vision ? shownOf(value) : [] }
}

/** What was seen of the same call before. */
async function recalled({ tool, call }: ReadyCall, { result }: GivenObservation, options: CallOptions): Promise<Attempted> {
  const ending = await endingOf(tool, call, { tool: tool.name, ms: 0, ...result }, options)
  return ending === undefined ? { result } : { result, ending }
}

/** How the run ends by a call that was made before, when it does. */
export async function endingOf(
  tool: Tool | undefined,
  call: ToolCall,
  observation: Observation,
  { signal, timeoutMs }: CallOptions,
) {
  if (!tool?.finishes || observation.failure) return undefined
  const decided = await askEnding(tool, call, observation, { signal, timeoutMs: tool.timeoutMs ?? timeoutMs })
  return decided.kind === 'value' ? (decided.value as Ending | undefined) : undefined
}

/** What ends the run is its answer: whole, and empty when there is nothing. The value of the outcome is an `Ending` or undefined. */
async function askEnding(tool: Tool, { input }: ToolCall, observation: Observation, limits: IsolateOptions): Promise<Outcome> {
  const { ending: decide } = tool
  if (decide === undefined) return { kind: 'value', value: { success: true, answer: observation.text } }
  return isolate(async signal => requireEnding(await decide(copyInput(input), observation, signal)), limits)
}

/** A result as the model reads it: never empty, no longer than wanted, and honest about an input that was not the model's. */
function told({ call, changed }: ReadyCall, result: Result, options: CallOptions): Result {
  const { say } = options
  const fit = fitting({ ...result, text: result.text || spoken(say, 'no_output', {}, '(no output)') }, options)
  if (!changed) return fit
  const input = JSON.stringify(call.input)
  const note = spoken(say, 'input_changed', { tool: call.tool, input }, `${call.tool} was called with ${input}.`)
  return { ...fit, text: `${note}\n${fit.text}` }
}

/** No longer than wanted. */
function fitting(result: Result, { say, maxObserve }: CallOptions): Result {
  const quiet: Say = (name, facts) => spoken(say, name, facts ?? {}, '[…]')
  const { text, omitted } = truncate(result.text, maxObserve, quiet)
  return { ...result, text, truncated: omitted }
}

function requireEnding(value: unknown): Ending | undefined {
  if (value === undefined) return undefined
  const { success, answer } = (value ?? {}) as { success?: unknown; answer?: unknown }
  if (typeof success === 'boolean' && typeof answer === 'string') return { success, answer }
  throw new TypeError('its ending is no {success, answer}')
}

// what no rule foresaw: still one observation
function faulty({ tool }: ReadyCall, fault: unknown, say: Say): Attempted {
  return { result: threw(tool.name, fault, say) }
}
