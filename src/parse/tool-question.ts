// What a model tells itself about tools → whether it goes on without one: `Do I need to use a tool? No`, or a thought with a word to that
// effect. The words are the grammar's.
import type { Grammar } from './labels.js'
import type { Place } from './notes.js'
import { beginsWith, holdsPhrase } from './phrases.js'

/** From where the question whether a tool is needed begins to where its "no" ends, if it stands in the first 400 characters. */
export function noToolAnswer(text: string, { toolQuestions, no }: Grammar): Place | undefined {
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
    return { start: asked.length - question.length, end: '.。'.includes(lower[end] ?? ' ') ? end + 1 : end }
  }
  return undefined
}

/** The thought says that it needs no tool. */
export function saysNoTool(thought: string, { toolless }: Grammar): boolean {
  const lower = thought.toLowerCase().replaceAll('’', "'")
  return toolless.some(words => holdsPhrase(lower, words))
}
