// Chunks of a reply → the moments at which it may be over, so that it is worth reading what came so far: at a label behind a call or an answer, at
// an observation in mid-line, at a line of other text behind closed brackets or markup. Only suspects; whether one is right, the reading says.
import type { Grammar, LabelRole } from './grammar.js'
import { matchLabel } from './labels.js'
import { labelBefore } from './midline.js'

export class EndWatch {
  readonly #grammar: Grammar
  /** The line so far, as much of it as a label may take. */
  #line = ''
  /** The line is longer than that. */
  #long = false
  /** An action, an answer or something closed came: there may be a decision. */
  #begun = false
  /** The last label is that of an answer, whose own brackets end nothing. */
  #answer = false
  /** A bracket, fence or tag was closed, and other text has come behind it. */
  #closed = false
  #text = false

  constructor(grammar: Grammar) {
    this.#grammar = grammar
  }

  /** Takes the next chunk; true when the reply may be over at its end. */
  push(chunk: string): boolean {
    let suspect = false
    let from = 0
    for (let i = 0; i < chunk.length; i++) {
      const code = chunk.charCodeAt(i)
      if (code === 10) {
        suspect = this.#endLine() || suspect
        from = i + 1
      } else if (code === 58 || code === 0xff1a) {
        this.#extend(chunk.slice(from, i + 1))
        from = i + 1
        suspect = this.#isLabel() || suspect
      } else if (isCloser(code)) {
        // a tag behind one that was closed
        if (code === 62 && this.#text) suspect = true
        if (code === 62 || !this.#answer) this.#closed = true
        this.#begun = true
        this.#text = false
      } else if (this.#closed && code > 47 && code !== 59) this.#text = true
    }
    this.#extend(chunk.slice(from))
    return suspect
  }

  #extend(text: string): void {
    if (!this.#long && this.#line.length + text.length <= LONGEST) this.#line += text
    else {
      this.#long = true
      this.#line = (this.#line + text.slice(-LONGEST)).slice(-LONGEST)
    }
  }

  /** A line of other text behind something closed. */
  #endLine(): boolean {
    const over = this.#closed && this.#text
    if (over) this.#closed = false
    this.#line = ''
    this.#long = false
    return over
  }

  /** A label ends with the line so far. */
  #isLabel(): boolean {
    const line = this.#line
    const match = this.#long ? undefined : matchLabel(line, 0, line.length, this.#grammar)
    if (match?.colon && match.value >= line.length) {
      const begun = this.#begun
      this.#answer = match.role === 'answer'
      this.#begun ||= this.#answer || match.role === 'action'
      if (match.role === 'action' || match.role === 'input') this.#closed = false
      return begun && ENDS.has(match.role)
    }
    return this.#closed && labelBefore(line, line.length - 1, 0, this.#grammar)?.role === 'observation'
  }
}

function isCloser(code: number): boolean {
  return code === 125 || code === 93 || code === 41 || code === 62 || code === 96 || code === 0xff5d
}

const LONGEST = 64
/** Labels that may stand behind what decides. */
const ENDS: ReadonlySet<LabelRole> = new Set(['thought', 'observation', 'answer', 'result', 'turn'])
