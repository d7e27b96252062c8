// A reading of the reply so far → whether anything that may still follow could change its decision. It could not when the decision rests on what
// stands before a label, and nothing is open there that a later character could close. Doubt means no: that only costs tokens.
import { isProtocol } from './grammar.js'
import type { Mark } from './marks.js'
import { resultFollows } from './native-markup.js'
import { type Assembled, isTag, observedBehindCall, type Reading } from './reading.js'

/** `r` is the state in which `read` was made. */
export function isSettled(r: Reading, read: Assembled): boolean {
  const { clean, lexed } = r
  if (read.decision.kind === 'unclear' || clean.open) return false
  // somebody else's turn: what stands behind it is not read
  if (clean.turnCut) return true
  if (lexed.open || hasOpenComment(r) || r.marks.some(mark => mark.start < r.keptEnd && isOpenTag(r, mark))) return false
  // the rest of its line may show that a label in mid-line is none
  if (r.marks.some(mark => mark.midline && mark.start < r.keptEnd) && !r.text.includes('\n', r.keptEnd)) return false
  const behind = r.marks.filter(mark => mark.start >= r.keptEnd)
  return read.decision.kind === 'act' ? isClosedCall(r, behind) : isClosedAnswer(r, behind)
}

/** Behind the calls stands what is no further call. */
function isClosedCall(r: Reading, behind: readonly Mark[]): boolean {
  if (r.closed) return true
  const [first] = behind
  const label = first?.match?.colon === true ? first.role : undefined
  const bound = (label !== undefined && BOUNDARIES.has(label)) || (first?.role === 'observation' && isTag(r, first))
  // further markup or objects count behind prose, too, up to a label or a result in markup
  const own = r.marks.findLast(mark => mark.start < r.keptEnd)
  if (own?.role === 'native' || own?.role === 'object') {
    const open = r.text.slice(own.start, first?.start).split('"').length % 2 === 0
    return !open && (bound || (own.role === 'native' && resultFollows(r.text, r.keptEnd)))
  }
  if (bound || label !== undefined) return bound || label === 'result'
  // one that stands right behind what was kept
  const observed = observedBehindCall(r, own?.value ?? 0, first?.start ?? r.lexed.to)
  return observed >= r.keptEnd && !r.clean.breaks.some(at => at >= r.keptEnd)
}

/** The answer was cut at a label, and the one behind it shows that it was rightly. */
function isClosedAnswer(r: Reading, behind: readonly Mark[]): boolean {
  const own = r.marks.findLast(mark => mark.start < r.keptEnd)
  // its tag is closed, and what comes next is no further tag
  if (own?.close !== undefined) {
    const [next] = behind
    if (next?.match?.colon === true && next.role !== 'answer' && !r.text.slice(r.keptEnd, next.start).trim()) return true
    return /^\s*[\p{L}\p{N}][^\n]*\n/u.test(r.text.slice(r.keptEnd, next?.start))
  }
  // whether a tag is a label, what follows it shows; and labels within one that is closed later are none
  if (behind.some(mark => isOpenTag(r, mark) || (isTag(r, mark) && mark.role === 'answer'))) return false
  // a role prefix is the answer only as long as nothing else is
  if (own?.role === 'speaker') return false
  const [first, ...more] = behind
  const last = more.at(-1)
  if (!first || !last || first.role === 'native' || first.role === 'lookalike' || first.role === 'object') return false
  // an action counts once it has an input, and a label in mid-line once a label follows it
  return isProtocol(last.role) && last.role !== 'action' && !r.lexed.strays.some(label => label.start < r.keptEnd)
}

function isOpenTag(r: Reading, mark: Mark): boolean {
  return mark.close === undefined && isTag(r, mark)
}

/** A comment in an object, which hides its brackets once it is closed. */
function hasOpenComment({ text }: Reading): boolean {
  const last = text.includes('/*') ? text.lastIndexOf('/*') : -1
  return last >= 0 && text.indexOf('*/', last) < 0
}

const BOUNDARIES: ReadonlySet<Mark['role']> = new Set(['thought', 'observation', 'answer'])
