// The text of an answer → the decision, unless it is empty, cut off, a placeholder, or rests on an invention.
import { isObject } from '../core/json.js'
import { readJson } from './action-input.js'
import { readActionText } from './action-text.js'
import { type AnswerCut, cutAnswer } from './answer.js'
import { isWholeCall } from './call-like.js'
import { noteIgnored, readCallObject } from './call-object.js'
import { foldWord, isInvisible } from './characters.js'
import { type Grammar, isProtocol, isResult, type LabelRole } from './grammar.js'
import { headOf } from './heads.js'
import { undecorated } from './input-value.js'
import { matchLabel } from './labels.js'
import { ACTION_AFTER_ANSWER, INVENTED_AND_REST, SAME_ANSWER, TEXT_AFTER_ANSWER } from './left-out.js'
import { lineEnd } from './line.js'
import type { Mark } from './marks.js'
import { Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { holdsPhrase } from './phrases.js'
import { type Assembled, finishReading, isClosedAt, isTag, limitOf, orCut, type Reading, unclear } from './reading.js'
import { holdsBracket, holdsCall } from './stray-call.js'
import { holdsResultTag, untagged } from './tag-labels.js'
import { isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'
import { openFence } from './unfence.js'

/** The text of an answer label at mark `k`, to the end but for what is cut. */
export function readAnswer(r: Reading, mark: number, value: number): Assembled {
  let [k, from] = [mark, value]
  for (let next = r.marks[k + 1]; next?.role === 'answer' && !r.text.slice(from, next.start).trim(); next = r.marks[k + 1]) {
    r.notes.add('LABEL_DOUBLED', 'A label is written twice.', { start: (r.marks[k] as Mark).start, end: next.start }, 0)
    k++
    from = next.value
  }
  const cut: AnswerCut = cutAnswer(r, k, limitOf(r, from))
  const place: Place = { start: from, end: cut.end }
  if (cut.refusal) return unclear(r, cut.refusal)
  for (const [code, message, span, cost] of cut.problems) r.notes.add(code, message, span, cost ?? 0)
  const closed = isClosedAt(r, cut.end)
  const text = bareAnswer(r, undecorated(r.text.slice(from, cut.end), r.marks[k] as Mark).trim(), k, place)
  return readAnswerText(r, text, place, k, closed)
}

/** The text of an answer in a tag, which `close` closes: it ends there, whatever follows. */
export function readTaggedAnswer(r: Reading, k: number, close: number): Assembled {
  const mark = r.marks[k] as Mark
  const place: Place = { start: mark.start, end: r.text.indexOf('>', close) + 1 }
  const text = r.text.slice(mark.value, close).trim()
  // right behind it another one leaves open which is meant; with anything between, the first stands
  const next = r.marks[k + 1]
  const second = next?.role === 'answer' && !r.text.slice(place.end, next.start).trim() ? next : undefined
  if (second && r.text.slice(second.value, second.close ?? r.lexed.to).trim() !== text)
    return unclear(
      r,
      refuse('AMBIGUOUS_ANSWER', 'The reply gives two different answers.', { start: second.start, end: r.lexed.to }),
    )
  r.notes.add('ANSWER_ENVELOPE', 'The answer stands in a tag.', place, 0)
  noteBehind(r, k, place.end)
  return readAnswerText(r, text, place, k, true)
}

/** What an answer's text says by itself: it may be an envelope, or hold what is none. */
function readAnswerText(r: Reading, text: string, place: Place, k: number, closed: boolean): Assembled {
  if (text.startsWith('{') || /^```(?:json)?\s{0,8}\{/.test(text)) {
    const enveloped = readEnvelope(r, text, place.start)
    if (enveloped) return enveloped.kind === 'text' ? finalText(r, enveloped.text, place, k, closed) : enveloped.reading
  }
  const call = callInAnswer(r, text, place)
  if (call) return unclear(r, call)
  return finalText(r, text, place, k, closed && !openFence(text))
}

/** The text without a tag around all of it, or behind a tag that never closes. */
function bareAnswer(r: Reading, text: string, k: number, place: Place): string {
  const mark = r.marks[k] as Mark
  if (isTag(r, mark)) {
    r.notes.add('ANSWER_OPEN_BRACKET', 'The tag around the answer is not closed.', place, 1)
    // repair: the closing tag broke off
    return text.replace(/<(?:\/[a-z_]{0,12})?$/i, '').trim()
  }
  const bare = untagged(text)
  if (bare === undefined) return text
  r.notes.add('ANSWER_ENVELOPE', 'The answer stands in a tag.', place, 0)
  return bare.trim()
}

/** Names what stands behind an answer that has an end of its own. */
export function noteBehind(r: Reading, k: number, from: number): void {
  const place: Place = { start: from, end: r.lexed.to }
  for (const { role } of r.marks.slice(k + 1)) {
    if (role === 'action' || role === 'native' || role === 'object')
      return void r.notes.add('ACTION_AFTER_ANSWER', ACTION_AFTER_ANSWER, place, 0)
    if (role === 'observation') return void r.notes.add('INVENTED_OBSERVATION', INVENTED_AND_REST, place, 0)
    if (role === 'answer') return void r.notes.add('SECOND_ANSWER', SAME_ANSWER, place, 0)
  }
  if (r.text.slice(from, r.lexed.to).trim()) r.notes.add('TEXT_AFTER_CALL', TEXT_AFTER_ANSWER, place, 0)
}

/** Decides for an answer, unless it is empty, a placeholder, cut off, or rests on an invented observation. */
export function finalText(r: Reading, text: string, place: Place, next: number, closed: boolean): Assembled {
  if (r.invented)
    return unclear(r, refuse('ANSWER_FROM_INVENTED', 'The answer rests on an observation that the model wrote itself.', place))
  if (r.cut && !closed)
    return unclear(r, refuse('TRUNCATED', 'The endpoint cut the answer off.', place, { quote: quote(text.slice(-80)) }))
  const missing = missingIn(text, place, closed, r.grammar)
  if (missing) return unclear(r, missing)
  for (let k = next + 1; k < r.marks.length && closed; k++) {
    const mark = r.marks[k] as Mark
    if (mark.role === 'lookalike')
      r.notes.add(
        'LABEL_LOOKALIKE',
        'A line imitates a label with look-alike characters.',
        { start: mark.start, end: mark.start + 1 },
        0,
      )
  }
  r.keptEnd = place.end
  return finishReading(r, { kind: 'answer', text: text.trim() })
}

/** A call in an answer that has an end of its own, so that it may begin with an action's label. */
export function callInAnswer(r: Reading, text: string, place: Place): Refusal | undefined {
  if (beginsAction(text, r.grammar, r.box))
    return refuse('AMBIGUOUS_CALL', 'The answer is an action.', place, { quote: quote(text) })
  return callWithin(text, place, r.box)
}

function beginsAction(text: string, grammar: Grammar, box: Toolbox): boolean {
  const label = box.open ? undefined : matchLabel(text, 0, lineEnd(text, 0), grammar)
  if (label?.role !== 'action' || !label.colon) return false
  const { kind } = readActionText(text, label.value, text.length, box, grammar, new Notes())
  return kind === 'name' || kind === 'calls'
}

/** A call in the text of an answer or in place of it, or a result of one. */
export function callWithin(text: string, place: Place, box: Toolbox): Refusal | undefined {
  if (!holdsBracket(text)) return undefined
  if (isWholeCall(text, box)) return refuse('AMBIGUOUS_CALL', 'The answer is a call.', place, { quote: quote(text) })
  if (holdsCall(text, box, true))
    return refuse('AMBIGUOUS_CALL', 'A call stands within the answer.', place, { quote: quote(text) })
  if (holdsResultTag(text))
    return refuse('AMBIGUOUS_OBSERVATION', 'An observation stands within the answer.', place, { quote: quote(text) })
  return undefined
}

/** What an answer lacks: all of its text, its end, or its own words. `closed`: something stands behind it, so it has its end. */
export function missingIn(text: string, place: Place, closed: boolean, grammar: Grammar): Refusal | undefined {
  if (isInvisible(text)) return refuse('EMPTY_REPLY', 'The final answer has no text.', place)
  if (!closed && openFence(text)) return refuse('TRUNCATED', 'A fence in the answer is still open at the end.', place)
  if (isPlaceholder(text, grammar))
    return refuse('PLACEHOLDER', 'The answer is a placeholder from the instructions.', place, { quote: quote(text) })
  return undefined
}

function readEnvelope(
  r: Reading,
  text: string,
  from: number,
): { kind: 'text'; text: string } | { kind: 'done'; reading: Assembled } | undefined {
  const started = r.notes.mark
  const at = text.indexOf('{')
  const body = text.slice(at)
  const read = readJson(body, from, r.notes)
  const rest = read.ok ? body.slice(read.end).replace(/[\s`]/g, '') : ''
  if (read.ok && isObject(read.value) && !rest) {
    const object = readCallObject(read.value, r.box, r.grammar, false)
    if (object?.kind === 'answer') {
      const place: Place = { start: from, end: from + text.length }
      noteIgnored(object.ignored, place, r.notes)
      r.notes.add('ANSWER_ENVELOPE', 'The answer was taken out of an envelope.', place, 0)
      return { kind: 'text', text: object.text }
    }
    if (object && isRegistered(object.name, r.box)) {
      return {
        kind: 'done',
        reading: unclear(
          r,
          refuse('AMBIGUOUS_CALL', 'The answer is a call.', { start: from, end: from + text.length }, { tool: object.name }),
        ),
      }
    }
  }
  r.notes.rewind(started)
  if (!read.ok && /^\{\s{0,8}["']?action["']?\s{0,4}:/i.test(body.slice(0, 40)))
    return { kind: 'done', reading: unclear(r, orCut(r, read)) }
  return undefined
}

/** The instruction's own words instead of an answer. */
export function isPlaceholder(text: string, grammar: Grammar): boolean {
  const trimmed = text.trim()
  if (trimmed.length > 80) return false
  const bracketed = trimmed.startsWith('<') || trimmed.startsWith('[')
  const head = bracketed ? undefined : headOf(trimmed)
  // most answers begin with a word that no placeholder begins with
  if (head && !grammar.heads.has(head)) return false
  if (/^[<[{(]{0,2}(?:\.{2,8}|…{1,4})[>\]})]{0,2}$/.test(trimmed)) return true
  const inner = trimmed
    .replace(/^[<[({"'“]{1,3}/, '')
    .replace(/[>\])}"'”.]{1,3}$/, '')
    .trim()
  const fold = foldWord(inner)
  if (grammar.placeholders.has(fold) || isBlank(trimmed, grammar)) return true
  const role = grammar.roles.get(fold)
  if (role === 'answer') return fold !== 'response'
  return role !== undefined && isProtocol(role) && /^<[^<>\n]{1,70}>$/.test(trimmed)
}

/** `<your answer>`, `[insert the result here]`: a blank of a form. */
function isBlank(text: string, grammar: Grammar): boolean {
  const angled = /^<[^<>\n]{1,70}>$/.test(text)
  if (!angled && !/^\[[^[\]\n]{1,70}\]$/.test(text)) return false
  const inner = text.slice(1, -1).toLowerCase()
  if (grammar.blanks.some(word => holdsPhrase(inner, word))) return true
  return angled && inner.split(/[^\p{L}]+/u).some(word => isResult(word, grammar) || SHOWN.has(grammar.roles.get(foldWord(word))))
}

const SHOWN: ReadonlySet<LabelRole | undefined> = new Set(['answer', 'result'])
