// The path of a JavaScript or TypeScript module → the tools it exports. Loading runs the module: only ever load what you would run.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SaydoError } from '../core/errors.js'
import type { Tool } from '../core/tool.js'
import { isTool, requireTool } from '../tools/define.js'

const KNOWN = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts'])

export interface LoadOptions {
  /** Told about an export that looks as if it was meant to be a tool but is none; one sentence. */
  readonly onNotice?: (message: string) => void
}

/**
 * Takes every exported tool, and every tool in an exported list, in the order of their names in the module; the same tool twice counts once.
 * What has a `run` function is meant as a tool, so it is checked rather than left out.
 *
 * @throws SaydoError `CONFIG` that names the file or the tool: missing, of an unknown kind, broken, without tools, or TypeScript on a Node
 * that runs none
 */
export async function loadToolsFile(path: string, { onNotice }: LoadOptions = {}): Promise<Tool[]> {
  const file = resolve(path)
  requireReadable(path, file)
  const exported = await importModule(path, file)
  const found = [...new Set(Object.values(exported).flatMap(toolsIn))]
  const tools = found.map(checkedTool)
  const functions = Object.keys(exported).filter(name => typeof exported[name] === 'function')
  if (tools.length === 0)
    throw new SaydoError('CONFIG', `${path} exports no tools${functionsNote(functions)}.`, { hint: howToExport(functions) })
  for (const name of functions)
    onNotice?.(`${path}: the export ${name} is a function, not a tool; wrap it in tool({…}) to make it one.`)
  return tools
}

function checkedTool(value: unknown): Tool {
  requireTool(value)
  return value
}

function toolsIn(value: unknown): unknown[] {
  return (Array.isArray(value) ? value : [value]).filter(item => isTool(item) || isMeantAsTool(item))
}

function isMeantAsTool(value: unknown): boolean {
  try {
    return typeof value === 'object' && value !== null && typeof (value as { run?: unknown }).run === 'function'
  } catch {
    // a getter or a proxy that throws is nothing to call
    return false
  }
}

function requireReadable(path: string, file: string): void {
  const extension = extname(file)
  if (!KNOWN.has(extension)) {
    throw new SaydoError('CONFIG', `${path} is no module that tools can be loaded from.`, {
      hint: 'Give a .js, .mjs or .ts file whose exports are tools: export const shout = tool({ … }).',
    })
  }
  if (!existsSync(file))
    throw new SaydoError('CONFIG', `There is no file ${path}.`, {
      hint: path === file ? 'A relative path counts from the working directory.' : `Looked for ${file}.`,
    })
}

async function importModule(path: string, file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Record<string, unknown>
  } catch (cause) {
    if (codeOf(cause) === 'ERR_UNKNOWN_FILE_EXTENSION') throw noTypeScript(path, cause)
    throw new SaydoError('CONFIG', `${path} cannot be loaded: ${await whatBroke(cause, file)}`, { hint: fixFor(cause), cause })
  }
}

async function whatBroke(cause: unknown, file: string): Promise<string> {
  if (!(cause instanceof Error)) return `it threw ${String(cause)}`
  const line = lineIn(cause.stack, file) ?? (cause instanceof SyntaxError ? lineIn(await checkSyntax(file), file) : undefined)
  return `${cause.name}: ${cause.message.split('\n')[0]}${line === undefined ? '' : ` (line ${line})`}`
}

function lineIn(trace: string | undefined, file: string): string | undefined {
  for (const place of [pathToFileURL(file).href, file]) {
    const at = trace?.indexOf(`${place}:`) ?? -1
    const line = at < 0 ? undefined : /^\d+/.exec(trace?.slice(at + place.length + 1) ?? '')?.[0]
    if (line !== undefined) return line
  }
  return undefined
}

// where a syntax error is, Node tells on its standard error only
function checkSyntax(file: string): Promise<string> {
  return new Promise(resolve => {
    execFile(process.execPath, ['--check', file], { timeout: 5000 }, (_, __, stderr) => resolve(stderr))
  })
}

function fixFor(cause: unknown): string {
  if (codeOf(cause) === 'ERR_MODULE_NOT_FOUND')
    return 'Install what the file imports, and write relative imports with their extension.'
  return cause instanceof SyntaxError
    ? 'Correct the syntax; a file with import and export is named .mjs, or stands beside a package.json with "type": "module".'
    : 'Run the file with node to see the whole error.'
}

function noTypeScript(path: string, cause: unknown): SaydoError {
  return new SaydoError('CONFIG', `${path} is TypeScript, which Node ${process.versions.node} does not run.`, {
    hint: 'Use Node 22.18 or later, or compile the file to .js first.',
    cause,
  })
}

function codeOf(cause: unknown): unknown {
  return (cause as { code?: unknown } | null | undefined)?.code
}

function functionsNote(functions: readonly string[]): string {
  return functions.length === 0 ? '' : `, only functions: ${functions.slice(0, 5).join(', ')}`
}

function howToExport(functions: readonly string[]): string {
  const name = functions.find(name => name !== 'default') ?? 'weather'
  return `Wrap a function to make it a tool: export const ${name}Tool = tool({ name: '${name}', description: '…', input: { type: 'object', properties: { … } }, run: … }).`
}
