// A script of replies and a list of moods in, a real HTTP server on 127.0.0.1 out that stands for an OpenAI-compatible endpoint. It answers
// /v1/chat/completions and /v1/completions, streamed or whole as asked, honours `stop`, lists models, and notes every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerWith, type EndpointReply, type Exchange, type RecordedRequest, sendJson } from './exchange.js'
import { MOODS, type Mood, type MoodName } from './moods.js'

export { type EndpointReply, type Exchange, goodBody, type RecordedRequest } from './exchange.js'
export { answering, type Mood, type MoodName, rateLimited, resetAtByte, silentBefore } from './moods.js'

export interface EndpointOptions {
  /** One per request that gets a reply, in order; the last one repeats. Default `Final Answer: ok`. */
  readonly replies?: readonly (string | EndpointReply)[]
  /** The reply to a request, in place of the list. */
  readonly respond?: (request: RecordedRequest) => string | EndpointReply
  /** How the k-th request for a reply is treated; the last mood repeats. Default `good`. */
  readonly moods?: readonly (MoodName | Mood)[]
  /** Default `['stub']`. */
  readonly models?: readonly string[]
  /** Status and body of what is answered by path, such as `/v1/models` or `/props`, in place of what a good server has. */
  readonly pages?: Readonly<Record<string, readonly [number, string]>>
}

export interface TestEndpoint {
  /** `http://127.0.0.1:PORT/v1` */
  readonly url: string
  /** Every request, in order. */
  readonly requests: readonly RecordedRequest[]
  /** Those for a reply. */
  readonly asked: readonly RecordedRequest[]
  close(): Promise<void>
}

export async function startEndpoint(options: EndpointOptions = {}): Promise<TestEndpoint> {
  const replies = options.replies ?? ['Final Answer: ok']
  const moods = options.moods ?? ['good']
  const models = options.models ?? ['stub']
  const requests: RecordedRequest[] = []
  const asked: RecordedRequest[] = []
  let played = 0

  const server = createServer(async (incoming, response) => {
    const request = await record(incoming, response)
    requests.push(request)
    const page = options.pages?.[request.path]
    if (page) return void response.writeHead(page[0], { 'content-type': 'application/json' }).end(page[1])
    if (request.method === 'GET' && request.path === '/v1/models')
      return sendJson(response, 200, { data: models.map(id => ({ id, object: 'model' })) })
    const chat = request.path === '/v1/chat/completions'
    if (request.method !== 'POST' || (!chat && request.path !== '/v1/completions')) {
      return sendJson(response, 404, { error: { message: `no such path: ${request.path}` } })
    }
    asked.push(request)
    const nextUncut = (): EndpointReply => {
      const reply = options.respond?.(request) ?? replies[Math.min(played, replies.length - 1)] ?? ''
      played += 1
      return typeof reply === 'string' ? { text: reply } : reply
    }
    const exchange: Exchange = {
      request,
      chat,
      streamed: request.body.stream === true,
      number: asked.length,
      models,
      response,
      nextUncut,
      next: () => cut(nextUncut(), request.body.stop),
      answer: reply => answerWith(exchange, reply),
      refuse: (status, message, { headers, ...more } = {}) =>
        sendJson(response, status, { error: { message, type: 'invalid_request_error', ...more } }, headers),
    }
    const mood = moods[Math.min(asked.length, moods.length) - 1] ?? 'good'
    await (typeof mood === 'string' ? MOODS[mood] : mood)(exchange)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    asked,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function record(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  const request: RecordedRequest = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: text === '' ? {} : JSON.parse(text),
    text,
    closedEarly: false,
    sent: 0,
  }
  response.on('close', () => {
    request.closedEarly = !response.writableFinished
  })
  return request
}

function cut(reply: EndpointReply, stop: unknown): EndpointReply {
  const stops = (Array.isArray(stop) ? stop : [stop]).filter((one): one is string => typeof one === 'string' && one !== '')
  const ends = stops.map(one => reply.text.indexOf(one)).filter(at => at !== -1)
  return ends.length > 0 ? { ...reply, text: reply.text.slice(0, Math.min(...ends)) } : reply
}
