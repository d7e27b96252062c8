// Whatever was thrown → the same as data, for transcripts.
import { type ErrorCode, SaydoError } from '../core/errors.js'
import type { ErrorReport } from '../core/event.js'

export function reportOf(error: unknown): ErrorReport {
  const code: ErrorCode | 'UNEXPECTED' = error instanceof SaydoError ? error.code : 'UNEXPECTED'
  const hint = error instanceof SaydoError ? error.hint : undefined
  return { code, message: error instanceof Error ? error.message : String(error), ...(hint === undefined ? {} : { hint }) }
}
