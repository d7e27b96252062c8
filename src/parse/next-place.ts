// The next place of a character in a text, for walks that only go forward: what was found is kept, so that the whole text is searched once.
// A search is many times faster than a walk over the characters.

/** The first place of `char` from `from` on, which is `known` unless that was passed; `NEVER` when there is none. */
export function nextPlace(text: string, char: string, known: number, from: number): number {
  if (known >= from) return known
  const at = text.indexOf(char, from)
  return at < 0 ? NEVER : at
}

/** Beyond the end of any text; a small number, since a field that may hold infinity needs a box for every number. */
export const NEVER = 0x3fffffff
