// A reading and its reply → what `saydo parse` shows to people: the decision, each problem under its place, and what became of every character.

import { accountFor, type Part } from '../catalogue/account.js'
import type { Fate, Rung } from '../catalogue/entry.js'
import { PROBLEMS } from '../catalogue/index.js'
import { counted } from '../core/counted.js'
import type { ParsedReply, Problem, ProblemCode } from '../core/reply.js'
import { excerpt } from '../parse/prettify.js'
import { decisionLines } from './decision-lines.js'
import { linesOf, markLine, paintFate } from './marked-reply.js'
import type { Paint } from './paint.js'
import { visible } from './visible.js'
import { wrap } from './wrap.js'

export interface ReadingViewOptions {
  readonly paint: Paint
  /** Say for each problem why it is read so and how to switch it off, and how far down the ladder the inputs went. */
  readonly explain: boolean
}

/** Columns of a line of the reply that are shown. */
const WIDTH = 120
/** Lines in a row that are shown although nothing happened to them. */
const PLAIN_LINES = 6

export function viewReading(read: ParsedReply, reply: string, { paint, explain }: ReadingViewOptions): string {
  const { thought, decision, problems } = read
  const lines = thought === null ? [] : [`${paint.dim('thought')}  ${visible(thought)}`]
  const colour = decision.kind === 'unclear' ? paint.yellow : paint.green
  for (const line of decisionLines(decision)) lines.push(colour(line.slice(0, 7)) + line.slice(7))
  if (explain) lines.push(...ladder(read, reply).map(line => paint.dim('input    ') + line))
  const told = new Set<ProblemCode>()
  for (const problem of problems) {
    lines.push('', ...describeProblem(problem, reply, paint))
    // the same code need not be explained twice
    if (explain && !told.has(problem.code)) lines.push(...explainProblem(problem))
    told.add(problem.code)
  }
  return [...lines, ...describeAccount(reply, read, paint)].map(line => `${line}\n`).join('')
}

function describeProblem({ code, message, cost, span }: Problem, reply: string, paint: Paint): readonly string[] {
  const price = cost === 0 ? '' : paint.dim(` (cost ${cost})`)
  const shown = excerpt(span, reply).map(line => (/^ *\| *\^+$/.test(line) ? paint.magenta(line) : line))
  return [`${paint.magenta(code)}: ${visible(message)}${price}`, ...shown]
}

function explainProblem({ code }: Problem): readonly string[] {
  const { why, remedy } = PROBLEMS[code]
  return [wrap(why, '    '), wrap(remedy ?? `Switch it off with --strict ${code}.`, '    ')]
}

/** JSON → escapes → …, up to the rung that held. */
function ladder({ decision, problems }: ParsedReply, reply: string): readonly string[] {
  if (decision.kind !== 'act' || decision.calls.every(({ input }) => Object.keys(input).length === 0)) return []
  const codes = new Set(problems.map(({ code }) => code))
  const held = problems
    .map(({ code }) => PROBLEMS[code].rung ?? 'JSON')
    .reduce((a, b) => (LADDER.indexOf(b) > LADDER.indexOf(a) ? b : a), 'JSON')
  if (held === 'JSON' && codes.has('CALL_FORM')) return ['arguments in brackets, as they name themselves or in their order']
  if (held === 'JSON' && codes.has('NATIVE_MARKUP')) return ["arguments as the model's own markup gives them"]
  const isObject = decision.calls.some(({ input }) => Object.keys(input).some(key => reply.includes(JSON.stringify(key))))
  if (held === 'JSON' && !isObject) return ['a plain text, for a tool of which nothing is known']
  const tried = LADDER.slice(0, LADDER.indexOf(held))
  return [[...tried, `${held} held`].join(' → ')]
}

function describeAccount(reply: string, read: ParsedReply, paint: Paint): readonly string[] {
  const parts = accountFor(reply, read)
  if (parts.every(({ fate }) => fate === 'kept')) return []
  const count = (fate: Fate) => parts.reduce((sum, part) => sum + (part.fate === fate ? part.end - part.start : 0), 0)
  const [struck, moved] = [count('struck'), count('moved')]
  // each word is written as what it stands for is marked below
  const told = [
    `${count('kept')} kept`,
    ...(moved > 0 ? [`${moved} ${paintFate('read in another form', 'moved', paint)}`] : []),
    ...(struck > 0 ? [`${struck} ${paintFate('struck', 'struck', paint)}`] : []),
  ]
  const title = `${paint.dim('the reply:')} ${told.join(', ')} ${paint.dim(`of ${counted(reply.length, 'character')}`)}`
  return ['', title, ...listing(reply, parts, paint)]
}

/** The reply line by line, with what was moved and struck marked; long stretches that stayed as they are in one line. */
function listing(reply: string, parts: readonly Part[], paint: Paint): readonly string[] {
  const lines = linesOf(reply, parts)
  const gutter = String(lines.length).length
  const out: string[] = []
  let plain = 0
  lines.forEach((line, index) => {
    plain = line.every(({ fate }) => fate === 'kept') ? plain + 1 : 0
    if (plain > PLAIN_LINES) out.pop()
    out.push(
      plain > PLAIN_LINES
        ? paint.dim(`${'…'.padStart(gutter)} | ${plain - PLAIN_LINES + 1} lines as they are`)
        : `${paint.dim(`${String(index + 1).padStart(gutter)} |`)} ${markLine(reply, line, paint, WIDTH)}`.trimEnd(),
    )
  })
  return out
}

const LADDER: readonly (Rung | 'JSON')[] = ['JSON', 'escapes', 'JSON5', 'repair', 'lines', 'text']
