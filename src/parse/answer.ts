// Where the text of an answer ends. It is terminal: labels in it are text, but for an invented further turn, step or answer.
import type { ProblemCode, UnclearCode } from '../core/reply.js'
import { isNone, readActionText } from './action-text.js'
import { skipBlank } from './characters.js'
import { type Grammar, isProtocol } from './grammar.js'
import { ACTION_AFTER_ANSWER, INVENTED_AND_REST, INVENTED_TURN, SAME_ANSWER } from './left-out.js'
import { lineEnd } from './line.js'
import type { Lexed, Mark } from './marks.js'
import { type MidlineLabel, turnWithin } from './midline.js'
import { Notes, type Place, type Refusal, refuse } from './notes.js'
import type { Reading } from './reading.js'
import { type RunOn, runOnWithin } from './run-on.js'

export interface AnswerCut {
  readonly end: number
  readonly problems: readonly (readonly [ProblemCode, string, Place, number?])[]
  readonly refusal?: Refusal
}

/** Decides where the answer of mark `k` ends; `limit` is where a struck token ends it at the latest. */
export function cutAnswer(r: Reading, k: number, limit: number): AnswerCut {
  const { lexed, marks } = r
  const own = marks[k] as Mark
  const stepAt = (n: number) => {
    const step = stepFrom(r, n)
    const role = marks[step]?.role
    if (role === 'answer') return sameKind(own, marks[step] as Mark, r.grammar) ? role : undefined
    return role === 'action' && isRealAction(r, step) ? role : undefined
  }
  const runOn = runOnWithin(lexed, marks, k, limit, stepAt)
  if (!runOn) return cutInvented(r, k, limit)
  const cut = cutInvented(r, k, runOn.at)
  if (cut.refusal || cut.end < runOn.at) return cut
  return { ...cut, problems: [[runOn.code, RUN_ON[runOn.code], { start: runOn.at, end: lexed.to }, 1]] }
}

/** Cuts at a turn that the model invented, or at a label. */
function cutInvented(r: Reading, k: number, limit: number): AnswerCut {
  const { lexed, marks, text, grammar } = r
  const own = marks[k] as Mark
  const from = own.value
  const first = marks.find((mark, n) => n > k && isProtocol(mark.role))
  const turn = first && first.start < limit ? turnWithin(text, from, first.start, grammar) : undefined
  if (!first || !turn || !text.slice(from, turn.at).trim() || (first.role === 'answer' && !sameKind(own, first, grammar)))
    return cutAtLabel(r, k, limit)
  if (turn.certain)
    return checkMidline(lexed, own, from, turn.at, [['INVENTED_TURN', INVENTED_TURN, { start: turn.at, end: lexed.to }, 1]])
  const cut = cutAtLabel(r, k, limit)
  if (cut.refusal || cut.end !== first.start) return cut
  const place: Place = { start: turn.at, end: cut.end }
  return { ...cut, refusal: refuse('AMBIGUOUS_CALL', 'A further turn may stand within the answer.', place) }
}

function cutAtLabel(r: Reading, k: number, limit: number): AnswerCut {
  const { lexed, marks, text, grammar } = r
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
        if ((mark.role === 'observation' || mark.like === 'observation') && lastLabel > n)
          return cutAt(mark, 'INVENTED_OBSERVATION', INVENTED_AND_REST)
        break
      case 'thought': {
        if (behind <= n) behind = stepFrom(r, n + 1)
        const next = marks[behind]
        if (next?.role === 'answer' && sameKind(own, next, grammar)) {
          const differs = firstWords(text, next.value) !== firstWords(text, from)
          return cutAt(mark, 'SECOND_ANSWER', differs ? 'A further answer, different from the first, was left out.' : SAME_ANSWER)
        }
        if (next?.role === 'answer') {
          const place = { start: mark.start, end: limit }
          return refusedAt(limit, refuse('AMBIGUOUS_ANSWER', 'The reply gives two answers under different labels.', place))
        }
        if (next?.role === 'action' && isRealAction(r, behind)) return cutAt(mark, 'ACTION_AFTER_ANSWER', ACTION_AFTER_ANSWER)
        break
      }
      case 'action':
        if (isRealAction(r, n)) return cutAt(mark, 'ACTION_AFTER_ANSWER', ACTION_AFTER_ANSWER)
        break
      case 'native':
        // markup below a colon is what the answer is about
        if (endsInColon(text.slice(Math.max(from, mark.start - 12), mark.start))) break
        return cutAt(mark, 'ACTION_AFTER_ANSWER', ACTION_AFTER_ANSWER)
      case 'answer': {
        if (n !== nextStep(marks, k) || !(sameKind(own, mark, grammar) || isLong(mark, grammar))) break
        const first = text.slice(from, mark.start).trim()
        if (!first) break
        const end = marks[n + 1]?.start ?? lexed.to
        if (text.slice(mark.value, end).trim() === first) return cutAt(mark, 'SECOND_ANSWER', SAME_ANSWER)
        return refusedAt(limit, refuse('AMBIGUOUS_ANSWER', 'The reply gives two different answers.', { start: mark.start, end }))
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
  const refused = (code: UnclearCode, message: string, { start }: MidlineLabel) =>
    refusedAt(end, refuse(code, message, { start, end }))
  const observation = lexed.observations.find(
    label => label.start >= from && label.start < end && !(capitals && isLower(lexed.text[label.start])),
  )
  if (observation) return refused('AMBIGUOUS_OBSERVATION', 'An observation stands within the answer.', observation)
  const inside = lexed.strays.filter(label => label.start >= from && label.start < end)
  const action = inside.find(label => label.role === 'action')
  if (action) return refused('AMBIGUOUS_CALL', 'An action stands within the answer.', action)
  const thought = inside.find(label => label.role === 'thought')
  if (thought && problems.length > 0) return refused('AMBIGUOUS_CALL', 'A further thought stands within the answer.', thought)
  const second = inside.find(label => label.role === 'answer' && thought !== undefined && label.start > thought.start)
  if (second) return refused('AMBIGUOUS_ANSWER', 'The reply gives more than one answer.', second)
  return { end, problems }
}

function refusedAt(end: number, refusal: Refusal): AnswerCut {
  return { end, problems: [], refusal }
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

/** The same word for the answer, or both of a kind that is no common word. */
function sameKind(first: Mark, second: Mark, grammar: Grammar): boolean {
  return first.match?.key === second.match?.key || (isLong(first, grammar) && isLong(second, grammar))
}

function isLong({ match }: Mark, { common }: Grammar): boolean {
  return match !== undefined && !common.has(match.key)
}

/** The mark that decides, from `n` on: thoughts, and actions that are none on purpose, lead to what follows them. */
function stepFrom(r: Reading, n: number): number {
  const { lexed, marks, text } = r
  let at = n
  for (; at < marks.length; at++) {
    const { role, value } = marks[at] as Mark
    if (role === 'thought' || isWord(role) || (role === 'input' && marks[at - 1]?.role === 'action')) continue
    if (role !== 'action') break
    const end = marks[at + 1]?.start ?? lexed.to
    const first = skipBlank(text, value, end)
    if (!isNone(text.slice(first, lineEnd(text, first, end)), r.grammar) || isRealAction(r, at)) break
  }
  return at
}

/** The action names a registered tool and has an input. */
function isRealAction({ lexed, marks, text, box, grammar }: Reading, n: number): boolean {
  const mark = marks[n] as Mark
  const end = marks[n + 1]?.start ?? lexed.to
  const action = readActionText(text, mark.value, end, box, grammar, new Notes())
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
  ACTION_AFTER_ANSWER: ACTION_AFTER_ANSWER,
}
