// One request for a reply, as a mood of the test endpoint sees it, and the bodies and writes it can answer with.
import type { IncomingMessage, ServerResponse } from 'node:http'

export interface EndpointReply {
  readonly text: string
  readonly reasoning?: string
  /** Default `stop`. */
  readonly finish?: string
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Readonly<Record<string, unknown>>
  /** The body to the byte. */
  readonly text: string
  /** The client hung up before the answer was complete. */
  closedEarly: boolean
  /** Characters of the reply that were sent until then. */
  sent: number
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

export const DONE = 'data: [DONE]\n\n'

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

export function delta(exchange: Pick<Exchange, 'chat'>, text: string): object {
  return { id: 'r1', choices: [{ index: 0, ...(exchange.chat ? { delta: { content: text } } : { text }), finish_reason: null }] }
}

export function event(json: object): string {
  return `data: ${JSON.stringify(json)}\n\n`
}

function inFours(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? []
}

function usageOf(reply: EndpointReply): object {
  return { prompt_tokens: 7, completion_tokens: inFours(reply.text).length }
}

export async function answerWith(exchange: Exchange, reply: EndpointReply): Promise<void> {
  if (!exchange.streamed) return sendAll(exchange, goodBody(exchange, reply))
  for (const piece of openStream(exchange, reply)) await write(exchange.response, piece)
  exchange.response.end()
}

export function openStream(exchange: Exchange, reply: EndpointReply): Iterable<string> {
  exchange.response.writeHead(200, { 'content-type': typeOf(exchange) })
  return exchange.streamed ? streamPieces(exchange, reply) : [goodBody(exchange, reply)]
}

export function sendAll(exchange: Exchange, body: string): void {
  exchange.response.writeHead(200, { 'content-type': typeOf(exchange) })
  exchange.response.end(body)
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

export function bare(response: ServerResponse, status: number): void {
  response.writeHead(status)
  response.end()
}

export function typeOf(exchange: Pick<Exchange, 'streamed'>): string {
  return exchange.streamed ? 'text/event-stream' : 'application/json'
}

export function write(response: ServerResponse, data: string | Uint8Array): Promise<void> {
  return new Promise(resolve => {
    if (response.destroyed) return resolve()
    response.write(data, () => resolve())
  })
}

export function later(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
