// What a tool throws when its world is gone.

/** Thrown by a tool whose world is gone (server down, page closed): the failure is `unavailable` instead of `threw`. */
export class ToolUnavailableError extends Error {
  override readonly name = 'ToolUnavailableError'
}
