// A reply → all that is read of it, as lines for a list that a person can read: what is decided, each remark with its place, cost and facts, when
// the parser may hang up, and what the next prompt says the model wrote. `toldInFull` also says when its texts are given out while it comes in
// pieces, and how it would stand in a prompt as somebody else's text.
import type { Dialect } from '../../src/core/dialect.js'
import type { Finish } from '../../src/core/model.js'
import type { ParsedReply, Problem } from '../../src/core/reply.js'
import type { ToolSpec } from '../../src/core/tool.js'
import { react } from '../../src/dialect/index.js'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'

export interface Given {
  readonly tools?: readonly ToolSpec[]
  readonly labels?: string
  readonly finish?: Finish
  readonly dialect?: Dialect
}

/** One paragraph, the reply on top. */
export function toldReading(reply: string, tools: readonly ToolSpec[]): string {
  return `${[quoted(reply), ...told(reply, { tools })].join('\n')}\n`
}

/** The same without the reply, and all else that is made of it. */
export function toldInFull(reply: string, given: Given): readonly string[] {
  return [...told(reply, given), ...asForeign(reply, given), ...inPieces(reply, given)]
}

function told(reply: string, given: Given): readonly string[] {
  const { deltas: _, ...parsed } = parseReply(reply, given)
  const { dialect = react, finish = 'stop' } = given
  const prompt = dialect.formatStep({ parsed, observations: [], reply: { text: reply, finish }, ...given }).reply
  return [
    ...(parsed.thought === null ? [] : [`  thought ${quoted(parsed.thought)}`]),
    ...decided(parsed).map(line => `  ${line}`),
    ...parsed.problems.map(problem => `  ${toldProblem(problem)}`),
    `  kept ${place(parsed.kept)}, done ${doneAt(reply, given) ?? 'at the end'}`,
    `  prompt ${prompt === reply.trim() ? 'as it came' : quoted(prompt)}`,
  ]
}

function decided({ decision }: ParsedReply): readonly string[] {
  switch (decision.kind) {
    case 'act':
      return decision.calls.map(({ tool, input }) => `calls ${tool} ${visible(JSON.stringify(input))}`)
    case 'answer':
      return [`answers ${quoted(decision.text)}`]
    case 'unclear': {
      const { problem, attempted } = decision
      const meant = attempted ? [`meant ${attempted.tool} ${quoted(attempted.input)}`] : []
      return [`unclear ${problem.code} ${place(problem.span)}`, ...meant]
    }
  }
}

function toldProblem({ code, message, span, cost, data }: Problem): string {
  return visible(`${code} ${place(span)} cost ${cost}: ${message}${data ? ` ${JSON.stringify(data)}` : ''}`)
}

/** How many characters a parser that is fed by one needs; undefined when it waits for the end. */
function doneAt(reply: string, given: Given): number | undefined {
  const parser = createReplyParser(given)
  for (let at = 0; at < reply.length; at++) {
    parser.push(reply.charAt(at))
    if (parser.done) return at + 1
  }
  return undefined
}

/** In a prompt, as a result of a tool: which of its lines are marked, or the whole text where more than that becomes of it. */
function asForeign(reply: string, given: Given): readonly string[] {
  const { dialect = react, labels } = given
  const text = dialect.formatSituation(reply, labels)
  if (text === reply) return []
  const lines = text.split('\n')
  const marked = reply.split('\n').flatMap((line, at) => (lines[at] === `| ${line}` ? [at] : []))
  const told = lines.map((line, at) => (marked.includes(at) ? line.slice(2) : line)).join('\n') === reply
  return [told ? `  marks line ${marked.map(at => at + 1).join(' ')}` : `  foreign ${quoted(text)}`]
}

/** How much of the texts is given out by every seventh character; and whether the reading is another one, which it must not be. */
function inPieces(reply: string, given: Given): readonly string[] {
  const parser = createReplyParser(given)
  const pieces = reply.match(/.{1,7}/gs) ?? []
  const lengths = pieces.map(piece => parser.push(piece).reduce((sum, { text }) => sum + text.length, 0))
  const { deltas, ...read } = parser.end(given.finish)
  const { deltas: _, ...whole } = parseReply(reply, given)
  const streamed = lengths.some(Boolean)
    ? `  streams ${[...lengths, deltas.reduce((sum, { text }) => sum + text.length, 0)].join(' ')}`
    : []
  return [streamed, JSON.stringify(read) === JSON.stringify(whole) ? [] : OTHERWISE].flat()
}

/** Stands below a reply that is read in another way when it comes in pieces, which must never be. */
export const OTHERWISE = '  in pieces it is read in another way'

/** In quotes, and what nobody sees as its number. */
function quoted(text: string): string {
  return visible(JSON.stringify(text))
}

function visible(text: string): string {
  return text.replace(/[^\P{C}\n]|[\u2028\u2029]|(?! )\p{Zs}/gu, char =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

function place([start, end]: readonly [number, number]): string {
  return `${start}–${end}`
}
