// Marks of a reply, in their order → the first that decides. The total order of what wins is here: the first complete action or answer at its
// place in the text; nothing that the model wrote after it can change it. What each kind of mark does stands in one function of its own.
import type { ProblemCode } from '../core/reply.js'
import { readObject } from './bare-object.js'
import { isProtocol } from './grammar.js'
import { INVENTED, INVENTED_TURN, ROLE_PREFIX } from './left-out.js'
import type { Mark } from './marks.js'
import { readNativeCalls } from './native-calls.js'
import type { NativeReading } from './native-markup.js'
import { type Place, quote, type Refusal, refuse } from './notes.js'
import { holdsOddLabels } from './odd-labels.js'
import { readAction } from './read-action.js'
import { readAnswer, readTaggedAnswer } from './read-answer.js'
import { plainAnswer, readOnlyThought } from './read-unlabelled.js'
import { type Assembled, afterBreak, orCut, type Reading, think, unclear, valueEnd, wholePlace } from './reading.js'
import { readPreface } from './reply-form.js'
import { holdsStep } from './stray-call.js'
import { saysNoTool } from './tool-question.js'

/** Goes along the marks, of which there is at least one, until something decides. */
export function walkMarks(r: Reading): Assembled {
  const walk = openWalk(r)
  let k = 0
  for (let mark = r.marks[k]; mark; mark = r.marks[k]) {
    const went = PASS[mark.role](walk, mark, k)
    if (typeof went === 'object') return went
    k = went ?? k + 1
  }
  return endWalk(walk)
}

/** A way along the marks: what was passed and has not decided anything. */
interface Walk {
  readonly r: Reading
  readonly preface: string
  /** What counts for nothing when something else decides, each with its remark. */
  readonly left: Left[]
  /** The last action that was none. */
  noAction?: Place
  /** It is none on purpose, so that an observation behind it is harmless. */
  onPurpose: boolean
  /** The text below it, which is the answer when nothing else decides. */
  below: Place | undefined
  /** The first action whose tool nobody knows and that has no input. */
  unknown?: Refusal
  /** The first input without an action. */
  stray?: Place
  /** An answer whose label can't be trusted: what stands behind it must not run. */
  oddAnswer?: Refusal
  /** The rest of the reply belongs to a task that the model made up. */
  foreign: boolean
}

type Left = readonly [code: ProblemCode, message: string, place: Place]

/** Passes mark `k`: what it decides, or the mark to go on with; unset: the next one. */
type Pass = (walk: Walk, mark: Mark, k: number) => Assembled | number | undefined

const PASS: Readonly<Record<Mark['role'], Pass>> = {
  thought: passThought,
  turn: passTurn,
  speaker: passSpeaker,
  observation: passObservation,
  lookalike: passLookalike,
  result: passResult,
  tool: passAsThought,
  weak_input: passAsThought,
  input: passInput,
  object: passCall((r, _mark, k) => readObject(r, k)),
  native: passCall((r, mark, k) => readNativeCalls(r, mark.native as NativeReading, k)),
  action: passAction,
  answer: passAnswer,
}

function openWalk(r: Reading): Walk {
  const first = r.marks[0] as Mark
  const { from } = r.lexed
  const preface = r.text.slice(from, first.start)
  readPreface(r, preface, from, first)
  // what stands behind an answer must not run, however its label is written
  const odd = holdsOddLabels(preface, r.grammar, r.box) === 'answer'
  return {
    r,
    preface,
    left: [],
    below: undefined,
    onPurpose: false,
    foreign: false,
    ...(odd ? { oddAnswer: behindAnswer(from, first.start) } : {}),
  }
}

function passThought({ r }: Walk, mark: Mark, k: number): undefined {
  think(r, r.text.slice(mark.value, valueEnd(r, k)))
  think(r, afterBreak(r, k))
}

/** The mark of something that the reader makes nothing of. */
function passAsThought({ r }: Walk, mark: Mark, k: number): undefined {
  think(r, r.text.slice(mark.start, valueEnd(r, k)))
}

function passTurn(walk: Walk, mark: Mark, k: number): number | undefined {
  const { r } = walk
  const begun = walk.noAction !== undefined || r.thoughts.length > 0
  if (isFurtherTurn(r.marks, k) && begun && !/[:：]$/.test(walk.preface.trim())) {
    // what follows belongs to somebody else's task
    const place = { start: mark.start, end: r.lexed.to }
    r.notes.add('INVENTED_TURN', INVENTED_TURN, place, 0)
    walk.foreign = true
    return r.marks.length
  }
  r.notes.add('PREAMBLE', 'An echo of the question was left out.', { start: mark.start, end: valueEnd(r, k) }, 0)
  return undefined
}

function passSpeaker(walk: Walk, mark: Mark, k: number): Assembled | undefined {
  const { r } = walk
  const said = r.text.slice(mark.value, valueEnd(r, k)).trim()
  const next = r.marks[k + 2]
  const isLast = k === r.marks.length - 1 || (r.marks[k + 1]?.role === 'turn' && next !== undefined && isProtocol(next.role))
  if (said && isLast && saysNoTool(r.thoughts.at(-1) ?? '', r.grammar)) return answerAt(walk, () => readAnswer(r, k, mark.value))
  think(r, said)
  r.notes.add('PREAMBLE', ROLE_PREFIX, { start: mark.start, end: mark.value }, 0)
  return undefined
}

function passObservation(walk: Walk, mark: Mark, k: number): undefined {
  const { r } = walk
  const end = valueEnd(r, k)
  r.notes.add('INVENTED_OBSERVATION', INVENTED, { start: mark.start, end }, 0)
  if (!walk.onPurpose) r.invented = true
  // a tag says where it ends: what follows is the model's own again
  if (mark.close !== undefined) think(r, r.text.slice(mark.close, end).replace(/^<\/\w{1,40}>/, ''))
}

function passLookalike(walk: Walk, mark: Mark, k: number): undefined {
  const { r } = walk
  const end = valueEnd(r, k)
  const place = { start: mark.start, end: Math.min(end, mark.start + 40) }
  r.notes.add('LABEL_LOOKALIKE', 'A line imitates a label with look-alike characters.', place, 0)
  if (mark.like === 'observation') return passObservation(walk, mark, k)
  if (mark.like === 'answer') walk.oddAnswer ??= behindAnswer(mark.start, end)
  think(r, r.text.slice(mark.value, end))
}

function passResult(walk: Walk, mark: Mark, k: number): undefined {
  const { r } = walk
  // behind an action that names no tool it is what the tool would have said
  if (!walk.noAction || walk.onPurpose) return passAsThought(walk, mark, k)
  r.notes.add('INVENTED_OBSERVATION', INVENTED, { start: mark.start, end: valueEnd(r, k) }, 0)
  r.invented = true
}

function passInput(walk: Walk, mark: Mark, k: number): undefined {
  const place = { start: mark.start, end: valueEnd(walk.r, k) }
  walk.stray ??= place
  walk.left.push(['MISSING_ACTION', 'An input without an action was left out.', place])
}

/** A call that stands without a label. */
function passCall(read: (r: Reading, mark: Mark, k: number) => Assembled): Pass {
  return (walk, mark, k) => {
    if (walk.oddAnswer) return unclear(walk.r, walk.oddAnswer)
    return withLeft(walk, read(walk.r, mark, k))
  }
}

function passAction(walk: Walk, _mark: Mark, k: number): Assembled | number {
  const { r } = walk
  if (walk.oddAnswer) return unclear(r, walk.oddAnswer)
  const outcome = readAction(r, k)
  if (outcome.kind === 'done') return withLeft(walk, outcome.reading)
  walk.noAction = outcome.place
  walk.onPurpose = outcome.onPurpose === true
  if (outcome.refusal) {
    walk.unknown ??= outcome.refusal
    walk.left.push(['NO_ACTION', 'An action without a tool and an input was left out.', outcome.place])
  }
  // text that a further action follows was no end
  walk.below = outcome.below
  if (outcome.below) {
    walk.left.push(['NO_ACTION', 'Text below an action that was none was left out.', outcome.below])
  }
  return outcome.last + 1
}

function passAnswer(walk: Walk, mark: Mark, k: number): Assembled {
  const { r } = walk
  return answerAt(walk, () => {
    const called = calledInThought(r, mark)
    if (called) return unclear(r, called)
    return mark.close === undefined ? readAnswer(r, k, mark.value) : readTaggedAnswer(r, k, mark.close)
  })
}

/** An answer decides, unless an input before it waits for its action. */
function answerAt(walk: Walk, read: () => Assembled): Assembled {
  if (walk.stray && !walk.noAction) return unclear(walk.r, missingAction(walk.r, walk.stray))
  return withLeft(walk, read())
}

/** No mark decided: what was passed does, or says why nothing can. */
function endWalk(walk: Walk): Assembled {
  const { r, below, noAction, stray } = walk
  if (below && noAction) {
    const left = walk.left.filter(([, , place]) => place !== below)
    return withLeft({ r, left }, plainAnswer(r, r.text.slice(below.start, below.end), noAction))
  }
  if (walk.unknown) return unclear(r, walk.unknown)
  if (stray || r.lexed.strays.some(label => label.role === 'input')) {
    const place = stray ?? { start: r.lexed.strays[0]?.start ?? 0, end: r.lexed.to }
    return unclear(r, orCut(r, missingAction(r, place)))
  }
  if (noAction) return unclear(r, orCut(r, refuse('ONLY_THOUGHT', 'The reply calls no tool and gives no answer.', noAction)))
  if (walk.foreign) return unclear(r, refuse('ONLY_THOUGHT', 'The reply holds only a thought.', wholePlace(r)))
  return readOnlyThought(r)
}

/** A decision, with a remark on what it left out. */
function withLeft({ r, left }: Pick<Walk, 'r' | 'left'>, reading: Assembled): Assembled {
  const { decision } = reading
  const asked = decision.kind === 'unclear' ? decision.problem.code : undefined
  const others = left.filter(([code]) => code !== asked)
  if (others.length === 0) return reading
  for (const [code, message, place] of others) r.notes.add(code, message, place, 0)
  return { ...reading, problems: r.notes.list() }
}

/** A call in the thought that can't be read, but must have had a result before an answer. */
function calledInThought(r: Reading, { start }: Mark): Refusal | undefined {
  // what was struck as reasoning holds no step
  const thoughts = r.thoughts.slice(r.reasoned)
  if (!thoughts.some(text => holdsStep(text, r.grammar, r.box))) return undefined
  const place: Place = { start: r.lexed.from, end: start }
  return refuse('AMBIGUOUS_CALL', 'A call stands before the answer, whose result nobody waited for.', place, {
    quote: quote(r.text.slice(place.start, place.end)),
  })
}

/** A turn that opens a task of its own: a thought or an answer follows it. */
function isFurtherTurn(marks: readonly Mark[], k: number): boolean {
  const next = marks[k + 1]?.role
  return marks[k]?.role === 'turn' && (next === 'thought' || next === 'answer')
}

function missingAction(r: Reading, place: Place): Refusal {
  return refuse('MISSING_ACTION', 'An input stands without an action.', place, {
    quote: quote(r.text.slice(place.start, place.end)),
  })
}

function behindAnswer(start: number, end: number): Refusal {
  return refuse('AMBIGUOUS_CALL', 'A call stands behind what may be an answer.', { start, end })
}
