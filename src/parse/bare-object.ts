// A call object without a label, bare or fenced → its call when it is the only one, an answer, or a question back.
import { isObject } from '../core/json.js'
import { readJson } from './action-input.js'
import { readObjects } from './action-text.js'
import { looksLikeCall, readCallObject } from './call-object.js'
import { type Grammar, isProtocol } from './grammar.js'
import type { CallReading } from './inline-call.js'
import { decideCalls } from './join-calls.js'
import { TEXT_AFTER_CALL } from './left-out.js'
import type { Mark } from './marks.js'
import { Notes, refuse } from './notes.js'
import { finalText, noteBehind, readAnswer } from './read-answer.js'
import { type Assembled, orCut, type Reading, think, unclear, valueEnd } from './reading.js'
import type { Toolbox } from './tool-shape.js'

/** A call object at a line start. */
export function readObject(r: Reading, k: number): Assembled {
  const mark = r.marks[k] as Mark
  // its repairs are noted when all objects are read together
  const read = readJson(r.text.slice(mark.value, mark.end), mark.value, new Notes())
  if (!read.ok) return unclear(r, orCut(r, read))
  // all objects of the reply: neighbours are one batch, anything else is a choice nobody made
  const group: Mark[] = [mark]
  const alone = answerObject(read.value, r.box, r.grammar)
  for (let n = k + 1; n < r.marks.length && !alone; n++) {
    const other = r.marks[n] as Mark
    if (other.role !== 'object') {
      if (isProtocol(other.role) || other.role === 'native') break
      continue
    }
    const before = group[group.length - 1] as Mark
    const value = readJson(r.text.slice(other.value, other.end), other.value, new Notes())
    if (!value.ok || !looksLikeCall(value.value, r.box) || answerObject(value.value, r.box, r.grammar)) continue
    if (r.text.slice(before.end, other.value).replace(/```\w{0,12}|[\s,;]/g, '')) {
      return unclear(r, refuse('AMBIGUOUS_CALL', 'More than one call stands in the text.', { start: mark.start, end: other.end }))
    }
    group.push(other)
  }
  const last = group[group.length - 1] as Mark
  r.notes.add(
    'CALL_OBJECT',
    'The call is an object without labels.',
    { start: mark.start, end: last.end },
    standsAlone(r, mark, last) ? 0 : 1,
  )
  if (mark.fenced) r.notes.add('INPUT_FENCED', 'The call stands in a fence.', { start: mark.start, end: last.end }, 0)
  const body = r.text
    .slice(mark.value, last.end)
    .replace(/\n?```\w{0,12}\n?/g, match => (group.length > 1 ? ' '.repeat(match.length) : match))
  const action = readObjects(body, mark.value, r.box, r.grammar, r.notes, true)
  if (r.marks[k + group.length]?.role === 'answer' && action.kind === 'answer')
    return readAnswer(r, k + group.length, (r.marks[k + group.length] as Mark).value)
  switch (action.kind) {
    case 'answer': {
      const object = isObject(read.value) ? readCallObject(read.value, r.box, r.grammar, false) : undefined
      if (object?.thought) think(r, object.thought)
      const second = secondAnswer(r, k + 1)
      if (second !== undefined && second !== action.text)
        return unclear(r, refuse('AMBIGUOUS_ANSWER', 'The reply gives two different answers.', action.place))
      r.notes.add('ANSWER_ENVELOPE', 'The answer was taken out of an envelope.', action.place, 0)
      if (second === undefined) noteBehind(r, k, last.end)
      return finalText(r, action.text, { start: mark.start, end: last.end }, k + group.length, true)
    }
    case 'calls': {
      if (action.thought) think(r, action.thought)
      const unknown = action.calls.find(call => !call.reading.ok)
      const registered = action.calls.every(call => r.box.open || r.box.byName.has(call.name))
      if (!registered && !unknown)
        return unclear(
          r,
          refuse('AMBIGUOUS_CALL', 'The object names no tool that is there.', { start: mark.start, end: last.end }),
        )
      return decideObject(r, action.calls, k, last, group.length)
    }
    case 'refused':
      return unclear(r, action.refusal)
    default:
      return unclear(r, refuse('AMBIGUOUS_CALL', 'The object may be a call.', { start: mark.start, end: last.end }))
  }
}

/** The answer of the object at mark `k`; undefined when it holds none. */
function secondAnswer(r: Reading, k: number): string | undefined {
  const mark = r.marks[k]
  if (mark?.role !== 'object') return undefined
  const read = readJson(r.text.slice(mark.value, mark.end), mark.value, new Notes())
  const object = read.ok && isObject(read.value) ? readCallObject(read.value, r.box, r.grammar, false) : undefined
  return object?.kind === 'answer' ? object.text : undefined
}

/** An object that may be a call or an answer; any other is data, and a part of the text. */
export function mayBeCall(text: string, mark: Mark, box: Toolbox, grammar: Grammar): boolean {
  const piece = text.slice(mark.value, mark.end)
  const read = readJson(piece, mark.value, new Notes())
  if (!read.ok) return /["']?(?:action|tool_?call|tool_?name|function)["']?\s{0,4}:/i.test(piece.slice(0, 200))
  return looksLikeCall(read.value, box) || answerObject(read.value, box, grammar)
}

function decideObject(r: Reading, calls: readonly CallReading[], k: number, last: Mark, count: number): Assembled {
  const closing = /^[\s`]*/.exec(r.text.slice(last.end, last.end + 40))?.[0].length ?? 0
  const next = k + count
  const end = last.end
  // prose behind the object means that a cut reply was cut in the prose
  const behind = r.text.slice(end + closing, valueEnd(r, next - 1)).trim()
  if (behind) r.notes.add('TEXT_AFTER_CALL', TEXT_AFTER_CALL, { start: end + closing, end: valueEnd(r, next - 1) }, 0)
  return decideCalls(r, calls, k, end, next)
}

function answerObject(value: unknown, box: Toolbox, grammar: Grammar): boolean {
  if (!isObject(value)) return false
  const found = readCallObject(value, box, grammar, false)
  return found?.kind === 'answer'
}

/** Nothing but the object, fences and white space stands in the reply. */
function standsAlone(r: Reading, first: Mark, last: Mark): boolean {
  const before = r.text.slice(r.lexed.from, first.start)
  const after = r.text.slice(last.end, r.lexed.to)
  return !/[^\s`]/.test(before) && !/[^\s`]/.test(after)
}
