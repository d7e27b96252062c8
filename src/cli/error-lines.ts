// What was thrown → the lines that tell a person of it. The verdict comes last, so what a message shows below its first line stands above it.
import { SaydoError } from '../core/errors.js'
import { visible } from './visible.js'

/** `verbose`: with the stack. */
export function errorLines(error: unknown, verbose: boolean): readonly string[] {
  const known = error instanceof SaydoError ? error : undefined
  const message = error instanceof Error ? error.message : String(error)
  const stack = verbose && error instanceof Error && error.stack ? [error.stack] : []
  const hint = known?.hint ? ` — ${known.hint}` : ''
  const what = known?.code === 'ABORTED' ? 'aborted' : `error ${known?.code ?? 'UNEXPECTED'}`
  const [said, ...shown] = message.split('\n')
  return [...stack, ...shown, `${what}: ${hint ? said?.replace(/\.$/, '') : said}${hint}`].map(visible)
}
