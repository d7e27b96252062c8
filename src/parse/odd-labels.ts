// Text in which no label was found → whether it is a step all the same, with its label words in a dress that nobody knows: `[Action] search`,
// `**Action** search`, `Action = search`. It is not read, but it is no answer either.
import { lineEnd } from './fence-line.js'
import { foldWord, type Grammar, type LabelRole } from './labels.js'
import { isProtocol } from './marks.js'
import { resolveTool } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

/**
 * `step`: two different label words stand at the beginning of lines, set off by signs, or one for an action or observation that can be nothing
 * else. `answer`: the long word for an answer does.
 */
export function holdsOddLabels(text: string, grammar: Grammar, box: Toolbox): 'step' | 'answer' | undefined {
  let first: LabelRole | undefined
  let step = false
  let fenced = false
  const lastComment = text.lastIndexOf('-->')
  for (let from = 0; from < text.length; from = lineEnd(text, from) + 1) {
    const end = lineEnd(text, from)
    const head = text.slice(from, Math.min(end, from + 64))
    if (from < lastComment && /^\s{0,8}<!--/.test(head)) {
      from = Math.max(from, text.indexOf('-->', from))
      continue
    }
    if (/^\s{0,8}(?:```|~~~)/.test(head)) fenced = !fenced
    if (fenced) continue
    const found = DRESSED.exec(head)
    const key = found ? foldWord(found[1] as string) : ''
    const role = key ? grammar.roles.get(key) : undefined
    // tags are markup, and read as such
    if (found?.[0].endsWith('>') && !head.startsWith(':', found[0].length)) continue
    if (!found || role === undefined || !isProtocol(role) || grammar.common.has(key) || isQuoted(found[0])) continue
    if (role === 'answer') return 'answer'
    step ||= role === 'observation' || (first !== undefined && role !== first)
    step ||= role === 'action' && namesTool(text.slice(from + found[0].length, end), grammar, box)
    first = role
  }
  return step ? 'step' : undefined
}

/** A quote opens before the word and does not close right behind it: the label is only mentioned. */
function isQuoted(dressed: string): boolean {
  const open = /["'`“‘「]/.exec(dressed.slice(0, 16))?.[0]
  return open !== undefined && !dressed.endsWith(open) && !/[”’」]$/.test(dressed)
}

/** Behind signs, the text begins with a registered tool, or a word that finishes. */
function namesTool(text: string, grammar: Grammar, box: Toolbox): boolean {
  const word = /^[^\p{L}\p{N}]{0,8}([\p{L}\p{N}_.-]{1,64})/u.exec(text.slice(0, 80))?.[1]
  return word !== undefined && (grammar.finish.has(foldWord(word)) || (!box.open && resolveTool(word, box) !== undefined))
}

/** Signs around a word or two, or behind them: one of `-=>|:` at least, when none stand before. */
const DRESSED =
  /^\s{0,8}(?=[^\p{L}\p{N}\s]|[^:=|>-]{1,40}[:=|>-])[^\p{L}\p{N}\s]{0,8} ?(\p{L}[\p{L}_-]{0,24}(?: \p{L}[\p{L}_-]{0,24})?) ?\d{0,2} ?[^\p{L}\p{N}\s,.;!?'’]/u
