// The bytes of a file that people edit → its text, when they are UTF-8. A replay of letters that an editor has spoilt would be another run.
import { isUtf8 } from 'node:buffer'
import { SaydoError } from '../core/errors.js'

/** Throws `FIXTURE_INVALID` that names the line. */
export function utf8Text(bytes: Buffer, file: string): string {
  const text = bytes.toString('utf8')
  if (isUtf8(bytes)) return text
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length
  throw new SaydoError('FIXTURE_INVALID', `${file}:${line}: this is no UTF-8`, { hint: 'save it as UTF-8' })
}
