// What a server says about itself and its tools → the same on one line, no longer than a limit, with nothing in it that hides. It is somebody else's
// text: a label or a line of its own would look as if it were ours.
import { visible } from '../../core/unseen.js'

/** `most`: in UTF-16 code units. */
export function foreignText(text: string, most: number): string {
  const head = text
    .slice(0, most * 2)
    .replace(/[\s\u2028\u2029\u0085]{1,64}/g, ' ')
    .trim()
  const shown = visible(head)
  if (shown.length <= most && text.length <= most * 2) return shown
  return `${shown.slice(0, most).replace(/[\uD800-\uDBFF]$|\\u\{?[\da-f]{0,6}$/, '')} …`
}
