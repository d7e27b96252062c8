// A character that may begin a special token, reasoning or leaked markup → whether it does, as far as the text came. Says `mark` rather too often:
// it only decides what is shown while a reply comes, never how it is read.
import { CALL_MARKUP } from './native-words.js'
import { TOKEN_STARTS } from './special-tokens.js'
import { startTree, walkStart } from './start-tree.js'
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
  return walkStart(STARTS, text, at)
}

/** `<|…|>` */
function specialStart(text: string, at: number): MarkupStart {
  const head = text.slice(at, at + LONGEST)
  if (/^<[|｜][\w▁/ -]{0,40}[|｜]>/.test(head)) return 'mark'
  return head.length < LONGEST && /^<[|｜][\w▁/ -]{0,40}[|｜]?$/.test(head) ? 'open' : 'text'
}

const LONGEST = 48
const STARTS = startTree(
  [...TOKEN_STARTS, ...LABEL_TAGS, ...CALL_MARKUP.map(word => word.toLowerCase())].filter(word => !word.startsWith('<|')),
)
