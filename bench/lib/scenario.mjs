// The conversation that every loop is measured with: so many calls of one tool, each with a result, then an answer.

export const QUESTION = 'What is the total of all items in the catalogue? Look the items up one by one.'

export const TOOL = {
  name: 'price_of',
  description: 'Looks one item of the catalogue up and gives its price.',
  parameters: { type: 'object', properties: { query: { type: 'string', description: 'what to look up' } }, required: ['query'] },
}

/** What the model says when it has seen `seen` results, as a reply of the corpus. */
export function replyAfter(seen, steps) {
  if (seen >= steps) return { thought: 'I now know the final answer.', answer: answerOf(steps) }
  return { thought: filler(`Item ${seen + 1} is next.`, 240), tool: TOOL.name, input: { query: `item-${seen + 1}` } }
}

export const resultOf = query => filler(`Result for ${query}.`, 400)

export const answerOf = steps => `The total is ${steps * 42}.`

const SENTENCE = ' The price stands in the catalogue, and the total so far has to be carried on to the next page of the list.'

function filler(start, length) {
  return (start + SENTENCE.repeat(Math.ceil(length / SENTENCE.length))).slice(0, length)
}
