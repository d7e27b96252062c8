// All marks of a reply → those that count: weak labels only where their neighbours say so.
import type { Lexed, Mark } from './marks.js'

/** `Tool:` and `Input:` count only as an adjacent pair, `Input:` also right after an action. */
export function resolveMarks(lexed: Lexed): readonly Mark[] {
  const marks = pairWeak(lexed)
  return marks.some(mark => !WEAK.has(mark.role)) ? marks : []
}

function pairWeak(lexed: Lexed): readonly Mark[] {
  const { marks, text } = lexed
  if (!marks.some(mark => mark.role === 'tool' || mark.role === 'weak_input')) return marks
  const firstAction = marks.findIndex(mark => mark.role === 'action')
  const value = (index: number) => text.slice((marks[index] as Mark).value, marks[index + 1]?.start ?? lexed.to).trim()
  const paired = marks.map((mark, k) => {
    if (mark.role === 'tool') {
      const next = marks[k + 1]
      const name = value(k)
      const counts = (firstAction < 0 || firstAction > k) && (next?.role === 'weak_input' || next?.role === 'input')
      return counts && name && !name.includes('\n') ? { ...mark, role: 'action' as const } : mark
    }
    if (mark.role === 'weak_input') {
      const before = marks[k - 1]
      const name = before ? value(k - 1) : ''
      const follows =
        before &&
        (before.role === 'action' || (before.role === 'tool' && (firstAction < 0 || firstAction > k))) &&
        name !== '' &&
        !name.includes('\n')
      return follows ? { ...mark, role: 'input' as const } : mark
    }
    return mark
  })
  // the others are words like any
  return paired.filter(mark => mark.role !== 'tool' && mark.role !== 'weak_input')
}

const WEAK: ReadonlySet<string> = new Set(['tool', 'weak_input', 'result'])
