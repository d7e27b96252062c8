// All marks of a reply → those that count: weak labels only where their neighbours say so.
import type { Lexed, Mark } from './marks.js'
import { isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

/** `Tool:` and `Input:` count only as an adjacent pair, `Input:` also right after an action. */
export function resolveMarks(lexed: Lexed, box: Toolbox): readonly Mark[] {
  const marks = pairWeak(lexed, box)
  return marks.some(mark => !WEAK.has(mark.role)) ? marks : []
}

function pairWeak(lexed: Lexed, box: Toolbox): readonly Mark[] {
  const { marks, text } = lexed
  if (!marks.some(mark => mark.role === 'tool' || mark.role === 'weak_input')) return marks
  const firstAction = marks.findIndex(mark => mark.role === 'action')
  const value = (index: number) => text.slice((marks[index] as Mark).value, marks[index + 1]?.start ?? lexed.to).trim()
  // beside an action, whose input may hold such lines, only the name of a tool shows that a call is meant
  const isCall = (k: number) => {
    const name = value(k)
    if (!name || name.includes('\n')) return false
    return firstAction < 0 || firstAction > k || isRegistered(name.split(/[[(]/, 1)[0] ?? '', box)
  }
  const paired = marks.map((mark, k) => {
    const next = marks[k + 1]
    if (mark.role === 'tool') {
      const counts = (next?.role === 'weak_input' || next?.role === 'input') && isCall(k)
      return counts ? { ...mark, role: 'action' as const } : mark
    }
    if (mark.role === 'weak_input') {
      const before = marks[k - 1]
      const follows = (before?.role === 'action' && !value(k - 1).includes('\n')) || (before?.role === 'tool' && isCall(k - 1))
      return follows ? { ...mark, role: 'input' as const } : mark
    }
    return mark
  })
  // the others are words like any, and an input on the line of such a word is not the input of an action above it
  return paired.filter(
    (mark, k) =>
      mark.role !== 'tool' &&
      mark.role !== 'weak_input' &&
      !(mark.role === 'input' && mark.midline && paired[k - 1]?.role === 'tool' && firstAction >= 0 && firstAction < k),
  )
}

const WEAK: ReadonlySet<string> = new Set(['tool', 'weak_input', 'result'])
