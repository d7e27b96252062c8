// A document of YAML → its values with their places. A file may be anybody's: what nests or repeats itself without measure is refused, before it fills
// the memory.
import type { Document, Node, ParsedNode } from 'yaml'
import { type Located, Misfit } from './check-fixture.js'

type Yaml = typeof import('yaml')

/** What no recorded value comes near: the parser refuses inputs of a tool at 64. */
const DEEPEST = 100

/** Values that aliases may repeat, all together. */
const MOST_REPEATED = 10_000

export const TOO_DEEP = `nested deeper than ${DEEPEST} levels`

/** Throws `Misfit`. */
export function located(document: Document.Parsed, yaml: Yaml): Located {
  return new Reader(document, yaml).read(document.contents as ParsedNode, 0, false)
}

class Reader {
  readonly #document: Document.Parsed
  readonly #yaml: Yaml
  #repeated = 0

  constructor(document: Document.Parsed, yaml: Yaml) {
    this.#document = document
    this.#yaml = yaml
  }

  /** `isRepeated`: within what an alias stands for. */
  read(node: ParsedNode, depth: number, isRepeated: boolean): Located {
    const yaml = this.#yaml
    const [start = 0, end = start] = node.range ?? []
    const at = [start, end] as const
    if (depth > DEEPEST) throw new Misfit(at, TOO_DEEP, 'an alias may stand inside what it names')
    if (isRepeated) this.#repeated += 1
    if (this.#repeated > MOST_REPEATED) throw new Misfit(at, 'aliases repeat more than a file should hold', 'write it out')
    if (yaml.isAlias(node)) {
      const target = node.resolve(this.#document)
      if (target === undefined) throw new Misfit(at, 'an alias of nothing')
      return this.read(target as ParsedNode, depth + 1, true)
    }
    const read = (inner: unknown): Located => this.read(inner as ParsedNode, depth + 1, isRepeated)
    if (yaml.isMap(node))
      return {
        kind: 'map',
        at,
        entries: node.items.map(({ key, value }) => ({
          key: keyText(key, yaml),
          keyAt: rangeOf(key) ?? at,
          value: value === null ? { kind: 'scalar', at: rangeOf(key) ?? at, value: null, source: '' } : read(value),
        })),
      }
    if (yaml.isSeq(node)) return { kind: 'list', at, items: node.items.map(read) }
    const { value, source } = node as { readonly value: unknown; readonly source?: string }
    return { kind: 'scalar', at, value, source: source ?? String(value) }
  }
}

function keyText(key: unknown, yaml: Yaml): string {
  return yaml.isScalar(key) ? String(key.value) : String(key)
}

function rangeOf(node: unknown): readonly [number, number] | undefined {
  const [start, end] = (node as Node | null)?.range ?? []
  return start === undefined || end === undefined ? undefined : [start, end]
}
