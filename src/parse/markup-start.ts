// A character that may begin a special token, reasoning or leaked markup → whether it does, as far as the text came. Says `mark` rather too often:
// it only decides what is shown while a reply comes, never how it is read.

import { CALL_MARKUP } from './native-words.js'
import { TOKEN_STARTS } from './special-tokens.js'
import { LABEL_TAGS } from './tag-labels.js'

export type MarkupStart = 'mark' | 'open' | 'text'

/** Looks at `text` from `at`, where a `<`, `[` or `◁` stands. `thought`: any tag counts, since a tool may be called by its name there. */
export function markupStart(text: string, at: number, thought: boolean): MarkupStart {
  const next = text[at + 1]
  if (next === undefined) return 'open'
  if (text[at] === '<') {
    if (thought && /[a-z!|/｜]/i.test(next)) return 'mark'
    if (next === '|' || next === '｜') return specialStart(text, at)
  }
  return walkStarts(text, at)
}

/** `<|…|>` */
function specialStart(text: string, at: number): MarkupStart {
  const head = text.slice(at, at + LONGEST)
  if (/^<[|｜][\w▁/ -]{0,40}[|｜]>/.test(head)) return 'mark'
  return head.length < LONGEST && /^<[|｜][\w▁/ -]{0,40}[|｜]?$/.test(head) ? 'open' : 'text'
}

function walkStarts(text: string, start: number): MarkupStart {
  let at = STARTS
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const next = at.next.get(code >= 65 && code <= 90 ? code + 32 : code)
    if (!next) return 'text'
    if (next.ends) return 'mark'
    at = next
  }
  return 'open'
}

interface Branch {
  readonly next: Map<number, Branch>
  ends: boolean
}

function branchesOf(words: readonly string[]): Branch {
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

const LONGEST = 48
/** Letters in either case, letter by letter. */
const STARTS = branchesOf(
  [...TOKEN_STARTS, ...LABEL_TAGS, ...CALL_MARKUP.map(word => word.toLowerCase())].filter(word => !word.startsWith('<|')),
)
