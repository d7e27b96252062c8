// `--tools` and `--tool` → the tools themselves. Those of a file run in a process of their own, which ends when they are closed.
import { resolve } from 'node:path'
import type { AgentResource } from '../agent/resource.js'
import type { Tool } from '../core/tool.js'
import type { AskPerson } from '../toolsets/ask-human.js'
import { createBuiltins } from '../toolsets/index.js'
import { type HostedTools, hostTools } from '../toolsets/tool-host.js'
import type { Io } from './command.js'
import { visible } from './visible.js'

export interface LoadedTools extends AgentResource {
  readonly tools: readonly Tool[]
}

/** In the order given. `say` is told about exports that are none although they look so, and what a tool left behind that failed. */
export async function loadTools(
  options: Readonly<Record<string, unknown>>,
  io: Io,
  say: (line: string) => void,
  ask?: AskPerson,
): Promise<LoadedTools> {
  const onOutput = (text: string) => io.stderr.write(visible(text))
  const files = list(options.tools).map(file => resolve(io.cwd, file))
  const hosts: HostedTools[] = []
  const close = async () => {
    await Promise.all(hosts.map(host => host.close()))
  }
  try {
    // one after the other, so that of several broken files it is always the first that is told
    for (const file of files) hosts.push(await hostTools(file, { onOutput, onNotice: say }))
    return { tools: [...hosts.flatMap(({ tools }) => tools), ...createBuiltins(list(options.tool), { ask })], close }
  } catch (error) {
    await close()
    throw error
  }
}

function list(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' ? [value] : []
}
