// A reply that stands wholly in quote marks, `> Thought: …`, or in a tag for code → where what dresses it stands, so that no value keeps a piece
// of it. Only the protocol is undressed: an answer without labels may be a quotation.
import { skipBlank } from './characters.js'
import { type Grammar, isProtocol } from './grammar.js'
import { matchLabel } from './labels.js'
import { lineEnd } from './line.js'

export type Piece = readonly [start: number, end: number]

/** The pieces to leave out, in order; none where the reply is not dressed, or only so far: `open`, its end is still to come. */
export interface Dressed {
  readonly pieces: readonly Piece[]
  readonly open: boolean
}

export function dressOf(reply: string, grammar: Grammar): Dressed {
  const start = skipBlank(reply, 0, reply.length)
  if (reply[start] === '>') return quoteMarks(reply, grammar)
  return reply[start] === '<' ? codeTags(reply, start, grammar) : NAKED
}

/** Each line that is not blank begins with the mark. */
function quoteMarks(reply: string, grammar: Grammar): Dressed {
  const pieces: Piece[] = []
  let protocol = false
  for (let from = 0; from < reply.length; from = lineEnd(reply, from) + 1) {
    const end = lineEnd(reply, from)
    const at = skipBlank(reply, from, end)
    if (at === end) continue
    if (reply[at] !== '>' || at - from > 8) return NAKED
    pieces.push([from, reply[at + 1] === ' ' ? at + 2 : at + 1])
    protocol ||= beginsProtocol(reply, at + 1, grammar)
  }
  return protocol ? { pieces, open: true } : NAKED
}

/** `<code>`, `<pre>` or both around all of it. */
function codeTags(reply: string, start: number, grammar: Grammar): Dressed {
  const tags = /^<(?:code|pre)>(?:\s{0,8}<code>)?/i.exec(reply.slice(start, start + 24))?.[0]
  const inner = start + (tags?.length ?? 0)
  if (tags === undefined || !beginsProtocol(reply, inner, grammar)) return NAKED
  const closed = /(?:<\/code>\s{0,8})?<\/(?:code|pre)>\s{0,40}$/i.exec(reply.slice(-80))?.[0]
  if (closed === undefined) return { pieces: [], open: true }
  return {
    pieces: [
      [start, inner],
      [reply.length - closed.length, reply.length],
    ],
    open: true,
  }
}

function beginsProtocol(text: string, from: number, grammar: Grammar): boolean {
  const at = skipBlank(text, from, text.length)
  const label = matchLabel(text, at, lineEnd(text, at), grammar)
  return label?.colon === true && isProtocol(label.role)
}

const NAKED: Dressed = { pieces: [], open: false }
