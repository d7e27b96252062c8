// A file, or stdin → its lines, one at a time, so that either may be of any size.
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { SaydoError } from '../core/errors.js'
import type { Io } from './command.js'
import { whyUnread } from './why-unread.js'

/** Rejects with `CONFIG` and that hint for a file that can't be read; no file, or `-`, is stdin. */
export async function inputLines(file: string | undefined, io: Io, hint: string): Promise<AsyncIterable<string>> {
  if (file === undefined || file === '-') return linesOf(io.stdin)
  const stream = createReadStream(resolve(io.cwd, file))
  try {
    await once(stream, 'readable')
  } catch (cause) {
    throw new SaydoError('CONFIG', `Cannot read ${file}: ${whyUnread(cause)}.`, { hint, cause })
  }
  return linesOf(stream)
}

/** Split at \n only: other separators may stand in JSON strings. */
export async function* linesOf(input: AsyncIterable<unknown>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  for await (const piece of input) {
    const text = typeof piece === 'string' ? piece : decoder.write(piece as Buffer)
    let from = 0
    for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', from)) {
      parts.push(text.slice(from, newline))
      yield parts.join('')
      parts = []
      from = newline + 1
    }
    if (from < text.length) parts.push(text.slice(from))
  }
  const last = parts.join('') + decoder.end()
  if (last) yield last
}
