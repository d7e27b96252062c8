// What a model tells itself about tools → whether it goes on without one: `Do I need to use a tool? No`, or a thought with a word to that
// effect. The words are the grammar's.
import type { Grammar } from './grammar.js'
import type { Place } from './notes.js'
import { beginsWith, holdsPhrase } from './phrases.js'

/**
 * From where the question whether a tool is needed begins to where its "no" ends, if it stands in the first 400 characters and no "yes" behind it
 * on its line.
 */
export function noToolAnswer(text: string, grammar: Grammar): Place | undefined {
  const { toolQuestions, no } = grammar
  const head = text.slice(0, 400)
  const lower = head.toLowerCase().replaceAll('’', "'")
  // a letter that grows when it is lowered would move all places
  if (lower.length !== head.length) return undefined
  for (let mark = 0; mark < lower.length; mark++) {
    if (lower[mark] !== '?' && lower[mark] !== '？') continue
    const asked = lower.slice(0, mark).trimEnd()
    const question = toolQuestions.find(words => asked.endsWith(words) && holdsPhrase(asked, words))
    if (question === undefined) continue
    const behind = lower.slice(mark + 1, mark + 40)
    const answer = behind.trimStart()
    const word = no.find(one => beginsWith(answer, one))
    if (word === undefined) continue
    const end = mark + 1 + behind.length - answer.length + word.length
    if (isTakenBack(lower, end, grammar)) return undefined
    return { start: asked.length - question.length, end: '.。'.includes(lower[end] ?? ' ') ? end + 1 : end }
  }
  return undefined
}

/** The text begins with the question, whatever the answer to it. */
export function asksForTool(text: string, { toolQuestions }: Grammar): boolean {
  const mark = text.slice(0, 100).search(/[?？]/)
  const asked = text.slice(0, Math.max(0, mark)).toLowerCase().replaceAll('’', "'").trim()
  return toolQuestions.includes(asked)
}

/** The thought says that it needs no tool. */
export function saysNoTool(thought: string, grammar: Grammar): boolean {
  const lower = thought.toLowerCase().replaceAll('’', "'")
  if (!grammar.toolless.some(words => holdsPhrase(lower, words))) return false
  return !grammar.no.some(word => holdsPhrase(lower, word) && isTakenBack(lower, lower.lastIndexOf(word) + word.length, grammar))
}

function isTakenBack(lower: string, from: number, { yes }: Grammar): boolean {
  const line = lower.slice(from, from + 200).split('\n', 1)[0] as string
  return yes.some(word => holdsPhrase(line, word))
}
