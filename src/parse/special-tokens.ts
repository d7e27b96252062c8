// A place in a reply → the special token or the tag of reasoning that begins there, and whose turn it opens. What carries a call is none of them: it
// is read, not struck.
import { standsAt } from './characters.js'
import { startTree, walkStart } from './start-tree.js'

export interface Reasoning {
  readonly length: number
  readonly close: string
  /** It is the closing tag. */
  readonly closes: boolean
}

export function reasoningAt(text: string, at: number): Reasoning | undefined {
  if (walkStart(REASONING_TREE, text, at) !== 'mark') return undefined
  const head = text.slice(at, at + 40).toLowerCase()
  for (const [open, close] of REASONING) {
    if (head.startsWith(open)) return { length: open.length, close, closes: false }
    if (head.startsWith(close) && close !== '<|end|>') return { length: close.length, close, closes: true }
  }
  return undefined
}

/** Length of the special token at `at`; 0 when there is none. */
export function tokenAt(text: string, at: number): number {
  const head = text.slice(at, at + 48)
  if (head.startsWith('<|') || head.startsWith('<｜')) {
    const channel =
      /^<\|channel\|>(?:final|commentary)\s{0,4}(?:<\|constrain\|>\w{1,12})?<\|message\|>|^<\|start\|>assistant(?:<\|message\|>|\s{1,4}(?=to=))|^<\|from\|>assistant\s{0,4}<\|recipient\|>all\s{0,4}<\|content\|>/.exec(
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
export function turnAfter(text: string, at: number, length: number): 'own' | 'other' | undefined {
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

export function ownTurnEnd(text: string, at: number, length: number): number {
  let end = at + length
  const word = /^(?:assistant|model)/i.exec(text.slice(end, end + 12))?.[0]
  if (word) end += word.length
  if (text.startsWith('<|end_header_id|>', end)) end += '<|end_header_id|>'.length
  return end
}

/** Whether reasoning or a special token stands anywhere in the text, be it in quotes. */
export function holdsToken(text: string): boolean {
  for (let i = text.indexOf('<'); i >= 0; i = text.indexOf('<', i + 1))
    if (mayOpenToken(text, i) && isTokenAt(text, i)) return true
  for (let i = text.indexOf('['); i >= 0; i = text.indexOf('[', i + 1)) if (opensBracketToken(text, i)) return true
  for (let i = text.indexOf('◁'); i >= 0; i = text.indexOf('◁', i + 1)) if (isTokenAt(text, i)) return true
  return false
}

function mayOpenToken(text: string, at: number): boolean {
  const second = text.charCodeAt(at + 1)
  return second === 124 || second === 0xff5c || walkStart(TOKEN_TREE, text, at) === 'mark'
}

/** True when reasoning or a special token begins at `at`. */
function isTokenAt(text: string, at: number): boolean {
  return reasoningAt(text, at) !== undefined || tokenAt(text, at) > 0
}

/** The next place, from `from` on, where a token or reasoning may begin; -1 for none. */
export function nextTokenStart(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 60 || code === 0x25c1) return i
    if (code === 91 && opensBracketToken(text, i)) return i
  }
  return -1
}

function opensBracketToken(text: string, at: number): boolean {
  // code is full of brackets
  return AFTER_BRACKET.includes(text.charAt(at + 1)) && BRACKET_TOKENS.some(token => standsAt(text, token, at))
}

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
const AFTER_BRACKET = BRACKET_TOKENS.map(token => token.charAt(1))
/** Tokens that carry a call: they are read, not struck. */
const NATIVE = /tool|python_tag|channel|message|recipient|constrain|content|from|^call$|function/i
/** How a token or reasoning begins, in lower case. */
export const TOKEN_STARTS = [...TOKENS.map(token => token.toLowerCase()), ...REASONING.flat()]
const TOKEN_TREE = startTree(TOKEN_STARTS)
const REASONING_TREE = startTree(REASONING.flat())
