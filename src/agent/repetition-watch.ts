// A text as it comes → whether its end is nothing but one short piece, over and over: a model that will not stop by itself. Looked at now and then, so
// that it costs a few steps for each character.

/** So much of the end must be the repeated piece, in UTF-16 code units. */
const STRETCH = 2_400

/** The longest piece: it stands there eight times at least. */
const LONGEST_PIECE = 300

/** How much text must come between two looks. */
const INTERVAL = 400

export class RepetitionWatch {
  #end = ''
  #unseen = 0

  /** True as soon as the text repeats itself. */
  push(chunk: string): boolean {
    this.#end = (this.#end + chunk).slice(-STRETCH)
    this.#unseen += chunk.length
    if (this.#unseen < INTERVAL || this.#end.length < STRETCH) return false
    this.#unseen = 0
    return periodOf(this.#end) <= LONGEST_PIECE
  }
}

/** Length of the shortest piece of which the text is a repetition, the last one perhaps cut short; linear (Knuth, Morris and Pratt). */
function periodOf(text: string): number {
  const border = new Uint16Array(text.length)
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = border[length - 1] ?? 0
    if (text.charCodeAt(at) === text.charCodeAt(length)) length += 1
    border[at] = length
  }
  return text.length - (border[text.length - 1] ?? 0)
}
