// A reading and the forgivenesses that are not wanted → the same reading, or an unclear one when its decision needed one of them. What was read
// stays with the problem, so that the model can be asked whether it meant that.
import { SaydoError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { didYouMean } from '../core/near-names.js'
import { type ParsedReply, PROBLEM_CODES, type Problem, type ProblemCode } from '../core/reply.js'
import { quote } from './notes.js'

/** What must not be forgiven. */
export interface Strict {
  readonly codes: ReadonlySet<ProblemCode>
  /** The reply is what the dialect itself writes for such a step: whatever it is called elsewhere, there was nothing to forgive. */
  readonly isWritten: (reply: string, parsed: ParsedReply) => boolean
}

/** Undefined when nothing is forbidden, so that nothing has to be looked for. Throws `CONFIG` for a code that does not exist. */
export function strictCodes(codes: readonly ProblemCode[] | undefined): Strict['codes'] | undefined {
  if (!codes || codes.length === 0) return undefined
  for (const code of codes) {
    if (known.has(code)) continue
    throw new SaydoError('CONFIG', `there is no problem code "${code}"${didYouMean(String(code), known)}`, {
      hint: 'saydo explain lists them all',
    })
  }
  return new Set(codes)
}

/** The reading of `reply` as it is, unless it rests on one of the codes. */
export function refuseInexact<Parsed extends ParsedReply>(parsed: Parsed, strict: Strict | undefined, reply: string): Parsed {
  if (!strict || parsed.decision.kind === 'unclear') return parsed
  const refused = parsed.problems.filter(({ code }) => strict.codes.has(code))
  const [first] = refused
  if (!first || strict.isWritten(reply, parsed)) return parsed
  const { decision } = parsed
  const problem: Problem & { readonly code: 'NOT_EXACT' } = {
    code: 'NOT_EXACT',
    message: `The reply can only be read by forgiving ${[...new Set(refused.map(({ code }) => code))].join(', ')}, which is not wanted here.`,
    span: first.span,
    cost: 0,
    data: {
      ...(decision.kind === 'act' ? { tool: decision.calls[0].tool } : {}),
      quote: quote(reply.slice(first.span[0], first.span[1])),
      codes: [...new Set(refused.map(({ code }) => code))],
      reading: decision as unknown as JsonObject,
    },
  }
  const at = parsed.problems.findIndex(({ span }) => span[0] > first.span[0])
  const problems =
    at < 0 ? [...parsed.problems, problem] : [...parsed.problems.slice(0, at), problem, ...parsed.problems.slice(at)]
  return { ...parsed, decision: { kind: 'unclear', problem }, problems }
}

const known: ReadonlySet<string> = new Set(PROBLEM_CODES)
