// Tools by their names, kept in the order of registration. A Map inside, so a tool may be called `constructor`.
import { SaydoError } from '../core/errors.js'
import type { Tool, ToolSpec } from '../core/tool.js'
import { requireTool } from './define.js'

export class ToolRegistry {
  #tools = new Map<string, Tool>()
  /** Made anew only when the tools change: what is derived from a list of specifications is remembered by its identity. */
  #specs: readonly ToolSpec[] | undefined

  /** @throws SaydoError `CONFIG` for a value that is no tool, or a name that comes twice */
  constructor(tools: Iterable<Tool> = []) {
    if (typeof tools !== 'object' || typeof tools?.[Symbol.iterator] !== 'function')
      throw new SaydoError('CONFIG', `Tools cannot be ${JSON.stringify(tools)}.`, { hint: 'Give a list of tools.' })
    for (const tool of tools) this.register(tool)
  }

  get size(): number {
    return this.#tools.size
  }

  /** Adds a tool; with `override` it takes the place of one with the same name. Throws `CONFIG` otherwise. */
  register(tool: Tool, { override = false }: { readonly override?: boolean } = {}): this {
    requireTool(tool)
    if (this.#tools.has(tool.name) && !override) {
      throw new SaydoError('CONFIG', `There are two tools named ${JSON.stringify(tool.name)}.`, {
        hint: 'Rename one of them, or register the second with {override: true}.',
      })
    }
    this.#tools.set(tool.name, tool)
    this.#specs = undefined
    return this
  }

  /** Puts these tools in the place of all there are, in one go. Throws `CONFIG` like the constructor, and then nothing has changed. */
  replace(tools: Iterable<Tool>): void {
    const next = new ToolRegistry(tools)
    this.#tools = next.#tools
    this.#specs = undefined
  }

  /** Says whether there was such a tool. */
  unregister(name: string): boolean {
    this.#specs = undefined
    return this.#tools.delete(name)
  }

  has(name: string): boolean {
    return this.#tools.has(name)
  }

  get(name: string): Tool | undefined {
    return this.#tools.get(name)
  }

  list(): readonly Tool[] {
    return [...this.#tools.values()]
  }

  /** What may be known of the tools outside of the program, as plain JSON. */
  specs(): readonly ToolSpec[] {
    this.#specs ??= this.list().map(specOf)
    return this.#specs
  }
}

/** The part of a tool that is plain JSON; what it does not say is left out. */
export function specOf(tool: ToolSpec): ToolSpec {
  const { name, description, parameters, textParameter, returns, effect, doubt, finishes, idempotent, repeatable } = tool
  const facts = { textParameter, returns, effect, doubt, finishes, idempotent, repeatable }
  const said = Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined))
  return { name, description, parameters, ...said }
}
