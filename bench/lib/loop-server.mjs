// A process of its own: an OpenAI-compatible endpoint that plays the scenario at once, whole or as a stream, and keeps what it was asked.
//   POST /FORM/STEPS/RUN/v1/chat/completions   the next reply of the run, in the labels of a form
//   GET  /FORM/STEPS/RUN                       the bodies of the run's requests, as a JSON array; then they are forgotten
// Sends its port to whoever forked it.
import { createServer } from 'node:http'
import { labelled, reactLabels } from '../readers/write.mjs'
import { replyAfter } from './scenario.mjs'

const FORMS = {
  react: labelled(reactLabels),
  llamaindex: labelled({ ...reactLabels, answer: 'Answer' }),
  beeai: labelled({ action: 'Function Name', input: 'Function Input', answer: 'Final Answer' }),
}
const CHARACTERS_PER_EVENT = 4
const runs = new Map()

const server = createServer(async (request, response) => {
  const [, form, steps, run] = request.url.split('/')
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(runs.get(run) ?? []))
    runs.delete(run)
    return
  }
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts).toString('utf8')
  const bodies = runs.get(run) ?? []
  runs.set(run, bodies)
  const text = FORMS[form](replyAfter(bodies.length, Number(steps)))
  bodies.push(body)
  const usage = {
    prompt_tokens: body.length >> 2,
    completion_tokens: text.length >> 2,
    total_tokens: (body.length + text.length) >> 2,
  }
  if (/"stream":\s*true/.test(body)) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream(text, usage))
    return
  }
  const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }
  const whole = { id: 'r', object: 'chat.completion', created: 0, model: 'mock', choices: [choice], usage }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
process.on('disconnect', () => process.exit())

/** About one token an event. */
function stream(text, usage) {
  const event = (choices, more) =>
    `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', created: 0, model: 'mock', choices, ...more })}\n\n`
  const delta = (content, finish_reason = null) => event([{ index: 0, delta: { content }, finish_reason }])
  let out = event([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])
  for (let at = 0; at < text.length; at += CHARACTERS_PER_EVENT) out += delta(text.slice(at, at + CHARACTERS_PER_EVENT))
  return `${out}${event([{ index: 0, delta: {}, finish_reason: 'stop' }])}${event([], { usage })}data: [DONE]\n\n`
}
