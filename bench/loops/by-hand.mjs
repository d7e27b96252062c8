// The floor: a loop as one writes it by hand in ten minutes, on fetch, with no tolerance at all. A measure of what cannot be saved, no product.
import { events } from '../lib/events.mjs'
import { QUESTION, resultOf, TOOL } from '../lib/scenario.mjs'

export function open() {
  return { version: `by hand on node ${process.version}`, form: 'react', run }
}

async function run({ baseURL, steps, stream }) {
  const messages = [
    { role: 'system', content: `Use Thought, Action, Action Input. Tools: ${TOOL.name}(query): ${TOOL.description}` },
    { role: 'user', content: QUESTION },
  ]
  for (let calls = 0; calls <= steps + 5; calls++) {
    const text = await ask(baseURL, { model: 'mock', messages, stream })
    messages.push({ role: 'assistant', content: text })
    const answer = text.indexOf('\nFinal Answer:')
    if (answer >= 0) return { answer: text.slice(answer + 14).trim(), calls }
    const { query } = JSON.parse(text.slice(text.indexOf('\nAction Input:') + 14))
    messages.push({ role: 'user', content: `Observation: ${resultOf(query)}` })
  }
  return { calls: steps + 5 }
}

async function ask(baseURL, body) {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!body.stream) return (await response.json()).choices[0].message.content
  let text = ''
  for await (const { choices } of events(response)) text += choices[0]?.delta?.content ?? ''
  return text
}
