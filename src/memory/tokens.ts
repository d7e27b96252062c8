// A text → about how many tokens it takes, and how far that guess is from what an endpoint counts.

/** A guess between tokenizers: four characters of a Latin text to a token, fewer of any other script; a run of blanks counts once. */
export function estimateTokens(text: string): number {
  let quarters = 0
  let blank = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isBlank = code === 32 || code === 10
    if (!(isBlank && blank)) quarters += code < 0x250 ? 1 : 3
    blank = isBlank
  }
  return Math.ceil(quarters / 4)
}
