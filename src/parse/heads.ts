// A text → its first three letters as one number: the cheapest way to see that it is none of a few known words.
import { isDigit, isIdeograph, isLatin } from './characters.js'

/** The first letters and digits, folded; undefined when they can't be told without normalising the text. */
export function headOf(text: string): number | undefined {
  let head = 0
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const ideograph = isIdeograph(code)
    // a mark may still join the letter before it
    if (code > 127 && !ideograph) return undefined
    if (length === HEAD) break
    const upper = code >= 65 && code <= 90
    if (!ideograph && !isLatin(code) && !isDigit(code)) continue
    head = head * 0x10000 + (upper ? code + 32 : code)
    length++
  }
  return head
}

/** The heads of folded words; those that have none are found by their letters anyway. */
export function headsOf(words: Iterable<string>): ReadonlySet<number> {
  const heads = new Set<number>()
  for (const word of words) {
    const head = headOf(word.slice(0, HEAD))
    if (head !== undefined) heads.add(head)
  }
  return heads
}

/** As many as fit into a number exactly. */
const HEAD = 3
