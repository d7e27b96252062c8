// One call as the model meant it → a call that is ready to begin, or the Observation that says why it is not made. In order: the name is looked up,
// the input checked, a limit counted, and whoever has to be asked is asked. Nothing of this is an effect.
import { SaydoError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import type { Say } from '../core/text.js'
import type { Approval, InputCheck, Observation, Tool, ToolCall, ToolContext } from '../core/tool.js'
import { askAbout, type Confirm, type Question, type Verdict, wantsConfirmation } from './approval.js'
import { copyInput } from './copy-input.js'
import { isolate, type Outcome } from './isolate.js'
import { approvalIn, isMasked, isSameInput, type KnownCall } from './known-call.js'
import type { CallLimits } from './limits.js'
import {
  aborted,
  denied,
  invalidInput,
  limited,
  outcomeUnknown,
  outOfTime,
  spoken,
  summaryOf,
  threw,
  timedOut,
  unavailable,
  unknownTool,
} from './refusal.js'
import type { ToolRegistry } from './registry.js'
import { readResult } from './result.js'
import { checkInput } from './validate.js'

const DEFAULT_TIMEOUT_MS = 30_000

export interface PrepareOptions {
  /** Where tools are looked up, and where near names come from. */
  readonly registry: ToolRegistry
  readonly say: Say
  /** Index of the step the calls belong to, from 1; with a call's id it gives the `callId`. */
  readonly step: number
  readonly signal?: AbortSignal | undefined
  /** Time for a tool that sets none of its own, in ms; default 30,000. */
  readonly timeoutMs?: number | undefined
  readonly confirm?: Confirm | undefined
  /** Asked about every call, before anybody else; undefined and another input leave it to `confirm`, where the tool wants that. */
  readonly vet?: ((call: ToolCall) => Approval | undefined | Promise<Approval | undefined>) | undefined
  readonly limits?: CallLimits | undefined
  /** What a record says about a call, in a run that goes on. */
  readonly known?: ((call: ToolCall) => KnownCall | undefined) | undefined
}

/** What a call gave, before it is measured. */
export type Result = Pick<Observation, 'text' | 'failure' | 'data' | 'images'> & { readonly truncated?: number }

/** A call that may begin. */
export interface ReadyCall {
  readonly tool: Tool
  readonly call: ToolCall
  /** The input as `run` gets it. */
  readonly given: unknown
  readonly timeoutMs: number
  /** Somebody put this input in the place of the model's. */
  readonly changed?: true
  /** See `ToolContext.again`. */
  readonly again?: true
}

/** What somebody who was asked said, and about which call: for `changed` the one that will be made. */
export interface Said {
  readonly call: ToolCall
  readonly verdict: Verdict
}

/** `said`: in the order it was said. */
export type Prepared = { readonly said?: readonly Said[] } & ({ readonly ready: ReadyCall } | { readonly refused: Result })

/** Never rejects. */
export function prepareCall(call: ToolCall, options: PrepareOptions): Promise<Prepared> {
  // what no rule foresaw, such as a check that gives nonsense as issues: still one observation
  return prepare(call, options).catch(fault => ({ refused: threw(call.tool, fault, options.say) }))
}

export function contextOf({ call, again }: Pick<ReadyCall, 'call' | 'again'>, step: number, signal: AbortSignal): ToolContext {
  return Object.freeze({ signal, callId: `${step}.${call.id}`, ...(again ? { again } : {}) })
}

/** What becomes of work that gave no value. */
export function failedWork({ name }: Tool, outcome: Exclude<Outcome, { kind: 'value' }>, timeoutMs: number, say: Say): Result {
  if (outcome.kind === 'aborted') return aborted(name, say)
  if (outcome.kind === 'timeout') return timedOut(name, timeoutMs, say)
  return WHY_THROWN[nameOf(outcome.thrown)]?.(name, outcome.thrown, say) ?? threw(name, outcome.thrown, say)
}

async function prepare(meant: ToolCall, options: PrepareOptions): Promise<Prepared> {
  const { registry, say, limits } = options
  const tool = registry.get(meant.tool)
  if (tool === undefined) return { refused: unknownTool(meant.tool, registry, say) }
  const known = options.known?.(meant)
  const call = known?.begun && known.call ? known.call : meant
  if (known && isMasked(call))
    return { refused: unavailable(tool.name, 'its input holds a secret that the record does not', say) }
  const timeoutMs = tool.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS

  const checked = await check(tool, call, timeoutMs, options)
  if ('refused' in checked) return checked
  if (!checked.ok) return { refused: invalidInput(tool, checked.issues, say) }

  const met = limits?.take(tool, options.step)
  if (met !== undefined) return { refused: limited(tool.name, met, say) }

  const ready = { tool, call, given: checked.input, timeoutMs, ...(isSameInput(call, meant) ? {} : { changed: true as const }) }
  const prepared = await (known?.begun ? repeat({ ...ready, again: true }, options) : approve(ready, options, known))
  if ('refused' in prepared) limits?.giveBack(tool)
  return prepared
}

/** Within the tool's own time. */
async function check(
  tool: Tool,
  call: ToolCall,
  timeoutMs: number,
  { say, signal }: PrepareOptions,
): Promise<InputCheck | { readonly refused: Result }> {
  const work = async (signal: AbortSignal) => requireCheck(await checkInput(tool, copyInput(call.input), say, signal))
  const checked = await isolate(work, { signal, timeoutMs })
  if (checked.kind === 'value') return checked.value as InputCheck
  const broken = checked.kind === 'threw' && checked.thrown instanceof SaydoError
  return { refused: broken ? unavailable(tool.name, checked.thrown, say) : failedWork(tool, checked, timeoutMs, say) }
}

// a tool's own check may answer anything
function requireCheck(check: unknown): InputCheck {
  const { ok, issues } = (check ?? {}) as { ok?: unknown; issues?: unknown }
  if (ok === true || (ok === false && Array.isArray(issues))) return check as InputCheck
  throw new TypeError('the check of its input gave no {ok, …}')
}

async function approve(ready: ReadyCall, options: PrepareOptions, known: KnownCall | undefined): Promise<Prepared> {
  const said = known && approvalIn(known, ready.call)
  const vet = said === undefined ? options.vet : () => said
  const question = questionAbout(ready, options)
  const vetted = vet ? await askVet(question, ready.call, vet) : undefined
  if (vetted === undefined) return confirmed(ready, options)
  const settled = await settle(ready, vetted, options)
  if (vetted.kind !== 'changed' || !('ready' in settled)) return settled
  // nobody has said yes to the other input
  const last = await confirmed(settled.ready, options)
  return { ...last, said: [...(settled.said ?? []), ...(last.said ?? [])] }
}

/** A call that was begun, with no result on record: whoever says no to it is not asked whether it was allowed, but whether to make it once more. */
async function repeat(ready: ReadyCall, options: PrepareOptions): Promise<Prepared> {
  const { tool, call } = ready
  const { say, confirm } = options
  if (tool.idempotent || tool.effect === 'none') return { ready }
  if (confirm === undefined) return { refused: outcomeUnknown(tool.name, say) }
  const verdict = await askAbout(questionAbout(ready, options), confirm)
  if (verdict === undefined) return { refused: aborted(tool.name, say) }
  if (verdict.kind !== 'denied') return settle(ready, verdict, options)
  return { said: [{ call, verdict }], refused: outcomeUnknown(tool.name, say, verdict.reason) }
}

function questionAbout(
  { tool, call, given, again }: ReadyCall,
  { step, signal = new AbortController().signal }: PrepareOptions,
): Question {
  // who is asked sees the input that will run, in the model's own terms
  const input = tool.check === undefined ? (given as JsonObject) : call.input
  return { tool, input, context: contextOf({ call, ...(again ? { again } : {}) }, step, signal) }
}

async function confirmed(ready: ReadyCall, options: PrepareOptions): Promise<Prepared> {
  const { tool, timeoutMs } = ready
  const { say, confirm } = options
  const question = questionAbout(ready, options)
  const { signal } = question.context
  if (signal.aborted) return { refused: aborted(tool.name, say) }
  if (!(await wantsConfirmation(question, timeoutMs))) return { ready }
  if (signal.aborted) return { refused: aborted(tool.name, say) }
  if (confirm === undefined) return { refused: denied(tool.name, say, { why: 'it must be confirmed, and nobody can be asked' }) }
  const verdict = await askAbout(question, confirm)
  if (verdict === undefined) return { refused: aborted(tool.name, say) }
  return settle(ready, verdict, options)
}

/** Undefined when nothing was said, or the run was aborted meanwhile. */
async function askVet(question: Question, call: ToolCall, vet: NonNullable<PrepareOptions['vet']>): Promise<Verdict | undefined> {
  let silent = false
  const verdict = await askAbout(question, async (_, input) => {
    const said = await vet({ ...call, input })
    // in plain JavaScript nothing may be null, too
    silent = said === undefined || said === null
    return said ?? true
  })
  return silent ? undefined : verdict
}

function settle(ready: ReadyCall, verdict: Verdict, options: PrepareOptions): Prepared | Promise<Prepared> {
  return verdict.kind === 'changed' ? change(ready, verdict, options) : judge(ready, verdict, options.say)
}

function judge(ready: ReadyCall, verdict: Exclude<Verdict, { kind: 'changed' }>, say: Say): Prepared {
  const { tool, call } = ready
  const said = [{ call, verdict }]
  switch (verdict.kind) {
    case 'allowed':
      return { said, ready }
    case 'answered':
      return { said, refused: { text: readResult(verdict.text).text ?? spoken(say, 'no_output', {}, '(no output)') } }
    case 'stopped':
      return { said, refused: denied(tool.name, say, { reason: verdict.reason }) }
    case 'denied':
      return { said, refused: denied(tool.name, say, verdict) }
  }
}

/** An input that somebody gave in place of the model's is checked like that; one that does not fit denies the call. */
async function change(
  ready: ReadyCall,
  verdict: Extract<Verdict, { kind: 'changed' }>,
  options: PrepareOptions,
): Promise<Prepared> {
  const call = { ...ready.call, input: verdict.input }
  const checked = await check(ready.tool, call, ready.timeoutMs, options)
  if (!('refused' in checked) && checked.ok)
    return { said: [{ call, verdict }], ready: { ...ready, call, given: checked.input, changed: true } }
  const fault = 'refused' in checked ? checked.refused.text : summaryOf(checked.issues)
  return judge(ready, { kind: 'denied', why: `the input given in its place does not fit: ${fault}` }, options.say)
}

/** What is thrown for a reason of its own, by its name, which holds across two copies of the library. `TimeoutError` is what an `AbortSignal.timeout` gives. */
const WHY_THROWN: Readonly<Record<string, typeof threw>> = { ToolUnavailableError: unavailable, TimeoutError: outOfTime }

function nameOf(thrown: unknown): string {
  try {
    return thrown instanceof Error && Object.hasOwn(WHY_THROWN, thrown.name) ? thrown.name : ''
  } catch {
    // a proxy may refuse even to say what it is
    return ''
  }
}
