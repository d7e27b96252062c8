// How a test endpoint may treat a request for a reply: a table of moods by name, and makers of moods. A new mood is one more row.
import { gzipSync } from 'node:zlib'
import {
  bare,
  DONE,
  delta,
  type Exchange,
  event,
  goodBody,
  later,
  openStream,
  sendAll,
  sendJson,
  typeOf,
  write,
} from './exchange.js'

export type Mood = (exchange: Exchange) => void | Promise<void>

export type MoodName = keyof typeof MOODS

export const MOODS = {
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
  error_in_200: e => sendJson(e.response, 200, { error: { message: 'CUDA out of memory', type: 'server_error' } }),
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

function rolesOf(exchange: Exchange): string[] {
  const { messages } = exchange.request.body
  return Array.isArray(messages) ? messages.map(message => String(message.role)) : []
}

/** Says nothing until a request holds that text. */
export function silentBefore(text: string): Mood {
  return e => (e.request.text.includes(text) ? e.answer(e.next()) : undefined)
}
