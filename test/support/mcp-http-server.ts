// A small MCP server over HTTP in this process, which can also do what no library would: each mood answers some requests in a way of its own.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Asked {
  readonly method: string | undefined
  readonly id: unknown
  readonly params: { readonly name?: string; readonly arguments?: Readonly<Record<string, string>> }
  /** How often that method was asked for, this time included. */
  readonly count: number
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The usual answer. */
  readonly usual: () => void
}

export type Mood = (asked: Asked) => void

export interface HttpServer {
  readonly url: string
  /** What it was asked, in order: `POST tools/call`, `GET`, `DELETE`. */
  readonly seen: readonly string[]
  readonly headers: readonly IncomingMessage['headers'][]
  close(): Promise<void>
}

export async function httpServer(
  mood: Mood = ({ usual }) => usual(),
  tools: () => readonly string[] = () => ['look'],
): Promise<HttpServer> {
  const seen: string[] = []
  const headers: IncomingMessage['headers'][] = []
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const message = body === '' ? {} : JSON.parse(body)
    const what = [request.method, ...(message.method ? [message.method] : [])].join(' ')
    seen.push(what)
    headers.push(request.headers)
    counts.set(what, (counts.get(what) ?? 0) + 1)
    const { id, method, params = {} } = message
    mood({
      method: method ?? request.method,
      id,
      params,
      count: counts.get(what) ?? 0,
      request,
      response,
      usual: () => usual(message, response, tools),
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${portOf(server)}/mcp`, seen, headers, close: () => closed(server) }
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function usual(
  { id, method, params = {} }: { id?: number; method?: string; params?: object },
  response: ServerResponse,
  tools: () => readonly string[],
): void {
  const {
    name,
    arguments: input,
    protocolVersion,
  } = params as { name?: string; arguments?: { q?: string }; protocolVersion?: string }
  const inputSchema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'http server', version: '1' } },
    'tools/list': { tools: tools().map(tool => ({ name: tool, description: `The tool ${tool}.`, inputSchema })) },
    'tools/call': { content: [{ type: 'text', text: `${name} found ${input?.q}` }] },
  }
  const result = results[method ?? '']
  if (method === undefined) return void response.writeHead(405).end()
  if (result === undefined) return void response.writeHead(202).end()
  send(response, { id, result }, method === 'initialize' ? { 'mcp-session-id': 'one' } : {})
}

export function send(response: ServerResponse, message: object, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise(resolve => server.close(() => resolve()))
}
