// The agent whose tools are those of MCP servers. It connects before its first run and stays connected until it is closed; before each step it looks which
// tools came, went or changed, and tells the model by the names it calls them.
import { resolve } from 'node:path'
import type { ActiveRun } from '../agent/active-run.js'
import type { RunEnd } from '../agent/run-options.js'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import { SaydoError } from '../core/errors.js'
import type { NoticeCode } from '../core/event.js'
import type { Sandbox } from '../core/sandbox.js'
import type { PromptNote } from '../core/text.js'
import type { Tool } from '../core/tool.js'
import type { AskPerson } from '../toolsets/ask-human.js'
import type { ServerWorld } from '../toolsets/mcp/connection.js'
import type { Pins } from '../toolsets/mcp/pins.js'
import { type McpServer, type McpServerSpec, mcpServersIn } from '../toolsets/mcp/server.js'
import type { Change, ServerSet } from '../toolsets/mcp/server-set.js'
import { type ConnectionSettings, DEFAULT_SETTINGS } from '../toolsets/mcp/settings.js'
import type { SandboxOptions } from '../toolsets/sandbox/settings.js'

export interface MCPAgentOptions extends ToolCallAgentOptions, Partial<ConnectionSettings> {
  /** By name, as in the common file of MCP servers. */
  readonly servers: Readonly<Record<string, McpServerSpec>>
  /** Where servers with a command run; default on this machine, without a sandbox. Its workspace is all that they see. */
  readonly sandbox?: SandboxOptions | Sandbox
  /** Who is asked what a server wants to know from the person, such as a choice or a name; default nobody. */
  readonly ask?: AskPerson
  /** Folders that the work is about, which servers are told of; default none. In a sandbox its workspace, whatever is given. */
  readonly roots?: readonly string[]
  /** For `${NAME}` in their texts; default the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** After how many steps the tools are listed anew even where no server said that they changed; default 5. */
  readonly refreshEvery?: number
  /**
   * A file that remembers what tools were agreed to: one that is another in a later run is told, and asked about like one that changes in the middle of a
   * run. Default none. A run rejects with `CONFIG` where it can't be read.
   */
  readonly pinFile?: string
  /** Where pictures, sounds and other files of results are saved; default a new folder among the temporary files. */
  readonly saveFolder?: string
}

/** 20 steps by default. `keepOpen` is on by default: close the agent when it is no longer needed. Throws `CONFIG` for servers that are none. */
export class MCPAgent extends ToolCallAgent {
  readonly #specs: readonly McpServer[]
  readonly #settings: ConnectionSettings
  readonly #sandboxGiven: SandboxOptions | Sandbox | undefined
  readonly #saveFolder: string | undefined
  readonly #pinFile: string | undefined
  readonly #ask: AskPerson | undefined
  readonly #roots: readonly string[] | undefined
  readonly #refreshEvery: number
  /** The tools that were given. */
  readonly #own: readonly Tool[]
  /** Set from the moment it is being opened, so that a run that ends meanwhile closes it. */
  #sandbox: Promise<Sandbox> | undefined
  /** From the first time it is open. */
  #pins: Pins | undefined
  /** While it is open. */
  #servers: ServerSet | undefined
  #openedIn: ActiveRun | undefined
  /** What has happened and is not told yet: nobody is told between runs. */
  #news: string[] = []
  #notes: readonly PromptNote[] = []

  constructor({
    servers,
    sandbox,
    env = process.env,
    refreshEvery = 5,
    saveFolder,
    pinFile,
    ask,
    roots,
    ...rest
  }: MCPAgentOptions) {
    const { settings, options } = parted(rest)
    super({ keepOpen: true, ...options }, 'mcp', 20)
    if (!Number.isInteger(refreshEvery) || refreshEvery < 1)
      throw new SaydoError('CONFIG', `refreshEvery cannot be ${String(refreshEvery)}`, { hint: 'give a whole number from 1' })
    this.#specs = mcpServersIn(servers, env)
    this.#settings = settings
    this.#sandboxGiven = sandbox
    this.#saveFolder = saveFolder
    this.#pinFile = pinFile
    this.#ask = ask
    this.#roots = roots?.map(folder => resolve(folder))
    this.#refreshEvery = refreshEvery
    this.#own = this.registry.list()
  }

  protected override get bundledPrompt(): string {
    return 'mcp'
  }

  protected override get promptNotes(): readonly PromptNote[] {
    return this.#notes
  }

  protected override async onOpen(run: ActiveRun): Promise<void> {
    const [{ ServerSet }, { Pins }, { fileSaver }, place] = await Promise.all([
      import('../toolsets/mcp/server-set.js'),
      import('../toolsets/mcp/pins.js'),
      import('../toolsets/mcp/save-file.js'),
      this.#place(run),
    ])
    run.signal.throwIfAborted()
    this.#openedIn = run
    this.#pins ??= new Pins(this.#pinFile)
    this.#servers = new ServerSet(this.#specs, {
      ...this.#settings,
      reserved: this.#own.map(({ name }) => name),
      save: fileSaver(this.#saveFolder),
      pins: this.#pins,
      ask: this.#ask,
      ...place,
      report: message => this.#news.push(message),
    })
    await this.#servers.open(run.signal)
    this.#look(this.#servers)
    this.#tellNews(run)
  }

  protected override async onClose(): Promise<void> {
    this.#pins?.keep()
    await this.#servers?.close()
    const sandbox = await this.#sandbox?.catch(() => undefined)
    this.#sandbox = undefined
    await sandbox?.destroy()
  }

  protected override async beforeStep(run: ActiveRun): Promise<string | RunEnd | undefined> {
    const servers = this.#servers
    if (!servers) return undefined
    const isFirst = this.#openedIn === run && run.step === 1
    // a further run tries again what an earlier one gave up
    if (run.step === 1 && !isFirst) await servers.open(run.signal)
    await servers.refresh(run.signal, run.step % this.#refreshEvery === 0)
    const change = this.#look(servers)
    this.#tellNews(run)
    if (servers.isGone) return this.#gone(servers)
    // what the first prompt shows is no news
    return isFirst ? undefined : change && this.say('tools_changed', { ...change })
  }

  /** Opens the sandbox that is wanted, and says where each server runs. */
  async #place(run: ActiveRun): Promise<Pick<ServerWorld, 'start' | 'roots'>> {
    const started = this.#specs.flatMap(server => (server.kind === 'stdio' ? [server] : []))
    const tellEach = (where: string): void => {
      for (const { name, command } of started)
        this.#tell(run, 'SERVER_STARTED', `the MCP server ${name} runs ${where}: ${command}`)
    }
    if (!this.#sandboxGiven) {
      tellEach('on this machine, without a sandbox')
      return { start: (await import('../toolsets/mcp/local-process.js')).startLocally, roots: this.#roots }
    }
    const [{ sandboxFrom }, { startIn }] = await Promise.all([
      import('../toolsets/sandbox/open-sandbox.js'),
      import('../toolsets/mcp/sandboxed-process.js'),
    ])
    this.#sandbox = sandboxFrom(this.#sandboxGiven)
    const sandbox = await this.#sandbox
    tellEach(`in the sandbox ${sandbox.backend}`)
    return { start: startIn(sandbox), roots: [sandbox.workspace] }
  }

  /** Takes up the tools there are now. */
  #look(servers: ServerSet): Change | undefined {
    const { tools, change } = servers.look()
    const lost = this.#pins?.keep()
    if (lost !== undefined) this.#news.push(lost)
    const all = [...this.#own, ...tools]
    const before = this.registry.list()
    // as long as the tools stay the same, so does the head of the prompt
    if (all.length !== before.length || all.some((tool, at) => tool !== before[at])) this.registry.replace(all)
    const notes = servers.notes
    if (JSON.stringify(notes) !== JSON.stringify(this.#notes)) this.#notes = notes
    return change
  }

  #gone(servers: ServerSet): RunEnd {
    const end = { kind: 'end', stop: 'service_gone', message: `no MCP server is there (${servers.why})` } as const
    // who has found out nothing has nothing to answer from
    return this.memory.steps.some(({ observations }) => observations.length > 0) ? end : { ...end, final: true }
  }

  #tellNews(run: ActiveRun): void {
    for (const message of this.#news.splice(0)) this.#tell(run, 'SERVER_NEWS', message)
  }

  #tell(run: ActiveRun, code: NoticeCode, message: string): void {
    run.emit({ type: 'notice', code, message })
  }
}

/** The settings of connections, and the options of an agent. */
function parted(
  rest: Omit<MCPAgentOptions, 'servers' | 'sandbox' | 'env' | 'refreshEvery' | 'saveFolder' | 'pinFile' | 'ask' | 'roots'>,
) {
  const { connectMs, idleMs, totalMs, maxMessageBytes, maxTools, retryMs, ...options } = rest
  const given = { connectMs, idleMs, totalMs, maxMessageBytes, maxTools, retryMs }
  const known = Object.entries(given).filter(([, value]) => value !== undefined)
  return { settings: { ...DEFAULT_SETTINGS, ...(Object.fromEntries(known) as Partial<ConnectionSettings>) }, options }
}
