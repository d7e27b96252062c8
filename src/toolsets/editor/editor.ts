// Files of a sandbox, edited byte by byte: each edit can be taken back exactly, and none is made on a file that is not what was looked at.
import { createHash } from 'node:crypto'
import { type Sandbox, SandboxError } from '../../core/sandbox.js'
import { type Edit, insertAfter, isBinary, replaceOnce } from './byte-edits.js'

const MOST_BYTES = 4 * 1024 * 1024
/** Most edits that can be taken back, and most bytes kept for that. */
const MOST_UNDO = 100
const MOST_UNDO_BYTES = 64 * 1024 * 1024

interface Done {
  readonly path: string
  /** Undefined where the edit made the file. */
  readonly before: Buffer | undefined
  readonly after: string
}

export interface Changed extends Edit {
  readonly path: string
  readonly before: Buffer | undefined
  /** Something else had changed the file since it was looked at. */
  readonly surprise: boolean
}

export class Editor {
  readonly #sandbox: Sandbox
  #done: Done[] = []
  /** Hashes of files as they were seen last. */
  readonly #seen = new Map<string, string>()
  #open: string | undefined

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** The file looked at or edited last, as programs see it. */
  get openFile(): string | undefined {
    return this.#open
  }

  /** Rejects with `SandboxError`, and for a file that is no text. */
  async read(path: string): Promise<Buffer> {
    const bytes = await this.#bytes(path)
    await this.#see(path, bytes)
    return bytes
  }

  /** Gives nothing where the file is there already, with this text. */
  async create(path: string, text: string): Promise<Changed | undefined> {
    const bytes = Buffer.from(text)
    const there = await this.#sandbox.stat(path)
    if (there?.kind === 'file' && there.size === bytes.length && bytes.equals(await this.#bytes(path))) return undefined
    if (there !== undefined)
      throw new SandboxError('exists', `${path} exists already: create makes new files only; use str_replace or insert`)
    await this.#sandbox.write(path, bytes, { exclusive: true })
    this.#keep(await this.#key(path), undefined, bytes)
    await this.#see(path, bytes)
    return { path, before: undefined, surprise: false, bytes, from: 1, to: text.split('\n').length }
  }

  /** Its place is found by its text, so a file that has changed meanwhile does no harm. */
  async replace(path: string, old: string, by: string): Promise<Changed> {
    return this.#edit(path, bytes => replaceOnce(bytes, old, by), false)
  }

  /** Its place is a number that was read from the file as it was seen. */
  async insert(path: string, line: number, text: string): Promise<Changed> {
    return this.#edit(path, bytes => insertAfter(bytes, line, text), true)
  }

  /** Takes back the last edit of a file; gives what the file holds again, undefined where it is gone. */
  async undo(path: string): Promise<Buffer | undefined> {
    const key = await this.#key(path)
    const at = this.#done.findLastIndex(each => each.path === key)
    const last = this.#done[at]
    if (last === undefined) throw new Error(`No edit history found for ${path}`)
    if (hashOf(await this.#bytes(path)) !== last.after)
      throw new Error(
        `${path} was changed by something else after its last edit: undo_edit would undo that too. View it and edit it by hand`,
      )
    if (last.before === undefined) await this.#sandbox.remove(path)
    else await this.#sandbox.write(path, last.before)
    this.#done.splice(at, 1)
    if (last.before !== undefined) await this.#see(path, last.before)
    return last.before
  }

  async #edit(path: string, edit: (bytes: Buffer) => Edit, byNumber: boolean): Promise<Changed> {
    const before = await this.#bytes(path)
    const seen = this.#seen.get(await this.#key(path))
    const surprise = seen !== undefined && seen !== hashOf(before)
    if (surprise && byNumber)
      throw new Error(`${path} has changed since it was viewed, so its line numbers may be others: view it again`)
    const edited = edit(before)
    if (edited.bytes.equals(before)) throw new Error('the new text is the same as the old one: nothing was changed')
    if (hashOf(await this.#bytes(path)) !== hashOf(before))
      throw new Error(`${path} is being changed by something else: try again`)
    await this.#sandbox.write(path, edited.bytes)
    this.#keep(await this.#key(path), before, edited.bytes)
    await this.#see(path, edited.bytes)
    return { ...edited, path, before, surprise }
  }

  async #bytes(path: string): Promise<Buffer> {
    const { size = 0 } = (await this.#sandbox.stat(path)) ?? {}
    if (size > MOST_BYTES)
      throw new SandboxError(
        'too_large',
        `${path} is too long for the editor: look at parts of it in bash, with grep -n and sed -n, and change it there`,
      )
    const bytes = Buffer.from(await this.#sandbox.read(path, { maxBytes: MOST_BYTES }))
    if (isBinary(bytes)) throw new SandboxError('not_a_file', `${path} is no text: it holds ${bytes.length} bytes of binary data`)
    return bytes
  }

  /** One file has one history, by whatever path it is called. */
  async #key(path: string): Promise<string> {
    return (await this.#sandbox.stat(path))?.path ?? path
  }

  async #see(path: string, bytes: Buffer): Promise<void> {
    const key = await this.#key(path)
    this.#open = `${this.#sandbox.workspace}/${key}`
    this.#seen.set(key, hashOf(bytes))
  }

  #keep(path: string, before: Buffer | undefined, after: Buffer): void {
    this.#done.push({ path, before, after: hashOf(after) })
    if (this.#done.length > MOST_UNDO) this.#done.shift()
    let size = this.#done.reduce((sum, each) => sum + (each.before?.length ?? 0), 0)
    while (size > MOST_UNDO_BYTES) size -= this.#done.shift()?.before?.length ?? 0
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
