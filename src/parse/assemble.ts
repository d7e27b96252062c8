// Marks of a reply → one thought, one decision, all problems. The total order of what wins is here: the first complete action or answer at its
// place in the text; nothing that the model wrote after it can change it.
import type { Finish } from '../core/model.js'
import type { Decision, ParsedReply, Problem, ProblemCode, Span } from '../core/reply.js'
import type { ToolCall } from '../core/tool.js'
import { fitObject, type InputReading, readActionInput, readJson, readScalar } from './action-input.js'
import {
  type ActionReading,
  type CallReading,
  callOf,
  inlineCall,
  isEcho,
  isNone,
  noteName,
  readActionText,
  readObjects,
  unknownCall,
} from './action-text.js'
import { type AnswerCut, checkMidline, cutAnswer } from './answer.js'
import { readCallArguments } from './call-arguments.js'
import { looksLikeCall, readCallObject } from './call-object.js'
import { type CleanText, cleanReply } from './clean.js'
import { foldWord, type Grammar, skipBlank } from './labels.js'
import { isProtocol, type Lexed, lex, type Mark } from './lexer.js'
import type { NativeReading, RawCall } from './native-markup.js'
import { Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { resolveTool } from './tool-name.js'
import { isObject, type Toolbox } from './tool-shape.js'
import { unfence } from './unfence.js'

/** A reading with the texts that were streamed or could have been. */
export interface Assembled extends ParsedReply {
  /** The inputs of the calls as written, joined by line breaks. */
  readonly inputText: string
}

/** Reads one whole reply. Total: any text gives a reading. */
export function assembleReply(reply: string, grammar: Grammar, box: Toolbox, finish: Finish): Assembled {
  const clean = cleanReply(reply)
  const notes = new Notes(clean.original)
  for (const problem of clean.problems) notes.addOriginal(problem)
  return new Assembly(reply, clean, lex(clean.text, grammar, box), grammar, box, finish, notes).read()
}

class Assembly {
  readonly #reply: string
  readonly #clean: CleanText
  readonly #lexed: Lexed
  readonly #text: string
  readonly #grammar: Grammar
  readonly #box: Toolbox
  readonly #cut: boolean
  readonly #notes: Notes
  readonly #thoughts: string[] = []
  #marks: readonly Mark[]
  #keptEnd: number
  #input = ''
  #invented = false
  #doubtFrom = 0

  constructor(reply: string, clean: CleanText, lexed: Lexed, grammar: Grammar, box: Toolbox, finish: Finish, notes: Notes) {
    this.#reply = reply
    this.#clean = clean
    this.#lexed = lexed
    this.#text = lexed.text
    this.#grammar = grammar
    this.#box = box
    this.#cut = finish === 'length' || finish === 'filter'
    this.#notes = notes
    this.#marks = resolveWeak(lexed, clean.text).filter(mark => mark.role !== 'object' || this.#mayBeCall(mark))
    this.#keptEnd = lexed.to
  }

  read(): Assembled {
    const { from, to, wholeFence, stopWord } = this.#lexed
    if (wholeFence) this.#notes.add('REPLY_FENCED', 'The whole reply stands in a fence.', { start: 0, end: from }, 0)
    if (stopWord)
      this.#notes.add('STOP_WORD_CUT', 'A stop word at the end was left out.', { start: stopWord[0], end: stopWord[1] }, 0)
    if (!this.#text.slice(from, to).trim())
      return this.#unclear(refuse('EMPTY_REPLY', 'The reply is empty.', { start: from, end: to }))
    this.#noteDress()
    const first = this.#marks[0]
    if (!first) return this.#unlabelled(from, to)
    if (first.role === 'speaker' && this.#marks.length === 1 && !this.#text.slice(from, first.start).trim()) {
      this.#notes.add('PREAMBLE', 'A role prefix was left out.', { start: first.start, end: first.value }, 0)
      return this.#unlabelled(first.value, to)
    }
    return this.#walk()
  }

  /** Goes along the marks until something decides. */
  #walk(): Assembled {
    const marks = this.#marks
    const preface = this.#text.slice(this.#lexed.from, (marks[0] as Mark).start)
    let pending = ''
    let noAction: Place | undefined
    // only an action that is none on purpose makes the observation behind it harmless
    let onPurpose = false
    let unknown: Refusal | undefined
    let stray: Place | undefined
    this.#preface(preface, this.#lexed.from, marks[0] as Mark)
    for (let k = 0; k < marks.length; k++) {
      const mark = marks[k] as Mark
      const end = this.#valueEnd(k)
      const value = this.#text.slice(mark.value, end)
      switch (mark.role) {
        case 'thought': {
          this.#think(value)
          const broken = this.#afterBreak(k)
          if (broken) this.#think(broken)
          break
        }
        case 'turn':
          this.#notes.add('PREAMBLE', 'An echo of the question was left out.', { start: mark.start, end }, 0)
          break
        case 'speaker':
          if (value.trim() && this.#saysNoTool() && k === marks.length - 1) return this.#answer(k, mark.value)
          if (value.trim()) this.#think(value)
          this.#notes.add('PREAMBLE', 'A role prefix was left out.', { start: mark.start, end: mark.value }, 0)
          break
        case 'observation':
        case 'lookalike': {
          const like = mark.role === 'lookalike'
          if (like)
            this.#notes.add(
              'LABEL_LOOKALIKE',
              'A line imitates a label with look-alike characters.',
              { start: mark.start, end: Math.min(end, mark.start + 40) },
              0,
            )
          if (like && mark.like !== 'observation') {
            this.#think(value)
            break
          }
          this.#notes.add(
            'INVENTED_OBSERVATION',
            'An observation that the model wrote itself was left out.',
            { start: mark.start, end },
            0,
          )
          if (!onPurpose) this.#invented = true
          break
        }
        case 'result':
        case 'tool':
        case 'weak_input':
          this.#think(this.#text.slice(mark.start, end))
          break
        case 'input':
          stray ??= { start: mark.start, end }
          break
        case 'object':
          return this.#object(k)
        case 'native':
          return this.#native(mark.native as NativeReading, k)
        case 'action': {
          const outcome = this.#action(k)
          if (outcome.kind === 'done') return outcome.reading
          k = outcome.last
          noAction = outcome.place
          if (outcome.onPurpose) onPurpose = true
          if (outcome.refusal) unknown ??= outcome.refusal
          if (outcome.after) pending = outcome.after
          break
        }
        case 'answer':
          if (stray && !noAction)
            return this.#unclear(
              refuse('MISSING_ACTION', 'An input stands without an action.', stray, {
                quote: quote(this.#text.slice(stray.start, stray.end)),
              }),
            )
          return this.#answer(k, mark.value)
        default: {
          const never: never = mark.role
          return never
        }
      }
    }
    if (pending.trim()) return this.#plainAnswer(pending, noAction as Place)
    if (unknown) return this.#unclear(unknown)
    if (stray || this.#lexed.strays.some(label => label.role === 'input')) {
      const place = stray ?? { start: this.#lexed.strays[0]?.start ?? 0, end: this.#lexed.to }
      return this.#unclear(
        this.#orCut(
          refuse('MISSING_ACTION', 'An input stands without an action.', place, {
            quote: quote(this.#text.slice(place.start, place.end)),
          }),
        ),
      )
    }
    if (noAction)
      return this.#unclear(this.#orCut(refuse('ONLY_THOUGHT', 'The reply calls no tool and gives no answer.', noAction)))
    return this.#onlyThought()
  }

  /** Text before the first label. */
  #preface(text: string, start: number, first: Mark): void {
    const trimmed = text.trim()
    if (!trimmed) return
    const rest = trimmed.replace(/^#{1,6}\s{0,4}(?:Response|Answer|Output)\s{0,4}:?\s{0,40}(?=\n|$)/i, '').trim()
    if (rest !== trimmed) this.#notes.add('PREAMBLE', "The prompt's own heading was left out.", { start, end: first.start }, 0)
    if (!rest || (first.role === 'object' && /^[`\s]*$/.test(rest))) return
    this.#notes.add('LABEL_MISSING', 'The text before the first label is read as a thought.', { start, end: first.start }, 0)
    this.#think(rest)
  }

  #action(
    k: number,
  ):
    | { kind: 'done'; reading: Assembled }
    | { kind: 'none'; last: number; place: Place; after?: string; refusal?: Refusal; onPurpose?: boolean } {
    const mark = this.#marks[k] as Mark
    const end = this.#valueEnd(k)
    const inputMark = this.#marks[k + 1]?.role === 'input' ? (this.#marks[k + 1] as Mark) : undefined
    const after = inputMark ? k + 2 : k + 1
    this.#doubtFrom = 0
    if (mark.midline)
      this.#notes.add('LABEL_MIDLINE', 'A label stands in the middle of a line.', { start: mark.start, end: mark.value }, 1)
    const place: Place = { start: mark.start, end: inputMark ? this.#valueEnd(k + 1) : end }
    if (!this.#text.slice(mark.value, end).trim()) {
      if (!inputMark) {
        return { kind: 'none', last: k, place, refusal: this.#orCut(refuse('MISSING_TOOL', 'The action names no tool.', place)) }
      }
      return this.#done(
        this.#unclear(
          refuse('MISSING_TOOL', 'The action names no tool.', place, { quote: quote(this.#text.slice(place.start, place.end)) }),
        ),
      )
    }
    const action = readActionText(this.#text, mark.value, end, this.#box, this.#grammar, this.#notes)
    switch (action.kind) {
      case 'native':
        return this.#done(this.#native(action.native, k))
      case 'refused':
        return this.#done(this.#unclear(this.#orCut(action.refusal)))
      case 'none': {
        const input = inputMark ? this.#firstLine(inputMark.value, this.#valueEnd(k + 1)) : undefined
        const inputText = input ? this.#text.slice(input.start, input.end).trim() : ''
        if (
          inputMark &&
          inputText &&
          !isNone(this.#text.slice(mark.value, action.end), this.#grammar) &&
          !isNone(inputText, this.#grammar) &&
          !EMPTY_TEXT.has(inputText)
        ) {
          const written = this.#text.slice(action.place.start, action.place.end).trim()
          return this.#done(
            this.#unclear(unknownRefusal(unknownCall(written, inputText, place, this.#box)), { tool: written, input: inputText }),
          )
        }
        this.#notes.add('NO_ACTION', 'The action names no tool on purpose.', place, 0)
        const restStart = input ? input.end : action.end
        const rest = this.#text.slice(restStart, inputMark ? this.#valueEnd(k + 1) : end).trim()
        return {
          kind: 'none',
          last: after - 1,
          place,
          onPurpose: isNone(this.#text.slice(mark.value, action.end), this.#grammar),
          ...(rest ? { after: rest } : {}),
        }
      }
      case 'unknown': {
        const input = inputMark ? this.#text.slice(inputMark.value, this.#valueEnd(k + 1)).trim() : action.input
        const call = unknownCall(action.written, input ?? '', action.place, this.#box)
        const refusal = this.#orCut(unknownRefusal(call))
        if (input === undefined) return { kind: 'none', last: k, place, refusal }
        return this.#done(this.#unclear(refusal, { tool: action.written, input }))
      }
      case 'finish': {
        if (inputMark) return this.#done(this.#finish(k + 1, inputMark.value))
        const next = this.#marks[k + 1]
        if (next?.role === 'answer') return this.#done(this.#answer(k + 1, next.value))
        return this.#done(this.#unclear(this.#orCut(refuse('MISSING_INPUT', 'The final answer has no text.', place))))
      }
      case 'answer': {
        if (action.open && this.#cut && end >= this.#lexed.to)
          return this.#done(this.#unclear(refuse('TRUNCATED', 'The answer breaks off.', action.place)))
        const bracketed = !action.open && ')]）】`'.includes(this.#text[action.end - 1] ?? '')
        if (!bracketed && !action.envelope) {
          const inside = checkMidline(this.#lexed, mark, mark.value, action.end, [])
          if (inside.refusal) return this.#done(this.#unclear(inside.refusal))
        }
        if (action.open) this.#notes.add('ANSWER_OPEN_BRACKET', 'The bracket around the answer is not closed.', action.place, 1)
        if (action.envelope) this.#notes.add('ANSWER_ENVELOPE', 'The answer was taken out of an envelope.', action.place, 0)
        return this.#done(
          this.#finalText(
            action.text,
            { start: mark.start, end: action.end },
            after,
            action.end < this.#valueEnd(k) || after < this.#marks.length || !action.open,
          ),
        )
      }
      case 'calls':
        if (action.thought) this.#think(action.thought)
        this.#notes.add('CALL_OBJECT', 'The call is an object under the action label.', { start: mark.value, end: action.end }, 0)
        return this.#done(this.#calls(action.calls, k, action.end, end))
      case 'name':
        return this.#named(action, k, inputMark, place)
      default: {
        const never: never = action
        return never
      }
    }
  }

  /** An action that names a tool: its input stands in brackets, under its own label, or nowhere. */
  #named(
    action: ActionReading & { kind: 'name' },
    k: number,
    inputMark: Mark | undefined,
    place: Place,
  ): { kind: 'done'; reading: Assembled } {
    const { tool, inline } = action
    const end = this.#valueEnd(k)
    const doubt = tool.shape?.doubt ?? Number.POSITIVE_INFINITY
    if (inputMark) {
      const inputEnd = this.#valueEnd(k + 1)
      const between = this.#text.slice(action.end, end)
      const noise = between.replace(/[\s`*.,;:]+/g, '')
      if (inline && !isEcho(inline.text, tool.shape) && !(inline.spaced && /^[\p{L}\s'’-]{1,80}$/u.test(inline.text))) {
        return this.#done(
          this.#unclear(
            refuse('AMBIGUOUS_INPUT', 'The action has an input in brackets and another one under its label.', place, {
              tool: tool.name,
              quote: quote(inline.text),
            }),
          ),
        )
      }
      if (inline)
        this.#notes.add('TEXT_AFTER_CALL', 'Brackets behind the name were left out.', { start: inline.start, end: inline.end }, 0)
      if (noise) {
        if (/^\s*[[{]/.test(between))
          return this.#done(this.#unclear(refuse('AMBIGUOUS_INPUT', 'The action has two inputs.', place, { tool: tool.name })))
        this.#notes.add('TEXT_AFTER_CALL', 'Text behind the name was left out.', { start: action.end, end }, 0)
      }
      const second = this.#marks[k + 2]
      if (
        second?.role === 'input' &&
        this.#text.slice(second.value, this.#valueEnd(k + 2)).trim() !== this.#text.slice(inputMark.value, inputEnd).trim()
      ) {
        return this.#done(this.#unclear(refuse('AMBIGUOUS_INPUT', 'The action has two inputs.', place, { tool: tool.name })))
      }
      return this.#done(
        this.#labelledInput(tool.name, tool.shape, doubt, k, inputMark, inputEnd, second?.role === 'input' ? k + 3 : k + 2),
      )
    }
    if (inline) {
      const calls = [inlineCall(tool, inline, action.place, this.#notes)]
      const all = this.#chain(calls, inline.end, end)
      return this.#done(this.#calls(all.calls, k, all.end, end))
    }
    const rest = this.#text.slice(action.end, end)
    const lead = rest.length - rest.trimStart().length
    const below = rest.trim()
    if (/^(?:```\w{0,12}\s{0,8})?[{｛]/.test(below.slice(0, 40))) {
      this.#notes.add('LABEL_MISSING', 'The input has no label of its own.', { start: action.end + lead, end }, 1)
      const from = action.end + lead
      const reading = this.#readInput(this.#text.slice(from, end), from, tool.shape)
      return this.#done(this.#calls([{ name: tool.name, reading, place, written: below, doubt }], k, end, end))
    }
    if (below && !(tool.shape && tool.shape.parameters.length === 0)) {
      this.#notes.add('TEXT_AFTER_CALL', 'Text behind the name was left out.', { start: action.end, end }, 0)
    }
    const observed = this.#lexed.observations.some(label => label.start >= action.end && label.start < end)
    const reading: InputReading =
      observed && tool.shape?.required.length
        ? refuse('AMBIGUOUS_OBSERVATION', 'An observation stands where the input should be.', place)
        : readActionInput('', action.end, tool.shape, this.#notes)
    return this.#done(this.#calls([{ name: tool.name, reading, place, written: '', doubt }], k, action.end, end))
  }

  /** The value of an input label. */
  #labelledInput(
    name: string,
    shape: CallShape,
    doubt: number,
    k: number,
    inputMark: Mark,
    end: number,
    next: number,
  ): Assembled {
    const raw = this.#text.slice(inputMark.value, end)
    const place: Place = { start: (this.#marks[k] as Mark).start, end }
    const following = this.#marks[next]
    // a label on a line of its own closes the input; so does an observation in mid-line behind complete JSON
    const observation = this.#lexed.observations.find(label => label.start >= inputMark.value && label.start < end)
    let text = raw
    let cutAt = end
    if (observation) {
      const before = this.#text.slice(inputMark.value, observation.start)
      const complete = isCompleteValue(before)
      if (!complete) {
        return this.#unclear(
          refuse(
            'AMBIGUOUS_OBSERVATION',
            'An observation stands within a plain-text input.',
            { start: observation.start, end },
            { tool: name, quote: quote(raw) },
          ),
        )
      }
      this.#notes.add(
        'INVENTED_OBSERVATION',
        'An observation that the model wrote itself was left out.',
        { start: observation.start, end: this.#lexed.to },
        0,
      )
      text = before
      cutAt = observation.start
    }
    const stray = this.#lexed.strays.find(
      label => label.role === 'action' && label.start >= inputMark.value && label.start < cutAt,
    )
    if (stray && !isCompleteValue(this.#text.slice(inputMark.value, stray.start))) {
      return this.#unclear(
        refuse(
          'AMBIGUOUS_INPUT',
          'Another action stands within the input.',
          { start: stray.start, end },
          { tool: name, quote: quote(raw) },
        ),
      )
    }
    const mark = this.#notes.mark
    let reading = this.#readInput(text, inputMark.value, shape)
    const chatter = this.#notes.list().length > mark && this.#hasSince(mark, 'TEXT_AFTER_CALL')
    if (reading.ok && following?.role === 'result' && !observation && !isCompleteValue(text)) {
      reading = refuse(
        'AMBIGUOUS_OBSERVATION',
        'A result stands within a plain-text input.',
        { start: following.start, end: this.#lexed.to },
        { tool: name, quote: quote(text) },
      )
    }
    if (reading.ok && following && !observation && !isCompleteValue(text) && this.#doubtfulEnd(text, following, next, k)) {
      reading = refuse(
        'AMBIGUOUS_INPUT',
        'A line of the input may be a label, or a part of it.',
        { start: inputMark.start, end: following.value },
        { tool: name, quote: quote(text) },
      )
    }
    const call: CallReading = { name, reading, place: { start: place.start, end: cutAt }, written: text.trim(), doubt }
    return this.#calls([call], k, cutAt, end, next, chatter || cutAt < end)
  }

  /** Whether the label behind a plain-text input may just as well be a line of that text. */
  #doubtfulEnd(text: string, following: Mark, next: number, k: number): boolean {
    if (following.role === 'speaker') return true
    if (following.role === 'turn') return !this.#marks.slice(next, next + 20).some(mark => isProtocol(mark.role))
    if (!isProtocol(following.role)) return false
    const lines = text.trim().includes('\n')
    const indent = following.match ? this.#text.slice(following.start, following.match.word).length : 0
    const own = this.#marks[k] as Mark
    const ownIndent = own.match ? own.match.word - own.start : 0
    if (lines && following.match?.dress === 'plain' && indent > ownIndent + 1) return true
    if ((text.split('"""').length - 1) % 2 === 1) return true
    const letter = this.#text[following.match?.word ?? following.start] ?? ''
    const ownLetter = this.#text[own.match?.word ?? own.start] ?? ''
    return /[a-z]/.test(letter) && /[A-Z]/.test(ownLetter)
  }

  #readInput(text: string, start: number, shape: CallShape): InputReading {
    const open = this.#openDecoration(text)
    return readActionInput(open ? text.trimEnd().slice(0, -open.length) : text, start, shape, this.#notes)
  }

  /** `**Action Input: cats**`: the bold that was opened before the label closes behind the value. */
  #openDecoration(text: string): string {
    const bold = text.trimEnd().endsWith('**') && !text.trimEnd().slice(0, -2).includes('**')
    return bold ? '**' : ''
  }

  #hasSince(mark: number, code: ProblemCode): boolean {
    return this.#notes.since(mark).some(problem => problem.code === code)
  }

  /** `Search[a], Search[b] and Search[c]`: further bracket calls on the same line. */
  #chain(calls: CallReading[], from: number, end: number): { calls: CallReading[]; end: number } {
    let at = from
    for (let count = 0; count < 63; count++) {
      const glue =
        /^(?:[`\s]{0,8}(?:[,;，；、]|\band\b|和|und|et|y|e|и)[`\s]{0,8}){1,2}|^\s{1,40}(?=[\p{L}_][\w.-]{0,63}[[(])/u.exec(
          this.#text.slice(at, Math.min(end, at + 80)),
        )
      if (!glue) break
      const start = at + glue[0].length
      const action = readActionText(this.#text, start, end, this.#box, this.#grammar, this.#notes)
      if (action.kind === 'unknown' && action.input !== undefined) {
        calls.push(unknownCall(action.written, action.input, action.place, this.#box))
        return { calls, end: action.end }
      }
      if (action.kind !== 'name' || !action.inline) break
      calls.push(inlineCall(action.tool, action.inline, action.place, this.#notes))
      at = action.inline.end
    }
    return { calls, end: at }
  }

  /** Turns what was read of one action, and of those right behind it, into a decision. `at` is where the last call ends, `end` its section. */
  #calls(read: readonly CallReading[], k: number, at: number, end: number, after = k + 1, chatter = false): Assembled {
    const all = [...read]
    let last = at
    let next = after
    let joined = !chatter && this.#onlyGlue(at, end)
    if (!joined && !chatter && at < end) {
      const rest = this.#text.slice(at, end).trim()
      if (rest) {
        const observation = this.#lexed.observations.find(label => label.start >= at - 1 && label.start < end)
        if (observation)
          this.#notes.add(
            'INVENTED_OBSERVATION',
            'An observation that the model wrote itself was left out.',
            { start: observation.start, end: this.#lexed.to },
            0,
          )
        else if (!this.#hasSince(0, 'TEXT_AFTER_CALL'))
          this.#notes.add('TEXT_AFTER_CALL', 'Text after the call was left out.', { start: at, end }, 0)
      }
    }
    let broken = all.some(call => !call.reading.ok)
    while (joined && !broken && next < this.#marks.length && all.length < 64) {
      const more = this.#adjacent(next)
      if (!more) break
      all.push(...more.calls)
      last = more.end
      next = more.next
      joined = more.joined
      broken = more.calls.some(call => !call.reading.ok)
    }
    return this.#decide(all, k, last, next, chatter)
  }

  /** The action at mark `k`, when it stands right behind the one before. */
  #adjacent(k: number): { calls: CallReading[]; end: number; next: number; joined: boolean } | undefined {
    const mark = this.#marks[k] as Mark
    if (mark.role !== 'action' || mark.midline) return undefined
    const end = this.#valueEnd(k)
    const place: Place = { start: mark.start, end }
    const started = this.#notes.mark
    const action = readActionText(this.#text, mark.value, end, this.#box, this.#grammar, this.#notes)
    const inputMark = this.#marks[k + 1]?.role === 'input' ? (this.#marks[k + 1] as Mark) : undefined
    if (action.kind === 'calls')
      return { calls: [...action.calls], end: action.end, next: k + 1, joined: this.#onlyGlue(action.end, end) }
    if (action.kind === 'unknown') {
      const input = inputMark ? this.#text.slice(inputMark.value, this.#valueEnd(k + 1)).trim() : (action.input ?? '')
      return { calls: [unknownCall(action.written, input, action.place, this.#box)], end, next: k + 1, joined: false }
    }
    if (action.kind !== 'name') {
      this.#notes.rewind(started)
      return undefined
    }
    const { tool, inline } = action
    const doubt = tool.shape?.doubt ?? Number.POSITIVE_INFINITY
    if (!inputMark) {
      if (inline) {
        const chained = this.#chain([inlineCall(tool, inline, action.place, this.#notes)], inline.end, end)
        return { calls: chained.calls, end: chained.end, next: k + 1, joined: this.#onlyGlue(chained.end, end) }
      }
      return {
        calls: [
          { name: tool.name, reading: readActionInput('', action.end, tool.shape, this.#notes), place, written: '', doubt },
        ],
        end: action.end,
        next: k + 1,
        joined: this.#onlyGlue(action.end, end),
      }
    }
    const inputEnd = this.#valueEnd(k + 1)
    const text = this.#text.slice(inputMark.value, inputEnd)
    const observation = this.#lexed.observations.find(label => label.start >= inputMark.value && label.start < inputEnd)
    const complete = observation === undefined || isCompleteValue(this.#text.slice(inputMark.value, observation.start))
    const ambiguous =
      (inline && !isEcho(inline.text, tool.shape)) ||
      !complete ||
      this.#marks[k + 2]?.role === 'input' ||
      (this.#marks[k + 2]?.role === 'result' && !isCompleteValue(text))
    const usable = observation ? this.#text.slice(inputMark.value, observation.start) : text
    const reading = ambiguous
      ? refuse('AMBIGUOUS_INPUT', 'The input of a further call can be read in more than one way.', place, {
          tool: tool.name,
          quote: quote(text),
        })
      : this.#readInput(usable, inputMark.value, tool.shape)
    const chatter = this.#hasSince(started, 'TEXT_AFTER_CALL') || observation !== undefined
    return {
      calls: [{ name: tool.name, reading, place: { start: mark.start, end: inputEnd }, written: text.trim(), doubt }],
      end: observation ? observation.start : inputEnd,
      next: k + 2,
      joined: !chatter,
    }
  }

  /** Runs what can run: the calls up to the first that is broken, unknown, cut off or in doubt. */
  #decide(all: readonly CallReading[], k: number, end: number, next: number, closed = false): Assembled {
    const runnable: ToolCall[] = []
    const inputs: string[] = []
    let failed: CallReading | undefined
    let refusal: Refusal | undefined
    const cutCall =
      this.#cut &&
      !closed &&
      next >= this.#marks.length &&
      end >= this.#text.trimEnd().length &&
      !this.#clean.turnCut &&
      !this.#lexed.stopWord
        ? all[all.length - 1]
        : undefined
    for (const call of all) {
      if (!call.reading.ok) {
        failed = call
        refusal = call === all[all.length - 1] ? this.#orCutAt(call.reading, next, end) : call.reading
        break
      }
      if (call === cutCall) {
        failed = call
        refusal = refuse('TRUNCATED', 'The reply was cut off at its length limit, so the call may be incomplete.', call.place, {
          tool: call.name,
          quote: quote(call.written),
        })
        break
      }
      if (this.#notes.costSince(this.#doubtFrom) > call.doubt) {
        failed = call
        refusal = refuse(
          'IN_DOUBT',
          `Reading the call of ${call.name} took too much guessing for a tool that changes things.`,
          call.place,
          { tool: call.name, quote: quote(call.written) },
        )
        break
      }
      runnable.push({ id: String(runnable.length + 1), tool: call.name, input: call.reading.input })
      inputs.push(call.written)
    }
    this.#input = inputs.join('\n')
    this.#noteDropped(next)
    if (refusal && failed) {
      if (runnable.length === 0) {
        const attempt = ATTEMPTS.has(refusal.code) && failed.name ? { tool: failed.name, input: failed.written } : undefined
        return this.#unclear(refusal, attempt)
      }
      this.#notes.add(refusal.code, refusal.message, refusal.place, 0, { ...refusal.data })
    }
    const last = runnable.length < all.length ? (all[runnable.length - 1] as CallReading).place.end : end
    this.#keptEnd = Math.max(last, (this.#marks[k] as Mark).value)
    return this.#finishReading({ kind: 'act', calls: runnable as [ToolCall, ...ToolCall[]] })
  }

  /** Names what stands behind the decision. */
  #noteDropped(from: number): void {
    for (let k = from; k < this.#marks.length; k++) {
      const mark = this.#marks[k] as Mark
      const place = { start: mark.start, end: this.#lexed.to }
      if (mark.role === 'observation' || mark.role === 'result' || (mark.role === 'lookalike' && mark.like === 'observation')) {
        if (mark.role === 'lookalike')
          this.#notes.add('LABEL_LOOKALIKE', 'A line imitates a label with look-alike characters.', place, 0)
        this.#notes.add(
          'INVENTED_OBSERVATION',
          'An observation that the model wrote itself was left out, with all that follows it.',
          place,
          0,
        )
        return
      }
      if (mark.role === 'answer') {
        this.#notes.add('EARLY_ANSWER', 'An answer before the result of the action was left out.', place, 0)
        return
      }
      if (mark.role === 'action' || mark.role === 'native' || mark.role === 'object') {
        this.#notes.add('LATER_CALL', 'A further call, planned without seeing a result, was left out.', place, 0)
        return
      }
      if (mark.role === 'turn') {
        this.#notes.add('INVENTED_TURN', "A turn that is not the model's to write was left out.", place, 0)
        return
      }
      if (mark.role === 'lookalike') {
        this.#notes.add('LABEL_LOOKALIKE', 'A line imitates a label with look-alike characters.', place, 0)
        return
      }
    }
  }

  /** A call object at a line start. */
  #object(k: number): Assembled {
    const mark = this.#marks[k] as Mark
    const started = this.#notes.mark
    const piece = this.#text.slice(mark.value, mark.end)
    const read = readJson(piece, mark.value, NO_KEYS, this.#notes)
    if (!read.ok) {
      this.#notes.rewind(started)
      return this.#unclear(this.#orCut(read))
    }
    // all objects of the reply: neighbours are one batch, anything else is a choice nobody made
    const group: Mark[] = [mark]
    for (let n = k + 1; n < this.#marks.length; n++) {
      const other = this.#marks[n] as Mark
      if (other.role !== 'object') {
        if (isProtocol(other.role) || other.role === 'native') break
        continue
      }
      const before = group[group.length - 1] as Mark
      const value = readJson(this.#text.slice(other.value, other.end), other.value, NO_KEYS, new Notes(position => position))
      if (!value.ok || !looksLikeCall(value.value, this.#box)) continue
      if (this.#text.slice(before.end, other.value).replace(/```\w{0,12}|[\s,;]/g, '')) {
        return this.#unclear(
          refuse('AMBIGUOUS_CALL', 'More than one call stands in the text.', { start: mark.start, end: other.end }),
        )
      }
      group.push(other)
    }
    const last = group[group.length - 1] as Mark
    this.#notes.add(
      'CALL_OBJECT',
      'The call is an object without labels.',
      { start: mark.start, end: last.end },
      this.#alone(mark, last) ? 0 : 1,
    )
    if (mark.fenced) this.#notes.add('INPUT_FENCED', 'The call stands in a fence.', { start: mark.start, end: last.end }, 0)
    const body = this.#text
      .slice(mark.value, last.end)
      .replace(/\n?```\w{0,12}\n?/g, match => (group.length > 1 ? ' '.repeat(match.length) : match))
    const action = readObjects(body, mark.value, this.#box, this.#grammar, this.#notes, true)
    if (this.#marks[k + group.length]?.role === 'answer' && action.kind === 'answer')
      return this.#answer(k + group.length, (this.#marks[k + group.length] as Mark).value)
    switch (action.kind) {
      case 'answer': {
        const object = isObject(read.value) ? readCallObject(read.value, this.#box, this.#grammar, false) : undefined
        if (object?.thought) this.#think(object.thought)
        this.#notes.add('ANSWER_ENVELOPE', 'The answer was taken out of an envelope.', action.place, 0)
        return this.#finalText(action.text, { start: mark.start, end: last.end }, k + group.length, true)
      }
      case 'calls': {
        if (action.thought) this.#think(action.thought)
        const unknown = action.calls.find(call => !call.reading.ok)
        const registered = action.calls.every(call => this.#box.open || this.#box.byName.has(call.name))
        if (!registered && !unknown)
          return this.#unclear(
            refuse('AMBIGUOUS_CALL', 'The object names no tool that is there.', { start: mark.start, end: last.end }),
          )
        return this.#decideObject(action.calls, k, last, group.length)
      }
      case 'refused':
        return this.#unclear(action.refusal)
      default:
        return this.#unclear(refuse('AMBIGUOUS_CALL', 'The object may be a call.', { start: mark.start, end: last.end }))
    }
  }

  #decideObject(calls: readonly CallReading[], k: number, last: Mark, count: number): Assembled {
    const closing = /^[\s`]*/.exec(this.#text.slice(last.end, last.end + 40))?.[0].length ?? 0
    const next = k + count
    const end = last.end
    // prose behind the object means that a cut reply was cut in the prose
    const behind = this.#text.slice(end + closing, this.#valueEnd(next - 1)).trim()
    if (behind)
      this.#notes.add(
        'TEXT_AFTER_CALL',
        'Text after the call was left out.',
        { start: end + closing, end: this.#valueEnd(next - 1) },
        0,
      )
    return this.#decide(calls, k, end, next)
  }

  /** An object that may be a call or an answer; any other is data, and a part of the text. */
  #mayBeCall(mark: Mark): boolean {
    const piece = this.#text.slice(mark.value, mark.end)
    const read = readJson(piece, mark.value, NO_KEYS, new Notes(position => position))
    if (!read.ok) return /["']?(?:action|tool_?call|tool_?name|function)["']?\s{0,4}:/i.test(piece.slice(0, 200))
    return looksLikeCall(read.value, this.#box) || this.#answerObject(read.value)
  }

  #answerObject(value: unknown): boolean {
    if (!isObject(value)) return false
    const found = readCallObject(value, this.#box, this.#grammar, false)
    return found?.kind === 'answer'
  }

  /** Nothing but the object, fences and white space stands in the reply. */
  #alone(first: Mark, last: Mark): boolean {
    const before = this.#text.slice(this.#lexed.from, first.start)
    const after = this.#text.slice(last.end, this.#lexed.to)
    return !/[^\s`]/.test(before) && !/[^\s`]/.test(after)
  }

  #native(native: NativeReading, k: number): Assembled {
    const place: Place = { start: native.start, end: Math.max(native.end, Math.min(this.#lexed.to, native.start + 80)) }
    if (native.unreadable) {
      const code = native.open ? 'TRUNCATED' : 'UNREADABLE_MARKUP'
      return this.#unclear(
        this.#orCut(
          refuse(
            code,
            native.open
              ? 'The markup of a call breaks off.'
              : 'The reply holds markup that looks like a call and is none that can be read.',
            place,
            { quote: quote(this.#text.slice(native.start, native.end || native.start + 80)) },
          ),
        ),
      )
    }
    this.#notes.add('NATIVE_MARKUP', "The call is written in the model's own markup.", place, 0)
    const calls = native.calls.map(call => this.#rawCall(call))
    if (native.open)
      calls.push({
        name: '',
        reading: refuse('TRUNCATED', 'The markup of a call breaks off.', place),
        place,
        written: '',
        doubt: Number.POSITIVE_INFINITY,
      })
    return this.#decide(calls, k, native.end, k + 1)
  }

  #rawCall(call: RawCall): CallReading {
    const place: Place = { start: call.start, end: call.end }
    const written = this.#text.slice(call.start, call.end)
    const tool = resolveTool(call.name, this.#box)
    if (!tool) {
      if (call.args.kind === 'broken' && !call.name)
        return { name: '', reading: call.args.refusal, place, written, doubt: Number.POSITIVE_INFINITY }
      return unknownCall(call.name, call.args.kind === 'value' ? JSON.stringify(call.args.value) : written, place, this.#box)
    }
    const base = { name: tool.name, place, doubt: tool.shape?.doubt ?? Number.POSITIVE_INFINITY }
    switch (call.args.kind) {
      case 'broken':
        noteName(tool, place, this.#notes)
        return { ...base, reading: call.args.refusal, written }
      case 'value':
        return callOf(call.name, call.args.value, place, this.#box, this.#notes)
      case 'python':
        noteName(tool, place, this.#notes)
        return {
          ...base,
          reading: readCallArguments(call.args.text, call.args.start, tool.shape, false, this.#notes),
          written: call.args.text,
        }
      case 'pairs': {
        noteName(tool, place, this.#notes)
        return { ...base, reading: this.#pairs(call.args.pairs, tool.shape, place), written }
      }
    }
  }

  /** Parameters written as tags: text for a string, typed by the schema otherwise, repeated ones a list. */
  #pairs(pairs: readonly { readonly key: string; readonly text: string }[], shape: CallShape, place: Place): InputReading {
    const object: Record<string, unknown> = Object.create(null)
    for (const { key, text } of pairs) {
      const parameter = shape?.byName.get(key)
      const value =
        !parameter || parameter.types.size === 0 || parameter.types.has('string')
          ? text
          : readScalar(text, parameter, place, this.#notes)
      if (!Object.hasOwn(object, key))
        object[key] = parameter && repeats(pairs, key) && parameter.types.has('array') ? [value] : value
      else if (Array.isArray(object[key]) && parameter?.types.has('array')) (object[key] as unknown[]).push(value)
      else
        return refuse('DUPLICATE_KEY', `The parameter "${key}" is written twice.`, place, {
          ...(shape ? { tool: shape.name } : {}),
          quote: key,
        })
    }
    return fitObject(object as never, shape, place, this.#notes)
  }

  /** `Action: Finish` with an input: the input is the answer. */
  #finish(k: number, from: number): Assembled {
    const end = this.#valueEnd(k)
    const raw = this.#text.slice(from, end).trim()
    if (raw.startsWith('{')) {
      const read = readJson(raw, from, NO_KEYS, this.#notes)
      if (read.ok && isObject(read.value)) {
        const texts = Object.entries(read.value).filter(([key, value]) => typeof value === 'string' && foldWord(key) !== 'status')
        const only = texts.length === 1 ? texts[0]?.[1] : undefined
        if (typeof only === 'string') {
          this.#notes.add('ANSWER_ENVELOPE', 'The answer was taken out of an envelope.', { start: from, end }, 0)
          return this.#finalText(only, { start: from, end }, k + 1, true)
        }
      }
      if (!read.ok) return this.#unclear(this.#orCut(read))
      return this.#unclear(refuse('AMBIGUOUS_INPUT', 'Which field is the answer?', { start: from, end }, { quote: quote(raw) }))
    }
    return this.#answer(k, from)
  }

  /** The text of an answer label at mark `k`, to the end but for what is cut. */
  #answer(k: number, from: number): Assembled {
    const cut: AnswerCut = cutAnswer(this.#lexed, this.#marks, k, this.#limit(from), this.#box, this.#grammar)
    const place: Place = { start: from, end: cut.end }
    if (cut.refusal) return this.#unclear(cut.refusal)
    for (const [code, message, span] of cut.problems) this.#notes.add(code, message, span, 0)
    const closed = cut.end < this.#lexed.to || this.#clean.turnCut || this.#lexed.stopWord !== undefined
    let text = this.#text.slice(from, cut.end).trim()
    const open = this.#openDecoration(text)
    if (open && (this.#marks[k]?.match?.open ?? '').includes('**')) text = text.slice(0, -2).trim()
    if (text.startsWith('{') || /^```(?:json)?\s{0,8}\{/.test(text)) {
      const enveloped = this.#envelope(text, from)
      if (enveloped) return enveloped.kind === 'text' ? this.#finalText(enveloped.text, place, k, closed) : enveloped.reading
    }
    return this.#finalText(text, place, k, closed)
  }

  #envelope(text: string, from: number): { kind: 'text'; text: string } | { kind: 'done'; reading: Assembled } | undefined {
    const started = this.#notes.mark
    const at = text.indexOf('{')
    const body = text.slice(at)
    const read = readJson(body, from, NO_KEYS, this.#notes)
    const rest = read.ok ? body.slice(read.end).replace(/[\s`]/g, '') : ''
    if (read.ok && isObject(read.value) && !rest) {
      const object = readCallObject(read.value, this.#box, this.#grammar, false)
      if (object?.kind === 'answer') {
        this.#notes.add(
          'ANSWER_ENVELOPE',
          'The answer was taken out of an envelope.',
          { start: from, end: from + text.length },
          0,
        )
        return { kind: 'text', text: object.text }
      }
      if (object && !this.#box.open && resolveTool(object.name, this.#box)) {
        return {
          kind: 'done',
          reading: this.#unclear(
            refuse('AMBIGUOUS_CALL', 'The answer is a call.', { start: from, end: from + text.length }, { tool: object.name }),
          ),
        }
      }
    }
    this.#notes.rewind(started)
    if (!read.ok && /^\{\s{0,8}["']?action["']?\s{0,4}:/i.test(body.slice(0, 40)))
      return { kind: 'done', reading: this.#unclear(this.#orCut(read)) }
    return undefined
  }

  /** Decides for an answer, unless it is empty, a placeholder, cut off, or rests on an invented observation. */
  #finalText(text: string, place: Place, next: number, closed: boolean): Assembled {
    if (this.#invented)
      return this.#unclear(
        refuse('ANSWER_FROM_INVENTED', 'The answer rests on an observation that the model wrote itself.', place),
      )
    if (this.#cut && !closed)
      return this.#unclear(
        refuse('TRUNCATED', 'The answer was cut off at the length limit.', place, { quote: quote(text.slice(-80)) }),
      )
    if (!text.trim()) return this.#unclear(refuse('MISSING_INPUT', 'The final answer has no text.', place))
    if (!closed && openFence(text))
      return this.#unclear(refuse('TRUNCATED', 'A fence in the answer is still open at the end.', place))
    if (isPlaceholder(text, this.#grammar))
      return this.#unclear(
        refuse('PLACEHOLDER', 'The answer is a placeholder from the instructions.', place, { quote: quote(text) }),
      )
    for (let k = next + 1; k < this.#marks.length && closed; k++) {
      const mark = this.#marks[k] as Mark
      if (mark.role === 'lookalike')
        this.#notes.add(
          'LABEL_LOOKALIKE',
          'A line imitates a label with look-alike characters.',
          { start: mark.start, end: mark.start + 1 },
          0,
        )
    }
    this.#keptEnd = place.end
    return this.#finishReading({ kind: 'answer', text: text.trim() })
  }

  /** Text after an action that names no tool is the answer. */
  #plainAnswer(text: string, place: Place): Assembled {
    if (!this.#readsAsAnswer(text))
      return this.#unclear(refuse('AMBIGUOUS_CALL', 'The text after the action may be a call.', place, { quote: quote(text) }))
    this.#notes.add('ANSWER_UNLABELLED', 'The text after the action that was none is the answer.', place, 1)
    return this.#finalText(text, { start: place.start, end: this.#lexed.to }, this.#marks.length, false)
  }

  /** No label anywhere: the whole text is the answer, unless it was meant as something else. */
  #unlabelled(from: number, to: number): Assembled {
    const end = this.#limit(from)
    const raw = this.#text.slice(from, end)
    const text = raw.trim()
    const place: Place = { start: from, end }
    if (!text) return this.#unclear(refuse('EMPTY_REPLY', 'The reply is empty.', { start: from, end: to }))
    const closed = end < to || this.#clean.turnCut || this.#lexed.stopWord !== undefined
    if (this.#cut && !closed)
      return this.#unclear(
        refuse('TRUNCATED', 'The reply was cut off at its length limit.', place, { quote: quote(text.slice(-80)) }),
      )
    if (this.#lexed.strays.length > 0)
      return this.#unclear(
        refuse('MISSING_ACTION', 'A label stands in the middle of the text.', {
          start: this.#lexed.strays[0]?.start ?? from,
          end,
        }),
      )
    const shown = this.#lexed.fencedAction
    if (shown) {
      const before = this.#text.slice(from, shown[0]).trim()
      const fenceEnd = this.#text.indexOf('\n```', shown[1] - 1)
      const after =
        fenceEnd < 0
          ? ''
          : this.#text
              .slice(fenceEnd + 4, to)
              .replace(/^`*/, '')
              .trim()
      if (!before || !after)
        return this.#unclear(
          refuse('AMBIGUOUS_CALL', 'An action stands in a fence beside other text.', { start: shown[0], end: shown[1] }),
        )
    }
    if (this.#lexed.openFence >= 0) return this.#unclear(refuse('TRUNCATED', 'A fence is still open at the end.', place))
    if (this.#isCallForm(unfence(text).text) || this.#endsInCall(text))
      return this.#unclear(
        refuse('AMBIGUOUS_CALL', 'The reply looks like a call without a label.', place, { quote: quote(text) }),
      )
    if (STOP_WORD.test(text)) return this.#unclear(refuse('EMPTY_REPLY', 'The reply is empty but for a stop word.', place))
    const said = NO_TOOL.exec(text.slice(0, 200))
    const rest = said && said.index === 0 ? text.slice(said[0].length).trim() : ''
    if (said && rest) {
      this.#think(said[0])
      this.#notes.add('ANSWER_UNLABELLED', 'The text after the question about tools is the answer.', place, 1)
      return this.#finalText(rest, place, 0, false)
    }
    if (/^\{\s{0,8}["'](?:action|tool|tool_name|tool_call|function_call|thought|name)["']\s{0,4}:/i.test(text.slice(0, 60))) {
      const read = readJson(text, from, NO_KEYS, new Notes(position => position))
      if (!read.ok) return this.#unclear(this.#orCut(read))
    }
    if (isPlaceholder(text, this.#grammar))
      return this.#unclear(
        refuse('PLACEHOLDER', 'The reply is a placeholder from the instructions.', place, { quote: quote(text) }),
      )
    this.#notes.add('ANSWER_UNLABELLED', 'A reply without any label is the answer.', place, 0)
    this.#keptEnd = end
    return this.#finishReading({ kind: 'answer', text })
  }

  /** A thought and nothing else; a paragraph below it may be the answer. */
  #onlyThought(): Assembled {
    const whole = this.#whole()
    const thoughts = this.#marks.filter(mark => mark.role === 'thought')
    const last = thoughts[thoughts.length - 1]
    const others = this.#marks.some(
      mark =>
        mark.role === 'observation' ||
        mark.role === 'lookalike' ||
        mark.role === 'object' ||
        mark.role === 'result' ||
        mark.role === 'weak_input' ||
        mark.role === 'tool',
    )
    if (this.#cut) return this.#unclear(refuse('TRUNCATED', 'The reply was cut off in a thought.', whole))
    if (
      !last ||
      others ||
      this.#lexed.strays.length > 0 ||
      this.#lexed.openFence >= 0 ||
      this.#lexed.fencedAction ||
      this.#marks[this.#marks.length - 1] !== last
    ) {
      return this.#unclear(
        refuse(this.#thoughts.length > 0 || last ? 'ONLY_THOUGHT' : 'EMPTY_REPLY', 'The reply holds only a thought.', whole),
      )
    }
    const end = this.#valueEnd(this.#marks.length - 1)
    const value = this.#text.slice(last.value, end)
    if (!value.trim() && this.#thoughts.length === 0)
      return this.#unclear(refuse('EMPTY_REPLY', 'The reply is empty but for a label.', whole))
    const conversational = NO_TOOL.exec(value.slice(0, 400))
    const blank = /\n[ \t]*\r?\n/.exec(value.trimStart())
    const lead = value.length - value.trimStart().length
    let split = -1
    if (conversational) split = conversational.index + conversational[0].length
    else if (blank && /[.!?。！？…)\]"”'’]$/.test(value.slice(lead, lead + blank.index).trimEnd())) split = lead + blank.index
    const rest = split < 0 ? '' : value.slice(split).trim()
    if (!rest) return this.#unclear(refuse('ONLY_THOUGHT', 'The reply holds only a thought.', whole))
    const opens = rest.split(/\n[ \t]*\r?\n/, 50).some(paragraph => announcesWork(paragraph, this.#grammar))
    if (opens || !this.#readsAsAnswer(rest))
      return this.#unclear(refuse('ONLY_THOUGHT', 'The reply announces work and does none.', whole))
    this.#thoughts[this.#thoughts.length - 1] = value.slice(0, split).trim()
    this.#notes.add('ANSWER_UNLABELLED', 'The paragraph below the thought is the answer.', { start: last.value + split, end }, 1)
    this.#keptEnd = end
    return this.#finalText(rest, { start: last.value + split, end }, this.#marks.length, false)
  }

  /** One whole reply of the form `search("x")` or `search[x]`. */
  #isCallForm(text: string): boolean {
    const head = /^`{0,3}([\w.-]{1,64})\s{0,2}[[({]/.exec(text.slice(0, 80))
    return (
      head !== null &&
      !this.#box.open &&
      /[\])}]`{0,3}[.;]?$/.test(text) &&
      resolveTool(head[1] as string, this.#box) !== undefined
    )
  }

  /** A call object in the middle of the last line, or a list of calls that is not closed. */
  #endsInCall(text: string): boolean {
    const lineStart = text.lastIndexOf('\n') + 1
    const brace = text.indexOf('{', lineStart)
    if (brace > lineStart) {
      const read = readJson(text.slice(brace), brace, NO_KEYS, new Notes(position => position))
      if (read.ok && looksLikeCall(read.value, this.#box) && !text.slice(lineStart, brace).includes('`')) return true
    }
    const list = /^\[\s{0,8}([\w.-]{1,64})\(/.exec(text.slice(0, 80))
    return list !== null && !this.#box.open && resolveTool(list[1] as string, this.#box) !== undefined
  }

  /** The text would be an answer if it were the whole reply. */
  #readsAsAnswer(text: string): boolean {
    const alone = assembleReply(text, this.#grammar, this.#box, 'stop').decision
    return alone.kind === 'answer' && alone.text === text.trim()
  }

  #saysNoTool(): boolean {
    const said = this.#thoughts.join(' ').toLowerCase()
    return /\bno\b|not need|n't need|without|know|不需要|无需/.test(said) || this.#thoughts.length > 0
  }

  #think(text: string): void {
    const trimmed = text.trim()
    if (trimmed) this.#thoughts.push(trimmed)
  }

  /** Where the value of mark `k` ends: at the next mark, or where a special token was struck. */
  #valueEnd(k: number): number {
    const mark = this.#marks[k] as Mark
    const next = this.#marks[k + 1]?.start ?? this.#lexed.to
    return Math.min(next, this.#limit(mark.value, next))
  }

  #limit(from: number, end = this.#lexed.to): number {
    const { breaks } = this.#clean
    if (breaks.length === 0) return end
    // a token before the value is no end of it
    const first = skipBlank(this.#text, from, end)
    let low = 0
    let high = breaks.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((breaks[middle] as number) > first) high = middle
      else low = middle + 1
    }
    const at = breaks[low]
    if (at !== undefined && at < end) return at
    return end
  }

  /** Text behind a struck token, up to the next label: still a part of the thought. */
  #afterBreak(k: number): string {
    const next = this.#marks[k + 1]?.start ?? this.#lexed.to
    const end = this.#valueEnd(k)
    return end < next && k + 1 < this.#marks.length ? this.#text.slice(end, next) : ''
  }

  #firstLine(from: number, end: number): Place {
    let start = from
    while (start < end && (this.#text[start] === ' ' || this.#text[start] === '\t')) start++
    const newline = this.#text.indexOf('\n', start)
    return { start, end: newline < 0 || newline > end ? end : newline }
  }

  #onlyGlue(from: number, end: number): boolean {
    return (
      /^(?:[\s,;`*]|\band\b)*$/.test(this.#text.slice(from, Math.min(end, from + 200))) &&
      (end - from <= 200 || !this.#text.slice(from, end).trim())
    )
  }

  /** When the endpoint cut the reply off, that is the reason for whatever is missing. */
  #orCut(refusal: Refusal): Refusal {
    return this.#cut && refusal.code !== 'UNKNOWN_TOOL'
      ? { ...refusal, code: 'TRUNCATED', message: `${refusal.message} The reply was cut off at its length limit.` }
      : refusal
  }

  #orCutAt(refusal: Refusal, next: number, end: number): Refusal {
    return next >= this.#marks.length &&
      end >= this.#text.trimEnd().length - 1 &&
      (refusal.code === 'MISSING_INPUT' || refusal.code === 'BROKEN_INPUT')
      ? this.#orCut(refusal)
      : refusal
  }

  #whole(): Place {
    return { start: this.#lexed.from, end: this.#lexed.to }
  }

  /** Notes how the labels that were used are dressed. */
  #noteDress(): void {
    for (const mark of this.#marks) {
      const match = mark.match
      if (!match || match.plain || !isProtocol(mark.role)) continue
      const place = { start: match.word, end: match.value }
      if (match.doubled) this.#notes.add('LABEL_DOUBLED', 'A label is written twice.', place, 0)
      if (!match.colon) this.#notes.add('LABEL_COLON', 'A label has no colon.', place, 0)
      else if (match.dress !== 'plain' || match.bullet) this.#notes.add('LABEL_DECORATED', 'A label is decorated.', place, 0)
      else {
        const word = this.#text.slice(match.word, match.value).replace(/[\s:：﹕∶]+$/, '')
        const folded = [...this.#grammar.exact].some(own => foldWord(own) === match.key)
        if (!this.#grammar.exact.has(word))
          this.#notes.add(folded ? 'LABEL_CASE' : 'LABEL_SPELLING', 'A label is spelled in its own way.', place, 0)
        else this.#notes.add('LABEL_COLON', 'A label has another colon, or stands off its place.', place, 0)
      }
    }
  }

  #done(reading: Assembled): { kind: 'done'; reading: Assembled } {
    return { kind: 'done', reading }
  }

  #unclear(refusal: Refusal, attempted?: { tool: string; input: string }): Assembled {
    const problem = this.#notes.add(refusal.code, refusal.message, refusal.place, 0, refusal.data)
    this.#keptEnd = this.#unclearEnd()
    return this.#finishReading({ kind: 'unclear', problem, ...(attempted ? { attempted } : {}) })
  }

  /** An unclear reply is kept up to the first thing that was not the model's to write. */
  #unclearEnd(): number {
    let acted = false
    for (const mark of this.#marks) {
      if (mark.role === 'action' || mark.role === 'native') acted = true
      if (acted && (mark.role === 'observation' || mark.role === 'turn')) return mark.start
    }
    return this.#lexed.to
  }

  #finishReading(decision: Decision): Assembled {
    const thought = this.#thoughts.join('\n').trim()
    const start = this.#clean.original(this.#lexed.from)
    const end = Math.max(start, Math.min(this.#reply.length, this.#clean.original(this.#keptEnd)))
    const kept: Span = [start, end]
    return {
      thought: thought || null,
      decision,
      problems: this.#notes.list() as readonly Problem[],
      kept,
      inputText: this.#input,
    }
  }
}

type CallShape = ReturnType<Toolbox['byName']['get']>

/** `Tool:` and `Input:` count only as an adjacent pair, `Input:` also right after an action. */
function resolveWeak(lexed: Lexed, text: string): readonly Mark[] {
  const marks = pairWeak(lexed, text)
  return marks.some(mark => !WEAK.has(mark.role)) ? marks : []
}

function pairWeak(lexed: Lexed, text: string): readonly Mark[] {
  const { marks } = lexed
  if (!marks.some(mark => mark.role === 'tool' || mark.role === 'weak_input')) return marks
  const firstAction = marks.findIndex(mark => mark.role === 'action')
  const value = (index: number) => text.slice((marks[index] as Mark).value, marks[index + 1]?.start ?? lexed.to).trim()
  const paired = marks.map((mark, k) => {
    if (mark.role === 'tool') {
      const next = marks[k + 1]
      const name = value(k)
      const counts = (firstAction < 0 || firstAction > k) && (next?.role === 'weak_input' || next?.role === 'input')
      return counts && name && !name.includes('\n') ? { ...mark, role: 'action' as const } : mark
    }
    if (mark.role === 'weak_input') {
      const before = marks[k - 1]
      const name = before ? value(k - 1) : ''
      const follows =
        before &&
        (before.role === 'action' || (before.role === 'tool' && (firstAction < 0 || firstAction > k))) &&
        name !== '' &&
        !name.includes('\n')
      return follows ? { ...mark, role: 'input' as const } : mark
    }
    return mark
  })
  // the others are words like any
  return paired.filter(mark => mark.role !== 'tool' && mark.role !== 'weak_input')
}

function unknownRefusal(call: CallReading): Refusal {
  return call.reading as Refusal
}

/** A complete JSON value, bracket or fence, so that what follows it on the line is not a part of it. */
function isCompleteValue(text: string): boolean {
  const trimmed = text.trim()
  if (/^```/.test(trimmed)) return trimmed.length > 6 && trimmed.endsWith('```')
  if (!/^[{[｛]/.test(trimmed)) return false
  const notes = new Notes(position => position)
  const read = readJson(trimmed, 0, NO_KEYS, notes)
  return read.ok && !notes.list().some(problem => problem.code === 'INPUT_CLOSED')
}

function repeats(pairs: readonly { readonly key: string }[], key: string): boolean {
  return pairs.filter(pair => pair.key === key).length > 1
}

/** A fence at a line start that does not close. */
function openFence(text: string): boolean {
  if (!text.includes('```')) return false
  let open = ''
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (!trimmed.startsWith('```')) continue
    const ticks = /^`+/.exec(trimmed)?.[0] ?? ''
    if (!open) {
      if (!trimmed.slice(ticks.length).includes('```')) open = ticks
    } else if (trimmed === ticks && ticks.length >= open.length) open = ''
  }
  return open !== ''
}

/** The instruction's own words instead of an answer. */
function isPlaceholder(text: string, grammar: Grammar): boolean {
  const trimmed = text.trim()
  if (trimmed.length > 80) return false
  const inner = trimmed
    .replace(/^[<[({"'“]{1,3}/, '')
    .replace(/[>\])}"'”.]{1,3}$/, '')
    .trim()
  const fold = foldWord(inner)
  if (PLACEHOLDERS.has(fold)) return true
  if (/^<[^<>\n]{1,70}>$/.test(trimmed) && /\b(?:your|answer|the final|insert|result|response)\b/i.test(trimmed)) return true
  if (/^\[[^[\]\n]{1,70}\]$/.test(trimmed) && /\b(?:your|final answer|insert)\b/i.test(trimmed)) return true
  return grammar.roles.get(fold) === 'answer' && fold !== 'response'
}

function announcesWork(paragraph: string, grammar: Grammar): boolean {
  const start = paragraph
    .trim()
    .slice(0, 60)
    .toLowerCase()
    .replace(/^(?:so|okay|ok|alright|well|now)[,.]?\s{1,3}/, '')
  return grammar.openers.some(opener => start.startsWith(opener) && !/^[a-z]/.test(start.slice(opener.length)))
}

const NO_KEYS: ReadonlySet<string> = new Set()
const WEAK: ReadonlySet<string> = new Set(['tool', 'weak_input', 'result'])
const EMPTY_TEXT = new Set(['{}', '()', '[]', '""', "''", '-'])
const ATTEMPTS = new Set<ProblemCode>(['UNKNOWN_TOOL', 'INVALID_INPUT', 'IN_DOUBT'])
const STOP_WORD = /^[*_`]{0,3}obs(?:ervation)?[*_`]{0,3}$/i
const NO_TOOL = /(?:do i )?(?:need|have) to use (?:a|any) tools?\s{0,2}\?\s{0,4}no\b\.?/i
const PLACEHOLDERS = new Set([
  'answer',
  'youranswer',
  'youranswerhere',
  'youfinalanswer',
  'yourfinalanswer',
  'yourfinalanswerhere',
  'thefinalanswer',
  'finalanswer',
  'answerhere',
  'finalanswerhere',
  'theanswer',
  'theanswerhere',
  'thefinalanswertotheoriginalinputquestion',
  'thefinalanswertotheoriginalquestion',
  'finalanswertotheoriginalquestion',
  'insertanswerhere',
  '最终答案',
  '你的答案',
  '答案',
])
