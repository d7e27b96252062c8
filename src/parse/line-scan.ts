// One walk over the lines of a reply → its marks. Each kind of line has its step, which says where the next line begins; what stands in
// fences, JSON strings and comments is skipped.
import { CommentWatch } from './comment-watch.js'
import { closesOnLine, isFence, lineEnd, onlyTicks, ticksAt } from './fence-line.js'
import { opensFinish } from './finish-text.js'
import { LabelLines, type Rules } from './label-lines.js'
import { type Grammar, type LabelMatch, matchLabel, skipBlank } from './labels.js'
import { findLookalike, holdsOddities, LONGEST_LABEL } from './lookalike.js'
import { isProtocol, type Lexed, type Mark } from './marks.js'
import { MarkupWatch } from './markup-watch.js'
import { MidlineScan } from './midline-scan.js'
import { readNative } from './native-markup.js'
import { isCallMarkup, isNativeAt } from './native-words.js'
import { findStopWord, isBareObservation } from './stop-word.js'
import type { TagLabel } from './tag-labels.js'
import { readToolCode } from './tool-code.js'
import { resolveTool } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'
import { ValueScan } from './value-scan.js'

interface Line {
  readonly start: number
  readonly end: number
  /** Where the next line begins. */
  readonly next: number
  /** Its first character that is not blank. */
  readonly inner: number
}

export class LineScan {
  /** The lines that begin with a label. */
  readonly labels: LabelLines
  readonly #text: string
  readonly #grammar: Grammar
  readonly #box: Toolbox
  readonly #wrapper: Lexed['wrapper']
  readonly #rules: Rules
  readonly #strayFence: number
  readonly #from: number
  readonly #to: number
  readonly #stopWord: Lexed['stopWord']
  readonly #values: ValueScan
  readonly #marks: Mark[] = []
  readonly #midline: MidlineScan
  readonly #comments: CommentWatch
  readonly #markup: MarkupWatch
  /** Whose value the current line belongs to. */
  #current: Mark['role'] | 'none' = 'none'
  #fence: { readonly mark: string; readonly start: number; readonly label: boolean } | undefined
  #fencedAction: Lexed['fencedAction']
  /** A label of the protocol has been met. */
  #begun = false
  /** A fence stood in a thought or before the first label. */
  #fenced = false
  /** A look-alike may stand anywhere. */
  readonly #odd: boolean

  /** `wrapper`: the fence that was blanked out; `strayFence`: a fence that closes nothing and is read as text. */
  constructor(text: string, grammar: Grammar, box: Toolbox, wrapper: Lexed['wrapper'], rules = PLAIN, strayFence = -1) {
    this.#text = text
    this.#grammar = grammar
    this.#box = box
    this.#wrapper = wrapper
    this.#rules = rules
    this.labels = new LabelLines(text, grammar, rules)
    this.#strayFence = strayFence
    this.#from = wrapper && !text.slice(0, wrapper[0]).trim() ? wrapper[1] : text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.#stopWord = findStopWord(text, this.#from, text.length, grammar)
    this.#to = this.#stopWord ? this.#stopWord[0] : text.length
    this.#values = new ValueScan(text, this.#to, grammar, this.#isLabelLine)
    this.#odd = holdsOddities(text)
    this.#midline = new MidlineScan(text, grammar, box, this.#marks)
    this.#comments = new CommentWatch(text)
    this.#markup = new MarkupWatch(text, this.#to, box)
  }

  run(): Lexed {
    let position = this.#from
    while (position < this.#to && this.#marks.length < MOST_MARKS) position = this.#step(position)
    const fence = this.#fence
    // repair: a bare fence in an input that closes nothing hides no labels
    if (fence && !fence.label && this.#current === 'input' && this.#strayFence < 0 && this.#isBareFence(fence.start))
      return new LineScan(this.#text, this.#grammar, this.#box, this.#wrapper, this.#rules, fence.start).run()
    return {
      text: this.#text,
      from: this.#from,
      to: Math.min(position, this.#to),
      full: position < this.#to,
      marks: this.#marks,
      observations: this.#midline.observations,
      strays: this.#midline.strays,
      fencedAction: this.#fencedAction,
      wrapper: this.#wrapper,
      stopWord: this.#stopWord,
      openFence: fence ? fence.start : -1,
      open: this.#isOpen(),
    }
  }

  #isOpen(): boolean {
    const fence = this.#fence !== undefined || this.#fenced || this.#strayFence >= 0 || this.#wrapper !== undefined
    return fence || this.#comments.open || this.#values.ranOut || this.#markup.open
  }

  /** Reads the line at `position`; gives where to go on. */
  #step(position: number): number {
    const end = this.#lineEnd(position)
    const next = end < this.#to && this.#text[end] === '\n' ? end + 1 : Math.max(end, position + 1)
    const line: Line = { start: position, end, next, inner: skipBlank(this.#text, position, end) }
    if (this.#fence) return this.#insideFence(line)
    if (position < this.#comments.end || line.inner === end) return next
    const label = this.labels.on(line.start, line.end)
    if (label) return this.#labelLine(line, label)
    if (isFence(this.#text, line.inner) && line.inner !== this.#strayFence) return this.#fenceLine(line)
    return this.#textLine(line)
  }

  #insideFence({ start, end, next, inner }: Line): number {
    const fence = this.#fence
    if (!fence) return next
    if (this.#text.startsWith(fence.mark, inner) && onlyTicks(this.#text, inner, end, fence.mark.charAt(0)))
      this.#fence = undefined
    else if (!fence.label && !this.#fencedAction) {
      const shown = matchLabel(this.#text, start, end, this.#grammar)
      if (shown?.colon && (shown.role === 'action' || (shown.role === 'answer' && !this.#grammar.common.has(shown.key))))
        this.#fencedAction = [fence.start, end]
    }
    return next
  }

  #labelLine({ start, end, next }: Line, label: LabelMatch): number {
    const text = this.#text
    const { role, value } = label
    const before = this.#current
    this.#marks.push({ role, start, value, end: value, midline: false, match: label })
    if (isProtocol(role)) this.#begun = true
    if (role === 'turn') this.#current = this.#begun ? role : 'none'
    else this.#current = role === 'speaker' ? 'thought' : role === 'result' ? this.#current : role
    const first = skipBlank(text, value, end)
    // a role prefix may stand before another label, or before markup
    if (role === 'speaker' && (this.#isLabelLine(first) || isNativeAt(text, first, true, this.#box))) return first
    if (role === 'thought' && isFence(text, first) && !closesOnLine(text, first, end)) {
      this.#fence = { mark: ticksAt(text, first), start: first, label: true }
      this.#fenced = true
      return next
    }
    const opening = WITHOUT_JSON.has(role) ? undefined : this.#values.first(value, end)
    const skipped = opening === undefined ? { end: value } : this.#skipValue(opening, role, before)
    if (skipped.fence) {
      this.#fence = { mark: skipped.fence, start: opening ?? value, label: true }
      return skipped.end
    }
    // nothing to skip on the line below: it is read like any other
    if (skipped.end > end && skipped.end === opening) return next
    if (skipped.end > end) return this.#goOn(skipped.end, role)
    this.#current = this.#midline.read(
      Math.max(value, skipped.end),
      role === 'thought' || role === 'speaker' ? this.#comments.on(start, end) : end,
      role,
      this.#current,
    )
    return this.#behindMidline({ start, end, next })
  }

  /** Goes over the JSON or the fence of an input whose label stands in the middle of the line. */
  #behindMidline({ start, end, next }: Pick<Line, 'start' | 'end' | 'next'>): number {
    const mark = this.#marks.at(-1)
    if (!mark?.midline || mark.role !== 'input' || mark.start < start) return next
    const at = this.#values.first(mark.value, end)
    if (at === undefined) return next
    const skipped = this.#values.skip(at, 'input')
    if (skipped.fence) this.#fence = { mark: skipped.fence, start: at, label: true }
    if (skipped.fence || skipped.end <= end || skipped.end === at) return skipped.fence ? skipped.end : next
    return this.#goOn(skipped.end, 'input')
  }

  /** Behind a value that went over its line. */
  #goOn(from: number, role: Mark['role']): number {
    const end = this.#lineEnd(from)
    this.#midline.read(from, end, role)
    return end < this.#to ? end + 1 : end
  }

  #skipValue(
    at: number,
    role: LabelMatch['role'],
    before: Mark['role'] | 'none',
  ): { readonly end: number; readonly fence?: string } {
    if (role === 'tool' && (before === 'none' || before === 'thought' || before === 'tool')) this.#objectBelow(at)
    if (role !== 'speaker') return this.#values.skip(at, role)
    if (isFence(this.#text, at)) return this.#values.skip(at, role)
    const object = this.#values.objectAt(at)
    if (object < 0) return { end: at }
    return { end: this.#objects(at, at, object, false) }
  }

  /** A call object on a line of its own, below a word which may be no label. */
  #objectBelow(at: number): void {
    const fenced = isFence(this.#text, at)
    const value = fenced ? skipBlank(this.#text, this.#lineEnd(at), this.#to) : at
    const lineStart = this.#text.lastIndexOf('\n', value - 1) + 1
    const end = this.#text.slice(lineStart, value).trim() ? -1 : this.#values.objectAt(value)
    if (end >= 0) this.#marks.push({ role: 'object', start: at, value, end, midline: false, ...(fenced ? { fenced } : {}) })
  }

  #fenceLine({ start, end, next, inner }: Line): number {
    const text = this.#text
    if (closesOnLine(text, inner, end)) return next
    const mark = ticksAt(text, inner)
    this.#fence = { mark, start: inner, label: false }
    if (this.#current !== 'none' && this.#current !== 'thought') return next
    this.#fenced = true
    const content = skipBlank(text, next, this.#to)
    const object = this.#values.objectAt(content)
    if (object >= 0) {
      const last = this.#objects(start, content, object, true)
      const line = this.#lineEnd(last)
      // the closing fence may stand right behind the object
      if (text.slice(last, line).includes(mark)) this.#fence = undefined
      return Math.min(this.#to, Math.max(next, line + (text[last] === '\n' ? 1 : 0)))
    }
    const code = text.slice(inner, end).toLowerCase()
    const python = code.includes('tool_code')
    const leaked = content < this.#to && isNativeAt(text, content, true, this.#box) && this.#aloneInFence(inner, mark)
    if (!python && !code.includes('tool_call') && !leaked) return next
    const native = python
      ? readToolCode(text, content, this.#to, mark, this.#box)
      : readNative(text, content, this.#to, this.#box, this.#isLabelLine)
    this.#marks.push({ role: 'native', start, value: content, end: native.end, midline: false, native, fenced: true })
    this.#current = 'native'
    this.#fence = undefined
    return Math.max(next, native.end)
  }

  /** A line without a label: perhaps a call object, `Finish[…]`, leaked markup, an imitation of a label. */
  #textLine(line: Line): number {
    const { start, end, next, inner } = line
    const tag = this.#text[inner] === '<' ? this.#markup.tagAt(inner, true) : undefined
    // in an answer, only somebody else's turn is more than text
    if (tag && (this.#current !== 'answer' || tag.role === 'observation')) return this.#tagLine(line, inner, tag)
    const hidden = this.#comments.on(start, end)
    if (this.#current === 'none' || this.#current === 'thought') {
      const call = this.#callLine(line)
      if (call !== undefined) return call
    } else if (
      this.#midline.nextColon(start) >= end &&
      isBareObservation(this.#text, this.#grammar, start, end, this.#to, this.#isLabelLine)
    ) {
      this.#marks.push({ role: 'observation', start, value: end, end, midline: false })
      this.#current = 'observation'
      return next
    }
    if (this.#current === 'answer' && isCallMarkup(this.#text, inner)) {
      const native = readNative(this.#text, inner, this.#to, this.#box, this.#isLabelLine)
      const real = native.open || native.calls.some(call => !this.#box.open && resolveTool(call.name, this.#box) !== undefined)
      if (real) this.#marks.push({ role: 'native', start, value: inner, end: native.end, midline: false, native })
      return Math.max(next, this.#lineEnd(native.end) + 1)
    }
    const like = this.#mayImitate(start, end) ? findLookalike(this.#text, start, end, this.#grammar) : undefined
    if (like) {
      this.#marks.push({ role: 'lookalike', start: like.at, value: like.at, end: like.at, midline: false, like: like.role })
      return next
    }
    this.#current = this.#midline.read(inner, hidden, this.#current)
    return this.#behindMidline(line)
  }

  /** A tag in place of a label. */
  #tagLine({ next }: Line, start: number, { role, value, close, end }: TagLabel): number {
    this.#begun = true
    const open = close < 0
    this.#marks.push({ role, start, value, end: value, midline: false, ...(open ? {} : { close }) })
    this.#current = open ? role : 'thought'
    if (open) return next
    return this.#text[end] === '\n' ? end + 1 : end
  }

  /** A call without any label. */
  #callLine(line: Line): number | undefined {
    const { start, end, next, inner } = line
    const text = this.#text
    const object = text[inner] === '{' || text[inner] === '[' ? this.#values.objectAt(inner) : -1
    if (object >= 0) {
      return this.#objects(start, inner, object, false)
    }
    if (opensFinish(text, inner, end, this.#grammar, this.#box)) {
      this.#marks.push({ role: 'action', start, value: inner, end: inner, midline: false })
      this.#current = 'action'
      return next
    }
    const at = this.#markup.firstOn(inner, end)
    if (at < 0 || this.#midline.acts(inner, at, end)) return undefined
    const tag = text[at] === '<' ? this.#markup.tagAt(at, false) : undefined
    if (tag) return this.#tagLine(line, at, tag)
    const native = readNative(text, at, this.#to, this.#box, this.#isLabelLine)
    this.#marks.push({ role: 'native', start: at, value: at, end: native.end, midline: at > inner, native })
    this.#current = 'native'
    const after = Math.max(at + 1, native.end)
    return text[after] === '\n' ? after + 1 : after
  }

  /** The objects side by side from `value` on, of which the first ends at `first`; gives where the last of them ends. */
  #objects(start: number, value: number, first: number, fenced: boolean): number {
    let end = first
    for (const [from, to] of this.#values.sideBySide(value, first)) {
      const mark = { role: 'object', start: from === value ? start : from, value: from, end: to, midline: false } as const
      this.#marks.push(fenced ? { ...mark, fenced } : mark)
      end = to
    }
    return end
  }

  #mayImitate(start: number, end: number): boolean {
    return this.#odd || this.#midline.nextColon(start) < Math.min(end, start + LONGEST_LABEL)
  }

  readonly #isLabelLine = (position: number): boolean => {
    const found = matchLabel(this.#text, position, this.#lineEnd(position), this.#grammar)
    return found?.colon === true && !found.bullet && isProtocol(found.role)
  }

  /** Nothing but the fence that opens at `inner` stands in the reply. */
  #aloneInFence(inner: number, mark: string): boolean {
    const text = this.#text
    if (text.slice(0, inner).trim() === '') return true
    const close = text.indexOf(`\n${mark}`, inner)
    return close < 0 || text.slice(close + 1 + mark.length, this.#to).trim() === ''
  }

  #isBareFence(at: number): boolean {
    return onlyTicks(this.#text, at, this.#lineEnd(at), '`')
  }

  #lineEnd(position: number): number {
    return lineEnd(this.#text, position, this.#to)
  }
}

/** More than any reply holds that gets anywhere. */
const MOST_MARKS = 10_000
const PLAIN: Rules = { bullets: false, dresses: new Set() }
/** Labels whose value is prose, whatever it begins with. */
const WITHOUT_JSON = new Set(['thought', 'observation', 'result', 'turn'])
