// What each tool was when it was last agreed to, by its server and name → whether it is another one now. With a file this is known from one program run to
// the next; a server may show one face first, and another later.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/json.js'
import type { McpServer } from './server.js'

export class Pins {
  readonly #file: string | undefined
  readonly #prints: Map<string, string>
  #isChanged = false
  #isLost = false

  /** Throws `CONFIG` for a file that is there and can't be read: nobody knows what was agreed to. */
  constructor(file?: string) {
    this.#file = file
    this.#prints = new Map(file === undefined ? [] : readPins(file))
  }

  /** Whether the tool is another one than it was; one that was never seen is agreed to. */
  isOther(server: McpServer, tool: string, print: string): boolean {
    const key = keyOf(server, tool)
    const known = this.#prints.get(key)
    if (known === undefined) this.#set(key, print)
    return known !== undefined && known !== print
  }

  /** It was agreed to as it is now. */
  agree(server: McpServer, tool: string, print: string): void {
    const key = keyOf(server, tool)
    if (this.#prints.get(key) !== print) this.#set(key, print)
  }

  /** Writes what is new. Gives why it can't be written, once: no run is lost over that. */
  keep(): string | undefined {
    if (this.#file === undefined || !this.#isChanged || this.#isLost) return undefined
    this.#isChanged = false
    try {
      this.#write(this.#file)
      return undefined
    } catch (error) {
      this.#isLost = true
      return `what tools were agreed to can't be kept: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  #write(file: string): void {
    mkdirSync(dirname(file), { recursive: true })
    const draft = `${file}.${process.pid}.new`
    // another run may have written meanwhile
    const all = new Map([...readPins(file), ...this.#prints])
    writeFileSync(draft, `${JSON.stringify({ pins: Object.fromEntries([...all].sort(byName)) }, null, 2)}\n`)
    renameSync(draft, file)
  }

  #set(key: string, print: string): void {
    this.#prints.set(key, print)
    this.#isChanged = true
  }
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1
}

/** A server that is started in another way, or asked elsewhere, is another one, whatever it is called. */
function keyOf(server: McpServer, tool: string): string {
  const way = server.kind === 'stdio' ? [server.command, ...server.args] : [server.url.replace(/[?#].{0,4000}$/, '')]
  const hash = createHash('sha256').update(JSON.stringify(way)).digest('hex').slice(0, 12)
  return `${server.name} ${hash} ${tool}`
}

function readPins(file: string): readonly (readonly [string, string])[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw unreadable(file, error)
  }
  const pins = pinsIn(text)
  if (pins === undefined) throw unreadable(file)
  return pins
}

function pinsIn(text: string): readonly (readonly [string, string])[] | undefined {
  try {
    const { pins } = JSON.parse(text) as JsonObject
    const entries = isObject(pins) ? Object.entries(pins) : undefined
    return entries?.every((entry): entry is [string, string] => isText(entry[1])) ? entries : undefined
  } catch {
    return undefined
  }
}

function isText(value: JsonValue): boolean {
  return typeof value === 'string'
}

function unreadable(file: string, cause?: unknown): SaydoError {
  return new SaydoError('CONFIG', `${file} can't be read: it says which tools of MCP servers were agreed to`, {
    hint: 'look at what `saydo tools` lists, and delete the file to agree to all of it',
    cause,
  })
}
