// A script of replies and a list of moods in, a real HTTP server on 127.0.0.1 out that stands for an OpenAI-compatible endpoint. It answers
// /v1/chat/completions and /v1/completions, streamed or whole as asked, honours `stop`, lists models, and notes every request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export interface EndpointReply {
  readonly text: string
  readonly reasoning?: string
  /** Default `stop`. */
  readonly finish?: string
}

export interface EndpointOptions {
  /** One per request that gets a reply, in order; the last one repeats. Default `Final Answer: ok`. */
  readonly replies?: readonly (string | EndpointReply)[]
  /** How the k-th request for a reply is treated; the last mood repeats. Default `good`. */
  readonly moods?: readonly (MoodName | Mood)[]
  /** Default `['stub']`. */
  readonly models?: readonly string[]
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
  /** The client hung up before the answer was complete. */
  closedEarly: boolean
  /** Characters of the reply that were sent until then. */
  sent: number
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

/** One request for a reply and all that a mood may do with it. */
export interface Exchange {
  readonly request: RecordedRequest
  readonly chat: boolean
  readonly streamed: boolean
  /** Counts the requests for a reply from 1. */
  readonly number: number
  readonly models: readonly string[]
  readonly response: ServerResponse
  /** The next reply of the script, already cut at the stop strings of the request. */
  next(): EndpointReply
  /** The same, uncut. */
  nextUncut(): EndpointReply
  /** A whole good answer. */
  answer(reply: EndpointReply): Promise<void>
  /** An error in OpenAI's shape. */
  refuse(
    status: number,
    message: string,
    more?: { type?: string; code?: string; param?: string; headers?: Record<string, string> },
  ): void
}

export type Mood = (exchange: Exchange) => void | Promise<void>

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
    if (request.method === 'GET' && request.path === '/v1/models')
      return json(response, 200, { data: models.map(id => ({ id, object: 'model' })) })
    const chat = request.path === '/v1/chat/completions'
    if (request.method !== 'POST' || (!chat && request.path !== '/v1/completions')) {
      return json(response, 404, { error: { message: `no such path: ${request.path}` } })
    }
    asked.push(request)
    const nextUncut = (): EndpointReply => {
      const reply = replies[Math.min(played, replies.length - 1)] ?? ''
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
      answer: reply => answer(exchange, reply),
      refuse: (status, message, { headers, ...more } = {}) =>
        json(response, status, { error: { message, type: 'invalid_request_error', ...more } }, headers),
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

// --- moods ---

export type MoodName = keyof typeof MOODS

const MOODS = {
  good: e => e.answer(e.next()),

  /** One byte at a time, as one write each. */
  byte_by_byte: async e => {
    const bytes = Buffer.from(goodBody(e, e.next()))
    e.response.writeHead(200, { 'content-type': typeOf(e) })
    for (const byte of bytes) await write(e.response, Buffer.from([byte]))
    e.response.end()
  },

  /** 20 ms between the pieces of a stream. */
  slow: async e => {
    for (const piece of openStream(e, e.next())) {
      await write(e.response, piece)
      await later(20)
    }
    e.response.end()
  },

  /** Headers and then nothing, for ever. */
  silent: e => {
    e.response.writeHead(200, { 'content-type': typeOf(e) })
    e.response.flushHeaders()
  },

  /** Not even headers. */
  deaf: () => {},

  /** Falls silent after the first half, and keeps the connection open. */
  stalled: async e => {
    const body = goodBody(e, e.next())
    e.response.writeHead(200, { 'content-type': typeOf(e) })
    await write(e.response, body.slice(0, body.length / 2))
  },

  /** Ignores `stop` and goes on with an observation of its own, and more and more of it. */
  stop_ignored: async e => {
    const { text } = e.nextUncut()
    const invented = `${text}\nObservation: 42\nThought: I now know\nFinal Answer: 42\n${'Question: and then?\n'.repeat(200)}`
    if (!e.streamed) return e.answer({ text: invented })
    for (const piece of openStream(e, { text: invented })) {
      if (e.request.closedEarly) return
      await write(e.response, piece)
      e.request.sent += 1
      await later(1)
    }
    e.response.end()
  },

  stop_rejected: refusing('stop', "Unsupported parameter: 'stop' is not supported with this model."),
  temperature_rejected: refusing('temperature', 'temperature does not support 0 with this model, only the default (1) value'),
  seed_rejected: refusing('seed', '{"detail":[{"loc":["body","seed"],"msg":"extra fields not permitted"}]}'),
  stream_options_rejected: refusing('stream_options', 'Unrecognized request argument supplied: stream_options'),
  max_tokens_rejected: refusing('max_tokens', "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
  streaming_refused: e => (e.streamed ? e.refuse(400, 'Streaming is not supported for this model') : e.answer(e.next())),

  system_refused: e => {
    const roles = rolesOf(e)
    return roles.includes('system') ? e.refuse(400, 'System role not supported') : e.answer(e.next())
  },
  /** Some servers fail so on a system turn, without a word. */
  system_crashes: e => (rolesOf(e).includes('system') ? bare(e.response, 500) : e.answer(e.next())),
  must_alternate: e => {
    const roles = rolesOf(e).filter((role, at) => role !== 'system' || at > 0)
    const odd = roles.some((role, at) => role === roles[at - 1])
    return odd ? e.refuse(500, 'Conversation roles must alternate user/assistant/user/assistant/...') : e.answer(e.next())
  },

  /** A server that only continues text. */
  chat_missing: e => (e.chat ? e.refuse(404, 'Not Found') : e.answer(e.next())),
  completions_missing: e => (e.chat ? e.answer(e.next()) : e.refuse(404, 'Not Found')),
  both_missing: e => e.refuse(404, 'Not Found'),
  no_chat_template: e => (e.chat ? e.refuse(400, 'The model has no chat template') : e.answer(e.next())),

  /** A clean end in the middle of the reply. */
  truncated: async e => {
    const body = goodBody(e, e.next())
    e.response.writeHead(200, { 'content-type': typeOf(e) })
    e.response.end(body.slice(0, body.length / 2))
  },
  reset: e => void e.response.socket?.destroy(),
  html: e => {
    e.response.writeHead(200, { 'content-type': 'text/html' })
    e.response.end('<!doctype html><html><head><title>Welcome to nginx!</title></head></html>')
  },
  error_in_200: e => json(e.response, 200, { error: { message: 'CUDA out of memory', type: 'server_error' } }),
  /** An error as an event, after the first half of the reply. */
  error_in_stream: async e => {
    const pieces = [...openStream(e, e.next())]
    for (const piece of pieces.slice(0, pieces.length / 2)) await write(e.response, piece)
    e.response.end(event({ error: { message: 'slot was lost', code: 500 } }))
  },
  no_content: e => bare(e.response, 204),
  empty_body: e => bare(e.response, 200),
  gzip_garbage: e => {
    e.response.writeHead(200, { 'content-type': typeOf(e), 'content-encoding': 'gzip' })
    e.response.end('this is not gzip')
  },
  gzipped: e => {
    e.response.writeHead(200, { 'content-type': typeOf(e), 'content-encoding': 'gzip' })
    e.response.end(gzipSync(goodBody(e, e.next())))
  },
  wrong_content_type: e => {
    e.response.writeHead(200, { 'content-type': 'text/plain' })
    e.response.end(goodBody(e, e.next()))
  },
  /** JSON although a stream was asked for, and a stream although it was not. */
  other_form: e => {
    const other = { ...e, streamed: !e.streamed }
    e.response.writeHead(200, { 'content-type': typeOf(other) })
    e.response.end(goodBody(other, e.next()))
  },
  empty_choices: e => sendAll(e, e.streamed ? event({ choices: [] }) + DONE : JSON.stringify({ choices: [] })),
  empty_content: e => e.answer({ text: '' }),
  null_content: e => {
    const choice = { index: 0, finish_reason: 'stop', [e.streamed ? 'delta' : 'message']: { role: 'assistant', content: null } }
    sendAll(e, e.streamed ? event({ choices: [choice] }) + DONE : JSON.stringify({ choices: [choice] }))
  },
  reasoning_only: e => e.answer({ text: '', reasoning: 'I wonder about it', finish: 'length' }),
  no_done: e => sendAll(e, goodBody(e, e.next()).replace(DONE, '')),
  /** `[DONE]` and no reason before it. */
  only_done: e => sendAll(e, goodBody(e, e.next()).replaceAll('"finish_reason":"stop"', '"finish_reason":null')),
  text_after_done: e => sendAll(e, goodBody(e, e.next()) + (e.streamed ? event(delta(e, 'IGNORED')) + DONE : '')),
  crlf: e =>
    sendAll(
      e,
      e.streamed
        ? `\uFEFF: hello\r\n\r\n${goodBody(e, e.next()).replaceAll('\n\n', '\n: keep-alive\n\n')}`.replaceAll(/\r?\n/g, '\r\n')
        : goodBody(e, e.next()),
    ),
  /** No space after the colon, and JSON over several data lines. */
  multi_line: e => {
    const body = goodBody(e, e.next())
    sendAll(e, e.streamed ? body.replaceAll('data: {', 'data:{').replaceAll(',"choices"', ',\ndata:"choices"') : body)
  },
  /** The same reply as a second choice, in between. */
  two_choices: e => {
    const twin = (line: string) =>
      line.includes('"index":0')
        ? `${line}${line.replaceAll('"index":0', '"index":1').replaceAll('"content":"', '"content":"NO')}`
        : line
    if (!e.streamed) return e.answer(e.next())
    sendAll(
      e,
      goodBody(e, e.next())
        .split(/(?<=\n\n)/)
        .map(twin)
        .join(''),
    )
  },
  tool_calls: e => {
    const call = (index: number, name: string | undefined, text: string) => ({
      index,
      id: `c${index}`,
      type: 'function',
      function: { name, arguments: text },
    })
    const choice = (message: object, finish: string | null) => ({
      choices: [{ index: 0, [e.streamed ? 'delta' : 'message']: message, finish_reason: finish }],
    })
    if (!e.streamed)
      return sendAll(
        e,
        JSON.stringify(choice({ content: null, tool_calls: [call(0, 'weather', '{"city":"Oslo"}')] }, 'tool_calls')),
      )
    sendAll(
      e,
      [
        choice({ tool_calls: [call(0, 'weather', '')] }, null),
        choice({ tool_calls: [call(0, undefined, '{"city":')] }, null),
        choice({ tool_calls: [call(0, undefined, '"Oslo"}')] }, null),
        choice({}, 'tool_calls'),
      ]
        .map(event)
        .join('') + DONE,
    )
  },

  unauthorized: e =>
    e.refuse(401, `Incorrect API key provided: ${e.request.headers.authorization?.replace('Bearer ', '')}`, {
      code: 'invalid_api_key',
    }),
  unknown_model: e => e.refuse(404, `The model \`${e.request.body.model}\` does not exist`, { code: 'model_not_found' }),
  context_exceeded: e => e.refuse(400, 'the request exceeds the available context size', { type: 'exceed_context_size_error' }),
  server_error: e => e.refuse(500, 'something broke', { type: 'server_error' }),
  rate_limited: e => e.refuse(429, 'Too many requests', { type: 'rate_limit_error' }),
} satisfies Record<string, Mood>

/** 429 with that `Retry-After`. */
export function rateLimited(retryAfter: string, headers: Record<string, string> = {}): Mood {
  return e => e.refuse(429, 'Too many requests', { headers: { 'retry-after': retryAfter, ...headers } })
}

/** A status with a body as it is. */
export function answering(status: number, body: string, headers: Record<string, string> = {}): Mood {
  return e => {
    e.response.writeHead(status, headers)
    e.response.end(body)
  }
}

/** The good answer up to that byte, then the connection is reset. */
export function resetAtByte(at: number): Mood {
  return async e => {
    const bytes = Buffer.from(goodBody(e, e.next()))
    e.response.writeHead(200, { 'content-type': typeOf(e) })
    e.response.flushHeaders()
    if (at > 0) await write(e.response, bytes.subarray(0, at))
    await later(1)
    e.response.socket?.destroy()
  }
}

/** Refuses requests that hold the parameter, answers others. */
function refusing(parameter: string, message: string): Mood {
  return e => (parameter in e.request.body ? e.refuse(400, message) : e.answer(e.next()))
}

// --- bodies ---

const DONE = 'data: [DONE]\n\n'

/** The answer to an exchange as one text: what a good server sends. */
export function goodBody(exchange: Pick<Exchange, 'chat' | 'streamed'>, reply: EndpointReply): string {
  if (exchange.streamed) return [...streamPieces(exchange, reply)].join('')
  const message = {
    role: 'assistant',
    content: reply.text,
    ...(reply.reasoning !== undefined && { reasoning_content: reply.reasoning }),
  }
  const choice = { index: 0, finish_reason: reply.finish ?? 'stop', ...(exchange.chat ? { message } : { text: reply.text }) }
  return JSON.stringify({ id: 'r1', model: 'stub', choices: [choice], usage: usageOf(reply) })
}

/** Four characters in each event, a first one without content and a last one with only the usage, as llama.cpp sends them. */
function* streamPieces(exchange: Pick<Exchange, 'chat'>, reply: EndpointReply): Generator<string> {
  if (exchange.chat)
    yield event({ id: 'r1', choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }] })
  for (const piece of inFours(reply.reasoning ?? '')) {
    yield event({ id: 'r1', choices: [{ index: 0, delta: { reasoning_content: piece }, finish_reason: null }] })
  }
  for (const piece of inFours(reply.text)) yield event(delta(exchange, piece))
  yield event({
    id: 'r1',
    choices: [{ index: 0, ...(exchange.chat ? { delta: {} } : { text: '' }), finish_reason: reply.finish ?? 'stop' }],
  })
  yield event({ id: 'r1', choices: [], usage: usageOf(reply) })
  yield DONE
}

function delta(exchange: Pick<Exchange, 'chat'>, text: string): object {
  return { id: 'r1', choices: [{ index: 0, ...(exchange.chat ? { delta: { content: text } } : { text }), finish_reason: null }] }
}

function event(json: object): string {
  return `data: ${JSON.stringify(json)}\n\n`
}

function inFours(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? []
}

function usageOf(reply: EndpointReply): object {
  return { prompt_tokens: 7, completion_tokens: inFours(reply.text).length }
}

function cut(reply: EndpointReply, stop: unknown): EndpointReply {
  const stops = (Array.isArray(stop) ? stop : [stop]).filter((one): one is string => typeof one === 'string' && one !== '')
  const ends = stops.map(one => reply.text.indexOf(one)).filter(at => at !== -1)
  return ends.length > 0 ? { ...reply, text: reply.text.slice(0, Math.min(...ends)) } : reply
}

// --- the wire ---

async function record(incoming: IncomingMessage, response: ServerResponse): Promise<RecordedRequest> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  const text = Buffer.concat(parts).toString('utf8')
  const request: RecordedRequest = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: text === '' ? {} : JSON.parse(text),
    closedEarly: false,
    sent: 0,
  }
  response.on('close', () => {
    request.closedEarly = !response.writableFinished
  })
  return request
}

async function answer(exchange: Exchange, reply: EndpointReply): Promise<void> {
  if (!exchange.streamed) return sendAll(exchange, goodBody(exchange, reply))
  for (const piece of openStream(exchange, reply)) await write(exchange.response, piece)
  exchange.response.end()
}

function openStream(exchange: Exchange, reply: EndpointReply): Iterable<string> {
  exchange.response.writeHead(200, { 'content-type': typeOf(exchange) })
  return exchange.streamed ? streamPieces(exchange, reply) : [goodBody(exchange, reply)]
}

function sendAll(exchange: Exchange, body: string): void {
  exchange.response.writeHead(200, { 'content-type': typeOf(exchange) })
  exchange.response.end(body)
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function bare(response: ServerResponse, status: number): void {
  response.writeHead(status)
  response.end()
}

function typeOf(exchange: Pick<Exchange, 'streamed'>): string {
  return exchange.streamed ? 'text/event-stream' : 'application/json'
}

function rolesOf(exchange: Exchange): string[] {
  const { messages } = exchange.request.body
  return Array.isArray(messages) ? messages.map(message => String(message.role)) : []
}

function write(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  return new Promise(resolve => {
    if (response.destroyed) return resolve()
    response.write(data, () => resolve())
  })
}

function later(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
