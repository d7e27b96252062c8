// The bytes of a file that people edit → its text, when they are UTF-8. A replay of letters that an editor has spoilt would be another run.
import { isUtf8 } from 'node:buffer'
import { type ErrorCode, SaydoError } from '../core/errors.js'

/** Throws `fault` that names the line. */
export function utf8Text(bytes: Buffer, file: string, fault: ErrorCode = 'FIXTURE_INVALID'): string {
  const text = bytes.toString('utf8')
  if (isUtf8(bytes)) return text
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length
  throw new SaydoError(fault, `${file}:${line}: this is no UTF-8`, { hint: 'save it as UTF-8' })
}
