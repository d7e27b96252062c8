// What a tool throws that has used up its own time and has something to show for it.

/** Fails the call with `timeout`, as any error named `TimeoutError` does. `message` is for people, `text` what the model reads, such as what came until then. */
export class OutOfTimeError extends Error {
  override readonly name = 'TimeoutError'
  readonly text: string

  constructor(message: string, text: string) {
    super(message)
    this.text = text
  }
}
