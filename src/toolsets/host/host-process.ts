// The path of a tools file → a process that has it loaded, and what its tools answer. Knows when a tool does not stop, and ends the whole process
// group then.
import { type ChildProcess, spawn } from 'node:child_process'
import { SaydoError } from '../../core/errors.js'
import type { Answer, FromHost, HostedTool, Question, ToHost } from './messages.js'
import program from './program.program'

/** A file has this long to load, in ms. */
const LOADING = 30_000

/** Most that is passed on of what the tools print, in UTF-16 code units. */
const MOST_OUTPUT = 1024 * 1024

export interface HostSettings {
  /** How long a tool whose answer is no longer wanted has to stop, in ms. */
  readonly graceMs: number
  /** What the tools print, as it comes. */
  readonly onOutput: (text: string) => void
  /** Something a tool left behind failed, or an export looks as if it was meant to be a tool; one sentence. */
  readonly onNotice: (message: string) => void
}

interface Pending {
  readonly settle: (answer: Answer) => void
  /** Ends the process when the tool does not stop. */
  grace?: NodeJS.Timeout
}

/** Hosts that run something end with this process at once; idle ones end by themselves when the channel closes. */
const alive = new Set<HostProcess>()

export class HostProcess {
  readonly #child: ChildProcess
  readonly #file: string
  readonly #settings: HostSettings
  readonly #pending = new Map<number, Pending>()
  readonly #ready: Promise<readonly HostedTool[]>
  #nextId = 1
  #printed = 0
  #ended = false
  #closing = false
  readonly #stopping = new Set<number>()
  #quiet: Promise<void> = Promise.resolve()
  #whenQuiet: () => void = () => {}

  constructor(file: string, settings: HostSettings) {
    this.#file = file
    this.#settings = settings
    this.#child = spawn(process.execPath, [...inheritedFlags(), '--input-type=module', '--eval', program, file], {
      // a group of its own, so that whatever a tool starts can be ended with it
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // an input may hold what JSON has no word for, such as an endless time limit
      serialization: 'advanced',
    })
    this.#ready = this.#open()
    // who asks for the tools is told; nobody has to
    this.#ready.catch(() => {})
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream?.setEncoding('utf8').on('data', this.#print)
    this.#child.on('message', this.#hear).on('error', error => this.#end(error.message))
    this.#child.on('exit', (code, signal) => this.#end(signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`))
    // a tool that closes the channel can't be asked any more
    this.#child.on('disconnect', () => this.#closing || this.kill())
    alive.add(this)
  }

  /** It takes no more questions. */
  get isOver(): boolean {
    return this.#ended || this.#closing
  }

  get isBusy(): boolean {
    return this.#pending.size > 0
  }

  /** The tools of the file. Rejects with `CONFIG` when it can't be loaded. */
  tools(): Promise<readonly HostedTool[]> {
    return this.#ready
  }

  /** Resolves when no tool runs on whose answer is no longer wanted: it has stopped, or the process was ended for it. */
  quiet(): Promise<void> {
    return this.#quiet
  }

  /** Rejects with the name and the message of what the tool threw. When the signal is aborted the tool is told, and has some time to stop. */
  ask(question: Question, signal?: AbortSignal): Promise<unknown> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#stop(id, signal?.reason)
      const settle = (answer: Answer) => {
        signal?.removeEventListener('abort', onAbort)
        clearTimeout(this.#pending.get(id)?.grace)
        this.#pending.delete(id)
        this.#stopping.delete(id)
        this.#rest()
        if (answer.ok) resolve(answer.value)
        else reject(Object.assign(new Error(answer.message), { name: answer.name }))
      }
      this.#pending.set(id, { settle })
      this.#keepAwake(true)
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#send({ kind: 'question', id, question })
    })
  }

  /** Ends the process and whatever it started. */
  kill(): void {
    const { pid } = this.#child
    if (this.#ended || pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      this.#child.kill('SIGKILL')
    }
  }

  /** Lets the process end by itself. */
  close(): void {
    if (this.isBusy) this.kill()
    if (this.#ended || !this.#child.connected) return
    this.#closing = true
    this.#child.disconnect()
    setTimeout(() => this.kill(), this.#settings.graceMs).unref()
  }

  #open(): Promise<readonly HostedTool[]> {
    return new Promise((resolve, reject) => {
      const refuse = (message: string, hint = 'Run the file with node to see what it does.') =>
        reject(new SaydoError('CONFIG', message, { hint }))
      const timer = setTimeout(() => {
        refuse(`${this.#file} took longer than ${LOADING / 1000} s to load.`)
        this.kill()
      }, LOADING)
      const done = () => {
        clearTimeout(timer)
        this.#rest()
      }
      this.#child.on('message', (message: FromHost) => {
        if (message.kind === 'ready') {
          for (const notice of message.notices) this.#settings.onNotice(notice)
          resolve(message.tools)
        } else if (message.kind === 'broken') {
          const { code, hint } = message.error
          reject(new SaydoError(code, message.error.message, hint === undefined ? {} : { hint }))
          this.close()
        } else return
        done()
      })
      const onEnd = () => {
        refuse(`${this.#file} ended its process while it was loaded.`)
        done()
      }
      this.#child.on('exit', onEnd).on('error', onEnd)
    })
  }

  readonly #hear = (message: FromHost): void => {
    if (message.kind === 'answer') this.#pending.get(message.id)?.settle(message)
    else if (message.kind === 'stray')
      this.#settings.onNotice(`something that ${message.tool ?? 'a tool'} left behind failed: ${message.message}`)
  }

  readonly #print = (text: string): void => {
    const room = MOST_OUTPUT - this.#printed
    this.#printed += text.length
    if (room <= 0) return
    this.#settings.onOutput(text.length <= room ? text : `${text.slice(0, room)}\n[… more was printed, and left out]\n`)
  }

  #stop(id: number, reason: unknown): void {
    const pending = this.#pending.get(id)
    if (pending === undefined) return
    pending.grace = setTimeout(() => this.kill(), this.#settings.graceMs)
    if (this.#stopping.size === 0)
      this.#quiet = new Promise(resolve => {
        this.#whenQuiet = resolve
      })
    this.#stopping.add(id)
    this.#send({ kind: 'abort', id, reason: reason instanceof Error ? reason.message : String(reason) })
  }

  /** After an answer: nothing may be left to wait for. */
  #rest(): void {
    if (this.#stopping.size === 0) this.#whenQuiet()
    if (!this.isBusy) this.#keepAwake(false)
  }

  #end(how: string): void {
    if (this.#ended) return
    this.#ended = true
    alive.delete(this)
    const answer: Answer = { ok: false, message: `the process it ran in is gone: ${how}`, name: 'Error' }
    for (const { settle } of [...this.#pending.values()]) settle(answer)
    this.#whenQuiet()
  }

  #send(message: ToHost): void {
    // a channel that is closed already is followed by the end of the process
    this.#child.send(message, () => {})
  }

  /** An idle host is no reason for this process to go on. */
  #keepAwake(awake: boolean): void {
    for (const handle of [this.#child, this.#child.channel, this.#child.stdout, this.#child.stderr]) {
      const { ref, unref } = (handle ?? {}) as { ref?: () => void; unref?: () => void }
      if (awake) ref?.call(handle)
      else unref?.call(handle)
    }
  }
}

process.on('exit', () => {
  for (const host of alive) if (host.isBusy) host.kill()
})

/** How this Node was told to load modules holds for the host too, but not what belongs to one process alone. */
function inheritedFlags(): string[] {
  const { execArgv } = process
  return execArgv.some(flag => /^(-[ep]|--(eval|print|input-type|inspect|test|watch|check))\b/.test(flag)) ? [] : execArgv
}
