// What a user gives as tools → their specifications, checked: a JSON list as `saydo tools --json` prints it, or a module, whose tools are not run.
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { SaydoError } from '../core/errors.js'
import { isObject } from '../core/json.js'
import type { ToolSpec } from '../core/tool.js'
import type { Io } from './command.js'
import { visible } from './visible.js'
import { whyUnread } from './why-unread.js'

/** Rejects with `CONFIG` for a file that can't be read or holds no tools. */
export async function readTools(file: string, io: Io): Promise<readonly ToolSpec[]> {
  if (MODULES.has(extname(file))) return moduleTools(file, io)
  let text: string
  try {
    text = await readFile(resolve(io.cwd, file), 'utf8')
  } catch (error) {
    throw new SaydoError('CONFIG', `Cannot read tools from ${file}: ${whyUnread(error)}.`, { hint: WANTED, cause: error })
  }
  let tools: unknown
  try {
    tools = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new SaydoError('CONFIG', `${file} is not JSON: ${(error as Error).message}.`, { hint: WANTED, cause: error })
  }
  const fault = faultOfTools(tools)
  if (fault !== undefined) throw new SaydoError('CONFIG', `${file} holds no list of tools: ${fault}.`, { hint: WANTED })
  return tools as readonly ToolSpec[]
}

/** What keeps a value from being a list of tools, in a few words; undefined when nothing does. */
export function faultOfTools(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'it is no list'
  for (const [index, tool] of value.entries()) {
    const { name, parameters, effect } = isObject(tool) ? tool : {}
    if (typeof name !== 'string' || name.trim() === '') return `number ${index + 1} has no "name"`
    if (!isObject(parameters)) return `${name} has no "parameters", a JSON Schema`
    if (effect !== undefined && effect !== 'none' && effect !== 'changes')
      return `the "effect" of ${name} is not "none" or "changes"`
  }
  return undefined
}

async function moduleTools(file: string, io: Io): Promise<readonly ToolSpec[]> {
  const [{ hostTools }, { ToolRegistry }] = await Promise.all([
    import('../toolsets/tool-host.js'),
    import('../tools/registry.js'),
  ])
  const hosted = await hostTools(resolve(io.cwd, file), { onOutput: text => io.stderr.write(visible(text)) })
  await hosted.close()
  return new ToolRegistry(hosted.tools).specs()
}

const MODULES: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts'])

const WANTED = 'Give a JSON list of {"name","description","parameters"}, as saydo tools --json prints it, or an ES module.'
