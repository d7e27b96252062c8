// Two prompts of a run, one after the other → what the later one keeps, leaves out and adds, turn by turn.
import type { Message } from '../core/message.js'

/** In order; read from the start, they turn the turns of one prompt into those of the next. */
export type Change =
  | { readonly kind: 'keep' | 'remove'; readonly count: number }
  | { readonly kind: 'add'; readonly turns: readonly Message[] }

export function changesBetween(before: readonly Message[], after: readonly Message[]): readonly Change[] {
  let head = 0
  while (head < before.length && head < after.length && isSame(before[head], after[head])) head++
  let tail = 0
  while (tail < before.length - head && tail < after.length - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail++
  const out = new Changes()
  out.keep(head)
  compare(before.slice(head, before.length - tail), after.slice(head, after.length - tail), out)
  out.keep(tail)
  return out.list
}

/** The turns that a change leads to. */
export function changed(before: readonly Message[], changes: readonly Change[]): readonly Message[] {
  const after: Message[] = []
  let at = 0
  for (const change of changes) {
    if (change.kind === 'add') {
      after.push(...change.turns)
      continue
    }
    if (change.kind === 'keep') after.push(...before.slice(at, at + change.count))
    at += change.count
  }
  return after
}

/** More pairs than this are not compared: all that stands between is told as left out and added. */
const MOST_PAIRS = 4_000_000

/** By the longest common row of turns. */
function compare(before: readonly Message[], after: readonly Message[], out: Changes): void {
  const [rows, columns] = [before.length, after.length]
  if (rows === 0 || columns === 0 || rows * columns > MOST_PAIRS) {
    out.remove(rows)
    out.add(after)
    return
  }
  const width = columns + 1
  // how many turns are common from here on
  const common = new Uint16Array((rows + 1) * width)
  const ahead = (row: number, column: number): number => common[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      common[row * width + column] = isSame(before[row], after[column])
        ? ahead(row + 1, column + 1) + 1
        : Math.max(ahead(row + 1, column), ahead(row, column + 1))
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    if (isSame(before[row], after[column])) {
      out.keep(1)
      row++
      column++
    } else if (ahead(row + 1, column) >= ahead(row, column + 1)) {
      out.remove(1)
      row++
    } else out.add(after.slice(column, ++column))
  }
  out.remove(rows - row)
  out.add(after.slice(column))
}

/** Joins neighbours of one kind. */
class Changes {
  readonly list: Change[] = []

  keep(count: number): void {
    this.#count('keep', count)
  }

  remove(count: number): void {
    this.#count('remove', count)
  }

  add(turns: readonly Message[]): void {
    if (turns.length === 0) return
    const last = this.list.at(-1)
    if (last?.kind === 'add') this.list[this.list.length - 1] = { kind: 'add', turns: [...last.turns, ...turns] }
    else this.list.push({ kind: 'add', turns })
  }

  #count(kind: 'keep' | 'remove', count: number): void {
    if (count === 0) return
    const last = this.list.at(-1)
    if (last?.kind === kind) this.list[this.list.length - 1] = { kind, count: last.count + count }
    else this.list.push({ kind, count })
  }
}

function isSame(a: Message | undefined, b: Message | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.role === b.role && a.text === b.text)
}
