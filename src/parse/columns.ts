// Text of a reply → what a terminal shows of it, and how many columns that takes. Every character is seen: controls, zero-width and bidi characters
// and halves of a character are written out, a tab is an arrow.

/** One code point, or half of one, as it is shown. */
function showCharacter(character: string): string {
  if (character === '\t') return '→'
  return UNSEEN.test(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character
}

/** A text on one line; a line break in it is written out too. */
export function showText(text: string): string {
  let shown = ''
  for (const character of text) shown += showCharacter(character)
  return shown
}

/** Columns of a text that was made with `showText`: two for wide characters and emoji, none for marks that stand on the letter before. */
export function columnsOf(shown: string): number {
  let columns = 0
  for (const character of shown) columns += width(character)
  return columns
}

/** As much of the beginning of `text` as fits into `columns`, in UTF-16 code units; at least one character. */
export function fitting(text: string, columns: number): number {
  let used = 0
  let end = 0
  for (const character of text) {
    used += columnsOf(showCharacter(character))
    if (used > columns && end > 0) break
    end += character.length
  }
  return end
}

function width(character: string): number {
  if (character < '\u0300') return 1
  if (MARK.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** C0, DEL, C1, soft hyphen, zero-width and bidi controls, separators of lines, half characters, tag characters. */
export const UNSEEN =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff\u{e0000}-\u{e007f}]/u
const MARK = /^[\p{Mn}\p{Me}]$/u
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u
