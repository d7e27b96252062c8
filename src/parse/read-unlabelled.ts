// Text without a label that decides → an answer where that is safe to say, and otherwise a question back.
import type { UnclearCode, UnclearProblem } from '../core/reply.js'
import { readJson } from './action-input.js'
import { type Likeness, likenessOf } from './call-like.js'
import { isInvisible } from './characters.js'
import type { Grammar } from './grammar.js'
import { scanJson } from './json-scan.js'
import { matchLabel } from './labels.js'
import { lineEnd } from './line.js'
import { Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { holdsOddLabels } from './odd-labels.js'
import { beginsWith } from './phrases.js'
import { isPlainFence } from './protocol-fence.js'
import { finalText, isPlaceholder } from './read-answer.js'
import {
  type Assembled,
  finishReading,
  isClosedAt,
  limitOf,
  orCut,
  type Reading,
  think,
  unclear,
  valueEnd,
  wholePlace,
} from './reading.js'
import { asksForTool, noToolAnswer } from './tool-question.js'
import { unfence } from './unfence.js'

/** No label anywhere: the whole text is the answer, unless it was meant as something else. */
export function readUnlabelled(r: Reading, from: number): Assembled {
  const end = limitOf(r, from)
  const text = r.text.slice(from, end).trim()
  const place: Place = { start: from, end }
  const unread = meantOtherwise(r, text, place)
  if (unread) return unclear(r, unread)
  const denied = noToolAnswer(text, r.grammar)
  const rest =
    denied && !/[\p{L}\p{N}]/u.test(text.slice(0, denied.start)) ? unlabelled(text.slice(denied.end).trim(), r.grammar) : ''
  if (rest) {
    think(r, text.slice(0, denied?.end))
    r.notes.add('ANSWER_UNLABELLED', 'The text after the question about tools is the answer.', place, 1)
    return finalText(r, rest, place, 0, false)
  }
  const empty = saysNothing(r, text, place)
  if (empty) return unclear(r, empty)
  r.notes.add('ANSWER_UNLABELLED', 'A reply without any label is the answer.', place, 0)
  r.keptEnd = end
  return finishReading(r, { kind: 'answer', text })
}

/** What the text is, if it was meant as something else than an answer. */
function meantOtherwise(r: Reading, text: string, place: Place): Refusal | undefined {
  if (isInvisible(text.replace(/[`~<>{}[\]|*#_]/g, ''))) {
    const whole = { start: place.start, end: r.lexed.to }
    const thought = r.thoughts.length > 0
    const message = thought ? 'The reply holds only a thought.' : 'The reply is empty.'
    return orCut(r, refuse(thought ? 'ONLY_THOUGHT' : 'EMPTY_REPLY', message, whole))
  }
  if (r.cut && !isClosedAt(r, place.end))
    return refuse('TRUNCATED', 'The endpoint cut the reply off.', place, { quote: quote(text.slice(-80)) })
  if (r.lexed.strays.length > 0)
    return refuse('MISSING_ACTION', 'A label stands in the middle of the text.', {
      start: r.lexed.strays[0]?.start ?? place.start,
      end: place.end,
    })
  const shown = shownStep(r, place.start)
  if (shown) return shown
  if (r.lexed.openFence >= 0) return refuse('TRUNCATED', 'A fence is still open at the end.', place)
  const like = likenessOf(text, r.lexed.marks, r.text, r.box)
  if (like) return refuse(...LIKENESSES[like], place, { quote: quote(text) })
  if (breaksOff(text))
    return refuse('TRUNCATED', 'Markup or data in the reply breaks off.', place, { quote: quote(text.slice(-80)) })
  if (holdsOddLabels(text, r.grammar, r.box))
    return refuse('AMBIGUOUS_CALL', 'The labels of the reply are written in an unknown way.', place, { quote: quote(text) })
  const fenced = readFenced(r, text)
  if (fenced) return refuse(fenced.code, fenced.message, place, { quote: quote(text) })
  if (STOP_WORD.test(text)) return refuse('EMPTY_REPLY', 'The reply is empty but for a stop word.', place)
  return undefined
}

/** What the text lacks, if it only leads up to an answer. */
function saysNothing(r: Reading, text: string, place: Place): Refusal | undefined {
  if (asksForTool(text, r.grammar)) return refuse('ONLY_THOUGHT', 'The reply only asks whether a tool is needed.', place)
  if (/^(?:\{\s{0,8}["'“]|\[\s{0,8}[{"])/.test(text.slice(0, 12))) {
    const read = readJson(text, place.start, new Notes())
    if (!read.ok && (read.code === 'TRUNCATED' || CALL_KEY.test(text.slice(0, 60)))) return orCut(r, read)
  }
  if (/[:：]$/.test(text))
    return refuse('ONLY_THOUGHT', 'The reply announces something that is not there.', place, { quote: quote(text.slice(-80)) })
  if (isPlaceholder(text, r.grammar))
    return refuse('PLACEHOLDER', 'The reply is a placeholder from the instructions.', place, { quote: quote(text) })
  // a thought in a tag shows that the model keeps to a protocol
  if (r.thoughts.length > 0 && announces(text, r.grammar))
    return refuse('ONLY_THOUGHT', 'The reply announces work and does none.', place)
  return undefined
}

/** A fence shows a step, with nothing before it or behind it that it could be shown for. */
function shownStep(r: Reading, from: number): Refusal | undefined {
  const shown = r.lexed.fencedAction
  if (!shown) return undefined
  const before = r.text.slice(from, shown[0]).trim()
  const fenceEnd = r.text.indexOf('\n```', shown[1] - 1)
  const after =
    fenceEnd < 0
      ? ''
      : r.text
          .slice(fenceEnd + 4, r.lexed.to)
          .replace(/^`*/, '')
          .trim()
  if (!before || !after)
    return refuse('AMBIGUOUS_CALL', 'An action stands in a fence beside other text.', { start: shown[0], end: shown[1] })
  return undefined
}

/** A text without the label of an answer before it. */
function unlabelled(text: string, grammar: Grammar): string {
  const label = matchLabel(text, 0, lineEnd(text, 0), grammar)
  return label?.colon && (label.role === 'answer' || label.role === 'speaker') ? text.slice(label.value).trim() : text
}

/** The text is the beginning of a tag, the head of a message, an object or a list, without its end. */
function breaksOff(text: string): boolean {
  if (text.startsWith('<|channel|>') && !text.includes('<|message|>')) return true
  if (/^<[a-z|｜][\w|｜▁:=-]{0,60}$/i.test(text.slice(0, 64))) return true
  if (text.startsWith('[') && !text.includes(']')) return true
  if (!/^[{[]\s{0,40}(?:["'“{[]|$)/.test(text.slice(0, 48))) return false
  const { closed, end } = scanJson(text, 0, text.length)
  return !closed && end === text.length
}

/** What keeps the text of a fence around the whole reply from being an answer. */
function readFenced(r: Reading, text: string): UnclearProblem | undefined {
  const inner = text.startsWith('```') ? unfence(text) : undefined
  if (inner?.kind !== 'fence' || inner.open || !isPlainFence(text) || inner.text.startsWith('```')) return undefined
  const again = r.readAgain(inner.text)
  return again.kind === 'unclear' ? again.problem : undefined
}

/** A thought and nothing else; a paragraph below it may be the answer. */
export function readOnlyThought(r: Reading): Assembled {
  const whole = wholePlace(r)
  const thoughts = r.marks.filter(mark => mark.role === 'thought')
  const last = thoughts[thoughts.length - 1]
  const others =
    r.marks.some(mark => BESIDE.has(mark.role)) ||
    r.lexed.marks.some(mark => BESIDE.has(mark.role) && last && mark.start > last.start)
  if (r.cut) return unclear(r, refuse('TRUNCATED', 'The reply was cut off in a thought.', whole))
  if (
    !last ||
    others ||
    r.lexed.strays.length > 0 ||
    r.lexed.openFence >= 0 ||
    r.lexed.fencedAction ||
    r.marks[r.marks.length - 1] !== last
  ) {
    return unclear(
      r,
      refuse(r.thoughts.length > 0 || last ? 'ONLY_THOUGHT' : 'EMPTY_REPLY', 'The reply holds only a thought.', whole),
    )
  }
  const end = valueEnd(r, r.marks.length - 1)
  const value = r.text.slice(last.value, end)
  if (!value.trim() && r.thoughts.length === 0)
    return unclear(r, refuse('EMPTY_REPLY', 'The reply is empty but for a label.', whole))
  const denied = noToolAnswer(value, r.grammar)
  const blank = /\n[ \t]*\r?\n/.exec(value.trimStart())
  const lead = value.length - value.trimStart().length
  let split = denied?.end ?? -1
  if (!denied && blank && /[.!?。！？…)\]"”'’]$/.test(value.slice(lead, lead + blank.index).trimEnd())) split = lead + blank.index
  const rest = split < 0 ? '' : value.slice(split).trim()
  if (!rest) return unclear(r, refuse('ONLY_THOUGHT', 'The reply holds only a thought.', whole))
  if (announces(rest, r.grammar) || !readsAsAnswer(r, rest))
    return unclear(r, refuse('ONLY_THOUGHT', 'The reply announces work and does none.', whole))
  r.thoughts[r.thoughts.length - 1] = value.slice(0, split).trim()
  r.notes.add('ANSWER_UNLABELLED', 'The paragraph below the thought is the answer.', { start: last.value + split, end }, 1)
  r.keptEnd = end
  return finalText(r, rest, { start: last.value + split, end }, r.marks.length, false)
}

/** Text after an action that names no tool is the answer. */
export function plainAnswer(r: Reading, text: string, place: Place): Assembled {
  if (!readsAsAnswer(r, text))
    return unclear(r, refuse('AMBIGUOUS_CALL', 'The text after the action may be a call.', place, { quote: quote(text) }))
  r.notes.add('ANSWER_UNLABELLED', 'The text after the action that was none is the answer.', place, 1)
  return finalText(r, text, { start: place.start, end: r.lexed.to }, r.marks.length, false)
}

/** The text would be an answer if it were the whole reply. */
function readsAsAnswer(r: Reading, text: string): boolean {
  const alone = r.readAgain(text)
  return alone.kind === 'answer' && alone.text === text.trim()
}

function announces(text: string, grammar: Grammar): boolean {
  return text.split(/\n[ \t]*\r?\n/, 50).some(paragraph => announcesWork(paragraph, grammar))
}

function announcesWork(paragraph: string, grammar: Grammar): boolean {
  const start = paragraph
    .trim()
    .slice(0, 60)
    .toLowerCase()
    .replace(/^(?:so|okay|ok|alright|well|now)[,.]?\s{1,3}/, '')
  return grammar.openers.some(opener => beginsWith(start, opener))
}

const LIKENESSES: { readonly [likeness in Likeness]: readonly [UnclearCode, string] } = {
  call: ['AMBIGUOUS_CALL', 'The reply looks like a call without a label.'],
  input: ['MISSING_TOOL', 'The reply is the input of a call that names no tool.'],
  markup: ['UNREADABLE_MARKUP', 'The reply holds markup that looks like a call and is none that can be read.'],
}

const CALL_KEY = /^\{\s{0,8}["'](?:action|tool|tool_name|tool_call|function_call|thought|name)["']\s{0,4}:/i
const BESIDE: ReadonlySet<string> = new Set(['observation', 'lookalike', 'object', 'result', 'weak_input', 'tool'])

const STOP_WORD = /^[*_`]{0,3}obs(?:ervation)?[*_`]{0,3}$/i
