// Plain JSON values, the only kind of data that crosses a room: what can be written to a transcript and read back unchanged.

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** A JSON Schema (draft-07 or 2020-12) as plain data. Only a validator and the parser's small tool shape look inside. */
export type JsonSchema = JsonObject

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
