// The agent that works on code: a lasting bash and an editor on one workspace, within a sandbox. Before each step the model is told where it stands and
// which file is open; behind the run, however it ended, stands what it has changed, as a patch.
import type { ActiveRun } from '../agent/active-run.js'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { NoticeCode } from '../core/event.js'
import { once } from '../core/once.js'
import type { Sandbox } from '../core/sandbox.js'
import type { Artifacts } from '../core/step.js'
import type { Tool } from '../core/tool.js'
import { Editor } from '../toolsets/editor/editor.js'
import { editorTool } from '../toolsets/editor/editor-tool.js'
import { openSandbox } from '../toolsets/sandbox/open-sandbox.js'
import type { SandboxOptions } from '../toolsets/sandbox/settings.js'
import { searchTools } from '../toolsets/search-tools.js'
import { bashTool } from '../toolsets/shell/bash-tool.js'
import { jobTool } from '../toolsets/shell/job-tool.js'
import { Shell } from '../toolsets/shell/shell.js'
import { Snapshot } from '../toolsets/snapshot.js'

export interface SWEAgentOptions extends ToolCallAgentOptions {
  /** The folder, the backend (default `bwrap`) and its limits. */
  readonly sandbox: SandboxOptions
}

/** What a run works with. The shell and the snapshot of the workspace are made with the first call of a tool. */
interface Bench {
  readonly sandbox: Sandbox
  readonly editor: Editor
  readonly begin: () => Promise<{ readonly shell: Shell; readonly snapshot: Snapshot | undefined }>
  shell?: Shell
  begun?: true
}

/**
 * 20 steps and observations of 10,000 characters by default. `RunResult.artifacts` holds what was changed since the sandbox was opened. A run rejects
 * with `CONFIG` or `MISSING_PACKAGE` where the sandbox does not hold: nothing is ever run without it.
 */
export class SWEAgent extends ToolCallAgent {
  readonly #settings: SandboxOptions
  /** The tools that were given. */
  readonly #own: readonly Tool[]
  /** Set from the moment it is being opened, so that a run that ends meanwhile closes it. */
  #opening: Promise<Sandbox> | undefined
  #bench: Bench | undefined

  constructor({ sandbox, ...options }: SWEAgentOptions) {
    super({ maxObserve: 10_000, ...options }, 'swe', 20)
    this.#settings = sandbox
    this.#own = this.registry.list()
  }

  protected override get bundledPrompt(): string {
    return 'swe'
  }

  protected override async onOpen(run: ActiveRun): Promise<void> {
    this.#opening = openSandbox(this.#settings)
    const sandbox = await this.#opening
    const bench = benchOf(sandbox)
    this.#bench = bench
    const shell = async () => (await bench.begin()).shell
    const place = async () => ({ ...bench, folder: (await shell()).session.cwd })
    this.registry.replace([...this.#own, bashTool(shell), jobTool(shell), editorTool(place), ...searchTools(place)])
    const message = `commands run in the sandbox ${sandbox.backend}: ${sandbox.notes.join('; ')}`
    run.emit({ type: 'notice', code: 'SANDBOX_OPENED' satisfies NoticeCode, message })
  }

  protected override async onClose(): Promise<void> {
    const sandbox = await this.#opening?.catch(() => undefined)
    const bench = this.#bench
    this.#opening = undefined
    this.#bench = undefined
    try {
      if (bench?.begun) {
        const { shell, snapshot } = await bench.begin()
        await Promise.all([shell.close(), snapshot?.remove()])
      }
    } finally {
      await sandbox?.destroy()
    }
  }

  protected override async beforeStep(): Promise<string | undefined> {
    const bench = this.#bench
    if (bench === undefined) return undefined
    const open = bench.editor.openFile
    const folder = bench.shell?.session.cwd ?? bench.sandbox.workspace
    return this.say('sandbox_state', { folder, jobs: [], ...(open === undefined ? {} : { open }) })
  }

  protected override async artifacts(): Promise<Artifacts | undefined> {
    if (!this.#bench?.begun) return undefined
    const { snapshot } = await this.#bench.begin()
    if (snapshot === undefined) throw new Error('git is not there, or took too long to look at the workspace')
    return snapshot.changes()
  }
}

function benchOf(sandbox: Sandbox): Bench {
  const make = once(async () => {
    const [shell, snapshot] = await Promise.all([Shell.open(sandbox), Snapshot.take(sandbox)])
    bench.shell = shell
    return { shell, snapshot }
  })
  const bench: Bench = {
    sandbox,
    editor: new Editor(sandbox),
    begin: () => {
      bench.begun = true
      return make()
    },
  }
  return bench
}
