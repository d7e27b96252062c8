// What every agent of the ladder may be given: its name, its limits, and what becomes of its resource.

export interface BaseAgentOptions {
  /** What to call it in transcripts; default the class's own, such as `tool-call`. */
  readonly name?: string
  readonly description?: string
  /** Steps before a run is stopped; default the class's own, such as 30 for `ToolCallAgent`. */
  readonly maxSteps?: number
  /**
   * At the step limit, and when replies stay unclear: `answer` (default) asks once more for an answer from what is known, `return` ends
   * without one, `throw` rejects with a `STATE` error.
   */
  readonly onMaxSteps?: 'answer' | 'return' | 'throw'
  /** Leave the agent's resource open after a run, for the next one; `close()` is then the caller's. Default false. */
  readonly keepOpen?: boolean
}
