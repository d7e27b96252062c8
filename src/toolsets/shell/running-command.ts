// A command that runs in a lasting bash: what it has printed, whether it is over, and who waits for either.

/** Most output of one command that is kept; a command that prints more is interrupted. */
const MOST_OUTPUT = 10 * 1024 * 1024
const NOISE = 'tcsetattr: '

export class RunningCommand {
  readonly number: number
  /** Its line was read to the end. */
  begun = false
  /** Unset while it runs. */
  status: number | undefined
  /** The bash itself is over. */
  exited = false
  /** Of `performance.now`. */
  lastOutput = performance.now()
  #output: Buffer[] = []
  #size = 0
  /** Called when something was printed, and when it is over. */
  #changed = (): void => {}
  /** Called when it is over. */
  #over = (): void => {}

  constructor(number: number) {
    this.number = number
  }

  get isOver(): boolean {
    return this.status !== undefined
  }

  get printsTooMuch(): boolean {
    return this.#size > MOST_OUTPUT
  }

  print(bytes: Buffer): void {
    if (!this.printsTooMuch) this.#output.push(Buffer.from(bytes))
    this.#size += bytes.length
    this.lastOutput = performance.now()
    this.#changed()
  }

  end(status: number): void {
    this.status = status
    this.#changed()
    this.#over()
  }

  /** The bash ended with it. */
  exit(status: number): void {
    this.exited = true
    this.end(status)
  }

  /** What it printed since the last look, stdout and stderr in their order. */
  takeOutput(): Buffer {
    const output = Buffer.concat(this.#output)
    this.#output = []
    this.#size = 0
    return withoutNoise(output)
  }

  /** Resolves when something was printed or it is over, after `ms`, or at an abort. */
  async changeWithin(ms: number, signal: AbortSignal): Promise<void> {
    let changed = (): void => {}
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      changed = () => {
        clearTimeout(timer)
        resolve()
      }
      this.#changed = changed
      signal.addEventListener('abort', changed, { once: true })
    })
    signal.removeEventListener('abort', changed)
    this.#changed = () => {}
  }

  /** Resolves when it is over, or after `ms`. */
  async overWithin(ms: number): Promise<void> {
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#over = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#over = () => {}
  }
}

/** An interactive bash grieves for its terminal when a program is killed. */
function withoutNoise(output: Buffer): Buffer {
  if (!output.includes(NOISE)) return output
  const text = output.toString('latin1').replace(/^bash: \[[\d: ()]{1,40}\] tcsetattr: [^\n]{1,80}\n/gm, '')
  return Buffer.from(text, 'latin1')
}
