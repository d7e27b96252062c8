// A list of hosts → a proxy on the loopback through which a browser's traffic leaves: pages, redirects, parts of pages, frames, sockets, workers. Each host
// is checked against the list, resolved here, checked again, and connected to at the very addresses that were checked: a name that resolves
// differently the next time (DNS rebinding) gains nothing. What is refused reaches no server.
import { lookup as resolveName } from 'node:dns/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, isIP, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { HostRules } from '../host-rules.js'
import { REFUSED_HEADER } from './trouble.js'

/** All addresses of a name. */
export type Resolve = (name: string) => Promise<readonly string[]>

export interface Refusal {
  readonly host: string
  readonly reason: string
}

export interface Gateway {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  close(): Promise<void>
}

export interface GatewayOptions {
  readonly onRefused: (refusal: Refusal) => void
  /** Default: as this machine resolves names. */
  readonly resolve?: Resolve | undefined
}

/** Anybody on this machine may use it while it is open, for the same hosts. */
export async function openGateway(rules: HostRules, { onRefused, resolve = systemAddresses }: GatewayOptions): Promise<Gateway> {
  const sockets = new Set<Duplex>()
  const keep = <S extends Duplex>(socket: S): S => {
    sockets.add(socket)
    // what breaks off shows at the other end
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket)) as S
  }

  /** Where to connect to; rejects with the reason when it must not be. */
  const route = async (host: string, port: number): Promise<Route> => {
    const bare = host.replace(/^\[|\]$/g, '')
    const addresses = rules.refusalOfHost(host, port) === undefined ? await addressesOf(bare, resolve) : []
    const reason =
      rules.refusalOfHost(host, port) ??
      addresses.map(address => rules.refusalOfAddress(host, address, port)).find(refusal => refusal !== undefined)
    if (reason === undefined) return { host: bare, port, lookup: fixed(addresses) }
    onRefused({ host, reason })
    throw new Refused(reason)
  }

  const server = createServer((incoming, outgoing) => {
    forward(incoming, outgoing, route).catch(error => answer(outgoing, error))
  })
  server.on('connection', keep)
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    keep(client)
    tunnel(incoming.url ?? '', client, head, async (host, port) => keep(await connected(await route(host, port)))).catch(
      error => {
        client.end(`HTTP/1.1 ${statusOf(error)} Refused\r\n${REFUSED_HEADER}: ${headerOf(error)}\r\ncontent-length: 0\r\n\r\n`)
      },
    )
  })
  // browsers open sockets through a tunnel; an upgrade here would be something else
  server.on('upgrade', (_: IncomingMessage, client: Duplex) => client.destroy())
  await new Promise<void>((opened, failed) => server.once('error', failed).listen(0, '127.0.0.1', opened))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise(closed => {
        server.close(() => closed())
        for (const socket of sockets) socket.destroy()
        server.closeAllConnections()
      }),
  }
}

interface Route {
  readonly host: string
  readonly port: number
  readonly lookup: LookupFunction
}

type Router = (host: string, port: number) => Promise<Route>

class Refused extends Error {}

async function forward(incoming: IncomingMessage, outgoing: ServerResponse, route: Router): Promise<void> {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined
  if (url?.protocol !== 'http:') throw new Refused('a proxy is asked for http URLs')
  const { 'proxy-connection': _, 'proxy-authorization': __, ...headers } = incoming.headers
  const to = await route(url.hostname, Number(url.port || 80))
  const { method } = incoming
  const asked = request({ ...to, method, path: url.pathname + url.search, headers, setHost: false, agent: false })
  outgoing.on('close', () => asked.destroy())
  await new Promise<void>((done, failed) => {
    asked.on('error', failed).on('response', answered => {
      outgoing.writeHead(answered.statusCode ?? 502, answered.statusMessage, answered.rawHeaders)
      answered
        .on('error', () => outgoing.destroy())
        .on('end', done)
        .pipe(outgoing)
    })
    incoming.pipe(asked)
  })
}

async function tunnel(target: string, client: Duplex, head: Buffer, open: (host: string, port: number) => Promise<Socket>) {
  const [, host = '', port = ''] = /^(\[[^\]]{2,60}\]|[^:]{1,255}):(\d{1,5})$/.exec(target) ?? []
  const upstream = await open(host, Number(port))
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  upstream.write(head)
  upstream.pipe(client).pipe(upstream)
  client.once('close', () => upstream.destroy())
  upstream.once('close', () => client.destroy())
}

function connected(to: Route): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = connect(to)
    socket.once('error', failed).once('connect', () => done(socket.off('error', failed)))
  })
}

function answer(outgoing: ServerResponse, error: unknown): void {
  if (outgoing.headersSent) return void outgoing.destroy()
  outgoing.writeHead(statusOf(error), { [REFUSED_HEADER]: headerOf(error), 'content-type': 'text/plain; charset=utf-8' })
  outgoing.end(reasonOf(error))
}

function statusOf(error: unknown): number {
  return error instanceof Refused ? 403 : 502
}

function reasonOf(error: unknown): string {
  return error instanceof Refused ? `not opened: ${error.message}` : `not reached: ${(error as Error).message}`
}

function headerOf(error: unknown): string {
  return encodeURIComponent(reasonOf(error))
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  return isIP(host) === 0 ? await resolve(host) : [host]
}

async function systemAddresses(name: string): Promise<readonly string[]> {
  return (await resolveName(name, { all: true })).map(({ address }) => address)
}

/** Resolves every name to these addresses. */
function fixed(addresses: readonly string[]): LookupFunction {
  const found = addresses.map(address => ({ address, family: isIP(address) }))
  return (_, { all }, callback) => {
    if (all) return callback(null, found)
    callback(null, found[0]?.address ?? '', found[0]?.family)
  }
}
