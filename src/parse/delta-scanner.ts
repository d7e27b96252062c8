// Chunks of a reply as they come → the thought, input and answer text that is certain already. Knows only clean replies: at the first thing it is
// not sure of it falls silent, and the end of the reply gives the rest. What it gives does not depend on the chunking: what may still become
// a label or a token is held back until that is decided, and all else passes on as it stands.
import type { Delta } from '../core/reply.js'
import { isOddBreak, isSpace } from './characters.js'
import { type Channel, GivenText, type Texts } from './given-text.js'
import type { Grammar, LabelRole } from './grammar.js'
import type { LabelMatch } from './labels.js'
import { type BodyStops, bodyStops, labelAt, plainTo, type Section } from './line-body.js'
import { endNear, type HeadWords, headWords, readLineHead } from './line-head.js'
import { markupStart } from './markup-start.js'
import { OPEN } from './word-tree.js'

type Mode = 'start' | Section | 'silent'

export class DeltaScanner {
  readonly #heads: HeadWords
  readonly #sections: Readonly<Record<Section, BodyStops>>
  readonly #given = new GivenText()
  #mode: Mode = 'start'
  /** What comes next: the beginning of a line, what stands right behind a label, or the rest of a line. */
  #next: 'head' | 'value' | 'rest' = 'head'
  #stops: BodyStops
  /** The end of what came, while it may still become something. */
  #held = ''
  /** How much of the reply lies before what is held, and its last character's code. */
  #before = 0
  #last = 0
  /** Text of the paragraph was given out. */
  #started = false
  #thoughtEnd = -1
  /** White space that is only given out when text follows, and the line breaks in it. */
  #space = ''
  #breaks = 0
  #deltas: readonly Delta[] = NOTHING

  constructor(grammar: Grammar) {
    const { heads, sections } = wordsOf(grammar)
    this.#heads = heads
    this.#sections = sections
    this.#stops = sections.thought
  }

  /** Where the reply got beyond a thought, or to something that is not plain; -1 before that. */
  get thoughtEnd(): number {
    return this.#thoughtEnd
  }

  /** All that was given out, out of the whole reply. */
  given(reply: string): Texts {
    return this.#given.texts(reply)
  }

  push(chunk: string): readonly Delta[] {
    if (this.#mode === 'silent' || chunk === '') return NOTHING
    const text = this.#held === '' ? chunk : this.#held + chunk
    if (this.#next !== 'rest') return this.#scan(text)
    // most chunks lie within a line, and at most their end is open
    const stop = plainTo(text, 0, this.#last, this.#stops)
    if (stop < text.length && this.#readStop(text, stop) !== 'open') return this.#scan(text)
    this.#held = stop === text.length ? '' : text.slice(stop)
    const piece = this.#take(text, 0, stop)
    this.#pass(text, stop)
    return piece === '' ? NOTHING : [{ channel: this.#mode as Channel, text: piece }]
  }

  #scan(text: string): readonly Delta[] {
    this.#held = ''
    let at = this.#before === 0 && text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0
    while (at < text.length && this.#mode !== 'silent' && this.#held === '') {
      if (this.#next === 'head') at = this.#readHead(text, at)
      else if (this.#next === 'value') at = this.#readValue(text, at)
      else at = this.#readRest(text, at)
    }
    this.#pass(text, text.length - this.#held.length)
    const deltas = this.#deltas
    this.#deltas = NOTHING
    return deltas
  }

  /** The beginning of a line. Gives where to go on, as the next two do. */
  #readHead(text: string, start: number): number {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    if (newline >= 0 && isBlankLine(text, start, end)) return this.#endLine(text, start, end)
    const head = readLineHead(text, start, end, newline >= 0, this.#heads, this.#mode === 'thought')
    if (head === 'open') return this.#hold(text, start)
    if (head === 'odd') return this.#silence(start)
    // a quote mark may stand before every line, and is in no value then
    if (head !== 'text' && text.slice(start, head.word).includes('>')) return this.#silence(start)
    if (head !== 'text' && !isTextOf(this.#mode, head.role)) return this.#readLabel(head, start)
    // an unlabelled reply is one delta at the end
    if (this.#mode === 'start') return this.#silence(start)
    this.#next = 'rest'
    return start
  }

  #readLabel(label: LabelMatch, start: number): number {
    const section = SECTIONS[label.role]
    const follows = section === 'input' ? this.#mode === 'action' : section !== undefined && this.#thoughtEnd < 0
    // a heading for the answer may be the prompt's own
    const heading = label.dress === 'heading' && section === 'answer'
    if (!section || !follows || label.bullet || label.open !== '' || heading) return this.#silence(start)
    if (section !== 'thought') this.#endThought(start)
    // thoughts are joined by a line break
    this.#space = section === this.#mode && (this.#started || this.#space !== '') ? '\n' : ''
    this.#mode = section
    this.#stops = this.#sections[section]
    this.#next = section === 'action' ? 'rest' : 'value'
    this.#started = false
    this.#breaks = 0
    if (section !== 'action') this.#given.open(section)
    return label.value
  }

  /** Right behind a label the same one counts once. */
  #readValue(text: string, start: number): number {
    let at = start
    while (at < text.length && text[at] !== '\n' && isSpace(text.charCodeAt(at))) at++
    if (at === text.length) return at
    // the same label may stand there again and again: the whole line must not be searched each time
    const newline = endNear(text, at)
    const head = readLineHead(text, at, newline < 0 ? text.length : newline, newline >= 0, this.#heads, false)
    if (head === 'open') return this.#hold(text, at)
    this.#next = 'rest'
    if (typeof head === 'string' || SECTIONS[head.role] !== this.#mode) return at
    if (head.word !== at || head.dress !== 'plain') return this.#silence(at)
    this.#next = 'value'
    return head.value
  }

  /** The rest of a line whose beginning is decided. */
  #readRest(text: string, start: number): number {
    for (let at = start; ; at++) {
      at = plainTo(text, at, this.#last, this.#stops)
      const stop = at === text.length ? 'end' : this.#readStop(text, at)
      if (stop === 'text') continue
      this.#give(text, start, at)
      if (stop === 'end') return at
      if (stop === 'line') return this.#endLine(text, at, at)
      return stop === 'open' ? this.#hold(text, at) : this.#silence(at)
    }
  }

  #readStop(text: string, at: number): 'line' | 'text' | 'open' | 'mark' {
    const code = text.charCodeAt(at)
    if (code === 10) return 'line'
    if (code === 13) return text[at + 1] === '\n' ? 'text' : at + 1 < text.length ? 'mark' : 'open'
    if (isOddBreak(code) || this.#mode === 'action') return 'mark'
    if (code === 60 || code === 91 || code === 0x25c1) return markupStart(text, at, this.#mode === 'thought')
    return labelAt(text, at, this.#stops) === OPEN ? 'open' : 'mark'
  }

  #give(text: string, start: number, end: number): void {
    const piece = this.#take(text, start, end)
    if (piece === '') return
    const channel = this.#mode as Channel
    const last = this.#deltas.at(-1)
    if (!last) this.#deltas = [{ channel, text: piece }]
    else if (last.channel !== channel) this.#deltas = [...this.#deltas, { channel, text: piece }]
    else this.#deltas = [...this.#deltas.slice(0, -1), { channel, text: last.text + piece }]
  }

  /** What of `text[start, end)` is given out: all but the white space around it. */
  #take(text: string, start: number, end: number): string {
    if (this.#mode === 'action') return ''
    let last = end
    while (last > start && isBlank(text.charCodeAt(last - 1))) last--
    let first = start
    if (!this.#started) while (first < last && isBlank(text.charCodeAt(first))) first++
    if (first === last) {
      if (this.#started) this.#space += text.slice(start, end)
      return ''
    }
    if (!this.#started || this.#breaks > 0) {
      if (this.#isOdd(text.charAt(first))) {
        this.#silence(start)
        return ''
      }
      this.#started = true
      this.#breaks = 0
    }
    this.#given.extend(this.#before + first, this.#before + last)
    const before = this.#space
    if (before !== '' || last < end) this.#space = text.slice(last, end)
    const piece = last - first === text.length ? text : text.slice(first, last)
    return before === '' ? piece : before + piece
  }

  /** What begins like an envelope or a fence; below a blank line the answer may begin. */
  #isOdd(first: string): boolean {
    const mode = this.#mode as Channel
    return this.#started ? this.#breaks > 1 && mode === 'thought' : ODD_STARTS[mode].includes(first)
  }

  /** A line ends at `end`; nothing but white space came since `start`. */
  #endLine(text: string, start: number, end: number): number {
    if (this.#started) this.#space += text.slice(start, end + 1)
    this.#breaks++
    this.#next = 'head'
    return end + 1
  }

  /** What stands before `end` is not looked at again. */
  #pass(text: string, end: number): void {
    if (end === 0) return
    this.#before += end
    this.#last = text.charCodeAt(end - 1)
  }

  #hold(text: string, start: number): number {
    this.#held = text.slice(start)
    return start
  }

  #silence(at: number): number {
    this.#endThought(at)
    this.#mode = 'silent'
    return at
  }

  #endThought(at: number): void {
    if (this.#thoughtEnd < 0) this.#thoughtEnd = this.#before + at
  }
}

interface ScanWords {
  readonly heads: HeadWords
  readonly sections: Readonly<Record<Section, BodyStops>>
}

function wordsOf(grammar: Grammar): ScanWords {
  const known = compiled.get(grammar)
  if (known) return known
  const made: ScanWords = { heads: headWords(grammar), sections: bodyStops(grammar) }
  compiled.set(grammar, made)
  return made
}

/** Labels that are words like any in that place. */
function isTextOf(mode: Mode, role: LabelRole): boolean {
  return mode === 'answer' && (role === 'result' || role === 'weak_input')
}

function isBlankLine(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isBlank(text.charCodeAt(i))) return false
  return true
}

/** White space that is trimmed off the ends of a text. */
function isBlank(code: number): boolean {
  return (
    code === 32 || (code < 128 ? code >= 9 && code <= 13 : isSpace(code) || code === 0x1680 || code === 0x202f || code === 0x205f)
  )
}

const SECTIONS: { readonly [role in LabelRole]?: Section } = {
  thought: 'thought',
  action: 'action',
  input: 'input',
  answer: 'answer',
}
const ODD_STARTS: Readonly<Record<Channel, string>> = { thought: '`~', input: '', answer: '{[<`' }
const BYTE_ORDER_MARK = 0xfeff
const NOTHING: readonly Delta[] = []
const compiled = new WeakMap<Grammar, ScanWords>()
