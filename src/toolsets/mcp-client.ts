// A server → an open connection to it: the door of the MCP SDK, which is loaded with the first server. Answers are given as they come, unchecked: what
// reads them decides what of them can be used.
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import packageJson from '../../package.json' with { type: 'json' }
import { SaydoError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { LONGEST_DELAY_MS } from '../core/longest-delay.js'
import { once } from '../core/once.js'
import { cappedFetch } from './mcp/capped-fetch.js'
import type { Elicited } from './mcp/elicitation.js'
import type { McpServer } from './mcp/server.js'
import type { StartProcess } from './mcp/server-process.js'
import { answerFor, StdioTransport } from './mcp/stdio-transport.js'
import { orWhen, whileAlive, whileAsked } from './mcp/while-asked.js'

export interface WireOptions {
  /** Time to connect, in ms. */
  readonly connectMs: number
  /** Longest message that is read, in bytes. */
  readonly maxMessageBytes: number
  readonly signal: AbortSignal
  /** Where a server of a command is started. */
  readonly start: StartProcess
  /** What the server says without being asked, by its method. */
  readonly onNotification: (method: string) => void
  /** What the server wants to know from the person; unset: it is told that nobody can be asked. The signal fires when it no longer listens. */
  readonly onQuestion?: ((params: JsonObject, signal: AbortSignal) => Promise<Elicited>) | undefined
  /** Folders that the work is about; unset: it is told that there is no such list. */
  readonly roots?: readonly string[] | undefined
  /** Called once, when the connection is gone without having been closed. */
  readonly onGone: (why: string) => void
}

export interface RequestOptions {
  readonly signal?: AbortSignal
  /** Time without a sign of life, in ms: an answer, or progress. */
  readonly idleMs: number
}

export interface McpWire {
  /** As the server gives them; its own claims. */
  readonly title: string
  readonly instructions: string | undefined
  readonly capabilities: JsonObject
  /** Lines that were no messages, where there are lines. */
  readonly junk: () => number
  /** Rejects with `WireError`. When the signal is aborted or the time is up, the server is told. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>
  close(): Promise<void>
}

/** How a request failed. */
export class WireError extends Error {
  override readonly name = 'WireError'
  readonly kind: 'refused' | 'late' | 'gone'

  constructor(kind: WireError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** How a connection broke off in the middle of an answer. */
const CUT_OFF = 'Connection closed: the answer broke off'

/** What a request fails with in JSON-RPC when its connection is closed, and when its time is up or it was aborted. */
const CLOSED = -32_000
const TIMED_OUT = -32_001

const loadSdk = once(async () => {
  const missing = (cause: unknown): never => {
    throw new SaydoError('MISSING_PACKAGE', 'MCP servers need the package @modelcontextprotocol/sdk', {
      hint: 'npm i @modelcontextprotocol/sdk@1.32.2',
      cause,
    })
  }
  const [client, http, sse, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/index.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
    import('@modelcontextprotocol/sdk/client/sse.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]).catch(missing)
  return { ...client, ...http, ...sse, ...types }
})

type Sdk = Awaited<ReturnType<typeof loadSdk>>
type Client = InstanceType<Sdk['Client']>
type Transport = Parameters<Client['connect']>[0]

/** Rejects with `MISSING_PACKAGE` when the SDK is not installed. */
export async function requireMcpSdk(): Promise<void> {
  await loadSdk()
}

/** Rejects with an Error that says why the server can't be reached, `MISSING_PACKAGE` when the SDK is not installed. */
export async function openWire(server: McpServer, options: WireOptions): Promise<McpWire> {
  const sdk = await loadSdk()
  if (server.kind === 'stdio') {
    const transport = new StdioTransport({
      command: server.command,
      args: server.args,
      env: server.env,
      cwd: server.cwd,
      start: options.start,
      maxMessageBytes: options.maxMessageBytes,
    })
    return connect(sdk, transport as Transport, options, transport)
  }
  const url = new URL(server.url)
  const requestInit = { headers: { ...server.headers } }
  const most = options.maxMessageBytes
  const http = () => {
    const onOver = (id: number | string) => transport.onmessage?.(answerFor(id, CUT_OFF))
    const transport = new sdk.StreamableHTTPClientTransport(url, {
      requestInit,
      fetch: cappedFetch({ most, onOver }),
    }) as Transport
    return connect(sdk, transport, options)
  }
  const sse = () =>
    connect(sdk, new sdk.SSEClientTransport(url, { requestInit, fetch: cappedFetch({ most }) }) as Transport, options)
  if (server.kind === 'sse') return sse()
  if (server.kind === 'http') return http()
  try {
    return await http()
  } catch (error) {
    // an older server does not know how to answer a POST there
    if (!(error instanceof HttpStatusError) || ![400, 404, 405, 406, 415].includes(error.status)) throw error
    return await sse()
  }
}

class HttpStatusError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

async function connect(sdk: Sdk, transport: Transport, options: WireOptions, stdio?: StdioTransport): Promise<McpWire> {
  const { onQuestion, roots } = options
  const capabilities = { ...(onQuestion ? { elicitation: { form: {} } } : {}), ...(roots ? { roots: {} } : {}) }
  const client = new sdk.Client({ name: 'saydo', version: packageJson.version }, { capabilities })
  let open = true
  let questions = 0
  if (onQuestion) {
    client.setRequestHandler(sdk.ElicitRequestSchema, async ({ params }, { signal }) => {
      questions += 1
      try {
        return { ...(await onQuestion(params as unknown as JsonObject, signal)) } as ElicitResult
      } finally {
        questions -= 1
      }
    })
  }
  if (roots) {
    const listed = roots.map(folder => ({ uri: pathToFileURL(folder).href, name: basename(folder) }))
    client.setRequestHandler(sdk.ListRootsRequestSchema, () => ({ roots: listed }))
  }
  const gone = (why: string): void => {
    if (!open) return
    open = false
    options.onGone(why)
  }
  client.fallbackNotificationHandler = async ({ method }) => options.onNotification(method)
  const late = AbortSignal.timeout(options.connectMs)
  const signal = AbortSignal.any([options.signal, late])
  try {
    await whileAsked(signal, own => orWhen(client.connect(transport, { signal: own, timeout: options.connectMs }), own))
  } catch (error) {
    open = false
    await (stdio ? stdio.close() : client.close()).catch(() => {})
    const tooLate = late.aborted ? `it did not answer within ${options.connectMs / 1000} s` : undefined
    throw whyNotConnected(error, { late: tooLate && (stdio?.withLastWords(tooLate) ?? tooLate), ended: stdio?.ended })
  }
  client.onclose = () => gone(stdio?.ended ?? 'the connection was closed')
  if (stdio?.ended !== undefined) gone(stdio.ended)
  const { name = '', version = '' } = client.getServerVersion() ?? {}
  return {
    title: `${name} ${version}`.trim(),
    instructions: client.getInstructions(),
    capabilities: (client.getServerCapabilities() ?? {}) as JsonObject,
    junk: () => stdio?.junk ?? 0,
    async request(method, params, { signal, idleMs }) {
      try {
        // a server that waits for the person is waited for
        return await whileAlive(idleMs, { signal, isHeld: () => questions > 0 }, async (own, onprogress) => {
          // who gives no function gets no progress, and then nothing keeps a long call alive
          const answer = await client.request({ method, params }, sdk.ResultSchema, {
            signal: own,
            timeout: LONGEST_DELAY_MS,
            onprogress,
          })
          return answer as JsonObject
        })
      } catch (error) {
        const fault = wireError(error, sdk, stdio)
        if (fault.kind === 'gone' && !signal?.aborted) gone(fault.message)
        throw fault
      }
    },
    async close() {
      open = false
      // a session that is not ended lives on in the server
      if (transport instanceof sdk.StreamableHTTPClientTransport)
        await orWhen(transport.terminateSession(), AbortSignal.timeout(CLOSE_MS)).catch(() => {})
      await orWhen(client.close(), AbortSignal.timeout(CLOSE_MS * 2)).catch(() => {})
    },
  }
}

/** Time to end a session, in ms. */
const CLOSE_MS = 1_500

function wireError(error: unknown, sdk: Sdk, stdio: StdioTransport | undefined): WireError {
  const message = messageOf(error)
  const status = statusOf(error)
  if (status !== undefined)
    return new WireError(status === 404 || status >= 500 ? 'gone' : 'refused', `HTTP ${status}, ${message}`)
  if (!(error instanceof sdk.McpError)) return new WireError('gone', stdio?.ended ?? message)
  if (error.code === TIMED_OUT) return new WireError('late', message)
  if (error.code === CLOSED && (stdio?.ended !== undefined || /Connection closed/.test(message)))
    return new WireError(
      'gone',
      stdio?.ended ?? (message.includes(CUT_OFF) ? 'the answer broke off' : 'the connection was closed'),
    )
  return new WireError('refused', `${message.replace(/^MCP error -?\d{1,6}: /, '')} (${error.code})`)
}

function whyNotConnected(
  error: unknown,
  { late, ended }: { readonly late: string | undefined; readonly ended: string | undefined },
): Error {
  if (late !== undefined) return new Error(late)
  if (ended !== undefined && ended !== 'it was closed') return new Error(ended.replace(/^it was closed; /, ''))
  const status = statusOf(error)
  if (status !== undefined) return new HttpStatusError(status, `it answered with HTTP ${status}`)
  return new Error(messageOf(error))
}

/** Of an answer that was none of the protocol. */
function statusOf(error: unknown): number | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'number' && code >= 400 && code < 600 ? code : undefined
}

/** Never empty: some errors say nothing but their code, or what caused them. */
function messageOf(error: unknown): string {
  const { message, code, cause } = (error ?? {}) as { message?: unknown; code?: unknown; cause?: unknown }
  const own = typeof message === 'string' ? message.trim() : String(error)
  const deeper = cause instanceof Error ? messageOf(cause) : ''
  const said = own === 'fetch failed' && deeper !== '' ? deeper : own
  return said || deeper || (code === undefined ? 'it failed without a message' : `it failed with the code ${String(code)}`)
}
