// Where the text of an answer ends. It is terminal: labels in it are text, but for an invented further turn, step or answer.
import type { ProblemCode } from '../core/reply.js'
import { isNone, readActionText } from './action-text.js'
import { skipBlank } from './characters.js'
import { type Grammar, isProtocol } from './grammar.js'
import { lineEnd } from './line.js'
import type { Lexed, Mark } from './marks.js'
import { turnWithin } from './midline.js'
import { Notes, type Place, type Refusal, refuse } from './notes.js'
import { type RunOn, runOnWithin } from './run-on.js'
import type { Toolbox } from './tool-shape.js'

export interface AnswerCut {
  readonly end: number
  readonly problems: readonly (readonly [ProblemCode, string, Place, number?])[]
  readonly refusal?: Refusal
}

/** Decides where the answer of mark `k` ends; `limit` is where a struck token ends it at the latest. */
export function cutAnswer(
  lexed: Lexed,
  marks: readonly Mark[],
  k: number,
  limit: number,
  box: Toolbox,
  grammar: Grammar,
): AnswerCut {
  const own = marks[k] as Mark
  const stepAt = (n: number) => {
    const step = stepFrom(lexed, marks, n, box, grammar)
    const role = marks[step]?.role
    if (role === 'answer') return sameKind(own, marks[step] as Mark) ? role : undefined
    return role === 'action' && isRealAction(lexed, marks, step, box, grammar) ? role : undefined
  }
  const runOn = runOnWithin(lexed, marks, k, limit, stepAt)
  if (!runOn) return cutInvented(lexed, marks, k, limit, box, grammar)
  const cut = cutInvented(lexed, marks, k, runOn.at, box, grammar)
  if (cut.refusal || cut.end < runOn.at) return cut
  return { ...cut, problems: [[runOn.code, RUN_ON[runOn.code], { start: runOn.at, end: lexed.to }, 1]] }
}

/** Cuts at a turn that the model invented, or at a label. */
function cutInvented(lexed: Lexed, marks: readonly Mark[], k: number, limit: number, box: Toolbox, grammar: Grammar): AnswerCut {
  const { text } = lexed
  const own = marks[k] as Mark
  const from = own.value
  const first = marks.find((mark, n) => n > k && isProtocol(mark.role))
  const turn = first && first.start < limit ? turnWithin(text, from, first.start, grammar) : undefined
  if (!first || !turn || !text.slice(from, turn.at).trim() || (first.role === 'answer' && !sameKind(own, first)))
    return cutAtLabel(lexed, marks, k, limit, box, grammar)
  if (turn.certain)
    return checkMidline(lexed, own, from, turn.at, [['INVENTED_TURN', INVENTED_TURN, { start: turn.at, end: lexed.to }, 1]])
  const cut = cutAtLabel(lexed, marks, k, limit, box, grammar)
  if (cut.refusal || cut.end !== first.start) return cut
  const place: Place = { start: turn.at, end: cut.end }
  return { ...cut, refusal: refuse('AMBIGUOUS_CALL', 'A further turn may stand within the answer.', place) }
}

function cutAtLabel(lexed: Lexed, marks: readonly Mark[], k: number, limit: number, box: Toolbox, grammar: Grammar): AnswerCut {
  const { text } = lexed
  const own = marks[k] as Mark
  const from = own.value
  const cutAt = (mark: Mark, code: ProblemCode, message: string): AnswerCut =>
    checkMidline(lexed, own, from, Math.min(limit, mark.start), [[code, message, { start: mark.start, end: lexed.to }]])
  let lastLabel = marks.length - 1
  while (lastLabel > k && !isProtocol((marks[lastLabel] as Mark).role)) lastLabel--
  let lastStep = lastLabel
  while (lastStep > k && !isStepRole((marks[lastStep] as Mark).role)) lastStep--
  let listed = false
  let behind = -1
  for (let n = k + 1; n < marks.length; n++) {
    const mark = marks[n] as Mark
    if (mark.start >= limit) break
    switch (mark.role) {
      case 'turn':
        // questions with answers below a colon are what the answer is about
        listed ||= lastStep < n && endsInColon(text.slice(Math.max((marks[n - 1] as Mark).value, mark.start - 12), mark.start))
        if (lastLabel > n && !listed) return cutAt(mark, 'INVENTED_TURN', INVENTED_TURN)
        break
      case 'observation':
      case 'lookalike':
        if (mark.role === 'observation' || mark.like === 'observation') {
          if (lastLabel > n)
            return cutAt(
              mark,
              'INVENTED_OBSERVATION',
              'An observation that the model wrote itself was left out, with all that follows it.',
            )
        }
        break
      case 'thought': {
        if (behind <= n) behind = stepFrom(lexed, marks, n + 1, box, grammar)
        const next = marks[behind]
        if (next?.role === 'answer' && sameKind(own, next)) {
          const differs = firstWords(text, next.value) !== firstWords(text, from)
          return cutAt(
            mark,
            'SECOND_ANSWER',
            differs ? 'A further answer, different from the first, was left out.' : 'The same answer again was left out.',
          )
        }
        if (next?.role === 'answer') {
          return {
            end: limit,
            problems: [],
            refusal: refuse('AMBIGUOUS_ANSWER', 'The reply gives two answers under different labels.', {
              start: mark.start,
              end: limit,
            }),
          }
        }
        if (next?.role === 'action' && isRealAction(lexed, marks, behind, box, grammar))
          return cutAt(mark, 'ACTION_AFTER_ANSWER', 'An action after the answer was left out and not run.')
        break
      }
      case 'action':
        if (isRealAction(lexed, marks, n, box, grammar))
          return cutAt(mark, 'ACTION_AFTER_ANSWER', 'An action after the answer was left out and not run.')
        break
      case 'native':
        // markup below a colon is what the answer is about
        if (endsInColon(text.slice(Math.max(from, mark.start - 12), mark.start))) break
        return cutAt(mark, 'ACTION_AFTER_ANSWER', 'An action after the answer was left out and not run.')
      case 'answer': {
        if (n !== nextStep(marks, k) || !(sameKind(own, mark) || isLong(mark))) break
        const first = text.slice(from, mark.start).trim()
        if (!first) break
        const end = marks[n + 1]?.start ?? lexed.to
        if (text.slice(mark.value, end).trim() === first)
          return cutAt(mark, 'SECOND_ANSWER', 'The same answer again was left out.')
        return {
          end: limit,
          problems: [],
          refusal: refuse('AMBIGUOUS_ANSWER', 'The reply gives two different answers.', { start: mark.start, end }),
        }
      }
      default:
    }
  }
  return checkMidline(lexed, own, from, limit, [])
}

/** A label in the middle of a line of the answer: nobody knows whether the answer ends there. */
export function checkMidline(lexed: Lexed, own: Mark, from: number, end: number, problems: AnswerCut['problems']): AnswerCut {
  // a lower-case word in the prose of a reply whose labels have capitals is no label
  const capitals = (own.match ? lexed.text[own.match.word] : 'A') !== lexed.text[own.match?.word ?? 0]?.toLowerCase()
  const observation = lexed.observations.find(
    label => label.start >= from && label.start < end && !(capitals && isLower(lexed.text[label.start])),
  )
  if (observation)
    return {
      end,
      problems,
      refusal: refuse('AMBIGUOUS_OBSERVATION', 'An observation stands within the answer.', { start: observation.start, end }),
    }
  const inside = lexed.strays.filter(label => label.start >= from && label.start < end)
  const action = inside.find(label => label.role === 'action')
  if (action)
    return {
      end,
      problems,
      refusal: refuse('AMBIGUOUS_CALL', 'An action stands within the answer.', { start: action.start, end }),
    }
  const thought = inside.find(label => label.role === 'thought')
  if (thought && problems.length > 0)
    return {
      end,
      problems,
      refusal: refuse('AMBIGUOUS_CALL', 'A further thought stands within the answer.', { start: thought.start, end }),
    }
  const second = inside.find(label => label.role === 'answer' && thought !== undefined && label.start > thought.start)
  if (second)
    return {
      end,
      problems,
      refusal: refuse('AMBIGUOUS_ANSWER', 'The reply gives more than one answer.', { start: second.start, end }),
    }
  return { end, problems }
}

function endsInColon(text: string): boolean {
  return /[:：]\s{0,12}$/.test(text)
}

/** The next mark that is more than a word before a colon. */
function nextStep(marks: readonly Mark[], n: number): number {
  let next = n + 1
  while (isWord(marks[next]?.role)) next++
  return next
}

function isWord(role: Mark['role'] | undefined): boolean {
  return role === 'result' || role === 'speaker'
}

/** The same word for the answer, or both of the long kind. */
function sameKind(first: Mark, second: Mark): boolean {
  return first.match?.key === second.match?.key || (isLong(first) && isLong(second))
}

function isLong(mark: Mark): boolean {
  return (mark.match?.key ?? '').includes('finalanswer')
}

/** The mark that decides, from `n` on: thoughts, and actions that are none on purpose, lead to what follows them. */
function stepFrom(lexed: Lexed, marks: readonly Mark[], n: number, box: Toolbox, grammar: Grammar): number {
  let at = n
  for (; at < marks.length; at++) {
    const { role, value } = marks[at] as Mark
    if (role === 'thought' || isWord(role) || (role === 'input' && marks[at - 1]?.role === 'action')) continue
    if (role !== 'action') break
    const end = marks[at + 1]?.start ?? lexed.to
    const first = skipBlank(lexed.text, value, end)
    if (
      !isNone(lexed.text.slice(first, lineEnd(lexed.text, first, end)), grammar) ||
      isRealAction(lexed, marks, at, box, grammar)
    )
      break
  }
  return at
}

/** The action names a registered tool and has an input. */
function isRealAction(lexed: Lexed, marks: readonly Mark[], n: number, box: Toolbox, grammar: Grammar): boolean {
  const mark = marks[n] as Mark
  const end = marks[n + 1]?.start ?? lexed.to
  const action = readActionText(lexed.text, mark.value, end, box, grammar, new Notes())
  if (action.kind === 'calls') return !box.open && action.calls.some(call => box.byName.has(call.name))
  if (action.kind !== 'name') return false
  return (
    action.inline !== undefined ||
    marks[n + 1]?.role === 'input' ||
    (action.tool.shape !== undefined && action.tool.shape.required.length === 0)
  )
}

function isStepRole(role: Mark['role']): boolean {
  return isProtocol(role) && role !== 'answer'
}

function isLower(char: string | undefined): boolean {
  return char !== undefined && char >= 'a' && char <= 'z'
}

function firstWords(text: string, from: number): string {
  const at = text.slice(from, from + 400).trimStart()
  return at.slice(0, 120).split('\n', 1)[0]?.trim() ?? ''
}

const RUN_ON: { readonly [code in RunOn['code']]: string } = {
  SECOND_ANSWER: 'A further answer behind the first was left out.',
  ACTION_AFTER_ANSWER: 'An action after the answer was left out and not run.',
}

const INVENTED_TURN = "A turn that is not the model's to write was left out."
