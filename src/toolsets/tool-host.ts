// The path of a tools file → its tools, run in a process of their own: whatever one of them does there, the program goes on. A tool that does not stop
// is ended with its process; the next call gets a fresh one.
import { resolve } from 'node:path'
import type { JsonObject } from '../core/json.js'
import type { Ending, InputCheck, Observation, Tool, ToolContext } from '../core/tool.js'
import type { HostProcess, HostSettings } from './host/host-process.js'
import type { HostedCheck, HostedTool, Question } from './host/messages.js'

export type HostOptions = Partial<HostSettings>

/** Tools in a process of their own. The process ends with this one, or when they are closed. */
export interface HostedTools {
  readonly tools: readonly Tool[]
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Loads a module in a process of its own, and gives its exported tools.
 *
 * They share that process, and what they keep in memory, until one of them has to be ended: a call that was aborted or is out of time has
 * `graceMs` to stop, default 2,000. Results come back as JSON or text of at most 1 MiB; checks, conditions and endings run beside the tool. What the tools print
 * goes to `onOutput`, default this process's stderr.
 *
 * @throws SaydoError `CONFIG` that names the file or the tool, when the module or one of its tools can't be used
 */
export async function hostTools(
  file: string,
  { onOutput = text => process.stderr.write(text), onNotice = () => {}, graceMs = 2_000 }: HostOptions = {},
): Promise<HostedTools> {
  const [{ HostProcess }, { compileSchema }] = await Promise.all([
    import('./host/host-process.js'),
    import('../tools/validate.js'),
  ])
  const host = new ToolHost(() => new HostProcess(resolve(file), { onOutput, onNotice, graceMs }))
  const hosted = await host.tools()
  for (const tool of hosted) if (!tool.checks) await compileSchema(tool)
  const close = async () => host.close()
  return { tools: hosted.map(tool => proxyOf(tool, host)), close, [Symbol.asyncDispose]: close }
}

/** One process at a time, and a fresh one when it is gone. */
class ToolHost {
  readonly #start: () => HostProcess
  #process: HostProcess

  constructor(start: () => HostProcess) {
    this.#start = start
    this.#process = start()
  }

  tools(): Promise<readonly HostedTool[]> {
    return this.#process.tools()
  }

  /** Waits while a tool is being stopped: until then nobody knows whether its process still answers. */
  async ask(question: Question, signal?: AbortSignal): Promise<unknown> {
    await this.#process.quiet()
    if (this.#process.isOver) this.#process = this.#start()
    const host = this.#process
    await host.tools()
    signal?.throwIfAborted()
    return host.ask(question, signal)
  }

  close(): void {
    this.#process.close()
  }
}

function proxyOf({ confirms, checks, ends, ...facts }: HostedTool, host: ToolHost): Tool {
  const { name } = facts
  const about = (input: JsonObject) => ({ tool: name, input })
  return Object.freeze({
    ...facts,
    ...(confirms === 'never' ? {} : { confirm: confirms === 'always' || confirm }),
    ...(checks ? { check } : {}),
    ...(ends ? { ending } : {}),
    run: (input: JsonObject, { signal, callId }: ToolContext) => host.ask({ kind: 'run', ...about(input), callId }, signal),
  })

  async function confirm(input: JsonObject, signal?: AbortSignal): Promise<boolean> {
    return (await host.ask({ kind: 'confirm', ...about(input) }, signal)) !== false
  }

  /** What the tool's own check makes of an input stays in its process: it is made again there when the tool runs. */
  async function check(input: JsonObject, signal?: AbortSignal): Promise<InputCheck> {
    const checked = (await host.ask({ kind: 'check', ...about(input) }, signal)) as HostedCheck
    return checked.ok ? { ok: true, input } : checked
  }

  async function ending(input: JsonObject, observation: Observation, signal?: AbortSignal): Promise<Ending | undefined> {
    return (await host.ask({ kind: 'ending', ...about(input), observation }, signal)) as Ending | undefined
  }
}
