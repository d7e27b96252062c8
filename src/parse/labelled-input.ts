// The value of an input label → its call, and where that ends. A line that may be a label or a part of the input leaves it without a reading.
import { readActionText } from './action-text.js'
import { isSpace, skipBlank } from './characters.js'
import { namesParameter } from './fit-input.js'
import { isProtocol } from './grammar.js'
import type { CallReading } from './inline-call.js'
import { isCompleteValue, readInput } from './input-value.js'
import { scanJson } from './json-scan.js'
import { matchLabel } from './labels.js'
import { INVENTED_AND_REST, TEXT_AFTER_INPUT } from './left-out.js'
import type { Mark } from './marks.js'
import { turnWithin } from './midline.js'
import { Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { hasSince, isTag, observedBehindCall, type Reading, valueEnd } from './reading.js'
import { holdsCall } from './stray-call.js'
import { holdsResultTag } from './tag-labels.js'
import type { ResolvedName } from './tool-name.js'
import type { ToolShape } from './tool-shape.js'

export interface LabelledCall {
  readonly call: CallReading
  readonly end: number
  /** More text than the call stands before the next label. */
  readonly chatter: boolean
}

/** Reads the input of the action at mark `k`, whose value goes to `end`; `next` is the mark behind it. */
export function readLabelledInput(
  r: Reading,
  tool: ResolvedName,
  k: number,
  inputMark: Mark,
  end: number,
  next: number,
): LabelledCall {
  const { name, shape } = tool
  const raw = r.text.slice(inputMark.value, end)
  const place: Place = { start: (r.marks[k] as Mark).start, end }
  const refused = (refusal: Refusal): LabelledCall => ({
    call: { name, reading: refusal, place, written: raw.trim() },
    end,
    chatter: true,
  })
  const following = r.marks[next]
  // a label on a line of its own closes the input; so do other text, and an observation in mid-line, behind a complete object
  const object = objectBeforeText(r, inputMark.value, end)
  const observation = r.lexed.observations.find(label => label.start >= inputMark.value && label.start < end)
  let text = raw
  let cutAt = end
  if (observation && (object < 0 || isBlank(r.text.slice(object, observation.start)))) {
    const before = r.text.slice(inputMark.value, observation.start)
    if (!isCompleteValue(before)) {
      return refused(
        refuse(
          'AMBIGUOUS_OBSERVATION',
          'An observation stands within a plain-text input.',
          { start: observation.start, end },
          { tool: name, quote: quote(raw) },
        ),
      )
    }
    r.notes.add('INVENTED_OBSERVATION', INVENTED_AND_REST, { start: observation.start, end: r.lexed.to }, 0)
    text = before
    cutAt = observation.start
  } else if (object >= 0) {
    r.notes.add('TEXT_AFTER_CALL', TEXT_AFTER_INPUT, { start: object, end: inputMark.value + raw.trimEnd().length }, 0)
    text = r.text.slice(inputMark.value, object)
    cutAt = object
    // a line that is whole can't become a label any more
    const words = skipGlue(r.text, object, end)
    const line = r.text.indexOf('\n', words)
    r.closed = line >= 0 && !matchLabel(r.text, words, line, r.grammar)
  }
  const stray = r.lexed.strays.find(label => label.role === 'action' && label.start >= inputMark.value && label.start < cutAt)
  if (stray && !isCompleteValue(r.text.slice(inputMark.value, stray.start))) {
    return refused(
      refuse(
        'AMBIGUOUS_INPUT',
        'Another action stands within the input.',
        { start: stray.start, end },
        { tool: name, quote: quote(raw) },
      ),
    )
  }
  const mark = r.notes.mark
  let reading = readInput(r, text, inputMark.value, shape, inputMark)
  const chatter = r.notes.list().length > mark && hasSince(r, mark, 'TEXT_AFTER_CALL')
  if (reading.ok && shape && holdsSecondObject(r.text, inputMark.value, observation ? cutAt : end, shape)) {
    reading = refuse(
      'AMBIGUOUS_INPUT',
      'Another object of arguments stands behind the first.',
      { start: inputMark.start, end },
      {
        tool: name,
        quote: quote(raw),
      },
    )
  }
  const result = following?.role === 'result' || (following?.role === 'observation' && isTag(r, following))
  if (reading.ok && (result || holdsResultTag(text)) && !observation && !isCompleteValue(text)) {
    reading = refuse(
      'AMBIGUOUS_OBSERVATION',
      'A result stands within a plain-text input.',
      { start: following?.start ?? inputMark.value, end: r.lexed.to },
      { tool: name, quote: quote(text) },
    )
  }
  const fenced = r.lexed.wrapper?.ends.find(at => at > inputMark.value && at < cutAt && !isBlank(r.text.slice(at, cutAt)))
  if (reading.ok && fenced !== undefined && !isCompleteValue(text)) {
    reading = refuse(
      'AMBIGUOUS_INPUT',
      'Text behind the fence around the reply may be a part of the input.',
      { start: fenced, end: cutAt },
      { tool: name, quote: quote(r.text.slice(fenced, cutAt)) },
    )
  }
  if (
    reading.ok &&
    (holdsCall(text, r.box, false) || holdsTurn(r, inputMark.value, cutAt, following)) &&
    !isCompleteValue(text)
  ) {
    reading = refuse(
      'AMBIGUOUS_INPUT',
      'The input holds the beginning of something else.',
      { start: inputMark.start, end: cutAt },
      { tool: name, quote: quote(text) },
    )
  }
  if (reading.ok && following && !observation && !isCompleteValue(text) && doubtfulEnd(r, text, following, next, k)) {
    reading = refuse(
      'AMBIGUOUS_INPUT',
      'A line of the input may be a label, or a part of it.',
      { start: inputMark.start, end: following.value },
      { tool: name, quote: quote(text) },
    )
  }
  if (reading.ok && hasSince(r, mark, 'INPUT_TO_ONLY_PARAMETER') && !hasSince(r, mark, 'INPUT_FENCED')) {
    const unknown = unknownLabel(text)
    if (unknown)
      r.notes.add(
        'LABEL_UNKNOWN',
        'A line of the input looks like a label, and was taken as text.',
        { start: inputMark.value + unknown.start, end: inputMark.value + unknown.end },
        1,
      )
  }
  const call: CallReading = { name, reading, place: { start: place.start, end: cutAt }, written: text.trim() }
  return { call, end: cutAt, chatter: chatter || cutAt < end }
}

/**
 * Where the object ends that an input begins with, when other words stand behind it; else -1. What was planned behind them was planned without
 * seeing a result, so it counts no more.
 */
function objectBeforeText(r: Reading, from: number, end: number): number {
  const start = skipBlank(r.text, from, end)
  if (r.text[start] !== '{' && r.text[start] !== '｛') return -1
  const found = scanJson(r.text, start, end)
  if (!found.closed) return -1
  const words = r.text.slice(skipGlue(r.text, found.end, end), end)
  if (!/^[\p{L}\p{N}]/u.test(words) || /^and\b/.test(words)) return -1
  return isCompleteValue(r.text.slice(start, found.end)) ? found.end : -1
}

/** Behind the object that the input is, in a fence or bare, stands another one for the same parameters, whatever words are between them. */
function holdsSecondObject(text: string, from: number, end: number, shape: ToolShape): boolean {
  const fence = /^\s{0,40}```\w{0,12}\s{0,8}/.exec(text.slice(from, Math.min(end, from + 80)))?.[0].length ?? 0
  const start = skipBlank(text, from + fence, end)
  if (text[start] !== '{' && text[start] !== '｛') return false
  const first = scanJson(text, start, end)
  if (!first.closed) return false
  const rest = text.slice(first.end, end)
  for (let at = rest.indexOf('{'); at >= 0; at = rest.indexOf('{', at + 1)) {
    if (namesParameter(rest.slice(at, at + 90), shape))
      return rest.slice(at, scanJson(rest, at, rest.length).end) !== text.slice(start, first.end)
  }
  return false
}

/** The call is over before the label behind its input: an observation or other text stands there. */
export function endsWithin(r: Reading, from: number, end: number): boolean {
  return observedBehindCall(r, from, end) >= 0 || objectBeforeText(r, from, end) >= 0
}

/** Goes over white space and what belongs to the end of an input. */
function skipGlue(text: string, from: number, end: number): number {
  let at = from
  while (at < end && (isSpace(text.charCodeAt(at)) || '`)]*;,'.includes(text.charAt(at)))) at++
  return at
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** The first line below the first that begins with a word or two and a colon, as a label does, in capitals as labels are. */
function unknownLabel(text: string): Place | undefined {
  const body = text.trimEnd()
  for (let from = body.indexOf('\n', text.length - text.trimStart().length); from >= 0; from = body.indexOf('\n', from + 1)) {
    const found = UNKNOWN_LABEL.exec(body.slice(from + 1, from + 60))
    if (found) return { start: from + 1, end: from + 1 + found[0].trimEnd().length }
  }
  return undefined
}

/** A plain-text input that goes over into somebody else's turn. */
function holdsTurn(r: Reading, from: number, end: number, following: Mark | undefined): boolean {
  const step = following?.role === 'thought' || following?.role === 'action' || following?.role === 'answer'
  return step && turnWithin(r.text, from, end, r.grammar) !== undefined
}

/** Whether the label behind a plain-text input may just as well be a line of that text. */
function doubtfulEnd(r: Reading, text: string, following: Mark, next: number, k: number): boolean {
  // a tag is a label, or a part of a text in tags
  if (following.role === 'speaker' || (following.role === 'answer' && isTag(r, following))) return true
  if (following.role === 'turn') return !r.marks.slice(next, next + 20).some(mark => isProtocol(mark.role))
  if (!isProtocol(following.role)) return false
  const lines = text.trim().includes('\n')
  const indent = following.match ? r.text.slice(following.start, following.match.word).length : 0
  const own = r.marks[k] as Mark
  const ownIndent = own.match ? own.match.word - own.start : 0
  if (lines && following.match?.dress === 'plain' && indent > ownIndent + 1) return true
  if ((text.split('"""').length - 1) % 2 === 1 || openHeredoc(text)) return true
  const dress = following.match?.dress ?? 'plain'
  if (lines && dress !== (own.match?.dress ?? 'plain') && following.role !== 'observation') return true
  if (lines && (following.match?.key === 'answer' || following.match?.key === 'response')) return true
  if (following.role === 'action' && r.marks[next + 1]?.role !== 'input') {
    const action = readActionText(r.text, following.value, valueEnd(r, next), r.box, r.grammar, new Notes())
    if (action.kind === 'unknown' && action.input === undefined) return true
  }
  const letter = r.text[following.match?.word ?? following.start] ?? ''
  const ownLetter = r.text[own.match?.word ?? own.start] ?? ''
  return /[a-z]/.test(letter) && /[A-Z]/.test(ownLetter)
}

/** The last here-document of a shell command, `<<EOF`, does not end in the text. */
function openHeredoc(text: string): boolean {
  const at = text.lastIndexOf('<<')
  const word = at < 0 ? undefined : HEREDOC.exec(text.slice(at, at + 80))?.[1]
  return (
    word !== undefined &&
    !text
      .slice(at)
      .split('\n')
      .slice(1)
      .some(line => line.trim() === word)
  )
}

const HEREDOC = /^<<[-~]?[ \t]{0,4}["'\\]?([\p{Lu}_][\p{Lu}\p{N}_]{0,40})["']?(?![\p{L}\p{N}])/u
const UNKNOWN_LABEL =
  /^[ \t]{0,8}[*_`#>]{0,4} {0,2}\p{Lu}[\p{L}\p{N}]{1,24}(?:[ _][\p{L}\p{N}]{1,24})?[*_`]{0,4}:[*_`]{0,4}(?=\s|$)/u
