// Words that something begins with, such as `<think>` → a tree of their letters, which is walked along a text: does one of them stand here, may one
// still come, or neither? Latin letters count in either case; every other character is itself.

export interface StartTree {
  readonly next: ReadonlyMap<number, StartTree>
  /** A word ends here. */
  readonly ends: boolean
}

interface Branch extends StartTree {
  readonly next: Map<number, Branch>
  ends: boolean
}

/** `words` in lower case. */
export function startTree(words: readonly string[]): StartTree {
  const root: Branch = { next: new Map(), ends: false }
  for (const word of words) {
    let at = root
    for (let i = 0; i < word.length; i++) {
      const next: Branch = at.next.get(word.charCodeAt(i)) ?? { next: new Map(), ends: false }
      at.next.set(word.charCodeAt(i), next)
      at = next
    }
    at.ends = true
  }
  return root
}

/** `mark`: a word stands at `start`. `open`: the text ends before that is known. `text`: none does, whatever follows. */
export function walkStart(tree: StartTree, text: string, start: number): 'mark' | 'open' | 'text' {
  let at = tree
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const next = at.next.get(code >= 65 && code <= 90 ? code + 32 : code)
    if (!next) return 'text'
    if (next.ends) return 'mark'
    at = next
  }
  return 'open'
}
