// Several servers → the tools that can be called now, under names of their own, and what changed since somebody looked. What a server claims about its
// tools never makes a call less careful, unless the server is trusted.
import type { PromptNote } from '../../core/text.js'
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import { CallableNames } from './callable-names.js'
import { Connection, type ServerWorld } from './connection.js'
import type { ListedTool } from './listed-tool.js'
import type { Pins } from './pins.js'
import { RESOURCE_TOOLS, resourceTools } from './resource-tools.js'
import { callResult, type SaveFile } from './result.js'
import type { McpServer } from './server.js'
import type { ConnectionSettings } from './settings.js'

export interface ServerSetOptions extends ConnectionSettings, ServerWorld {
  /** Names of our own tools. */
  readonly reserved: readonly string[]
  readonly save: SaveFile
  /** What their tools were when they were agreed to. */
  readonly pins: Pins
}

/** Names of tools as they are called, and of servers. */
export interface Change {
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Their description or schema is another one. */
  readonly changed: readonly string[]
  readonly gone: readonly string[]
  readonly back: readonly string[]
}

export interface Look {
  readonly tools: readonly Tool[]
  /** Since the last look; undefined when nothing did, and for the first. */
  readonly change: Change | undefined
}

/** The server is told to stop, and says what it can, before the call is given up, in ms. */
const TELL_MS = 1_000

/** A tool that can be called, and by what it is known again. */
interface Offer {
  readonly tool: Tool
  readonly print: string
}

export class ServerSet {
  readonly connections: readonly Connection[]
  readonly #options: ServerSetOptions
  readonly #names: CallableNames
  #offers: ReadonlyMap<string, Offer> | undefined
  #resources: readonly Tool[] = []
  #upServers: readonly string[] = []

  constructor(servers: readonly McpServer[], options: ServerSetOptions) {
    this.#options = options
    this.#names = new CallableNames([...options.reserved, ...RESOURCE_TOOLS])
    this.connections = servers.map(server => new Connection(server, options, options))
  }

  /** No server is there. */
  get isGone(): boolean {
    return this.connections.every(({ isUp }) => !isUp)
  }

  /** What keeps each of them away, in one sentence. */
  get why(): string {
    return this.connections.flatMap(({ isUp, server, why }) => (isUp ? [] : [`${server.name}: ${why}`])).join('; ')
  }

  /** What the servers say about themselves. */
  get notes(): readonly PromptNote[] {
    return this.connections.flatMap(({ server, instructions }) =>
      instructions === undefined ? [] : [{ from: server.name, text: instructions }],
    )
  }

  /** Connects to those that are not up, side by side; one that can't be reached is reported. Rejects with `MISSING_PACKAGE`. */
  async open(signal: AbortSignal): Promise<void> {
    const down = this.connections.filter(({ isUp }) => !isUp)
    await Promise.all(down.map(connection => connection.open(signal)))
    for (const { isUp, server, why } of down) if (!isUp) this.#options.report(`${server.name} can't be reached: ${why}`)
  }

  /** Lists the tools of the servers that said theirs changed, or of all. When none is up, those that are being reached again are waited for. */
  async refresh(signal: AbortSignal, all: boolean): Promise<void> {
    if (this.isGone) await Promise.all(this.connections.map(connection => connection.settled()))
    await Promise.all(this.connections.map(connection => (all || connection.stale ? connection.refresh(signal) : undefined)))
  }

  look(): Look {
    const up = this.connections.filter(({ isUp }) => isUp)
    const owned = up.flatMap(connection => connection.tools.map(listed => ({ connection, listed })))
    const names = this.#names.assign(
      owned.map(({ connection, listed }) => ({ server: connection.server.name, tool: listed.name })),
    )
    const offers = new Map(
      owned.map(({ connection, listed }, at) => {
        const name = names[at] ?? listed.name
        const known = this.#offers?.get(name)
        // a tool that stays is the same object: what was derived from its schema is kept
        return [
          name,
          known?.print === listed.print ? known : { tool: this.#toolOf(connection, listed, name), print: listed.print },
        ]
      }),
    )
    const upServers = up.map(({ server }) => server.name)
    const change = this.#offers && changeBetween(this.#offers, offers, this.#upServers, upServers)
    if (!this.#offers || upServers.join() !== this.#upServers.join())
      this.#resources = resourceTools(up, this.#options.save, this.#options.totalMs + TELL_MS)
    this.#offers = offers
    this.#upServers = upServers
    return { tools: [...[...offers.values()].map(({ tool }) => tool), ...this.#resources], change }
  }

  async close(): Promise<void> {
    await Promise.all(this.connections.map(connection => connection.close()))
  }

  #toolOf(connection: Connection, { name: own, description, parameters, claims, print }: ListedTool, name: string): Tool {
    const { server } = connection
    const { trust } = server
    const { save, totalMs, pins, report } = this.#options
    // a tool that became another one is no longer what somebody agreed to
    const isOther = (): boolean => pins.isOther(server, own, print)
    if (isOther())
      report(`${server.name}: the tool ${name} is another one than it was${trust ? '' : '; its calls are asked about'}`)
    return tool({
      name,
      description: description || `The tool ${own} of the server ${server.name}.`,
      input: parameters,
      effect: trust && claims.readsOnly ? 'none' : 'changes',
      ...(trust && claims.idempotent ? { idempotent: true } : {}),
      ...(server.finishes.includes(own) ? { finishes: true } : {}),
      ...(trust ? {} : { confirm: () => claims.destroys || isOther() }),
      timeoutMs: totalMs + TELL_MS,
      run: async (input, { signal }) => {
        // who called it has agreed to it
        pins.agree(server, own, print)
        return callResult(await connection.request('tools/call', { name: own, arguments: { ...input } }, signal), save)
      },
    })
  }
}

function changeBetween(
  before: ReadonlyMap<string, Offer>,
  now: ReadonlyMap<string, Offer>,
  upBefore: readonly string[],
  upNow: readonly string[],
): Change | undefined {
  const change = {
    added: [...now.keys()].filter(name => !before.has(name)),
    removed: [...before.keys()].filter(name => !now.has(name)),
    changed: [...now].filter(([name, { print }]) => (before.get(name)?.print ?? print) !== print).map(([name]) => name),
    gone: upBefore.filter(name => !upNow.includes(name)),
    back: upNow.filter(name => !upBefore.includes(name)),
  }
  return Object.values(change).every(list => list.length === 0) ? undefined : change
}
