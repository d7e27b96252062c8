// Tools of several servers → the names a model calls them by: the tool's own where nobody else has one like it, else `server__tool`, else with a few
// characters that tell it apart. A name that was given stays with its tool, and none is ever like one of our own tools.
import { createHash } from 'node:crypto'

/** Longest name. */
const MOST = 64

export interface Owned {
  readonly server: string
  /** As the server calls it. */
  readonly tool: string
}

export class CallableNames {
  readonly #reserved: ReadonlySet<string>
  #given = new Map<string, string>()

  /** `reserved`: names of our own tools. */
  constructor(reserved: readonly string[]) {
    this.#reserved = new Set([...reserved, ...ENDINGS].map(folded))
  }

  /** One for each tool, in their order. Those that are no longer there give theirs back. */
  assign(tools: readonly Owned[]): readonly string[] {
    const kept = new Map(tools.flatMap(tool => entryOf(this.#given, keyOf(tool))))
    const taken = new Set([...this.#reserved, ...[...kept.values()].map(folded)])
    const fresh = tools.filter(tool => !kept.has(keyOf(tool)))
    const wanted = fresh.map(({ tool }) => folded(plain(tool)))
    for (const tool of fresh) {
      const own = folded(plain(tool.tool))
      const alone = wanted.filter(other => other === own).length === 1
      const name = [...(alone ? [plain(tool.tool)] : []), prefixed(tool)].find(name => isFree(name, taken)) ?? hashed(tool)
      taken.add(folded(name))
      kept.set(keyOf(tool), name)
    }
    this.#given = kept
    return tools.map(tool => kept.get(keyOf(tool)) ?? hashed(tool))
  }
}

/** What models write to end a task: no server's tool may be called that. */
const ENDINGS = ['terminate', 'finish', 'final_answer', 'answer', 'none', 'final']

function keyOf({ server, tool }: Owned): string {
  return `${server}\n${tool}`
}

function entryOf(given: ReadonlyMap<string, string>, key: string): [string, string][] {
  const name = given.get(key)
  return name === undefined ? [] : [[key, name]]
}

function isFree(name: string, taken: ReadonlySet<string>): boolean {
  return name.length <= MOST && !taken.has(folded(name))
}

/** Names that a reader, or a model, may take for each other. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** In letters, digits, `-` and `_`; when that leaves something out which tells tools apart, with a hash. */
function plain(tool: string): string {
  const name = tool
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/_{2,}/g, '_')
    .replace(/^_|_$/g, '')
  return name !== '' && /^[\w .:/-]*$/.test(tool) ? name : `${name || 'tool'}_${hash(tool)}`
}

function prefixed({ server, tool }: Owned): string {
  return `${plain(server)}__${plain(tool)}`
}

function hashed(owned: Owned): string {
  return `${prefixed(owned).slice(0, MOST - 7)}_${hash(keyOf(owned))}`
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6)
}
