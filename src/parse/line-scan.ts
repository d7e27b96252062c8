// One walk over the lines of a reply → its marks. Each kind of line has its step, which says where the next line begins; what stands in
// fences, JSON strings and comments is skipped.
import { skipBlank } from './characters.js'
import { CommentWatch } from './comment-watch.js'
import { closesOnLine, isFence } from './fence-line.js'
import { opensFinish } from './finish-text.js'
import { type Grammar, isProtocol } from './grammar.js'
import { LabelLines, type Rules } from './label-lines.js'
import type { LabelMatch } from './labels.js'
import { type Line, lineAt, lineEnd } from './line.js'
import { findLookalike, holdsOddities, LONGEST_LABEL } from './lookalike.js'
import type { Lexed, Mark } from './marks.js'
import { MarkupWatch } from './markup-watch.js'
import { MidlineScan } from './midline-scan.js'
import { isCallMarkup, isNativeAt } from './native-words.js'
import { OpenFence } from './open-fence.js'
import { findStopWord, isBareObservation } from './stop-word.js'
import type { TagLabel } from './tag-labels.js'
import { isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'
import { type Skipped, ValueScan } from './value-scan.js'

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
  readonly #fence: OpenFence
  readonly #comments: CommentWatch
  readonly #markup: MarkupWatch
  /** Whose value the current line belongs to. */
  #current: Mark['role'] | 'none' = 'none'
  /** A label of the protocol has been met. */
  #begun = false
  /** A look-alike may stand anywhere. */
  readonly #odd: boolean

  /** `wrapper`: the fences that were blanked out; `strayFence`: a fence that closes nothing and is read as text. */
  constructor(text: string, grammar: Grammar, box: Toolbox, wrapper: Lexed['wrapper'], rules = PLAIN, strayFence = -1) {
    this.#text = text
    this.#grammar = grammar
    this.#box = box
    this.#wrapper = wrapper
    this.#rules = rules
    this.#strayFence = strayFence
    this.#from = wrapper && !text.slice(0, wrapper.line[0]).trim() ? wrapper.line[1] : text.charCodeAt(0) === 0xfeff ? 1 : 0
    this.#stopWord = findStopWord(text, this.#from, text.length, grammar)
    this.#to = this.#stopWord ? this.#stopWord[0] : text.length
    this.labels = new LabelLines(text, this.#to, grammar, rules)
    this.#values = new ValueScan(text, this.#to, grammar, this.labels.isLabel)
    this.#odd = holdsOddities(text)
    this.#midline = new MidlineScan(text, grammar, box, this.#marks)
    this.#fence = new OpenFence(text, grammar)
    this.#comments = new CommentWatch(text)
    this.#markup = new MarkupWatch(text, this.#to, box, this.labels.isLabel)
  }

  run(): Lexed {
    let position = this.#from
    while (position < this.#to && this.#marks.length < MOST_MARKS) position = this.#step(position)
    const fence = this.#fence
    // repair: a bare fence in an input that closes nothing hides no labels
    if (this.#current === 'input' && this.#strayFence < 0 && fence.isBare(this.#lineEnd(fence.start)))
      return new LineScan(this.#text, this.#grammar, this.#box, this.#wrapper, this.#rules, fence.start).run()
    return {
      text: this.#text,
      from: this.#from,
      to: Math.min(position, this.#to),
      full: position < this.#to,
      marks: this.#marks,
      observations: this.#midline.observations,
      strays: this.#midline.strays,
      fencedAction: fence.action,
      wrapper: this.#wrapper,
      stopWord: this.#stopWord,
      openFence: fence.start,
      open: this.#isOpen(),
    }
  }

  #isOpen(): boolean {
    const fence = this.#fence.start >= 0 || this.#fence.hid || this.#strayFence >= 0 || this.#wrapper !== undefined
    return fence || this.#comments.open || this.#values.ranOut || this.#markup.open
  }

  /** Reads the line at `position`; gives where to go on. */
  #step(position: number): number {
    const line = lineAt(this.#text, position, this.#to)
    const { end, next, inner } = line
    if (this.#fence.start >= 0) {
      this.#fence.read(line)
      return next
    }
    if (position < this.#comments.end || inner === end) return next
    const label = this.labels.on(position, end)
    if (label) return this.#labelLine(line, label)
    if (isFence(this.#text, inner) && inner !== this.#strayFence) return this.#fenceLine(line)
    return this.#textLine(line)
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
    if (role === 'speaker' && (this.labels.isLabel(first) || isNativeAt(text, first, true, this.#box))) return first
    if (role === 'thought' && isFence(text, first) && !closesOnLine(text, first, end)) {
      this.#fence.open(first, true)
      this.#fence.hid = true
      return next
    }
    const opening = WITHOUT_JSON.has(role) ? undefined : this.#values.first(value, end)
    const skipped: Skipped = opening === undefined ? { end: value } : this.#skipValue(opening, role, before)
    if (skipped.fence) {
      this.#fence.open(opening ?? value, true)
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
    if (skipped.fence) this.#fence.open(at, true)
    if (skipped.fence || skipped.end <= end || skipped.end === at) return skipped.fence ? skipped.end : next
    return this.#goOn(skipped.end, 'input')
  }

  /** Behind a value that went over its line. */
  #goOn(from: number, role: Mark['role']): number {
    const end = this.#lineEnd(from)
    this.#midline.read(from, end, role)
    return end < this.#to ? end + 1 : end
  }

  #skipValue(at: number, role: LabelMatch['role'], before: Mark['role'] | 'none'): Skipped {
    const below = role === 'tool' && (before === 'none' || before === 'thought' || before === 'tool')
    const mark = below ? this.#values.objectBelow(at) : undefined
    if (mark) this.#marks.push(mark)
    if (role !== 'speaker' || isFence(this.#text, at)) return this.#values.skip(at, role)
    const object = this.#values.objectAt(at)
    return { end: object < 0 ? at : this.#objects(at, at, object, false) }
  }

  #fenceLine({ start, end, next, inner }: Line): number {
    const text = this.#text
    if (closesOnLine(text, inner, end)) return next
    this.#fence.open(inner, false)
    if (this.#current !== 'none' && this.#current !== 'thought') return next
    this.#fence.hid = true
    const content = skipBlank(text, next, this.#to)
    const object = this.#values.objectAt(content)
    if (object >= 0) {
      const last = this.#objects(start, content, object, true)
      const line = this.#lineEnd(last)
      // the closing fence may stand right behind the object
      if (this.#fence.closesIn(last, line)) this.#fence.close()
      return Math.min(this.#to, Math.max(next, line + (text[last] === '\n' ? 1 : 0)))
    }
    const native = this.#markup.inFence(text.slice(inner, end), content, () => this.#fence.isAlone(this.#to))
    if (!native) return next
    this.#marks.push({ role: 'native', start, value: content, end: native.end, midline: false, native, fenced: true })
    this.#current = 'native'
    this.#fence.close()
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
      isBareObservation(this.#text, this.#grammar, start, end, this.#to, this.labels.isLabel)
    ) {
      this.#marks.push({ role: 'observation', start, value: end, end, midline: false })
      this.#current = 'observation'
      return next
    }
    if (this.#current === 'answer' && isCallMarkup(this.#text, inner)) {
      const native = this.#markup.read(inner)
      const real = native.open || native.calls.some(call => isRegistered(call.name, this.#box))
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
    if (object >= 0) return this.#objects(start, inner, object, false)
    if (opensFinish(text, inner, end, this.#grammar, this.#box)) {
      this.#marks.push({ role: 'action', start, value: inner, end: inner, midline: false })
      this.#current = 'action'
      return next
    }
    const at = this.#markup.firstOn(inner, end)
    if (at < 0 || this.#midline.acts(inner, at, end)) return undefined
    const tag = text[at] === '<' ? this.#markup.tagAt(at, false) : undefined
    if (tag) return this.#tagLine(line, at, tag)
    const native = this.#markup.read(at)
    this.#marks.push({ role: 'native', start: at, value: at, end: native.end, midline: at > inner, native })
    this.#current = 'native'
    const after = Math.max(at + 1, native.end)
    return text[after] === '\n' ? after + 1 : after
  }

  /** The objects side by side from `value` on, of which the first ends at `first`; gives where the last of them ends. */
  #objects(start: number, value: number, first: number, fenced: boolean): number {
    const marks = this.#values.objects(start, value, first, fenced)
    this.#marks.push(...marks)
    return marks.at(-1)?.end ?? first
  }

  #mayImitate(start: number, end: number): boolean {
    return this.#odd || this.#midline.nextColon(start) < Math.min(end, start + LONGEST_LABEL)
  }

  #lineEnd(position: number): number {
    return lineEnd(this.#text, position, this.#to)
  }
}

/** More than any reply holds that gets anywhere. */
const MOST_MARKS = 4_000
const PLAIN: Rules = { bullets: false, dresses: new Set() }
/** Labels whose value is prose, whatever it begins with. */
const WITHOUT_JSON = new Set(['thought', 'observation', 'result', 'turn'])
