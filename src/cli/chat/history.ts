// What was said in chats, as a file of one entry a line, for the arrow keys. It is of one person: nobody else may read it, and what looks like a
// secret is not in it. Where the file can't be written, the history lasts as long as the chat.
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { hideFromGit } from '../run-files.js'
import { pictured } from './pasted.js'

/** Longer entries are not kept, in characters. */
const LONGEST = 4_000

export class History {
  /** Entries that are kept. */
  static readonly size = 1_000
  /** Oldest first. */
  readonly lines: readonly string[]
  readonly #file: string | undefined
  readonly #mask: (text: string) => string
  readonly #say: (line: string) => void
  #works = true

  /** Without a file nothing is kept. `mask` takes the secrets out of a text; `say` is told what goes wrong. */
  constructor(file: string | undefined, mask: (text: string) => string, say: (line: string) => void) {
    this.#file = file
    this.#mask = mask
    this.#say = say
    this.lines = file === undefined ? [] : (this.#try(() => opened(file)) ?? [])
  }

  add(entry: string): void {
    const file = this.#file
    if (file === undefined || entry.length > LONGEST) return
    this.#try(() => {
      hideFromGit(dirname(file))
      appendFileSync(file, `${pictured(this.#mask(entry))}\n`, { mode: 0o600 })
    })
  }

  #try<T>(work: () => T): T | undefined {
    if (!this.#works) return undefined
    try {
      return work()
    } catch (error) {
      this.#works = false
      this.#say(`no history is kept: ${(error as Error).message}`)
      return undefined
    }
  }
}

/** The newest entries of the file. One that has grown to twice of that is cut back. */
function opened(file: string): readonly string[] {
  if (!existsSync(file)) return []
  chmodSync(file, 0o600)
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line !== '')
  const newest = lines.slice(-History.size)
  if (lines.length > 2 * History.size) writeFileSync(file, `${newest.join('\n')}\n`, { mode: 0o600 })
  return newest
}
