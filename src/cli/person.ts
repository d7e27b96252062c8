// A terminal → what the person at it says, one line for a question and one question at a time. Lines are read without raw mode, so that Ctrl-C stays
// what it is. What was typed before a question was shown is no answer to it.
import { createInterface } from 'node:readline'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as wait } from 'node:timers/promises'
import type { Io } from './command.js'

/** How long the keyboard is listened to before a question is shown, in ms; what comes then was typed too early. */
const TOO_EARLY = 30

export class Person {
  readonly #io: Io
  readonly #hush: () => void
  #turn: Promise<unknown> = Promise.resolve()
  #gone = false

  /** `hush` silences whatever else writes to the terminal at the moment. */
  constructor(io: Io, hush: () => void = () => {}) {
    this.#io = io
    this.#hush = hush
  }

  /** Somebody can read a question and answer it. */
  get isThere(): boolean {
    return !this.#gone && this.#io.stdin.isTTY === true && this.#io.stderr.isTTY === true
  }

  /** Shows a text and waits for a line. Undefined: nobody is there, the input has ended, or the signal is aborted. */
  ask(question: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#oneByOne(async () => {
      // where it is no terminal, what stands on stdin is no answer
      if (!this.isThere) return undefined
      await this.#listen(signal, async line => {
        await Promise.race([line, wait(TOO_EARLY)])
      })
      if (!this.isThere || signal.aborted) return undefined
      this.#hush()
      this.#io.stderr.write(question)
      return this.#listen(signal, line => line)
    })
  }

  /** Lets a line be changed where it stands. Undefined as for `ask`. */
  edit(label: string, line: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#oneByOne(async () => {
      if (!this.isThere || signal.aborted) return undefined
      this.#hush()
      const { stdin, stderr, interrupt } = this.#io
      const reader = createInterface({ input: stdin, output: stderr, terminal: true, historySize: 0 })
      return new Promise<string | undefined>(resolve => {
        const onAbort = () => reader.close()
        signal.addEventListener('abort', onAbort, { once: true })
        // a line reader keeps Ctrl-C to itself
        reader.on('SIGINT', () => {
          interrupt?.()
          reader.close()
        })
        reader.on('close', () => {
          signal.removeEventListener('abort', onAbort)
          resolve(undefined)
        })
        reader.question(label, changed => {
          resolve(changed)
          reader.close()
        })
        reader.write(line)
      })
    })
  }

  async #oneByOne<T>(talk: () => Promise<T>): Promise<T> {
    const before = this.#turn
    const turn = before.then(talk)
    this.#turn = turn.catch(() => {})
    return turn
  }

  /** Gives the next line to `use`, for as long as that takes. */
  async #listen<T>(signal: AbortSignal, use: (line: Promise<string | undefined>) => Promise<T>): Promise<T> {
    const { stdin } = this.#io
    const decoder = new StringDecoder('utf8')
    let text = ''
    let settle: (line: string | undefined) => void = () => {}
    const line = new Promise<string | undefined>(resolve => {
      settle = resolve
    })
    const onData = (chunk: string | Uint8Array) => {
      text += typeof chunk === 'string' ? chunk : decoder.write(chunk as Buffer)
      const end = text.indexOf('\n')
      if (end >= 0) settle(text.slice(0, end).replace(/\r$/, ''))
    }
    const onEnd = () => {
      this.#gone = true
      settle(undefined)
    }
    const onAbort = () => settle(undefined)
    stdin.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onEnd)
    signal.addEventListener('abort', onAbort, { once: true })
    if (stdin.readableEnded || stdin.destroyed) onEnd()
    else stdin.resume()
    try {
      return await use(line)
    } finally {
      stdin.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onEnd)
      signal.removeEventListener('abort', onAbort)
      // who does not ask does not keep the process awake
      stdin.pause()
    }
  }
}
