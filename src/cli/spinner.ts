// A terminal → one line that says something is going on, gone without a trace when it stops. Own code, since the libraries' spinners put the
// keyboard into raw mode and swallow Ctrl-C.
import type { Io } from './command.js'

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

export class Spinner {
  readonly #stream: Io['stderr']
  #timer: NodeJS.Timeout | undefined
  #frame = 0

  constructor(stream: Io['stderr']) {
    this.#stream = stream
  }

  start(message: string): void {
    this.stop()
    if (!this.#stream.isTTY) return
    const began = Date.now()
    this.#timer = setInterval(() => {
      this.#frame = (this.#frame + 1) % FRAMES.length
      this.#stream.write(`\r\u001b[K${FRAMES[this.#frame]} ${message} ${Math.round((Date.now() - began) / 1000)} s`)
    }, 100)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#stream.write('\r\u001b[K')
  }
}
