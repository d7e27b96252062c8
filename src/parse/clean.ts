// A raw reply → the text to read: reasoning and left-over special tokens struck, with a map back to the reply's own positions.
// A struck token becomes a line break at which the value it stood in ends.

import type { Problem } from '../core/reply.js'
import { isSpace } from './labels.js'
import { unmoved } from './notes.js'

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
export function cleanReply(reply: string): CleanText {
  if (!holdsToken(reply)) return { ...UNTOUCHED, text: reply }
  const thoughts: string[] = []
  let thoughtAt = -1
  const strikes: Strike[] = []
  const problems: Problem[] = []
  let end = reply.length
  let turnCut = false
  let open = false
  const never = new Set<string>()
  const lastText = reply.trimEnd().length
  const fences = new FenceWatch(reply)
  const mentions = new MentionWatch(reply)
  for (let i = nextMark(reply, 0); i >= 0 && i < end; i = nextMark(reply, i + 1)) {
    const reasoning = reasoningAt(reply, i)
    if (reasoning) {
      if (mentions.inside(i, i + reasoning.length) || fences.inside(i)) continue
      const thought = reasoning.close === THOUGHT ? thoughtIn(reply, i, reasoning, thoughts.length > 0, never) : undefined
      // a tag that never closes is read as a label
      if (thought === 'open') {
        open = true
        continue
      }
      if (thought) {
        if (thought.start === 0) strikes.length = 0
        if (thought.text) thoughts.push(thought.text)
        if (thoughtAt < 0) thoughtAt = thought.start
        problems.push({
          code: 'LABEL_SPELLING',
          message: 'A thought stands in a tag.',
          span: [thought.start, thought.end],
          cost: 0,
        })
        strikes.push({ start: thought.start, end: thought.end, fill: '' })
        i = thought.end - 1
        continue
      }
      if (reasoning.closes) {
        const after = i + reasoning.length
        const follows = after < lastText
        if (follows) {
          strikes.length = 0
          strikes.push({ start: 0, end: after, fill: '' })
        } else strikes.push({ start: i, end: after, fill: '' })
        problems.push({
          code: 'REASONING_REMOVED',
          message: 'Reasoning before the reply was taken out.',
          span: [follows ? 0 : i, after],
          cost: 0,
        })
        i = after - 1
        continue
      }
      const close = never.has(reasoning.close) ? -1 : indexOfFold(reply, reasoning.close, i + reasoning.length)
      if (close < 0) {
        never.add(reasoning.close)
        open = true
        if (!atLineStart(reply, i)) continue
        problems.push({ code: 'REASONING_REMOVED', message: 'Reasoning that never ends was taken out.', span: [i, end], cost: 0 })
        end = i
        break
      }
      const after = close + reasoning.close.length
      const inner = reply.slice(i, after)
      strikes.push({ start: i, end: after, fill: inner.includes('\n') && !atLineStart(reply, i) ? '\n' : '' })
      problems.push({ code: 'REASONING_REMOVED', message: 'Reasoning was taken out.', span: [i, after], cost: 0 })
      i = after - 1
      continue
    }
    const token = tokenAt(reply, i)
    if (!token || mentions.inside(i, i + token)) continue
    const turn = turnAfter(reply, i, token)
    // a role may be cut short, and what stands in quotes shows by what follows
    if (CUT_ROLE.test(reply.slice(i + token, i + token + 16))) open = true
    if (turn === 'other') {
      problems.push({
        code: 'INVENTED_TURN',
        message: "A turn that is not the model's to write was left out.",
        span: [i, end],
        cost: 0,
      })
      end = i
      turnCut = true
      break
    }
    const after = turn === 'own' ? ownTurnEnd(reply, i, token) : i + token
    problems.push({ code: 'SPECIAL_TOKEN', message: 'A special token was left out.', span: [i, after], cost: 0 })
    strikes.push({ start: i, end: after, fill: '\n' })
    i = after - 1
  }
  return { ...build(reply, strikes, end), problems, turnCut, open, thoughts, thoughtAt }
}

/** Whether reasoning or a special token stands anywhere in the text, be it in quotes. */
export function holdsToken(text: string): boolean {
  for (let i = text.indexOf('<'); i >= 0; i = text.indexOf('<', i + 1))
    if (TOKEN_SECONDS.includes(text.charAt(i + 1)) && isTokenAt(text, i)) return true
  if (text.includes('[') && BRACKET_TOKENS.some(token => text.includes(token))) return true
  for (let i = text.indexOf('◁'); i >= 0; i = text.indexOf('◁', i + 1)) if (isTokenAt(text, i)) return true
  return false
}

/** True when reasoning or a special token begins at `at`. */
function isTokenAt(text: string, at: number): boolean {
  return reasoningAt(text, at) !== undefined || tokenAt(text, at) > 0
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

function nextMark(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 60 || code === 0x25c1) return i
    if (code === 91 && BRACKET_TOKENS.some(token => text.startsWith(token, i))) return i
  }
  return -1
}

interface Reasoning {
  readonly length: number
  readonly close: string
  /** It is the closing tag. */
  readonly closes: boolean
}

function reasoningAt(text: string, at: number): Reasoning | undefined {
  const head = text.slice(at, at + 40).toLowerCase()
  for (const [open, close] of REASONING) {
    if (head.startsWith(open)) return { length: open.length, close, closes: false }
    if (head.startsWith(close) && close !== '<|end|>') return { length: close.length, close, closes: true }
  }
  return undefined
}

/** The thought in the tags that begin at `at`, or before a lone closing tag; undefined for a tag within a line, which is as reasoning. */
function thoughtIn(
  text: string,
  at: number,
  tag: Reasoning,
  later: boolean,
  never: Set<string>,
): { readonly text: string; readonly start: number; readonly end: number } | 'open' | undefined {
  const end = at + tag.length
  if (tag.closes) return later ? { text: '', start: at, end } : { text: text.slice(0, at), start: 0, end }
  if (!atLineStart(text, at)) return undefined
  const close = never.has(tag.close) ? -1 : indexOfFold(text, tag.close, end)
  if (close >= 0) return { text: text.slice(end, close), start: at, end: close + tag.close.length }
  never.add(tag.close)
  return 'open'
}

/** Length of the special token at `at`; 0 when there is none. */
function tokenAt(text: string, at: number): number {
  const head = text.slice(at, at + 48)
  if (head.startsWith('<|') || head.startsWith('<｜')) {
    const channel =
      /^<\|channel\|>(?:final|commentary)\s{0,4}(?:<\|constrain\|>\w{1,12})?<\|message\|>|^<\|from\|>assistant\s{0,4}<\|recipient\|>all\s{0,4}<\|content\|>/.exec(
        text.slice(at, at + 80),
      )
    if (channel) return channel[0].length
    const match = /^<[|｜]([\w▁/ -]{1,40})[|｜]>/.exec(head)
    return match && !NATIVE.test(match[1] as string) ? match[0].length : 0
  }
  for (const token of TOKENS) {
    if (!head.startsWith(token)) continue
    // strikethrough in HTML is no token
    if (token === '</s>' && text.slice(Math.max(1, at - 2000), at).includes('<s>')) return 0
    if (token === '<s>' && text.slice(0, at).trim() !== '') return 0
    return token.length
  }
  return 0
}

/** Whose turn a token opens. */
function turnAfter(text: string, at: number, length: number): 'own' | 'other' | undefined {
  const token = text.slice(at, at + length).toLowerCase()
  if (/^<[|｜](?:user|human|system|observation)[|｜]>$/.test(token) || token === '[inst]') return 'other'
  if (/^<[|｜]assistant[|｜]>$/.test(token)) return 'own'
  const role = /^(\w{1,12})/.exec(text.slice(at + length, at + length + 12))?.[1]?.toLowerCase()
  const opens = /im_start|start_of_turn|start_header_id/.test(token)
  const next = text[at + length + (role?.length ?? 0)]
  if (!role || !(opens || next === undefined || next === '\n' || next === '\r' || next === '<')) return undefined
  if (role === 'user' || role === 'human' || role === 'system' || role === 'tool') return 'other'
  return role === 'assistant' || role === 'model' ? 'own' : undefined
}

function ownTurnEnd(text: string, at: number, length: number): number {
  let end = at + length
  const word = /^(?:assistant|model)/i.exec(text.slice(end, end + 12))?.[0]
  if (word) end += word.length
  if (text.startsWith('<|end_header_id|>', end)) end += '<|end_header_id|>'.length
  return end
}

/** Whether a position lies in inline code, quotes or a JSON string, as far as its line shows; asked with growing positions only. */
class MentionWatch {
  readonly #text: string
  #at = 0
  #quotes = 0
  #ticks = 0
  readonly #last: number

  constructor(text: string) {
    this.#text = text
    this.#last = text.trimEnd().length
  }

  /** `end`: where what stands at `position` ends; the last thing of a reply stands in nothing. */
  inside(position: number, end: number): boolean {
    const text = this.#text
    for (; this.#at < position; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code === 10) {
        this.#quotes = 0
        this.#ticks = 0
      } else if (code === 92) this.#at++
      else if (code === 34) this.#quotes++
      else if (code === 96) this.#ticks++
    }
    if (end >= this.#last) return false
    // right behind a quote it is one only when a quote closes behind it
    if (QUOTES.includes(text[position - 1] ?? ' ') && QUOTES.includes(text[end] ?? ' ')) return true
    return this.#quotes % 2 === 1 || this.#ticks % 2 === 1
  }
}

function atLineStart(text: string, at: number): boolean {
  let i = at - 1
  while (i >= 0 && text[i] !== '\n') {
    const code = text.charCodeAt(i)
    if (!isSpace(code) && code !== 62) return false
    i--
    if (at - i > 200) return false
  }
  return true
}

function indexOfFold(text: string, wanted: string, from: number): number {
  for (let i = text.indexOf(wanted.charAt(0), from); i >= 0; i = text.indexOf(wanted.charAt(0), i + 1)) {
    if (text.slice(i, i + wanted.length).toLowerCase() === wanted) return i
  }
  return -1
}

/** Whether a position lies in a fence that began after the reply's first line; asked with growing positions only. */
class FenceWatch {
  readonly #text: string
  #at = 0
  #open = false

  constructor(text: string) {
    this.#text = text
  }

  inside(position: number): boolean {
    for (let i = this.#text.indexOf('```', this.#at); i >= 0 && i < position; i = this.#text.indexOf('```', this.#at)) {
      if (atLineStart(this.#text, i) && this.#text.slice(0, Math.min(i, 64)).trim() !== '') this.#open = !this.#open
      this.#at = i + 3
      while (this.#text[this.#at] === '`') this.#at++
    }
    return this.#open
  }
}

const NONE: readonly never[] = []
const UNTOUCHED = { breaks: NONE, original: unmoved, problems: NONE, turnCut: false, open: false, thoughts: NONE, thoughtAt: -1 }
const THOUGHT = '</thought>'
/** Hardly more than the beginning of a role. */
const CUT_ROLE = /^\w{0,12}[\s\S]{0,2}$/
const QUOTES = '`"\'“”’'
const REASONING: readonly (readonly [string, string])[] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<seed:think>', '</seed:think>'],
  ['<reasoning>', '</reasoning>'],
  ['<thought>', '</thought>'],
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
]
const TOKENS = [
  '</s>',
  '<s>',
  '<eos>',
  '<bos>',
  '<end_of_turn>',
  '<start_of_turn>',
  '<end_of_utterance>',
  '<EOT>',
  '<EOS>',
  '[INST]',
  '[/INST]',
  '<<SYS>>',
  '<</SYS>>',
]
const BRACKET_TOKENS = ['[INST]', '[/INST]', '[THINK]', '[/THINK]']
/** What may stand behind the `<` of reasoning or a special token, in either case. */
const TOKEN_SECONDS = '/|｜<bBeErRsStT'
/** Tokens that carry a call: they are read, not struck. */
const NATIVE = /tool|python_tag|channel|message|recipient|constrain|content|from|^call$|function/i
/** How a token or reasoning begins, in lower case. */
export const TOKEN_STARTS = [...TOKENS.map(token => token.toLowerCase()), ...REASONING.flat()]
