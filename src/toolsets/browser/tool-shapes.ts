// The parts that browser tools are built from: what each is, and the inputs they share.
import type { JsonObject } from '../../core/json.js'
import type { ToolContext, ToolSpec } from '../../core/tool.js'

export interface Action extends Pick<ToolSpec, 'name' | 'description' | 'repeatable' | 'effect'> {
  readonly input?: JsonObject
  run(input: never, context: ToolContext): Promise<string>
}

export const INDEX = { type: 'integer', minimum: 1, description: 'Number of the element.' }

export function object(properties: JsonObject, required: readonly string[] = Object.keys(properties)): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false }
}

export function string(description: string): JsonObject {
  return { type: 'string', description }
}

export function integer(description: string): JsonObject {
  return { type: 'integer', minimum: 1, description }
}
