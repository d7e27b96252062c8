// What is known of recorded tools → tools that stand for them, which only a recorded result can answer.
import { SaydoError } from '../core/errors.js'
import type { Tool, ToolSpec } from '../core/tool.js'
import type { TapedCall } from './tape.js'

export function standIn(spec: ToolSpec): Tool {
  return {
    ...spec,
    run: () => {
      throw new SaydoError('CONFIG', `${spec.name} only stands for a recorded tool`)
    },
  }
}

/** A file written by hand need not list its tools: they have the parameters that are given. */
export function inferredTools(calls: readonly TapedCall[]): readonly ToolSpec[] {
  const names = new Set(calls.flatMap(({ tool }) => tool ?? []))
  return [...names].map(name => {
    const inputs = calls.flatMap(({ tool, input }) => (tool === name ? [input] : []))
    const keys = new Set(inputs.flatMap(Object.keys))
    const properties = Object.fromEntries([...keys].map(key => [key, {}]))
    return { name, description: '', parameters: { type: 'object', properties } }
  })
}
