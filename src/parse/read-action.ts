// An action label with what belongs to it → a decision, or no action at all.
import { isObject } from '../core/json.js'
import { readJson } from './action-input.js'
import { type ActionReading, isNone, readActionText } from './action-text.js'
import { checkMidline } from './answer.js'
import { callsKnown } from './call-object.js'
import { foldWord } from './characters.js'
import type { InputReading } from './fit-object.js'
import { type CallReading, inlineCall, isIdle, unknownCall } from './inline-call.js'
import { readActionInput } from './input-text.js'
import { readInput } from './input-value.js'
import { chainCalls, joinCalls } from './join-calls.js'
import { scanJson } from './json-scan.js'
import { endsWithin, readLabelledInput } from './labelled-input.js'
import { TEXT_AFTER_ANSWER, TEXT_BEHIND_NAME } from './left-out.js'
import type { Mark } from './marks.js'
import { readNativeCalls } from './native-calls.js'
import { type Place, quote, type Refusal, refuse, trimmed } from './notes.js'
import { callInAnswer, finalText, readAnswer } from './read-answer.js'
import { type Assembled, firstLine, observedBehindCall, orCut, type Reading, think, unclear, valueEnd } from './reading.js'
import { type ResolvedName, resolveTool } from './tool-name.js'

/** What an action comes to. `none`: it is no action; `last` is the mark of its last part, `below` the text under it. */
type ActionOutcome = { kind: 'done'; reading: Assembled } | NoAction

interface NoAction {
  readonly kind: 'none'
  readonly last: number
  readonly place: Place
  readonly below?: Place
  readonly refusal?: Refusal
  readonly onPurpose?: boolean
}

export function readAction(r: Reading, k: number): ActionOutcome {
  const mark = r.marks[k] as Mark
  const end = valueEnd(r, k)
  // what stands behind an invented observation is forged, an input, too
  const observed = observedBehindCall(r, mark.value, end)
  const inputMark = observed < 0 && r.marks[k + 1]?.role === 'input' ? (r.marks[k + 1] as Mark) : undefined
  const after = inputMark ? k + 2 : k + 1
  r.doubtFrom = 0
  if (mark.midline)
    r.notes.add('LABEL_MIDLINE', 'A label stands in the middle of a line.', { start: mark.start, end: mark.value }, 1)
  const place: Place = { start: mark.start, end: inputMark ? valueEnd(r, k + 1) : end }
  if (mark.midline && MENTIONED.includes(r.text[mark.start - 1] ?? ' '))
    return done(unclear(r, refuse('AMBIGUOUS_CALL', 'The action may be quoted, or struck through.', place)))
  if (!r.text.slice(mark.value, end).trim()) {
    if (!inputMark) {
      return { kind: 'none', last: k, place, refusal: orCut(r, refuse('MISSING_TOOL', 'The action names no tool.', place)) }
    }
    return done(
      unclear(
        r,
        refuse('MISSING_TOOL', 'The action names no tool.', place, { quote: quote(r.text.slice(place.start, place.end)) }),
      ),
    )
  }
  const action = readActionText(r.text, mark.value, observed < 0 ? end : observed, r.box, r.grammar, r.notes)
  switch (action.kind) {
    case 'native':
      return done(readNativeCalls(r, action.native, k))
    case 'refused':
      return done(unclear(r, orCut(r, action.refusal)))
    case 'none':
      return readNone(r, action, k, inputMark, place)
    case 'unknown': {
      const input = inputMark ? r.text.slice(inputMark.value, valueEnd(r, k + 1)).trim() : action.input
      const call = unknownCall(action.written, input ?? '', action.place, r.box)
      const refusal = orCut(r, unknownRefusal(call))
      if (input === undefined) return { kind: 'none', last: k, place: trimmed(r.text, action.place.start, place.end), refusal }
      return done(unclear(r, refusal, { tool: action.written, input }))
    }
    case 'finish': {
      if (inputMark) return done(readFinishInput(r, k + 1, inputMark.value))
      const next = r.marks[k + 1]
      if (next?.role === 'answer') return done(readAnswer(r, k + 1, next.value))
      return done(unclear(r, orCut(r, refuse('EMPTY_REPLY', 'The final answer has no text.', place))))
    }
    case 'answer':
      return done(readEnclosedAnswer(r, action, k, after))
    case 'calls':
      if (action.thought) think(r, action.thought)
      r.notes.add('CALL_OBJECT', 'The call is an object under the action label.', { start: mark.value, end: action.end }, 0)
      return done(joinCalls(r, action.calls, k, action.end, end))
    case 'name':
      return readNamed(r, action, k, inputMark, place)
    default: {
      const never: never = action
      return never
    }
  }
}

/** An action line that says that no tool is wanted, or a sentence in place of a name. */
function readNone(
  r: Reading,
  action: ActionReading & { kind: 'none' },
  k: number,
  inputMark: Mark | undefined,
  place: Place,
): ActionOutcome {
  const mark = r.marks[k] as Mark
  const input = inputMark ? inputOfNone(r, inputMark.value, valueEnd(r, k + 1)) : undefined
  const inputText = input ? r.text.slice(input.start, input.end).trim() : ''
  const onPurpose = isNone(r.text.slice(mark.value, action.end), r.grammar)
  if (inputText && !onPurpose && !isNone(inputText, r.grammar) && !EMPTY_TEXT.has(inputText)) {
    const written = r.text.slice(action.place.start, action.place.end).trim()
    return done(unclear(r, unknownRefusal(unknownCall(written, inputText, place, r.box)), { tool: written, input: inputText }))
  }
  const restStart = input ? input.end : action.end
  r.notes.add('NO_ACTION', 'The action names no tool on purpose.', { start: place.start, end: restStart }, 0)
  const below = trimmed(r.text, restStart, valueEnd(r, inputMark ? k + 1 : k))
  return {
    kind: 'none',
    last: inputMark ? k + 1 : k,
    place,
    onPurpose,
    ...(below.end > below.start ? { below } : {}),
  }
}

/** The input of no action: its line, or the whole value when that is an object, a list or a fence. */
function inputOfNone(r: Reading, from: number, to: number): Place {
  const line = firstLine(r, from, to)
  const start = trimmed(r.text, line.start, line.end).start
  if (r.text.startsWith('```', start)) {
    const close = r.text.indexOf('```', start + 3)
    return { start: line.start, end: close < 0 || close + 3 > to ? to : close + 3 }
  }
  if (!/[{[]/.test(r.text.charAt(start))) return line
  const { closed, end } = scanJson(r.text, start, to)
  return closed && end > line.end ? { start: line.start, end } : line
}

/** `Action: Finish[…]`, or an envelope that holds the answer. `after`: the mark behind it. */
function readEnclosedAnswer(r: Reading, action: ActionReading & { kind: 'answer' }, k: number, after: number): Assembled {
  const mark = r.marks[k] as Mark
  if (action.open && r.cut && valueEnd(r, k) >= r.lexed.to)
    return unclear(r, refuse('TRUNCATED', 'The answer breaks off.', action.place))
  const bracketed = !action.open && ')]）】`'.includes(r.text[action.end - 1] ?? '')
  if (!bracketed && !action.envelope) {
    const inside = checkMidline(r.lexed, mark, mark.value, action.end, [])
    if (inside.refusal) return unclear(r, inside.refusal)
  }
  const call = action.envelope ? undefined : callInAnswer(r, action.text, action.place)
  if (call) return unclear(r, call)
  if (action.open) r.notes.add('ANSWER_OPEN_BRACKET', 'The bracket around the answer is not closed.', action.place, 1)
  if (action.envelope) r.notes.add('ANSWER_ENVELOPE', 'The answer was taken out of an envelope.', action.place, 0)
  return finalText(
    r,
    action.text,
    { start: mark.start, end: action.end },
    after,
    action.end < valueEnd(r, k) || after < r.marks.length || !action.open,
  )
}

/** An action that names a tool: its input stands in brackets, under its own label, or nowhere. */
function readNamed(
  r: Reading,
  action: ActionReading & { kind: 'name' },
  k: number,
  inputMark: Mark | undefined,
  place: Place,
): { kind: 'done'; reading: Assembled } {
  const { tool, inline } = action
  const end = valueEnd(r, k)
  if (inputMark) {
    const inputEnd = valueEnd(r, k + 1)
    const between = r.text.slice(action.end, end)
    const noise = between.replace(/[\s`*.,;:]+/g, '')
    if (inline && !isIdle(inline, tool.shape)) {
      return done(
        unclear(
          r,
          refuse(
            'AMBIGUOUS_INPUT',
            `The action has an input ${inline.bare ? 'behind its name' : 'in brackets'} and another one under its label.`,
            place,
            {
              tool: tool.name,
              quote: quote(inline.text),
            },
          ),
        ),
      )
    }
    if (inline)
      r.notes.add('TEXT_AFTER_CALL', 'Brackets behind the name were left out.', { start: inline.start, end: inline.end }, 0)
    if (noise) {
      if (/^\s*[[{]/.test(between))
        return done(unclear(r, refuse('AMBIGUOUS_INPUT', 'The action has two inputs.', place, { tool: tool.name })))
      if (namesAnother(between, tool, r)) return done(unclear(r, twoTools(r, place)))
      r.notes.add('TEXT_AFTER_CALL', TEXT_BEHIND_NAME, { start: action.end, end }, 0)
    }
    const given = r.text.slice(inputMark.value, inputEnd).trim()
    const ends = endsWithin(r, inputMark.value, inputEnd)
    let after = k + 2
    for (let again = r.marks[after]; again?.role === 'input' && !ends; again = r.marks[++after]) {
      if (r.text.slice(again.value, valueEnd(r, after)).trim() !== given)
        return done(unclear(r, refuse('AMBIGUOUS_INPUT', 'The action has two inputs.', place, { tool: tool.name })))
    }
    const labelled = readLabelledInput(r, tool, k, inputMark, inputEnd, after)
    return done(joinCalls(r, [labelled.call], k, labelled.end, inputEnd, after, labelled.chatter))
  }
  if (inline) {
    const calls = [inlineCall(tool, inline, action.place, r.notes)]
    const all = chainCalls(r, calls, inline.end, end)
    return done(joinCalls(r, all.calls, k, all.end, end))
  }
  const rest = r.text.slice(action.end, end)
  const lead = rest.length - rest.trimStart().length
  const below = rest.trim()
  if (/^(?:```\w{0,12}\s{0,8})?[{｛]/.test(below.slice(0, 40))) {
    r.notes.add('LABEL_MISSING', 'The input has no label of its own.', { start: action.end + lead, end }, 1)
    const from = action.end + lead
    const reading = readInput(r, r.text.slice(from, end), from, tool.shape, r.marks[k] as Mark)
    return done(joinCalls(r, [{ name: tool.name, reading, place, written: below }], k, end, end))
  }
  if (namesAnother(below, tool, r)) return done(unclear(r, twoTools(r, place)))
  if (below && !(tool.shape && tool.shape.parameters.length === 0)) {
    r.notes.add('TEXT_AFTER_CALL', TEXT_BEHIND_NAME, { start: action.end, end }, 0)
  }
  const observed = r.lexed.observations.some(label => label.start >= action.end && label.start < end)
  const reading: InputReading =
    observed && tool.shape?.required.length
      ? refuse('AMBIGUOUS_OBSERVATION', 'An observation stands where the input should be.', place)
      : readActionInput('', action.end, tool.shape, r.notes)
  return done(joinCalls(r, [{ name: tool.name, reading, place, written: '' }], k, action.end, end))
}

/** The lines below a name are a list of tools, of which it is but the first. */
function namesAnother(below: string, tool: ResolvedName, { box }: Reading): boolean {
  const lines = below.split('\n', MOST_LISTED)
  return !box.open && lines.some(line => (resolveTool(line.replace(BULLET, ''), box)?.name ?? tool.name) !== tool.name)
}

function twoTools(r: Reading, place: Place): Refusal {
  return refuse('AMBIGUOUS_CALL', 'The action names several tools.', place, {
    quote: quote(r.text.slice(place.start, place.end)),
  })
}

/** `Action: Finish` with an input: the input is the answer. */
function readFinishInput(r: Reading, k: number, from: number): Assembled {
  const end = valueEnd(r, k)
  const raw = r.text.slice(from, end).trim()
  if (raw.startsWith('{')) {
    const read = readJson(raw, from, r.notes)
    if (read.ok && callsKnown(read.value, r.box))
      return unclear(r, refuse('AMBIGUOUS_CALL', 'The answer is a call.', { start: from, end }, { quote: quote(raw) }))
    if (read.ok && isObject(read.value)) {
      const texts = Object.entries(read.value).filter(([key, value]) => typeof value === 'string' && foldWord(key) !== 'status')
      const only = texts.length === 1 ? texts[0]?.[1] : undefined
      if (typeof only === 'string') {
        r.notes.add('ANSWER_ENVELOPE', 'The answer was taken out of an envelope.', { start: from, end }, 0)
        const rest = r.text.indexOf(raw, from) + read.end
        if (r.text.slice(rest, end).replace(/[\s`]+/g, ''))
          r.notes.add('TEXT_AFTER_CALL', TEXT_AFTER_ANSWER, { start: rest, end }, 0)
        return finalText(r, only, { start: from, end }, k + 1, true)
      }
    }
    if (!read.ok) return unclear(r, orCut(r, read))
    return unclear(r, refuse('AMBIGUOUS_INPUT', 'Which field is the answer?', { start: from, end }, { quote: quote(raw) }))
  }
  r.notes.add('ANSWER_ENVELOPE', 'The answer is the input of an action.', { start: from, end }, 0)
  return readAnswer(r, k, from)
}

function done(reading: Assembled): { kind: 'done'; reading: Assembled } {
  return { kind: 'done', reading }
}

function unknownRefusal(call: CallReading): Refusal {
  return call.reading as Refusal
}

/** What opens right before an action in mid-line closes behind its input: it is a quotation, or an aside. */
const MENTIONED = '~„‚«‹『《([{（［｛【'
const MOST_LISTED = 20
const BULLET = /^\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s{1,8}/
const EMPTY_TEXT = new Set(['{}', '()', '[]', '""', "''", '-'])
