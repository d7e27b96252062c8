// Keys as a terminal sends them → keys for a line editor in which a paste is text and nothing else. The terminal marks where a paste begins and ends
// (bracketed paste); within it, a line break ends no line and an escape steers nothing: each control character is shown as its picture (␊), which
// becomes that character again when the line is read. A paste that is too long to be edited is shown by a short name.

/** What a terminal is told so that it marks pastes, and so that it no longer does. */
export const MARK_PASTES = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

const BEGIN = '\u001b[200~'
const END = '\u001b[201~'
const CTRL_C = '\u0003'

/** Longer pastes are shown by a name: a line editor takes its time for each character. */
const LONGEST = 1_000

export class Pasted {
  readonly #long = new Map<string, string>()
  #paste: string | undefined
  /** The beginning of a mark at the end of what came. */
  #rest = ''

  /** The next keys; gives what the line editor gets. */
  keys(chunk: string): string {
    // the end of a paste was lost
    if (chunk === CTRL_C) this.#paste = undefined
    let text = this.#rest + chunk
    let out = ''
    this.#rest = ''
    while (text !== '') {
      const mark = this.#paste === undefined ? BEGIN : END
      const at = text.indexOf(mark)
      const end = at < 0 ? text.length - startOf(mark, text, this.#paste === undefined ? 2 : 1) : at
      if (this.#paste === undefined) out += text.slice(0, end)
      else this.#paste += text.slice(0, end)
      if (at < 0) {
        this.#rest = text.slice(end)
        break
      }
      text = text.slice(at + mark.length)
      if (this.#paste !== undefined) out += this.#shown(this.#paste)
      this.#paste = this.#paste === undefined ? '' : undefined
    }
    return out
  }

  /** A line as it was edited → the text that is meant. */
  textOf(line: string): string {
    return line.replace(MEANT, found => this.#long.get(found) ?? (found.length === 1 ? fromPicture(found) : found))
  }

  #shown(paste: string): string {
    const text = paste.replace(/\r\n?/g, '\n')
    if (text.length <= LONGEST) return pictured(text)
    const name = `[paste ${this.#long.size + 1}: ${text.length} characters]`
    this.#long.set(name, text)
    return name
  }
}

/** As one line: control characters as their pictures. */
export function pictured(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, character =>
    character === '\u007f' ? '\u2421' : String.fromCharCode(0x2400 + character.charCodeAt(0)),
  )
}

function fromPicture(picture: string): string {
  return picture === '\u2421' ? '\u007f' : String.fromCharCode(picture.charCodeAt(0) - 0x2400)
}

/** What stands for something else in an edited line. */
const MEANT = /[\u2400-\u241f\u2421]|\[paste \d{1,9}: \d{1,12} characters\]/g

/** How many characters at the end of the text, of `least` at least, may be the beginning of the mark. Outside of a paste a lone escape is a key. */
function startOf(mark: string, text: string, least: number): number {
  for (let length = mark.length - 1; length >= least; length--) if (text.endsWith(mark.slice(0, length))) return length
  return 0
}
