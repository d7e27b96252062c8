// A file that changes, or text that comes in piece by piece → the whole text each time there is something new. Ends when the signal fires, or the
// input does.
import { unwatchFile, watchFile } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { SaydoError } from '../core/errors.js'
import type { Io } from './command.js'
import { whyUnread } from './why-unread.js'

/** How often the file is looked at, in ms: works wherever it lies, and whether an editor rewrites it or puts another in its place. */
const INTERVAL = 100
/** An editor may write in several goes; what it left when this long nothing changed is read, in ms. */
const SETTLE = 40

/** `onText` gets undefined while there is no such file. Rejects with what `onText` rejects with, and with `CONFIG` for what is no file. */
export async function watchText(
  path: string,
  signal: AbortSignal,
  onText: (text: string | undefined) => Promise<void>,
): Promise<void> {
  let last: string | undefined | null = null
  const look = async (): Promise<void> => {
    const text = await readFile(path, 'utf8').catch(ifMissing)
    if (text === last || signal.aborted) return
    last = text
    await onText(text)
  }
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()
  const { promise, resolve, reject } = deferred()
  const again = (): void => {
    looking = looking.then(look).catch(reject)
  }
  const onChange = (): void => {
    clearTimeout(timer)
    timer = setTimeout(again, SETTLE)
  }
  signal.addEventListener('abort', resolve, { once: true })
  if (signal.aborted) resolve()
  watchFile(path, { interval: INTERVAL }, onChange)
  try {
    again()
    await promise
  } finally {
    unwatchFile(path, onChange)
    clearTimeout(timer)
    signal.removeEventListener('abort', resolve)
  }
}

function ifMissing(cause: unknown): undefined {
  if ((cause as { readonly code?: string }).code === 'ENOENT') return undefined
  throw new SaydoError('CONFIG', `Cannot watch this: ${whyUnread(cause)}.`, { hint: 'Name a file with one reply.', cause })
}

/** `onText` gets all that came so far, with each piece: a line, where a person types. */
export async function watchInput({ stdin, signal }: Io, onText: (text: string) => Promise<void>): Promise<void> {
  const decoder = new StringDecoder('utf8')
  const stop = (): void => void stdin.destroy()
  signal.addEventListener('abort', stop, { once: true })
  let text = ''
  try {
    for await (const piece of stdin) {
      text += typeof piece === 'string' ? piece : decoder.write(piece)
      await onText(text)
    }
    const rest = decoder.end()
    if (rest !== '') await onText(text + rest)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve = (): void => {}
  let reject = (_: unknown): void => {}
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  return { promise, resolve, reject }
}
