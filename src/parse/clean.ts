// A raw reply → the text to read: reasoning and left-over special tokens struck, with a map back to the reply's own positions.
// A struck token becomes a line break at which the value it stood in ends.
import type { Problem, ProblemCode } from '../core/reply.js'
import type { Grammar } from './grammar.js'
import { INVENTED_TURN } from './left-out.js'
import { atLineStart, FenceWatch, MentionWatch } from './mention-watch.js'
import { unmoved } from './notes.js'
import { holdsToken, nextTokenStart, ownTurnEnd, type Reasoning, reasoningAt, tokenAt, turnAfter } from './special-tokens.js'
import { dressOf, type Piece } from './undress.js'

export interface CleanText {
  readonly text: string
  /** Positions in `text` at which a token was struck: no value reaches over one. */
  readonly breaks: readonly number[]
  /** Position in the reply of a position in `text`. */
  readonly original: (position: number) => number
  readonly problems: readonly Problem[]
  /** The reply goes on with a turn that is not the model's; `text` ends before it. */
  readonly turnCut: boolean
  /** Thoughts that stood in tags at a line start; they are no part of `text`. */
  readonly thoughts: readonly string[]
  /** Where the first of them begins in the reply, -1 for none. */
  readonly thoughtAt: number
  /** Reasoning is open at the end, or the last thing is a token: what follows may show that it is to be read otherwise. */
  readonly open: boolean
}

interface Strike {
  readonly start: number
  readonly end: number
  readonly fill: string
}

/** Strikes what is not part of the protocol. */
export function cleanReply(reply: string, grammar: Grammar): CleanText {
  const dress = dressOf(reply, grammar)
  if (dress.pieces.length === 0) return { ...cleanText(reply), ...(dress.open ? { open: true } : {}) }
  const strikes = dress.pieces.map(([start, end]) => ({ start, end, fill: '' }))
  const bare = build(reply, strikes, reply.length)
  const clean = cleanText(bare.text)
  const span = dress.pieces[0] as Piece
  const dressed: Problem = { code: 'REPLY_FENCED', message: 'The whole reply stands in quote marks, or in a tag.', span, cost: 0 }
  return {
    ...clean,
    original: position => bare.original(clean.original(position)),
    problems: [dressed, ...clean.problems.map(problem => moved(problem, bare.original))],
    thoughtAt: clean.thoughtAt < 0 ? -1 : bare.original(clean.thoughtAt),
    open: true,
  }
}

function cleanText(text: string): CleanText {
  return holdsToken(text) ? new Cleaning(text).run() : untouched(text)
}

function moved(problem: Problem, original: CleanText['original']): Problem {
  const [start, end] = problem.span
  return { ...problem, span: [original(start), original(end)] }
}

/** One walk along the tokens and tags of a reply. */
class Cleaning {
  readonly #reply: string
  readonly #lastText: number
  readonly #fences: FenceWatch
  readonly #mentions: MentionWatch
  readonly #strikes: Strike[] = []
  readonly #problems: Problem[] = []
  readonly #thoughts: string[] = []
  /** Closing tags that stand nowhere behind the present place. */
  readonly #never = new Set<string>()
  #thoughtAt = -1
  #end: number
  #turnCut = false
  #open = false

  constructor(reply: string) {
    this.#reply = reply
    this.#lastText = reply.trimEnd().length
    this.#fences = new FenceWatch(reply)
    this.#mentions = new MentionWatch(reply)
    this.#end = reply.length
  }

  run(): CleanText {
    const reply = this.#reply
    for (let at = nextTokenStart(reply, 0); at >= 0 && at < this.#end; ) {
      const tag = reasoningAt(reply, at)
      at = nextTokenStart(reply, tag ? this.#readReasoning(at, tag) : this.#readToken(at))
    }
    return {
      ...build(reply, this.#strikes, this.#end),
      problems: this.#problems,
      turnCut: this.#turnCut,
      open: this.#open,
      thoughts: this.#thoughts,
      thoughtAt: this.#thoughtAt,
    }
  }

  /** A tag of reasoning. Gives where to go on, as the others do. */
  #readReasoning(at: number, tag: Reasoning): number {
    if (this.#mentions.inside(at, at + tag.length) || this.#fences.inside(at)) return at + 1
    if (tag.close === THOUGHT) {
      const next = this.#readThought(at, tag)
      if (next !== undefined) return next
    }
    if (tag.closes) return this.#readLoneClose(at, at + tag.length)
    const close = this.#closeOf(tag, at)
    if (close < 0) {
      this.#open = true
      if (!atLineStart(this.#reply, at)) return at + 1
      this.#note('REASONING_REMOVED', 'Reasoning that never ends was taken out.', at, this.#end)
      return this.#stop(at)
    }
    const after = close + tag.close.length
    const lines = this.#reply.slice(at, after).includes('\n')
    this.#note('REASONING_REMOVED', 'Reasoning was taken out.', at, after)
    return this.#strike(at, after, lines && !atLineStart(this.#reply, at) ? '\n' : '')
  }

  /** The thought in the tags that begin at `at`, or before a lone closing tag; undefined for a tag within a line, which is as reasoning. */
  #readThought(at: number, tag: Reasoning): number | undefined {
    const after = at + tag.length
    if (tag.closes) return this.#thoughts.length > 0 ? this.#takeThought(at, at, at, after) : this.#takeThought(0, 0, at, after)
    if (!atLineStart(this.#reply, at)) return undefined
    const close = this.#closeOf(tag, at)
    if (close >= 0) return this.#takeThought(at, after, close, close + tag.close.length)
    // a tag that never closes is read as a label
    this.#open = true
    return after
  }

  /** The thought is `reply[from, to)`, with its tags `reply[start, end)`. */
  #takeThought(start: number, from: number, to: number, end: number): number {
    if (start === 0) this.#strikes.length = 0
    const text = this.#reply.slice(from, to)
    if (text) this.#thoughts.push(text)
    if (this.#thoughtAt < 0) this.#thoughtAt = start
    this.#note('LABEL_SPELLING', 'A thought stands in a tag.', start, end)
    return this.#strike(start, end, '')
  }

  /** The end of reasoning that began nowhere: all before it was, unless nothing follows. */
  #readLoneClose(at: number, after: number): number {
    const follows = after < this.#lastText
    if (follows) this.#strikes.length = 0
    const start = follows ? 0 : at
    this.#note('REASONING_REMOVED', 'Reasoning before the reply was taken out.', start, after)
    return this.#strike(start, after, '')
  }

  #readToken(at: number): number {
    const reply = this.#reply
    const length = tokenAt(reply, at)
    if (!length || this.#mentions.inside(at, at + length)) return at + 1
    const turn = turnAfter(reply, at, length)
    // a role may be cut short, and what stands in quotes shows by what follows
    if (CUT_ROLE.test(reply.slice(at + length, at + length + 16))) this.#open = true
    if (turn === 'other') {
      this.#note('INVENTED_TURN', INVENTED_TURN, at, this.#end)
      this.#turnCut = true
      return this.#stop(at)
    }
    const after = turn === 'own' ? ownTurnEnd(reply, at, length) : at + length
    this.#note('SPECIAL_TOKEN', 'A special token was left out.', at, after)
    return this.#strike(at, after, '\n')
  }

  #closeOf(tag: Reasoning, at: number): number {
    const close = this.#never.has(tag.close) ? -1 : indexOfFold(this.#reply, tag.close, at + tag.length)
    if (close < 0) this.#never.add(tag.close)
    return close
  }

  #strike(start: number, end: number, fill: string): number {
    this.#strikes.push({ start, end, fill })
    return end
  }

  /** The reply is read no further than to `at`. */
  #stop(at: number): number {
    this.#end = at
    return at
  }

  #note(code: ProblemCode, message: string, start: number, end: number): void {
    this.#problems.push({ code, message, span: [start, end], cost: 0 })
  }
}

function untouched(text: string): CleanText {
  return { text, breaks: NONE, original: unmoved, problems: NONE, turnCut: false, thoughts: NONE, thoughtAt: -1, open: false }
}

function build(reply: string, strikes: readonly Strike[], end: number): Pick<CleanText, 'text' | 'breaks' | 'original'> {
  const pieces: string[] = []
  const cleanAt: number[] = []
  const replyAt: number[] = []
  const breaks: number[] = []
  let length = 0
  let from = 0
  const copy = (to: number) => {
    cleanAt.push(length)
    replyAt.push(from)
    if (to > from) {
      pieces.push(reply.slice(from, to))
      length += to - from
    }
  }
  for (const strike of strikes) {
    if (strike.start < from) continue
    copy(strike.start)
    if (strike.fill) {
      breaks.push(length)
      pieces.push(strike.fill)
      cleanAt.push(length)
      replyAt.push(strike.start)
      length++
    }
    from = strike.end
  }
  copy(Math.max(from, end))
  const original = (position: number): number => {
    let low = 0
    let high = cleanAt.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((cleanAt[middle] as number) <= position) low = middle
      else high = middle - 1
    }
    return Math.min(reply.length, (replyAt[low] as number) + position - (cleanAt[low] as number))
  }
  return { text: pieces.join(''), breaks, original }
}

function indexOfFold(text: string, wanted: string, from: number): number {
  for (let i = text.indexOf(wanted.charAt(0), from); i >= 0; i = text.indexOf(wanted.charAt(0), i + 1)) {
    if (text.slice(i, i + wanted.length).toLowerCase() === wanted) return i
  }
  return -1
}

const NONE: readonly never[] = []
const THOUGHT = '</thought>'
/** Hardly more than the beginning of a role. */
const CUT_ROLE = /^\w{0,12}[\s\S]{0,2}$/
