// A workspace in a sandbox, as it was → what has changed in it since, as a list and a patch for `git apply`. Git compares, with an index and a store of
// its own outside of the workspace: no repository of the user is written to, and none is needed.

import { isUtf8 } from 'node:buffer'
import type { ExecOptions, ExecResult, Sandbox, SandboxCommand } from '../core/sandbox.js'
import type { Artifacts } from '../core/step.js'

const GIT_MS = 60_000
const MOST_PATCH = 2 * 1024 * 1024
/** What programs leave behind by themselves is no work of anybody. */
const LEFT_OUT = ['.saydo/', 'node_modules/', '__pycache__/', '*.pyc', '.venv/', '.pytest_cache/', '.mypy_cache/']

/** `$1`: a folder for git's files. Where the workspace is a repository its index is taken as a beginning, so that only what changed is read anew. */
const BEGIN = `
set -e
git init -q --bare "$1/store"
printf '%s\\n' "$2" >"$1/store/info/exclude"
own=$(env -u GIT_DIR git rev-parse --absolute-git-dir 2>/dev/null || true)
top=$(env -u GIT_DIR git rev-parse --show-toplevel 2>/dev/null || true)
if [ -n "$own" ] && [ "$top" = "$(pwd -P)" ]; then
  common=$(env -u GIT_DIR git rev-parse --git-common-dir)
  (cd "$common/objects" && pwd -P) >"$1/store/objects/info/alternates"
  if [ -f "$own/index" ]; then cp "$own/index" "$1/store/index"; fi
fi
`
const TREE = 'git add -A . && git write-tree'
/** `$1` and `$2`: the trees; `$3`: attributes for all files, which go before those of the workspace. */
const PATCH = `
printf '%s\\n' "$3" >"$GIT_DIR/info/attributes"
git diff-tree -r -p --binary --full-index --no-renames "$1" "$2"
`
const AS_BINARY = '* -diff'
/** Begins the part of each file. No other line of a patch begins so: those of texts begin with a sign, those of binary files hold no blank. */
const PART = '\ndiff --git '

export class Snapshot {
  readonly #sandbox: Sandbox
  readonly #folder: string
  readonly #before: string

  private constructor(sandbox: Sandbox, folder: string, before: string) {
    this.#sandbox = sandbox
    this.#folder = folder
    this.#before = before
  }

  /** Undefined where git is not there, or takes too long. */
  static async take(sandbox: Sandbox): Promise<Snapshot | undefined> {
    const made = await sandbox.exec(['mktemp', '-d', '-t', 'saydo-before.XXXXXXXX'])
    const folder = Buffer.from(made.stdout).toString('utf8').trim()
    if (made.code !== 0) return undefined
    const begun = await sandbox.exec(['sh', '-c', BEGIN, 'sh', folder, LEFT_OUT.join('\n')], { env: ENV, timeoutMs: GIT_MS })
    const before = begun.code === 0 ? await git(sandbox, folder, TREE) : undefined
    return before === undefined ? undefined : new Snapshot(sandbox, folder, before.toString('utf8').trim())
  }

  /** Rejects when git does. */
  async changes(): Promise<Artifacts> {
    const after = (await this.#git(TREE)).toString('utf8').trim()
    const names = await this.#git(`git diff-tree -r -z --no-renames --name-status ${this.#before} ${after}`)
    const parts = names.toString('utf8').split('\0')
    const files = parts.flatMap((letter, index) => {
      const path = parts[index + 1]
      return index % 2 === 1 || path === undefined ? [] : [{ path, change: CHANGES[letter] ?? ('changed' as const) }]
    })
    if (files.length === 0) return { files }
    const patch = await this.#patch(after)
    return patch === undefined ? { files } : { files, patch }
  }

  /** Undefined when it is too long. Texts and names that are not UTF-8 stand in it as binary files and escaped names: it is exact as a string. */
  async #patch(after: string): Promise<string | undefined> {
    const patch = await this.#diff(after, '')
    if (patch === undefined || isUtf8(patch)) return patch?.toString('utf8')
    const binary = await this.#diff(after, AS_BINARY, { GIT_CONFIG_VALUE_2: 'true' })
    if (binary === undefined) return undefined
    const [parts, others] = [partsOf(patch), partsOf(binary)]
    return parts.map((part, at) => (isUtf8(part) ? part : (others[at] ?? part)).toString('utf8')).join('')
  }

  async #diff(after: string, attributes: string, env: Readonly<Record<string, string>> = {}): Promise<Buffer | undefined> {
    const command = ['sh', '-c', PATCH, 'sh', this.#before, after, attributes] as const
    const { code, end, stdout } = await run(this.#sandbox, this.#folder, command, { env, maxOutputBytes: MOST_PATCH })
    if (end === 'output') return undefined
    if (code !== 0 || end !== 'exit') throw new Error(FAILED)
    return Buffer.from(stdout)
  }

  async remove(): Promise<void> {
    await this.#sandbox.exec(['rm', '-rf', this.#folder])
  }

  async #git(command: string): Promise<Buffer> {
    const said = await git(this.#sandbox, this.#folder, command)
    if (said === undefined) throw new Error(FAILED)
    return said
  }
}

const FAILED = 'git could not compare the workspace with what it was'
const CHANGES: Readonly<Record<string, 'added' | 'deleted'>> = { A: 'added', D: 'deleted' }

/** No settings of a user or a machine, and no question of whose files they are. */
const ENV = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_CONFIG_KEY_1: 'core.autocrlf',
  GIT_CONFIG_VALUE_1: 'false',
  GIT_CONFIG_KEY_2: 'core.quotePath',
  GIT_CONFIG_VALUE_2: 'false',
}

async function git(sandbox: Sandbox, folder: string, command: string): Promise<Buffer | undefined> {
  const { code, end, stdout } = await run(sandbox, folder, ['sh', '-c', command])
  return code === 0 && end === 'exit' ? Buffer.from(stdout) : undefined
}

function run(sandbox: Sandbox, folder: string, command: SandboxCommand, options: ExecOptions = {}): Promise<ExecResult> {
  const env = { ...ENV, GIT_DIR: `${folder}/store`, GIT_WORK_TREE: sandbox.workspace, ...options.env }
  return sandbox.exec(command, { timeoutMs: GIT_MS, ...options, env })
}

/** A patch by its files. */
function partsOf(patch: Buffer): readonly Buffer[] {
  const parts: Buffer[] = []
  for (let from = 0; from < patch.length; ) {
    const next = patch.indexOf(PART, from)
    const to = next === -1 ? patch.length : next + 1
    parts.push(patch.subarray(from, to))
    from = to
  }
  return parts
}
