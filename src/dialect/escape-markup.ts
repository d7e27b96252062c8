// Foreign text → the same text with nothing in it that begins a dialect's markup. Visible, so that a reader sees what was done.

/** Puts `| ` before each line that matches. */
export function markLines(text: string, markup: RegExp): string {
  return text.replace(LINES, line => (markup.test(line) ? `| ${line}` : line))
}

/** Breaks the tags of these names, opening and closing, anywhere in the text: `<answer>` becomes `‹answer>`. */
export function breakTags(text: string, names: readonly string[]): string {
  if (!text.includes('<')) return text
  return text.replace(/<(?=\/?([A-Za-z_]{1,40}))/g, (whole, name: string) => (names.includes(name.toLowerCase()) ? '‹' : whole))
}

/** Lines by every character that breaks one on some screen. */
const LINES = /[^\n\v\f\r\u0085\u2028\u2029]+/g
