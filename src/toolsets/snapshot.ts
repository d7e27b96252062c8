// A workspace in a sandbox, as it was → what has changed in it since, as a list and a patch for `git apply`. Git compares, with an index and a store of
// its own outside of the workspace: no repository of the user is written to, and none is needed.

import type { Sandbox } from '../core/sandbox.js'
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
    const patch = await this.#git(`git diff-tree -r -p --binary --full-index --no-renames ${this.#before} ${after}`)
    return patch.length > MOST_PATCH ? { files } : { files, patch: patch.toString('utf8') }
  }

  async remove(): Promise<void> {
    await this.#sandbox.exec(['rm', '-rf', this.#folder])
  }

  async #git(command: string): Promise<Buffer> {
    const said = await git(this.#sandbox, this.#folder, command)
    if (said === undefined) throw new Error('git could not compare the workspace with what it was')
    return said
  }
}

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
  const env = { ...ENV, GIT_DIR: `${folder}/store`, GIT_WORK_TREE: sandbox.workspace }
  const { code, end, stdout } = await sandbox.exec(['sh', '-c', command], { env, timeoutMs: GIT_MS })
  return code === 0 && end === 'exit' ? Buffer.from(stdout) : undefined
}
