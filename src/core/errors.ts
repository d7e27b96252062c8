// What is thrown: only faults of the program or the world. A model's mistakes are Problems, a tool's failures are Observations.

export type ErrorCode =
  // configuration: shows without asking the world
  | 'CONFIG'
  | 'TEMPLATE'
  | 'MISSING_PACKAGE'
  | 'STATE'
  | 'SCRIPT_EXHAUSTED'
  // the endpoint
  | 'MODEL_UNREACHABLE'
  | 'MODEL_TIMEOUT'
  | 'MODEL_AUTH'
  | 'MODEL_NOT_FOUND'
  | 'MODEL_RATE_LIMITED'
  | 'MODEL_REFUSED'
  | 'MODEL_BAD_RESPONSE'
  | 'MODEL_BROKEN_STREAM'
  | 'MODEL_CONTEXT'
  | 'MODEL_FILTERED'
  | 'ABORTED'
  // this machine
  | 'SANDBOX'
  // records of runs
  | 'JOURNAL_WRITE'
  | 'JOURNAL_LOCKED'
  | 'JOURNAL_DAMAGED'
  | 'JOURNAL_VERSION'
  | 'FIXTURE_INVALID'
  | 'FIXTURE_VERSION'
  | 'FIXTURE_MISSING'
  | 'FIXTURE_EXHAUSTED'
  | 'FIXTURE_UNUSED'
  | 'FIXTURE_STALE'
  | 'FIXTURE_MISMATCH'

export interface SaydoErrorOptions {
  /** What to do about it, one sentence. */
  readonly hint?: string
  readonly cause?: unknown
  /** The same request may succeed later; it has been tried often enough already. */
  readonly retryable?: boolean
}

/** Every error saydo throws. `code` is stable, `message` names the place, `hint` the fix. */
export class SaydoError extends Error {
  override readonly name = 'SaydoError'
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, options: SaydoErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.hint = options.hint
    this.retryable = options.retryable ?? false
  }
}
