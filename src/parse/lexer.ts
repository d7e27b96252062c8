// Cleaned reply text → marks: where labels, call objects and leaked markup begin. The text between two marks is the value of the first.
// Lossless and linear: one walk over the lines, a second one only when the first shows how the labels are dressed.
import { type Grammar, isProtocol } from './grammar.js'
import type { Dress } from './labels.js'
import { LineScan } from './line-scan.js'
import type { Lexed } from './marks.js'
import { unwrapProtocol } from './protocol-fence.js'
import type { Toolbox } from './tool-shape.js'

/** Finds all marks. */
export function lex(reply: string, grammar: Grammar, box: Toolbox): Lexed {
  const { text, wrapper } = unwrapProtocol(reply, grammar)
  const first = new LineScan(text, grammar, box, wrapper)
  const found = first.run()
  const protocol = found.marks.some(mark => isProtocol(mark.role) && !mark.midline)
  const bullets = !protocol && first.labels.bulleted > 0
  const dresses = new Set<Dress>()
  const mixed = found.marks.some(mark => isProtocol(mark.role) && mark.match?.dress === 'plain')
  for (const [dress, count] of mixed ? [] : first.labels.dressed) if (count.bare > 0 && count.all > 1) dresses.add(dress)
  // a plain label to come would show that no dress makes a label, a bare one in the same dress that it does
  const bare = !mixed && [...first.labels.dressed.values()].some(count => count.bare > 0)
  if (!bullets && dresses.size === 0) return withoutHeading({ ...found, open: found.open || bare })
  return withoutHeading({ ...new LineScan(text, grammar, box, wrapper, { bullets, dresses }).run(), open: true })
}

/** `### Response:` alone on its line before any other label is the prompt's own heading. */
function withoutHeading(lexed: Lexed): Lexed {
  const [first, next] = lexed.marks
  if (first?.role !== 'answer' || first.match?.dress !== 'heading' || first.match.key !== 'response') return lexed
  const { text } = lexed
  if (text.slice(lexed.from, first.start).trim()) return lexed
  const value = text.slice(first.value, next?.start ?? lexed.to).trimEnd()
  if (!next && !value.startsWith('\n')) return lexed
  const newline = text.indexOf('\n', first.value)
  if (newline < 0 || text.slice(first.value, newline).trim()) return lexed
  return { ...lexed, from: first.value, marks: lexed.marks.slice(1) }
}
