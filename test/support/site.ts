// Pages in the folder beside this, served from the loopback, with the routes that a page needs; every request is counted.
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface Site {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** `127.0.0.1:PORT` */
  readonly host: string
  /** Paths, in the order in which they were asked for. */
  readonly asked: readonly string[]
  /** TCP connections that reached it. */
  readonly connections: () => number
  close(): Promise<void>
}

export type Route = (request: IncomingMessage, response: ServerResponse) => void

/** `routes` by path, before the files; `address` on the loopback. */
export async function startSite(routes: Readonly<Record<string, Route>> = {}, address = '127.0.0.1'): Promise<Site> {
  const asked: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname
    asked.push(request.url ?? '')
    const route = routes[path] ?? ROUTES[path]
    if (route) return route(request, response)
    try {
      const text = readFileSync(join(import.meta.dirname, 'pages', path.slice(1)))
      response.writeHead(200, { 'content-type': path.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8' }).end(text)
    } catch {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<title>None</title><p>There is no such page.')
    }
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>(resolve => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${address}:${port}`,
    host: `${address}:${port}`,
    asked,
    connections: () => connections,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const ROUTES: Readonly<Record<string, Route>> = {
  '/slow': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<title>Slow</title><h1>Slow</h1><img src="/never.png" alt="picture"><p>Here already</p>')
  },
  // an answer that does not come
  '/never.png': () => {},
  '/file.bin': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' }).end('bytes')
  },
  '/favicon.ico': (_, response) => void response.writeHead(204).end(),
}
