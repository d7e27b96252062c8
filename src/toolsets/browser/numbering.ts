// The nodes of a page, looked at again and again → a number for each that can be acted on. A number means one element for ever: it stays while the
// element is drawn with the same role and name, and is never given to another, not even on another page.
import { isInteractive, labelOf, type PageNode } from './page-node.js'

/** What a number means. */
export interface Numbered {
  readonly index: number
  /** The tab and the document it was seen in. */
  readonly place: string
  readonly node: PageNode
}

export type Found =
  | { readonly kind: 'here'; readonly numbered: Numbered }
  /** It is gone; the only one with the same role and name stands for it. */
  | { readonly kind: 'again'; readonly numbered: Numbered }
  /** `now`: numbers of those that look like it, on a page that may be another. */
  | { readonly kind: 'gone'; readonly was: string; readonly now: readonly number[] }
  | { readonly kind: 'unknown' }

export class Numbering {
  readonly #byKey = new Map<string, number>()
  readonly #met = new Map<number, Numbered>()
  #present: readonly Numbered[] = []
  /** Those that the last state showed. */
  #seen: ReadonlySet<number> = new Set()
  #next = 1

  /** Numbers the nodes of a page, as it is now. `place` changes with the document. */
  look(nodes: Iterable<PageNode>, place: string): ReadonlyMap<PageNode, number> {
    const numbers = new Map<PageNode, number>()
    const present: Numbered[] = []
    for (const node of nodes) {
      if (!isInteractive(node)) continue
      const key = JSON.stringify([place, node.ref, node.role, labelOf(node)])
      const index = this.#byKey.get(key) ?? this.#next++
      this.#byKey.set(key, index)
      numbers.set(node, index)
      const numbered = { index, place, node }
      this.#met.set(index, numbered)
      present.push(numbered)
    }
    this.#present = present
    return numbers
  }

  /** The state that was just looked at is shown: gives those that are new in it. */
  show(): ReadonlySet<number> {
    const indices = this.#present.map(({ index }) => index)
    const before = this.#seen
    this.#seen = new Set(indices)
    return before.size === 0 ? new Set() : new Set(indices.filter(index => !before.has(index)))
  }

  /** Looks a number up on the page as it was looked at last. */
  find(index: number): Found {
    const here = this.#present.find(each => each.index === index)
    if (here) return { kind: 'here', numbered: here }
    const met = this.#met.get(index)
    if (!met) return { kind: 'unknown' }
    const alike = this.#present.filter(each => isAlike(each, met))
    const [one, ...others] = alike.filter(({ place }) => place === met.place)
    if (one && others.length === 0) return { kind: 'again', numbered: one }
    return { kind: 'gone', was: describe(met.node), now: alike.map(({ index }) => index) }
  }
}

/** Such as `button "Save"`. */
export function describe(node: PageNode): string {
  const label = labelOf(node)
  return label === '' ? node.role : `${node.role} ${JSON.stringify(label)}`
}

/** Nothing without a name is taken for another. */
function isAlike(a: Numbered, b: Numbered): boolean {
  return a.node.role === b.node.role && labelOf(a.node) === labelOf(b.node) && labelOf(b.node) !== ''
}
