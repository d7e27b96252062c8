// A terminal → entries, with line editing and history. The keyboard is taken only while an entry is awaited: in between Ctrl-C is a signal again, and
// whoever else asks at the terminal gets the keys. What was typed meanwhile begins the next entry.
import { createInterface, type Interface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Io } from '../command.js'
import type { ChatInput, Entry } from './chat-input.js'
import { EntryReader } from './entry-reader.js'
import { History } from './history.js'
import { MARK_PASTES, Pasted, pictured } from './pasted.js'

export interface TerminalInputOptions {
  readonly history: History
  /** Shown before an entry, and before its further lines. */
  readonly labels: { readonly first: string; readonly more: string }
  /** What may follow a word that was begun: given a line, all that it may become. */
  readonly complete: (line: string) => readonly string[]
}

export class TerminalInput implements ChatInput {
  readonly isTerminal = true
  readonly #io: Io
  readonly #options: TerminalInputOptions
  readonly #entries = new EntryReader({ joins: true })
  readonly #pasted = new Pasted()
  readonly #decoder = new StringDecoder('utf8')
  readonly #keys: PassThrough
  readonly #editor: Interface
  /** The editor's own list, newest first. */
  #known: string[] = []
  /** Lines that came in one piece with an earlier one. */
  readonly #lines: string[] = []
  #typed: string[] = []
  #ended = false
  #wake: (entry?: Entry) => void = () => {}

  constructor(io: Io, options: TerminalInputOptions) {
    this.#io = io
    this.#options = options
    // the editor gives the terminal back when the program is stopped
    this.#keys = Object.assign(new PassThrough(), { setRawMode: (on: boolean) => rawMode(io.stdin, on) })
    this.#editor = createInterface({
      input: this.#keys,
      output: io.stderr,
      terminal: true,
      history: options.history.lines.toReversed().map(pictured),
      historySize: History.size,
      removeHistoryDuplicates: true,
      completer: (line: string) => [options.complete(line), line],
    })
    this.#editor.on('line', line => {
      this.#lines.push(line)
      this.#wake()
    })
    this.#editor.on('history', known => {
      this.#known = known
    })
    this.#editor.on('SIGINT', () => this.#interrupted())
    this.#editor.on('close', () => this.#end())
  }

  async next(): Promise<Entry> {
    const { signal } = this.#io
    const stop = () => this.#wake({ kind: 'interrupted' })
    signal.addEventListener('abort', stop, { once: true })
    this.#take()
    try {
      const entry = await this.#nextEntry()
      // what comes next begins a line
      if (entry.kind !== 'text') this.#io.stderr.write('\n')
      return entry
    } finally {
      signal.removeEventListener('abort', stop)
      this.#leave()
    }
  }

  close(): void {
    this.#editor.close()
  }

  async #nextEntry(): Promise<Entry> {
    for (;;) {
      if (this.#io.signal.aborted) return { kind: 'interrupted' }
      const text = this.#entry()
      if (text !== undefined && text.trim() !== '') return { kind: 'text', text }
      if (this.#ended) return { kind: 'end' }
      const { first, more } = this.#options.labels
      this.#editor.setPrompt(this.#entries.isOpen ? more : first)
      this.#editor.prompt(true)
      const entry = await new Promise<Entry | undefined>(resolve => {
        this.#wake = resolve
      })
      if (entry) return entry
    }
  }

  /** An entry from the lines that are there. */
  #entry(): string | undefined {
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      this.#typed.push(line)
      const text = this.#entries.push(this.#pasted.textOf(line))
      if (text === undefined) continue
      this.#remember(text)
      return text
    }
    return undefined
  }

  /** An entry of several lines is one of the history. */
  #remember(text: string): void {
    const typed = this.#typed
    this.#typed = []
    if (text.trim() === '') return
    if (typed.length > 1) {
      for (const line of typed) if (this.#known.includes(line)) this.#known.splice(this.#known.indexOf(line), 1)
      this.#known.unshift(pictured(text))
    }
    this.#options.history.add(text)
  }

  /** Ctrl-C takes back what was typed; where there is nothing, it leaves. */
  #interrupted(): void {
    if (this.#editor.line === '' && !this.#entries.isOpen) return this.#wake({ kind: 'interrupted' })
    this.#entries.reset()
    this.#typed = []
    this.#io.stderr.write('^C\n')
    this.#editor.write(null, { ctrl: true, name: 'e' })
    this.#editor.write(null, { ctrl: true, name: 'u' })
    this.#wake()
  }

  #end(): void {
    this.#ended = true
    this.#wake({ kind: 'end' })
  }

  #take(): void {
    const { stdin, stderr } = this.#io
    stdin.on('data', this.#feed).on('end', this.#close).on('close', this.#close).on('error', this.#close)
    rawMode(stdin, true)
    stderr.write(MARK_PASTES.on)
    if (stdin.readableEnded || stdin.destroyed) this.#close()
    else stdin.resume()
  }

  #leave(): void {
    const { stdin, stderr } = this.#io
    this.#wake = () => {}
    stdin.pause()
    stdin.off('data', this.#feed).off('end', this.#close).off('close', this.#close).off('error', this.#close)
    rawMode(stdin, false)
    stderr.write(MARK_PASTES.off)
  }

  readonly #feed = (chunk: string | Uint8Array): void => {
    const keys = this.#pasted.keys(typeof chunk === 'string' ? chunk : this.#decoder.write(chunk as Buffer))
    if (keys !== '') this.#keys.write(keys)
  }

  readonly #close = (): void => this.#editor.close()
}

function rawMode(stdin: Io['stdin'] & { setRawMode?: (on: boolean) => unknown }, on: boolean): void {
  stdin.setRawMode?.(on)
}
