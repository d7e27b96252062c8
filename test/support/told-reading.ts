// A reply → all that is read of it, as lines for a list that a person can read: what is decided, each remark with its place, cost and facts, when
// the parser may hang up, and what the next prompt says the model wrote.
import type { ParsedReply, Problem } from '../../src/core/reply.js'
import type { ToolSpec } from '../../src/core/tool.js'
import { react } from '../../src/dialect/index.js'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'

/** One paragraph, the reply on top. */
export function toldReading(reply: string, tools: readonly ToolSpec[]): string {
  const { deltas: _, ...parsed } = parseReply(reply, { tools })
  const prompt = react.formatStep({ parsed, observations: [], reply: { text: reply, finish: 'stop' }, tools }).reply
  const lines = [
    quoted(reply),
    ...(parsed.thought === null ? [] : [`  thought ${quoted(parsed.thought)}`]),
    ...decided(parsed).map(line => `  ${line}`),
    ...parsed.problems.map(problem => `  ${toldProblem(problem)}`),
    `  kept ${place(parsed.kept)}, done ${doneAt(reply, tools) ?? 'at the end'}`,
    `  prompt ${prompt === reply.trim() ? 'as it came' : quoted(prompt)}`,
  ]
  return `${lines.join('\n')}\n`
}

function decided({ decision }: ParsedReply): readonly string[] {
  switch (decision.kind) {
    case 'act':
      return decision.calls.map(({ tool, input }) => `calls ${tool} ${JSON.stringify(input)}`)
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
  return `${code} ${place(span)} cost ${cost}: ${message}${data ? ` ${JSON.stringify(data)}` : ''}`
}

/** How many characters a parser that is fed by one needs; undefined when it waits for the end. */
function doneAt(reply: string, tools: readonly ToolSpec[]): number | undefined {
  const parser = createReplyParser({ tools })
  for (let at = 0; at < reply.length; at++) {
    parser.push(reply.charAt(at))
    if (parser.done) return at + 1
  }
  return undefined
}

/** In quotes, and what nobody sees as its number. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[^\P{C}\n]|[\u2028\u2029]|(?! )\p{Zs}/gu,
    char => `\\u{${char.codePointAt(0)?.toString(16)}}`,
  )
}

function place([start, end]: readonly [number, number]): string {
  return `${start}–${end}`
}
