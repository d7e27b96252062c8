// `Finish[…]`, `Finish(…)`, `Finish: …` after an action label → the answer in it.
import { type Grammar, isFinish } from './grammar.js'
import { scanBracket } from './json-scan.js'
import type { Place } from './notes.js'
import { unquote } from './scalars.js'
import { isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

export type FinishReading =
  | {
      readonly kind: 'answer'
      readonly text: string
      readonly place: Place
      readonly end: number
      readonly open: boolean
      readonly envelope: boolean
    }
  | { readonly kind: 'finish'; readonly end: number; readonly place: Place }

/** `Finish[…]`, `Finish(…)`, `Finish: …`, `Finish` alone; unless a tool has that very name. */
export function readFinish(body: string, at: number, grammar: Grammar, box: Toolbox): FinishReading | undefined {
  const head = /^[*_`]{0,3}([\p{L}][\p{L} _-]{0,30}?)[*_`]{0,3}\s{0,4}(?=$|[[(:：\n（【])/u.exec(body.slice(0, 60))
  const word = head?.[1]
  if (!head || !word || !isFinish(word, grammar) || isRegistered(word, box)) return undefined
  const from = head[0].length
  const mark = body[from]
  const place = { start: at, end: at + body.length }
  if (mark === undefined || mark === '\n') {
    const rest = body.slice(from).trim()
    if (!rest) return { kind: 'finish', end: at + from, place: { start: at, end: at + from } }
    return { kind: 'answer', text: rest, place, end: at + body.length, open: false, envelope: false }
  }
  if (mark === ':' || mark === '：') {
    const rest = body.slice(from + 1).trim()
    return rest
      ? { kind: 'answer', text: rest, place, end: at + body.length, open: false, envelope: false }
      : { kind: 'finish', end: at + body.length, place }
  }
  const close = scanBracket(body, from, body.length)
  const inner = (close < 0 ? body.slice(from + 1) : body.slice(from + 1, close - 1)).trim()
  const text = unquote(inner)
  const stop = close < 0 ? body.length : close
  return {
    kind: 'answer',
    text: answerArgument(text),
    place: { start: at, end: at + stop },
    end: at + stop,
    open: close < 0,
    envelope: false,
  }
}

/** `Finish[…]` at a line start needs no label. */
export function opensFinish(text: string, inner: number, end: number, grammar: Grammar, box: Toolbox): boolean {
  const word = /^[*`]{0,3}(\p{L}[\p{L} _-]{0,30})[[(]/u.exec(text.slice(inner, Math.min(end, inner + 40)))?.[1]
  return word !== undefined && !word.endsWith(' ') && isFinish(word, grammar) && !isRegistered(word, box)
}

/** `Finish(answer="…")` holds the answer under a name. */
function answerArgument(text: string): string {
  const match = /^(?:answer|final_answer|result|text|output|response)\s{0,3}=\s{0,3}(?=["'])/.exec(text.slice(0, 40))
  if (!match) return text
  const value = text.slice(match[0].length).trim()
  const inner = unquote(value)
  return inner === value ? text : inner
}
