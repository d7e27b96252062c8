// The calls of one action, and those right behind it → the decision to run what can run. Whatever stands behind them is dropped, by name.
import type { ProblemCode } from '../core/reply.js'
import type { ToolCall } from '../core/tool.js'
import { readActionText } from './action-text.js'
import { type CallReading, inlineCall, isIdle, unknownCall } from './inline-call.js'
import { readActionInput } from './input-text.js'
import { endsWithin, readLabelledInput } from './labelled-input.js'
import { INVENTED_AND_REST, INVENTED_TURN, TEXT_AFTER_CALL, TEXT_BEHIND_NAME } from './left-out.js'
import type { Mark } from './marks.js'
import { type Place, quote, type Refusal, refuse } from './notes.js'
import {
  type Assembled,
  finishReading,
  hasSince,
  observedBehindCall,
  onlyGlue,
  orCutAt,
  type Reading,
  unclear,
  valueEnd,
} from './reading.js'

/** Turns what was read of one action, and of those right behind it, into a decision. `at` is where the last call ends, `end` its section. */
export function joinCalls(
  r: Reading,
  read: readonly CallReading[],
  k: number,
  at: number,
  end: number,
  after = k + 1,
  chatter = false,
): Assembled {
  const all = [...read]
  let last = at
  let next = after
  let joined = !chatter && onlyGlue(r, at, end)
  if (!joined && !chatter && at < end) {
    const rest = r.text.slice(at, end).trim()
    if (rest) {
      const observation = r.lexed.observations.find(label => label.start >= at - 1 && label.start < end)
      if (observation) r.notes.add('INVENTED_OBSERVATION', INVENTED_AND_REST, { start: observation.start, end: r.lexed.to }, 0)
      else if (!hasSince(r, 0, 'TEXT_AFTER_CALL')) r.notes.add('TEXT_AFTER_CALL', TEXT_AFTER_CALL, { start: at, end }, 0)
    }
  }
  let broken = all.some(call => !call.reading.ok)
  while (joined && !broken && next < r.marks.length && all.length < MOST_CALLS) {
    const more = adjacentCall(r, next)
    if (!more) break
    all.push(...more.calls)
    last = more.end
    next = more.next
    joined = more.joined
    broken = more.calls.some(call => !call.reading.ok)
  }
  return decideCalls(r, all, k, last, next, chatter)
}

/** Runs what can run: the calls up to the first that is broken, unknown, cut off or in doubt. */
export function decideCalls(
  r: Reading,
  all: readonly CallReading[],
  k: number,
  end: number,
  next: number,
  closed = false,
): Assembled {
  const runnable: ToolCall[] = []
  const inputs: string[] = []
  let failed: CallReading | undefined
  let refusal: Refusal | undefined
  const cutCall =
    r.cut && !closed && next >= r.marks.length && end >= r.text.trimEnd().length && !r.clean.turnCut && !r.lexed.stopWord
      ? all[all.length - 1]
      : undefined
  for (const call of all.slice(0, MOST_CALLS)) {
    if (!call.reading.ok) {
      failed = call
      const named = ofTool(call.reading, call.name, r)
      refusal = call === all[all.length - 1] ? orCutAt(r, named, next, end) : named
      break
    }
    if (call === cutCall) {
      failed = call
      refusal = refuse('TRUNCATED', 'The endpoint cut the reply off, so the call may be incomplete.', call.place, {
        tool: call.name,
        quote: quote(call.written),
      })
      break
    }
    if (r.notes.costSince(r.doubtFrom) > (r.box.byName.get(call.name)?.doubt ?? Number.POSITIVE_INFINITY)) {
      failed = call
      refusal = refuse('IN_DOUBT', `Reading the call of ${call.name} took more guessing than this tool allows.`, call.place, {
        tool: call.name,
        quote: quote(call.written),
        reading: { kind: 'act', calls: [{ id: '1', tool: call.name, input: call.reading.input }] },
      })
      break
    }
    runnable.push({ id: String(runnable.length + 1), tool: call.name, input: call.reading.input })
    inputs.push(call.written)
  }
  r.input = inputs.join('\n')
  const beyond = all[MOST_CALLS]
  if (beyond && !failed)
    r.notes.add('LATER_CALL', `Calls beyond the first ${MOST_CALLS} were left out.`, { start: beyond.place.start, end }, 0)
  const dropped = noteDropped(r, next)
  if (refusal && failed) {
    if (runnable.length === 0) {
      const attempt = ATTEMPTS.has(refusal.code) && failed.name ? { tool: failed.name, input: failed.written } : undefined
      return unclear(r, refusal, attempt)
    }
    // the whole call was left out, and not only the spot that is wrong
    const place = { start: failed.place.start, end: Math.max(refusal.place.end, failed.place.end, dropped) }
    r.notes.add(refusal.code, refusal.message, place, 0, { ...refusal.data })
  }
  const last = runnable.length < all.length ? (all[runnable.length - 1] as CallReading).place.end : end
  r.keptEnd = Math.max(last, (r.marks[k] as Mark).value)
  return finishReading(r, { kind: 'act', calls: runnable as [ToolCall, ...ToolCall[]] })
}

/** Whatever is wrong with an input, a correction should show the call of that tool. */
function ofTool(refusal: Refusal, name: string, r: Reading): Refusal {
  return r.box.byName.has(name) ? { ...refusal, data: { tool: name, ...refusal.data } } : refusal
}

/** `Search[a], Search[b] and Search[c]`: further bracket calls on the same line. */
export function chainCalls(r: Reading, calls: CallReading[], from: number, end: number): { calls: CallReading[]; end: number } {
  let at = from
  for (let count = 0; count < 63; count++) {
    const glue =
      /^(?:[`\s]{0,8}(?:[,;，；、]|\band\b|和|und|et|y|e|и)[`\s]{0,8}){1,2}|^\s{1,40}(?=[\p{L}_][\w.-]{0,63}[[(])/u.exec(
        r.text.slice(at, Math.min(end, at + 80)),
      )
    if (!glue) break
    const start = at + glue[0].length
    const action = readActionText(r.text, start, end, r.box, r.grammar, r.notes)
    if (action.kind === 'unknown' && action.input !== undefined) {
      calls.push(unknownCall(action.written, action.input, action.place, r.box))
      return { calls, end: action.end }
    }
    if (action.kind !== 'name') break
    if (action.inline) {
      calls.push(inlineCall(action.tool, action.inline, action.place, r.notes))
      at = action.inline.end
      continue
    }
    // brackets without anything in them are a part of the name
    if (!/\)\W{0,8}$/.test(r.text.slice(action.place.start, action.place.end).slice(-10))) break
    const reading = readActionInput('', action.end, action.tool.shape, r.notes)
    calls.push({ name: action.tool.name, reading, place: action.place, written: '' })
    at = action.end
  }
  return { calls, end: at }
}

/** The action at mark `k`, when it stands right behind the one before. */
function adjacentCall(r: Reading, k: number): { calls: CallReading[]; end: number; next: number; joined: boolean } | undefined {
  const mark = r.marks[k] as Mark
  if (mark.role !== 'action' || mark.midline) return undefined
  const end = valueEnd(r, k)
  const place: Place = { start: mark.start, end }
  const started = r.notes.mark
  const observed = observedBehindCall(r, mark.value, end)
  const action = readActionText(r.text, mark.value, observed < 0 ? end : observed, r.box, r.grammar, r.notes)
  const inputMark = observed < 0 && r.marks[k + 1]?.role === 'input' ? (r.marks[k + 1] as Mark) : undefined
  if (action.kind === 'calls')
    return { calls: [...action.calls], end: action.end, next: k + 1, joined: onlyGlue(r, action.end, end) }
  if (action.kind === 'unknown') {
    const input = inputMark ? r.text.slice(inputMark.value, valueEnd(r, k + 1)).trim() : (action.input ?? '')
    return { calls: [unknownCall(action.written, input, action.place, r.box)], end, next: k + 1, joined: false }
  }
  if (action.kind !== 'name') {
    r.notes.rewind(started)
    return undefined
  }
  const { tool, inline } = action
  if (!inputMark) {
    if (inline) {
      const chained = chainCalls(r, [inlineCall(tool, inline, action.place, r.notes)], inline.end, end)
      return { calls: chained.calls, end: chained.end, next: k + 1, joined: onlyGlue(r, chained.end, end) }
    }
    return {
      calls: [{ name: tool.name, reading: readActionInput('', action.end, tool.shape, r.notes), place, written: '' }],
      end: action.end,
      next: k + 1,
      joined: onlyGlue(r, action.end, end),
    }
  }
  const inputEnd = valueEnd(r, k + 1)
  const text = r.text.slice(inputMark.value, inputEnd)
  const behind = endsWithin(r, inputMark.value, inputEnd) ? undefined : r.marks[k + 2]
  const second = behind?.role === 'input' ? r.text.slice(behind.value, valueEnd(r, k + 2)) : undefined
  const next = second === undefined ? k + 2 : k + 3
  if ((inline && !isIdle(inline, tool.shape)) || (second !== undefined && second.trim() !== text.trim())) {
    const reading = refuse('AMBIGUOUS_INPUT', 'A further call has two inputs.', place, { tool: tool.name, quote: quote(text) })
    const call = { name: tool.name, reading, place: { start: mark.start, end: inputEnd }, written: text.trim() }
    return { calls: [call], end: inputEnd, next, joined: false }
  }
  if (r.text.slice(action.end, end).replace(/[\s`*.,;:]+/g, ''))
    r.notes.add('TEXT_AFTER_CALL', TEXT_BEHIND_NAME, { start: action.end, end }, 0)
  const labelled = readLabelledInput(r, tool, k, inputMark, inputEnd, next)
  return { calls: [labelled.call], end: labelled.end, next, joined: !labelled.chatter }
}

/** Names what stands behind the decision; gives where that begins. */
function noteDropped(r: Reading, from: number): number {
  for (let k = from; k < r.marks.length; k++) {
    const mark = r.marks[k] as Mark
    const place = { start: mark.start, end: r.lexed.to }
    if (mark.role === 'observation' || mark.role === 'result' || (mark.role === 'lookalike' && mark.like === 'observation')) {
      if (mark.role === 'lookalike')
        r.notes.add('LABEL_LOOKALIKE', 'A line imitates a label with look-alike characters.', place, 0)
      r.notes.add('INVENTED_OBSERVATION', INVENTED_AND_REST, place, 0)
      return mark.start
    }
    if (mark.role === 'answer') {
      r.notes.add('EARLY_ANSWER', 'An answer before the result of the action was left out.', place, 0)
      return mark.start
    }
    if (mark.role === 'action' || mark.role === 'native' || mark.role === 'object') {
      r.notes.add('LATER_CALL', 'A further call, planned without seeing a result, was left out.', place, 0)
      return mark.start
    }
    if (mark.role === 'turn') {
      r.notes.add('INVENTED_TURN', INVENTED_TURN, place, 0)
      return mark.start
    }
    if (mark.role === 'lookalike') {
      r.notes.add('LABEL_LOOKALIKE', 'A line imitates a label with look-alike characters.', place, 0)
      return mark.start
    }
  }
  return r.lexed.to
}

const ATTEMPTS = new Set<ProblemCode>(['UNKNOWN_TOOL', 'INVALID_INPUT', 'IN_DOUBT'])

/** Calls of one reply that are run: a model that writes more has lost its way. */
const MOST_CALLS = 64
