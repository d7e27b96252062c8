// Marks of a reply → one thought, one decision, all problems. The total order of what wins is here: the first complete action or answer at its
// place in the text; nothing that the model wrote after it can change it.
import type { Finish } from '../core/model.js'
import type { ProblemCode } from '../core/reply.js'
import { mayBeCall, readObject } from './bare-object.js'
import { cleanReply } from './clean.js'
import type { Grammar } from './labels.js'
import { lex } from './lexer.js'
import type { Mark } from './marks.js'
import { readNativeCalls } from './native-calls.js'
import type { NativeReading } from './native-markup.js'
import { Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { holdsOddLabels } from './odd-labels.js'
import { readPlainReply } from './plain-reply.js'
import { readAction } from './read-action.js'
import { readAnswer, readTaggedAnswer } from './read-answer.js'
import { plainAnswer, readOnlyThought, readUnlabelled } from './read-unlabelled.js'
import { type Assembled, afterBreak, orCut, type Reading, think, unclear, valueEnd, wholePlace } from './reading.js'
import { noteDress, noteHeading, readPreface, stepInFence } from './reply-form.js'
import { resolveMarks } from './resolve-marks.js'
import { isSettled } from './settled.js'
import { holdsStep } from './stray-call.js'
import { saysNoTool } from './tool-question.js'
import type { Toolbox } from './tool-shape.js'

/** Reads one whole reply. Total: any text gives a reading. */
export function assembleReply(reply: string, grammar: Grammar, box: Toolbox, finish: Finish): Assembled {
  const cut = finish === 'length' || finish === 'filter'
  return (cut ? undefined : readPlainReply(reply, grammar, box)) ?? assembleOdd(reply, grammar, box, cut)
}

/** Reads any reply, the way that knows all oddities; `cut`: the endpoint broke it off. */
export function assembleOdd(reply: string, grammar: Grammar, box: Toolbox, cut: boolean): Assembled {
  return readReply(openReading(reply, grammar, box, cut))
}

/** The reply so far decides, and nothing that may still follow could change that. */
export function isDecided(reply: string, grammar: Grammar, box: Toolbox): boolean {
  // with a word behind it, a label at the end can't be a stop word that was cut short
  const r = openReading(`${reply} .`, grammar, box, false)
  const read = readReply(r)
  if (!isSettled(r, read)) return false
  const ended = assembleOdd(reply, grammar, box, false)
  return JSON.stringify(ended.decision) === JSON.stringify(read.decision)
}

function openReading(reply: string, grammar: Grammar, box: Toolbox, cut: boolean): Reading {
  const clean = cleanReply(reply, grammar)
  const notes = new Notes(clean.original)
  for (const problem of clean.problems) notes.addOriginal(problem)
  const lexed = lex(clean.text, grammar, box)
  // a model that goes round in circles: as if the endpoint had cut it off
  const { text } = lexed
  const marks = resolveMarks(lexed, box).filter(mark => mark.role !== 'object' || mayBeCall(text, mark, box, grammar))
  const thoughts = clean.thoughts.map(thought => thought.trim()).filter(Boolean)
  return {
    reply,
    clean,
    lexed,
    text,
    grammar,
    box,
    cut: cut || lexed.full,
    notes,
    thoughts,
    reasoned: thoughts.length,
    marks,
    readAgain: again => assembleReply(again, grammar, box, 'stop').decision,
    keptEnd: lexed.to,
    input: '',
    invented: false,
    closed: false,
    doubtFrom: 0,
  }
}

function readReply(r: Reading): Assembled {
  const { from, to, wrapper, stopWord } = r.lexed
  if (wrapper) r.notes.add('REPLY_FENCED', 'The reply stands in a fence.', { start: wrapper[0], end: wrapper[1] }, 0)
  if (stopWord) r.notes.add('STOP_WORD_CUT', 'A stop word at the end was left out.', { start: stopWord[0], end: stopWord[1] }, 0)
  if (!r.text.slice(from, to).trim()) {
    const thought = r.thoughts.length > 0
    const message = thought ? 'The reply holds only a thought.' : 'The reply is empty.'
    return unclear(r, orCut(r, refuse(thought ? 'ONLY_THOUGHT' : 'EMPTY_REPLY', message, { start: from, end: to })))
  }
  noteHeading(r)
  noteDress(r)
  const first = r.marks[0]
  if (first && stepInFence(r))
    return unclear(
      r,
      refuse('AMBIGUOUS_CALL', 'An action stands in a fence, and more of the protocol outside of it.', {
        start: r.lexed.fencedAction?.[0] ?? from,
        end: first.start,
      }),
    )
  if (!first) return readUnlabelled(r, from)
  if (first.role === 'speaker' && r.marks.length === 1 && !r.text.slice(from, first.start).trim()) {
    r.notes.add('PREAMBLE', 'A role prefix was left out.', { start: first.start, end: first.value }, 0)
    return readUnlabelled(r, first.value)
  }
  return walkMarks(r)
}

/** Goes along the marks until something decides. */
function walkMarks(r: Reading): Assembled {
  const marks = r.marks
  const preface = r.text.slice(r.lexed.from, (marks[0] as Mark).start)
  let pending: Place | undefined
  let noAction: Place | undefined
  // only an action that is none on purpose makes the observation behind it harmless
  let onPurpose = false
  let unknown: Refusal | undefined
  let stray: Place | undefined
  // the rest of the reply belongs to a task that the model made up
  let foreign = false
  // what counts for nothing when something else decides
  const left: (readonly [code: ProblemCode, message: string, place: Place])[] = []
  readPreface(r, preface, r.lexed.from, marks[0] as Mark)
  // what stands behind an answer must not run, however its label is written
  let oddAnswer =
    holdsOddLabels(preface, r.grammar, r.box) === 'answer' ? behindAnswer(r.lexed.from, (marks[0] as Mark).start) : undefined
  for (let k = 0; k < marks.length; k++) {
    const mark = marks[k] as Mark
    const end = valueEnd(r, k)
    const value = r.text.slice(mark.value, end)
    switch (mark.role) {
      case 'thought': {
        think(r, value)
        const broken = afterBreak(r, k)
        if (broken) think(r, broken)
        break
      }
      case 'turn':
        if (isFurtherTurn(marks, k) && (noAction || r.thoughts.length > 0) && !/[:：]$/.test(preface.trim())) {
          // what follows belongs to somebody else's task
          r.notes.add(
            'INVENTED_TURN',
            "A turn that is not the model's to write was left out.",
            { start: mark.start, end: r.lexed.to },
            0,
          )
          foreign = true
          k = marks.length
          break
        }
        r.notes.add('PREAMBLE', 'An echo of the question was left out.', { start: mark.start, end }, 0)
        break
      case 'speaker':
        if (
          value.trim() &&
          saysNoTool(r.thoughts.at(-1) ?? '', r.grammar) &&
          (k === marks.length - 1 || isFurtherTurn(marks, k + 1))
        )
          return stray && !noAction ? unclear(r, missingAction(r, stray)) : withLeft(r, readAnswer(r, k, mark.value), left)
        if (value.trim()) think(r, value)
        r.notes.add('PREAMBLE', 'A role prefix was left out.', { start: mark.start, end: mark.value }, 0)
        break
      case 'observation':
      case 'lookalike': {
        const like = mark.role === 'lookalike'
        if (like)
          r.notes.add(
            'LABEL_LOOKALIKE',
            'A line imitates a label with look-alike characters.',
            { start: mark.start, end: Math.min(end, mark.start + 40) },
            0,
          )
        if (like && mark.like === 'answer') oddAnswer ??= behindAnswer(mark.start, end)
        if (like && mark.like !== 'observation') {
          think(r, value)
          break
        }
        r.notes.add('INVENTED_OBSERVATION', INVENTED, { start: mark.start, end }, 0)
        if (!onPurpose) r.invented = true
        // a tag says where it ends: what follows is the model's own again
        if (mark.close !== undefined) think(r, r.text.slice(mark.close, end).replace(/^<\/\w{1,40}>/, ''))
        break
      }
      case 'result':
        // behind an action that names no tool it is what the tool would have said
        if (noAction && !onPurpose) {
          r.notes.add('INVENTED_OBSERVATION', INVENTED, { start: mark.start, end }, 0)
          r.invented = true
          break
        }
        think(r, r.text.slice(mark.start, end))
        break
      case 'tool':
      case 'weak_input':
        think(r, r.text.slice(mark.start, end))
        break
      case 'input':
        stray ??= { start: mark.start, end }
        left.push(['MISSING_ACTION', 'An input without an action was left out.', { start: mark.start, end }])
        break
      case 'object':
      case 'native':
        if (oddAnswer) return unclear(r, oddAnswer)
        return withLeft(r, mark.role === 'object' ? readObject(r, k) : readNativeCalls(r, mark.native as NativeReading, k), left)
      case 'action': {
        if (oddAnswer) return unclear(r, oddAnswer)
        const outcome = readAction(r, k)
        if (outcome.kind === 'done') return withLeft(r, outcome.reading, left)
        k = outcome.last
        noAction = outcome.place
        onPurpose = outcome.onPurpose === true
        if (outcome.refusal) {
          unknown ??= outcome.refusal
          left.push(['NO_ACTION', 'An action without a tool and an input was left out.', outcome.place])
        }
        if (outcome.below) {
          pending = outcome.below
          left.push(['NO_ACTION', 'Text below an action that was none was left out.', pending])
        }
        break
      }
      case 'answer': {
        if (stray && !noAction) return unclear(r, missingAction(r, stray))
        const called = calledInThought(r, mark)
        if (called) return unclear(r, called)
        return withLeft(r, mark.close === undefined ? readAnswer(r, k, mark.value) : readTaggedAnswer(r, k, mark.close), left)
      }
      default: {
        const never: never = mark.role
        return never
      }
    }
  }
  if (pending) {
    const others = left.filter(([, , place]) => place !== pending)
    return withLeft(r, plainAnswer(r, r.text.slice(pending.start, pending.end), noAction as Place), others)
  }
  if (unknown) return unclear(r, unknown)
  if (stray || r.lexed.strays.some(label => label.role === 'input')) {
    const place = stray ?? { start: r.lexed.strays[0]?.start ?? 0, end: r.lexed.to }
    return unclear(r, orCut(r, missingAction(r, place)))
  }
  if (noAction) return unclear(r, orCut(r, refuse('ONLY_THOUGHT', 'The reply calls no tool and gives no answer.', noAction)))
  if (foreign) return unclear(r, refuse('ONLY_THOUGHT', 'The reply holds only a thought.', wholePlace(r)))
  return readOnlyThought(r)
}

/** A decision, with a remark on what it left out. */
function withLeft(
  r: Reading,
  reading: Assembled,
  left: readonly (readonly [code: ProblemCode, message: string, place: Place])[],
): Assembled {
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
  const calls = thoughts.some(text => holdsStep(text, r.grammar, r.box))
  if (!calls) return undefined
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

const INVENTED = 'An observation that the model wrote itself was left out.'
