// Arguments and standard input → the task. Input that is piped in is never lost: with an argument too, it is appended.
import { fstatSync } from 'node:fs'
import { SaydoError } from '../core/errors.js'
import type { Io } from './command.js'

/** A parent program may leave a socket open without ever writing to it; after this time, in ms, its silence means nothing comes. */
const SOCKET_PATIENCE = 1_000

/** A pipe may be fed by a slow program, so it is read to its end; after this time without a word, in ms, the wait is told. */
const PIPE_PATIENCE = 2_000

/** In characters; more than any model reads. */
const LONGEST = 16 * 1024 * 1024

const WAITING = '· reading on from stdin until it ends; if nothing is to come from there, add </dev/null\n'

const NOT_UTF8 = '! stdin is not all UTF-8: what could not be read stands as \uFFFD in the task\n'

/** The words of the command line, then what stands on stdin. Rejects with `CONFIG` when both are empty or there is no end of it, `ABORTED` when interrupted. */
export async function readTask(words: readonly string[], io: Io): Promise<string> {
  // a dash at the end stands for stdin, which is read anyway; elsewhere it may be a minus
  const spoken = (words.at(-1) === '-' ? words.slice(0, -1) : words).join(' ').trim()
  const piped = io.stdin.isTTY ? '' : await readAll(io, spoken !== '')
  if (io.signal.aborted) throw new SaydoError('ABORTED', 'interrupted before the run began')
  const task = [spoken, piped.trim()].filter(part => part !== '').join('\n\n')
  if (task === '')
    throw new SaydoError('CONFIG', 'the task is empty', {
      hint: 'say what to do: saydo "What is 6 * 7?" --url http://localhost:8080',
    })
  return task
}

async function readAll(io: Io, impatient: boolean): Promise<string> {
  const { stdin } = io
  const decoder = new TextDecoder()
  let text = ''
  const stop = () => stdin.destroy()
  io.signal.addEventListener('abort', stop, { once: true })
  const waiting = setTimeout(() => io.stderr.write(WAITING), PIPE_PATIENCE)
  const hangUp = impatient && isSocket(stdin) ? setTimeout(stop, SOCKET_PATIENCE) : undefined
  try {
    for await (const chunk of stdin) {
      clearTimeout(waiting)
      clearTimeout(hangUp)
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true })
      if (text.length > LONGEST) break
    }
  } catch {
    // destroyed above, or a parent that closed it: what came is what there is
  } finally {
    io.signal.removeEventListener('abort', stop)
    clearTimeout(waiting)
    clearTimeout(hangUp)
  }
  if (text.length > LONGEST)
    throw new SaydoError('CONFIG', 'what comes on stdin is no task: it is longer than 16 MiB', {
      hint: 'pipe in the part that matters, such as the output of head or grep',
    })
  const whole = text + decoder.decode()
  if (whole.includes('\uFFFD')) io.stderr.write(NOT_UTF8)
  return whole
}

function isSocket(stream: Io['stdin']): boolean {
  const fd = (stream as { readonly fd?: unknown }).fd
  if (typeof fd !== 'number') return false
  try {
    return fstatSync(fd).isSocket()
  } catch {
    return false
  }
}
