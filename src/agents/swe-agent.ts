// The agent that works on code: a lasting bash and an editor on one workspace, within a sandbox. Before each step the model is told where it stands and
// which file is open; behind the run, however it ended, stands what it has changed, as a patch.
import type { ActiveRun } from '../agent/active-run.js'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { Sandbox } from '../core/sandbox.js'
import type { Artifacts } from '../core/step.js'
import type { Tool } from '../core/tool.js'
import { Editor } from '../toolsets/editor/editor.js'
import { type EditorPlace, editorTool } from '../toolsets/editor/editor-tool.js'
import { sandboxFrom } from '../toolsets/sandbox/open-sandbox.js'
import type { SandboxOptions } from '../toolsets/sandbox/settings.js'
import { type SearchPlace, searchTools } from '../toolsets/search-tools.js'
import { bashTool } from '../toolsets/shell/bash-tool.js'
import { jobTool, shortCommand } from '../toolsets/shell/job-tool.js'
import { Shell } from '../toolsets/shell/shell.js'
import { Snapshot } from '../toolsets/snapshot.js'
import { sandboxOpened } from './sandbox-opened.js'

export interface SWEAgentOptions extends ToolCallAgentOptions {
  /** The folder, the backend (default `bwrap`) and its limits; or a sandbox that is open, which the agent leaves open. */
  readonly sandbox: SandboxOptions | Sandbox
}

interface Begun {
  readonly shell: Shell
  readonly snapshot: Snapshot | undefined
}

/** What a run works with. The shell and the snapshot of the workspace are made with the first call of a tool, and again where that failed. */
interface Bench {
  readonly sandbox: Sandbox
  readonly editor: Editor
  readonly begin: () => Promise<Begun>
  begun?: Promise<Begun> | undefined
  shell?: Shell
}

/**
 * 20 steps and observations of 10,000 characters by default. `RunResult.artifacts` holds what was changed since the sandbox was opened. A run rejects
 * with `MISSING_PACKAGE` or `SANDBOX` where the sandbox does not hold: nothing is ever run without it.
 */
export class SWEAgent extends ToolCallAgent {
  readonly #given: SandboxOptions | Sandbox
  /** The tools that were given. */
  readonly #own: readonly Tool[]
  /** Set from the moment it is being opened, so that a run that ends meanwhile closes it. */
  #opening: Promise<Sandbox> | undefined
  #bench: Bench | undefined

  constructor({ sandbox, ...options }: SWEAgentOptions) {
    super({ maxObserve: 10_000, ...options }, 'swe', 20)
    this.#given = sandbox
    this.#own = this.registry.list()
  }

  protected override get bundledPrompt(): string {
    return 'swe'
  }

  protected override async onOpen(run: ActiveRun): Promise<void> {
    this.#opening = sandboxFrom(this.#given)
    const sandbox = await this.#opening
    const bench = benchOf(sandbox)
    this.#bench = bench
    const shell = async () => (await bench.begin()).shell
    const place = async () => ({ ...bench, folder: (await shell()).session.cwd })
    this.registry.replace([...this.#own, ...sweTools(shell, place)])
    run.emit(sandboxOpened(sandbox))
  }

  protected override async onClose(): Promise<void> {
    const sandbox = await this.#opening?.catch(() => undefined)
    const bench = this.#bench
    this.#opening = undefined
    this.#bench = undefined
    try {
      const begun = await bench?.begun?.catch(() => undefined)
      await Promise.all([begun?.shell.close(), begun?.snapshot?.remove()])
    } finally {
      await sandbox?.destroy()
    }
  }

  protected override async beforeStep(): Promise<string | undefined> {
    const bench = this.#bench
    if (bench === undefined) return undefined
    const open = bench.editor.openFile
    const folder = bench.shell?.session.cwd ?? bench.sandbox.workspace
    const started = (await bench.shell?.jobs()) ?? []
    const jobs = started
      .filter(({ status }) => status === undefined)
      .map(({ id, command }) => ({ job: id, command: shortCommand(command), running: true, code: 0 }))
    return this.say('sandbox_state', { folder, jobs, ...(open === undefined ? {} : { open }) })
  }

  protected override async artifacts(): Promise<Artifacts | undefined> {
    const begun = await this.#bench?.begun
    if (begun === undefined) return undefined
    const { snapshot } = begun
    if (snapshot === undefined) throw new Error('git is not there, or took too long to look at the workspace')
    return snapshot.changes()
  }
}

/** What it works with: in a shell, which is opened with the first call, and at a place. */
export function sweTools(shell: () => Promise<Shell>, place: () => Promise<EditorPlace & SearchPlace>): readonly Tool[] {
  return [bashTool(shell), jobTool(shell), editorTool(place), ...searchTools(place)]
}

function benchOf(sandbox: Sandbox): Bench {
  const make = async () => {
    const [shell, snapshot] = await Promise.all([Shell.open(sandbox), Snapshot.take(sandbox)])
    bench.shell = shell
    return { shell, snapshot }
  }
  const bench: Bench = {
    sandbox,
    editor: new Editor(sandbox),
    begin() {
      bench.begun ??= make().catch(error => {
        bench.begun = undefined
        throw error
      })
      return bench.begun
    },
  }
  return bench
}
