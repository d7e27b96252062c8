// One server over the life of an agent: connected, its tools listed, asked, and when it is gone reached again, a few times and ever later. What is not
// reachable has no tools.
import type { JsonObject } from '../../core/json.js'
import { ToolUnavailableError } from '../../tools/tool-unavailable-error.js'
import type { AskPerson } from '../ask-human.js'
import { type McpWire, openWire, WireError } from '../mcp-client.js'
import { type Elicited, elicit } from './elicitation.js'
import { foreignText } from './foreign-text.js'
import { listTools } from './list-tools.js'
import type { ListedTool } from './listed-tool.js'
import type { McpServer } from './server.js'
import type { StartProcess } from './server-process.js'
import type { ConnectionSettings } from './settings.js'

/** A server that held this long may fail as often again, in ms. */
const STEADY_MS = 60_000

/** Longest text of why something failed, and of what a server says about itself, in UTF-16 code units. */
const MOST_TOLD = 400
const MOST_INSTRUCTIONS = 2_000

/** Most questions to the person while the server is asked for something. */
const MOST_ASKED = 5

const OUTCOMES: Readonly<Record<Elicited['action'], string>> = {
  accept: 'it was answered',
  decline: 'it was not answered',
  cancel: 'nobody was there to answer',
}

export interface ServerWorld {
  /** Where servers of a command are started. */
  readonly start: StartProcess
  /** Told of what the user should know, one sentence. */
  readonly report: (message: string) => void
  /** Who is asked what a server wants to know from the person; unset: nobody. */
  readonly ask?: AskPerson | undefined
  /** Folders that the work is about, as servers see them; unset: none is named. */
  readonly roots?: readonly string[] | undefined
}

export class Connection {
  readonly server: McpServer
  readonly #settings: ConnectionSettings
  readonly #world: ServerWorld
  readonly #closing = new AbortController()
  #wire: McpWire | undefined
  #opening: Promise<void> | undefined
  #tools: readonly ListedTool[] = []
  #failures = 0
  #since = 0
  #why = 'it was not reached yet'
  readonly #reported = new Set<string>()
  /** Requests that are under way, and how often the person was asked meanwhile. */
  #under = 0
  #asked = 0
  /** The list of its tools is out of date. */
  stale = false

  constructor(server: McpServer, settings: ConnectionSettings, world: ServerWorld) {
    this.server = server
    this.#settings = settings
    this.#world = world
  }

  get isUp(): boolean {
    return this.#wire !== undefined
  }

  /** Why it is not up. */
  get why(): string {
    return this.#why
  }

  /** Those it has now; none while it is not up. */
  get tools(): readonly ListedTool[] {
    return this.isUp ? this.#tools : []
  }

  get title(): string {
    return foreignText(this.#wire?.title ?? '', 100)
  }

  /** What it says about itself, on one line; undefined for nothing. */
  get instructions(): string | undefined {
    const text = this.#wire?.instructions
    return typeof text === 'string' && text.trim() !== '' ? foreignText(text, MOST_INSTRUCTIONS) : undefined
  }

  offers(capability: 'resources' | 'prompts'): boolean {
    return this.#wire?.capabilities[capability] !== undefined
  }

  /** Never rejects for the server's fault: then it is not up. Rejects with `MISSING_PACKAGE`. */
  open(signal: AbortSignal): Promise<void> {
    this.#opening ??= this.#open(signal).finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** Waits while it is being reached again. */
  async settled(): Promise<void> {
    await this.#opening
  }

  /** Lists its tools anew. A list that does not come leaves the old one. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (!this.#wire) return
    this.stale = false
    try {
      this.#tools = await this.#list(this.#wire, signal)
    } catch (error) {
      if (this.isUp && !signal.aborted)
        this.#world.report(`${this.server.name}: its tools could not be listed: ${this.#told(error)}`)
    }
  }

  /** Rejects with `ToolUnavailableError` when it is not there, else with an Error that says what happened; never with an empty one. */
  async request(method: string, params: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const { name } = this.server
    // who asks for more while it is being reached again waits for that
    if (!this.#wire) await this.#opening
    const wire = this.#wire
    if (!wire) throw new ToolUnavailableError(`the server ${name} is not reachable: ${this.#why}`)
    const { idleMs, totalMs } = this.#settings
    const over = AbortSignal.timeout(totalMs)
    this.#under += 1
    try {
      return await wire.request(method, params, {
        idleMs,
        signal: AbortSignal.any([over, this.#closing.signal, ...(signal ? [signal] : [])]),
      })
    } catch (error) {
      if (error instanceof WireError && error.kind === 'gone')
        throw new ToolUnavailableError(`the server ${name} is gone: ${this.#told(error)}; it may or may not be done`)
      if (error instanceof WireError && error.kind === 'late') {
        const why = over.aborted ? `was not done after ${totalMs / 1000} s` : `gave no sign of life for ${idleMs / 1000} s`
        const then = 'and was told to stop; it may still be at it, so check before you repeat the call'
        throw new DOMException(`the server ${name} ${why}, ${then}`, 'TimeoutError')
      }
      throw new Error(`the server ${name} says: ${this.#told(error)}`)
    } finally {
      this.#under -= 1
      if (this.#under === 0) this.#asked = 0
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const wire = this.#wire
    this.#wire = undefined
    this.#why = 'it was closed'
    await this.#opening?.catch(() => {})
    await wire?.close()
  }

  async #open(signal: AbortSignal): Promise<void> {
    if (this.#wire || this.#closing.signal.aborted) return
    const { connectMs, maxMessageBytes } = this.#settings
    const { ask, roots } = this.#world
    let goneAlready: string | undefined
    try {
      const wire = await openWire(this.server, {
        connectMs,
        maxMessageBytes,
        start: this.#world.start,
        signal: AbortSignal.any([signal, this.#closing.signal]),
        onNotification: method => this.#hear(method),
        onQuestion: ask && ((params, signal) => this.#question(params, ask, signal)),
        roots,
        onGone: why => {
          goneAlready = why
          if (this.#wire === wire) this.#lose(why)
        },
      })
      if (goneAlready !== undefined) throw new Error(goneAlready)
      this.#tools = await this.#list(wire, signal).catch(async error => {
        await wire.close()
        throw error
      })
      if (goneAlready !== undefined || this.#closing.signal.aborted) {
        await wire.close()
        throw new Error(goneAlready ?? 'it was closed')
      }
      this.#wire = wire
      this.#since = performance.now()
      this.stale = false
    } catch (error) {
      if ((error as { code?: unknown }).code === 'MISSING_PACKAGE') throw error
      this.#why = this.#told(error)
    }
  }

  /** The connection broke off. */
  #lose(why: string): void {
    this.#wire = undefined
    this.#why = this.#told(why)
    if (performance.now() - this.#since > STEADY_MS) this.#failures = 0
    this.#world.report(`${this.server.name} is gone: ${this.#why}`)
    if (!this.#closing.signal.aborted) this.#opening = this.#reach().finally(() => (this.#opening = undefined))
    // whoever waits for it is told by its state
    this.#opening?.catch(() => {})
  }

  async #reach(): Promise<void> {
    while (!this.#wire && this.#failures < this.#settings.retryMs.length && !this.#closing.signal.aborted) {
      const pause = this.#settings.retryMs[this.#failures] ?? 0
      this.#failures += 1
      await new Promise(resolve => setTimeout(resolve, pause))
      await this.#open(this.#closing.signal)
    }
    if (this.#wire) this.#world.report(`${this.server.name} is there again`)
  }

  /** What went wrong, in its words but for what it was given to keep for itself: it may print a key that was refused. */
  #told(error: unknown): string {
    const { server } = this
    const kept = Object.values(server.kind === 'stdio' ? server.env : server.headers).filter(({ length }) => length >= 8)
    const message = error instanceof Error ? error.message : String(error)
    const shown = kept.reduce((text, value) => text.replaceAll(value, '[hidden]'), message)
    return foreignText(shown, MOST_TOLD) || 'it failed without a message'
  }

  /** A flood of these costs nothing: the list is fetched when it is needed. */
  #hear(method: string): void {
    if (method === 'notifications/tools/list_changed') this.stale = true
  }

  /** Only who was called may ask, and not for ever. */
  async #question(params: JsonObject, ask: AskPerson, signal: AbortSignal): Promise<Elicited> {
    if (this.#under === 0 || this.#asked >= MOST_ASKED) return { action: 'decline' }
    this.#asked += 1
    const { name } = this.server
    const given = await elicit(name, params, ask, AbortSignal.any([signal, this.#closing.signal]))
    this.#world.report(`${name} wanted to know: ${this.#told(String(params.message))} (${OUTCOMES[given.action]})`)
    return given
  }

  async #list(wire: McpWire, signal: AbortSignal): Promise<readonly ListedTool[]> {
    const tools = await listTools(this.server, wire, { ...this.#settings, signal, report: message => this.#reportOnce(message) })
    if (wire.junk() > 0) this.#reportOnce(`${this.server.name} writes on stdout what is no message; it is passed over`)
    return tools
  }

  /** What is so each time that the tools are listed. */
  #reportOnce(message: string): void {
    if (this.#reported.has(message)) return
    this.#reported.add(message)
    this.#world.report(message)
  }
}
