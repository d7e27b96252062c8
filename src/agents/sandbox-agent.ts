// The agent that works in a sandbox: a shell, files and JavaScript, on one folder. It opens the sandbox for a run and destroys it behind it; before
// each step the model is told where it stands and what runs.
import type { ActiveRun } from '../agent/active-run.js'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { Sandbox } from '../core/sandbox.js'
import type { Tool } from '../core/tool.js'
import { sandboxFrom } from '../toolsets/sandbox/open-sandbox.js'
import { sandboxTools } from '../toolsets/sandbox/sandbox-tools.js'
import type { Sessions } from '../toolsets/sandbox/sessions.js'
import type { SandboxOptions } from '../toolsets/sandbox/settings.js'
import { sandboxOpened } from './sandbox-opened.js'

export interface SandboxAgentOptions extends ToolCallAgentOptions {
  /** The folder, the backend (default `bwrap`) and its limits; or a sandbox that is open, which the agent leaves open. */
  readonly sandbox: SandboxOptions | Sandbox
}

/**
 * 20 steps and observations of 10,000 characters by default. A run rejects with `MISSING_PACKAGE` or `SANDBOX` where the sandbox does not hold: nothing
 * is ever run without it.
 */
export class SandboxAgent extends ToolCallAgent {
  readonly #given: SandboxOptions | Sandbox
  readonly #vision: boolean | undefined
  /** The tools that were given. */
  readonly #own: readonly Tool[]
  /** Set from the moment it is being opened, so that a run that ends meanwhile closes it. */
  #opening: Promise<Sandbox> | undefined
  #sessions: Sessions | undefined

  constructor({ sandbox, ...options }: SandboxAgentOptions) {
    super({ maxObserve: 10_000, ...options }, 'sandbox', 20)
    this.#given = sandbox
    this.#vision = options.vision
    this.#own = this.registry.list()
  }

  protected override get bundledPrompt(): string {
    return 'sandbox'
  }

  protected override async onOpen(run: ActiveRun): Promise<void> {
    this.#opening = sandboxFrom(this.#given)
    const sandbox = await this.#opening
    const { tools, sessions } = sandboxTools(sandbox, { vision: this.#vision })
    this.#sessions = sessions
    this.registry.replace([...this.#own, ...tools])
    run.emit(sandboxOpened(sandbox))
  }

  protected override async onClose(): Promise<void> {
    const sandbox = await this.#opening?.catch(() => undefined)
    this.#opening = undefined
    await sandbox?.destroy()
  }

  protected override async beforeStep(): Promise<string | undefined> {
    const states = this.#sessions?.states() ?? []
    const jobs = states.flatMap(({ name, job }) =>
      job ? [{ session: name, command: job.command, running: job.status === undefined, code: job.status?.code ?? 0 }] : [],
    )
    return this.say('sandbox_state', { folder: this.#sessions?.folder ?? '', jobs })
  }
}
