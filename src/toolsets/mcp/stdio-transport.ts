// A server that is started → a transport of MCP messages over its stdin and stdout. Whatever it does, this process stays alive and within its memory:
// lines that are no message are counted and passed over, a message that is too long is answered for by an error, and who floods or does not end is ended.
import { isObject, type JsonObject, type JsonValue } from '../../core/json.js'
import { LineReader } from './line-reader.js'
import type { ServerProcess, StartProcess, StdioCommand } from './server-process.js'

/** A line without an end, and messages that the process does not take: beyond this it is broken, in multiples of the longest message. */
const MOST_OPEN = 16

/** The last that a process said on stderr, in UTF-16 code units. */
const TAIL = 600

/** What a process has to end each time it is asked to, in ms. */
const GRACE_MS = 1_000

export interface StdioOptions extends StdioCommand {
  readonly start: StartProcess
  /** In bytes. */
  readonly maxMessageBytes: number
}

/** A transport as the SDK wants it. */
export class StdioTransport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: unknown) => void
  readonly #options: StdioOptions
  readonly #lines: LineReader
  #process: ServerProcess | undefined
  #said = ''
  #ended: string | undefined
  #hasExited = false
  #closing: Promise<void> | undefined
  #isOver: () => void = () => {}
  readonly #over = new Promise<void>(resolve => {
    this.#isOver = resolve
  })
  /** Lines on stdout that were no messages. */
  junk = 0

  constructor(options: StdioOptions) {
    this.#options = options
    this.#lines = new LineReader({
      most: options.maxMessageBytes,
      onLine: line => this.#hear(line),
      onTooLong: (head, tail) => this.#answerFor(head, tail),
    })
  }

  /** Why the process is gone, with the last it said; undefined while it runs. */
  get ended(): string | undefined {
    return this.#ended === undefined ? undefined : this.withLastWords(this.#ended)
  }

  /** A sentence about it, with the last it said on stderr. */
  withLastWords(sentence: string): string {
    const last = this.#said.trim()
    return last === '' ? sentence : `${sentence}; it said: ${last}`
  }

  /** Rejects when the command can't be started. */
  async start(): Promise<void> {
    try {
      this.#process = await this.#options.start(this.#options, {
        onOutput: chunk => this.#take(chunk),
        onSaid: text => {
          this.#said = (this.#said + text).slice(-TAIL)
        },
        onExit: why => {
          this.#hasExited = true
          this.#ended ??= why
        },
        onOver: () => this.#end('it ended'),
      })
    } catch (error) {
      this.#end(error instanceof Error ? error.message : String(error))
      throw error
    }
  }

  /** A message is written whole, also when nobody waits for its answer any more. */
  async send(message: object): Promise<void> {
    if (!this.#process || this.#ended !== undefined) throw new Error(this.ended ?? 'it was not started')
    if (this.#process.backlog > MOST_OPEN * this.#options.maxMessageBytes) this.#kill('it did not take what was sent to it')
    else this.#process.write(`${JSON.stringify(message)}\n`)
  }

  /** Lets the process end by itself, asks it to, and ends it at last. Whoever asks again waits for the same. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    if (!this.#process || this.#ended !== undefined) return
    this.#ended = 'it was closed'
    for (const how of ['input', 'ask', 'kill'] as const) {
      this.#process.end(how)
      await Promise.race([this.#over, new Promise(resolve => setTimeout(resolve, GRACE_MS).unref())])
      if (this.#hasExited) break
    }
    this.#process.release()
  }

  #take(chunk: Buffer): void {
    // what came before the end still counts; what comes after it was ended does not
    if (this.#ended !== undefined && !this.#hasExited) return
    this.#lines.push(chunk)
    if (this.#lines.open > MOST_OPEN * this.#options.maxMessageBytes) this.#kill('it wrote without end, and no line break')
  }

  #hear(line: string): void {
    const message = messageIn(line)
    if (message !== undefined) this.onmessage?.(message)
    else if (line.trim() !== '') this.junk += 1
  }

  /** Whoever waits for a message that is passed over is told so, where its number can be seen. */
  #answerFor(head: string, tail: string): void {
    const id = idIn(head, tail)
    const limit = Math.round(this.#options.maxMessageBytes / 1024)
    this.junk += 1
    if (id === undefined) return
    this.onmessage?.(answerFor(id, `the answer was longer than ${limit} kB, and was passed over`))
  }

  #kill(why: string): void {
    this.#process?.end('kill')
    this.#end(why)
  }

  /** Told once. */
  #end(why: string): void {
    this.#ended ??= why
    this.#isOver()
    const told = this.onclose
    delete this.onclose
    told?.()
    this.#process?.release()
  }
}

/** A line that is a message of JSON-RPC; batches are none. An answer of no such form is one that says so: somebody waits for it. */
function messageIn(line: string): JsonObject | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (!isObject(value) || value.jsonrpc !== '2.0') return undefined
  const { id, method, result, error } = value
  if (typeof method === 'string') return value
  if (typeof id !== 'number' && typeof id !== 'string') return undefined
  return isObject(result) || isError(error) ? value : answerFor(id, 'its answer is none: it has no result, and no error')
}

/** What the SDK takes for one. */
function isError(error: JsonValue | undefined): boolean {
  return isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string'
}

/** Fails the request of that number. */
export function answerFor(
  id: number | string,
  message: string,
): { jsonrpc: '2.0'; id: number | string; error: { code: number; message: string } } {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } }
}

/** The number of the request that a cut message answers: it stands first or last in it. */
function idIn(head: string, tail: string): number | undefined {
  if (/"method"\s{0,4}:/.test(head)) return undefined
  const first = /^\s{0,8}\{(?:\s{0,4}"jsonrpc"\s{0,4}:\s{0,4}"2\.0"\s{0,4},)?\s{0,4}"id"\s{0,4}:\s{0,4}(\d{1,15})\s{0,4},/.exec(
    head,
  )
  const last = /,\s{0,4}"id"\s{0,4}:\s{0,4}(\d{1,15})\s{0,4}\}\s{0,4}$/.exec(tail)
  const id = (first ?? last)?.[1]
  return id === undefined ? undefined : Number(id)
}
