// What one look at an endpoint found, and how it is told.
import { SaydoError } from '../../core/errors.js'
import type { Paint } from '../paint.js'
import { visible } from '../visible.js'

export interface Finding {
  /** What was looked at, such as `streaming`. */
  readonly name: string
  /** `fine` · `off`: it works, but something should be known or mended · `broken` · `unseen`: it could not be told. */
  readonly state: 'fine' | 'off' | 'broken' | 'unseen'
  readonly seen: string
  /** What to do about it, one sentence. */
  readonly fix?: string
  readonly ms?: number
  /** With this the endpoint can't be used at all. */
  readonly fatal?: true
}

/** What saydo says of something that is not there or does not hold. Throws what is no `SaydoError`. */
export function faultFinding(name: string, error: unknown, how: Pick<Finding, 'state' | 'fatal'>): Finding {
  if (!(error instanceof SaydoError)) throw error
  return { name, seen: error.message, ...how, ...(error.hint === undefined ? {} : { fix: error.hint }) }
}

const SIGNS = { fine: '✓', off: '!', broken: '✗', unseen: '·' } as const
const COLOURS = { fine: 'green', off: 'yellow', broken: 'red', unseen: 'dim' } as const

/** One line, and one more for the fix. */
export function writeFinding({ name, state, seen, fix, ms }: Finding, paint: Paint): string {
  const time = ms === undefined ? '' : paint.dim(` (${Math.round(ms)} ms)`)
  const line = `${paint[COLOURS[state]](SIGNS[state])} ${paint.bold(name)}: ${visible(seen)}${time}\n`
  return fix === undefined ? line : `${line}    ${paint.dim('→')} ${visible(fix)}\n`
}
