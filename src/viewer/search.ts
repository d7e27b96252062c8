// What somebody looks for → which turns have it. Words are found wherever they stand, `tool:NAME` and `code:NAME` only as that.
import type { TraceTurn } from './trace.js'

export type Kind = 'all' | 'repairs' | 'errors'

export interface Query {
  readonly kind: Kind
  /** In lower case; a turn has to have all of them. */
  readonly words: readonly string[]
  readonly tools: readonly string[]
  readonly codes: readonly string[]
}

export function readQuery(text: string, kind: Kind): Query {
  const terms = text.toLowerCase().match(/"[^"]{1,500}"|\S{1,500}/g) ?? []
  const after = (mark: string) =>
    terms.flatMap(term => (term.startsWith(mark) && term.length > mark.length ? [term.slice(mark.length)] : []))
  return {
    kind,
    words: terms.filter(term => !/^(?:tool|code):./.test(term)).map(term => term.replace(/^"(.*)"$/, '$1')),
    tools: after('tool:'),
    codes: after('code:'),
  }
}

export function isRepaired({ parsed }: TraceTurn): boolean {
  return parsed !== undefined && parsed.problems.length > 0
}

/** The model had to be asked again, a call failed, or the run went in circles. */
export function isTroubled({ failures, parsed, calls, circle, reply }: TraceTurn): boolean {
  return (
    failures.length > 0 ||
    circle !== undefined ||
    reply === undefined ||
    parsed?.decision.kind === 'unclear' ||
    calls.some(({ begun, observation }) => observation?.failure !== undefined || (begun && observation === undefined))
  )
}

export function isWanted(turn: TraceTurn, { kind, words, tools, codes }: Query): boolean {
  if (kind === 'repairs' && !isRepaired(turn)) return false
  if (kind === 'errors' && !isTroubled(turn)) return false
  const named = toolsIn(turn).map(name => name.toLowerCase())
  if (!tools.every(tool => named.some(name => name.startsWith(tool)))) return false
  const told = codesIn(turn).map(code => code.toLowerCase())
  if (!codes.every(code => told.some(each => each.startsWith(code)))) return false
  if (words.length === 0) return true
  const text = textOf(turn)
  return words.every(word => text.includes(word))
}

export function toolsIn({ calls, parsed }: TraceTurn): readonly string[] {
  const made = calls.flatMap(({ call, observation }) => call?.tool ?? observation?.tool ?? [])
  const meant = parsed?.decision.kind === 'unclear' ? parsed.decision.attempted?.tool : undefined
  return [...new Set([...made, ...(meant === undefined ? [] : [meant])])]
}

function codesIn({ parsed, calls, failures, notices }: TraceTurn): readonly string[] {
  return [
    ...(parsed?.problems ?? []).map(({ code }) => code),
    ...calls.flatMap(({ observation }) => observation?.failure?.code ?? []),
    ...failures.map(({ code }) => code),
    ...notices.map(({ code }) => code),
  ]
}

const texts = new WeakMap<TraceTurn, string>()

function textOf(turn: TraceTurn): string {
  const known = texts.get(turn)
  if (known !== undefined) return known
  const { situation, reply, parsed, calls, nudge, failures, notices } = turn
  const all = [
    situation,
    reply?.text,
    reply?.reasoning,
    ...(parsed?.problems ?? []).map(({ code, message }) => `${code} ${message}`),
    ...calls.map(
      ({ call, observation }) => `${call ? `${call.tool} ${JSON.stringify(call.input)}` : ''} ${observation?.text ?? ''}`,
    ),
    nudge,
    ...failures.map(({ message }) => message),
    ...notices.map(({ message }) => message),
  ]
  const text = all.join('\n').toLowerCase()
  texts.set(turn, text)
  return text
}
