// Recorded tools → the names of those that are the built-in ones of today, to the last detail.
import type { ToolSpec } from '../core/tool.js'

export async function builtinsAmong(specs: readonly ToolSpec[]): Promise<readonly string[]> {
  const [{ builtinNames, createBuiltins }, { specOf }] = await Promise.all([
    import('../toolsets/index.js'),
    import('../tools/registry.js'),
  ])
  const isBuiltin = (spec: ToolSpec): boolean => {
    const [own] = builtinNames.includes(spec.name) ? createBuiltins([spec.name]) : []
    return own !== undefined && JSON.stringify(specOf(own)) === JSON.stringify(spec)
  }
  return specs.filter(isBuiltin).map(({ name }) => name)
}
