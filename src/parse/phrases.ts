// Words of a table in a text → whether they stand there as words. In scripts that write no blanks a phrase may stand within other letters.

/** `text` begins with the phrase, and the phrase's last word ends there; both in lower case. */
export function beginsWith(text: string, phrase: string): boolean {
  return text.startsWith(phrase) && !isGlued(text, phrase.length)
}

/** The phrase stands somewhere in the text, as words of its own; both in lower case. */
export function holdsPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1))
    if (!isGlued(text, at) && !isGlued(text, at + phrase.length)) return true
  return false
}

/** Letters of one word on both sides of `at`. */
function isGlued(text: string, at: number): boolean {
  return SPACED_LETTER.test(text.charAt(at - 1)) && SPACED_LETTER.test(text.charAt(at))
}

/** A letter of a script that sets blanks between words. */
const SPACED_LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}]/u
