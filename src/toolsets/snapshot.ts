// A workspace in a sandbox, as it was → what has changed in it since, as a list and a patch for `git apply`. Git compares, with an index and a store of
// its own outside of the workspace: no repository of the user is written to, and none is needed.

import { isUtf8 } from 'node:buffer'
import type { ExecOptions, ExecResult, Sandbox, SandboxCommand } from '../core/sandbox.js'
import type { Artifacts } from '../core/step.js'
import { LEFT_BEHIND } from './left-behind.js'

const GIT_MS = 60_000
const MOST_PATCH = 2 * 1024 * 1024
/** As git ignores them. */
const LEFT_OUT = [...LEFT_BEHIND.map(name => `${name}/`), '*.pyc']

/** `$1`: a folder for git's files. Where the folder is a repository its index is taken as a beginning, so that only what changed is read anew; but not
 * one that is damaged, lies in several files or has files that git would not look at. */
const BEGIN = `
set -e
plain() { env -u GIT_DIR -u GIT_WORK_TREE git "$@"; }
plain init -q --bare --template= "$1/store"
mkdir "$1/store/info"
printf '%s\\n' "$2" >"$1/store/info/exclude"
own=$(plain rev-parse --absolute-git-dir 2>/dev/null || true)
top=$(plain rev-parse --show-toplevel 2>/dev/null || true)
if [ -n "$own" ] && [ "$top" = "$(pwd -P)" ]; then
  common=$(plain rev-parse --git-common-dir)
  (cd "$common/objects" && pwd -P) >"$1/store/objects/info/alternates"
  if [ -f "$own/index" ]; then cp -p "$own/index" "$1/store/index"; fi
  if marked=$(git ls-files -v 2>/dev/null | sed -n '/^H/!{p;q}') && [ -z "$marked" ] && git ls-files >/dev/null 2>&1; then :
  else rm -f "$1/store/index"; fi
fi
`
/** What cannot be read, or is a repository that has no commit, is left out. Of a repository that it knows git would ask how it is, by programs that may be named there. */
const TREE = `
git ls-files -s | grep '^160000 ' | cut -f2- | git update-index --force-remove --stdin
git add -A --ignore-errors . 2>/dev/null || [ $? -eq 1 ] && git write-tree
`
/** `$1` and `$2`: the trees; `$3`: attributes for all files, which go before those of the workspace; `$4`: the folder of the tree, with a slash. */
const PATCH = `
printf '%s\\n' "$3" >"$GIT_DIR/info/attributes"
git diff-tree -r -p --binary --full-index --no-renames --src-prefix="a/$4" --dst-prefix="b/$4" "$1" "$2"
`
const AS_BINARY = '* -diff'
/** Begins the part of each file. No other line of a patch begins so: those of texts begin with a sign, those of binary files hold no blank. */
const PART = '\ndiff --git '

export class Snapshot {
  readonly #sandbox: Sandbox
  readonly #folder: string
  readonly #trees: readonly Tree[]

  private constructor(sandbox: Sandbox, folder: string, trees: readonly Tree[]) {
    this.#sandbox = sandbox
    this.#folder = folder
    this.#trees = trees
  }

  /** Undefined where git is not there, or takes too long. */
  static async take(sandbox: Sandbox): Promise<Snapshot | undefined> {
    const made = await sandbox.exec(['mktemp', '-d', '-t', 'saydo-before.XXXXXXXX'])
    const folder = Buffer.from(made.stdout).toString('utf8').trim()
    if (made.code !== 0) return undefined
    const whole = await Tree.take(sandbox, `${folder}/0`, '')
    if (whole === undefined) return undefined
    const roots = await whole.repositories()
    const inner = await Promise.all(roots.map((root, index) => Tree.take(sandbox, `${folder}/${index + 1}`, `${root}/`)))
    return new Snapshot(sandbox, folder, [whole, ...inner.filter(tree => tree !== undefined)])
  }

  /** Rejects when git does. */
  async changes(): Promise<Artifacts> {
    const changes: Artifacts[] = []
    for (const tree of this.#trees) changes.push(await tree.changes())
    const files = changes.flatMap(each => each.files)
    const patches = changes.filter(each => each.files.length > 0).map(({ patch }) => patch)
    return files.length === 0 || patches.includes(undefined) ? { files } : { files, patch: patches.join('') }
  }

  async remove(): Promise<void> {
    await this.#sandbox.exec(['rm', '-rf', this.#folder])
  }
}

/** One work tree: that of the workspace, or of a repository within it, which is no part of the one around it. */
class Tree {
  readonly #sandbox: Sandbox
  readonly #folder: string
  readonly #root: string
  #before = ''

  private constructor(sandbox: Sandbox, folder: string, root: string) {
    this.#sandbox = sandbox
    this.#folder = folder
    this.#root = root
  }

  /** `root` is empty, or a folder of the workspace with a slash behind it. Undefined when git can't. */
  static async take(sandbox: Sandbox, folder: string, root: string): Promise<Tree | undefined> {
    const tree = new Tree(sandbox, folder, root)
    const begun = await tree.#run(['sh', '-c', `mkdir -p "$1"\n${BEGIN}`, 'sh', folder, LEFT_OUT.join('\n')])
    if (begun.code !== 0 || begun.end !== 'exit') return undefined
    tree.#before = await tree.#git(TREE).then(lineOf, () => '')
    return tree.#before === '' ? undefined : tree
  }

  /** The folders below that are repositories of their own, and not ignored. */
  async repositories(): Promise<readonly string[]> {
    const found = await this.#git(REPOSITORIES).catch(() => Buffer.alloc(0))
    const folders = found.toString('utf8').split('\0').filter(Boolean)
    return folders.map(path => path.replace(/^\.\//, '').replace(/\/\.git$/, '')).slice(0, MOST_REPOSITORIES)
  }

  async changes(): Promise<Artifacts> {
    const after = lineOf(await this.#git(TREE))
    const names = await this.#git(`git diff-tree -r -z --no-renames --name-status ${this.#before} ${after}`)
    const parts = names.toString('utf8').split('\0')
    const files = parts.flatMap((letter, index) => {
      const path = parts[index + 1]
      const change = CHANGES[letter] ?? ('changed' as const)
      return index % 2 === 1 || path === undefined ? [] : [{ path: this.#root + path, change }]
    })
    if (files.length === 0) return { files }
    const patch = await this.#patch(after)
    return patch === undefined ? { files } : { files, patch }
  }

  /** Undefined when it is too long. Texts and names that are not UTF-8 stand in it as binary files and escaped names: it is exact as a string. */
  async #patch(after: string): Promise<string | undefined> {
    const patch = await this.#diff(after, '')
    if (patch === undefined || isUtf8(patch)) return patch?.toString('utf8')
    const binary = await this.#diff(after, AS_BINARY, { GIT_CONFIG_VALUE_0: 'true' })
    if (binary === undefined) return undefined
    const [parts, others] = [partsOf(patch), partsOf(binary)]
    return parts.map((part, at) => (isUtf8(part) ? part : (others[at] ?? part)).toString('utf8')).join('')
  }

  async #diff(after: string, attributes: string, env: Readonly<Record<string, string>> = {}): Promise<Buffer | undefined> {
    const command = ['sh', '-c', PATCH, 'sh', this.#before, after, attributes, this.#root] as const
    const { code, end, stdout } = await this.#run(command, { env, maxOutputBytes: MOST_PATCH })
    if (end === 'output') return undefined
    if (code !== 0 || end !== 'exit') throw new Error(FAILED)
    return Buffer.from(stdout)
  }

  async #git(command: string): Promise<Buffer> {
    const { code, end, stdout } = await this.#run(['sh', '-c', command])
    if (code !== 0 || end !== 'exit') throw new Error(FAILED)
    return Buffer.from(stdout)
  }

  #run(command: SandboxCommand, options: ExecOptions = {}): Promise<ExecResult> {
    const cwd = `${this.#sandbox.workspace}/${this.#root}`
    const env = { ...ENV, GIT_DIR: `${this.#folder}/store`, GIT_WORK_TREE: cwd, ...options.env }
    return this.#sandbox.exec(command, { timeoutMs: GIT_MS, cwd, ...options, env })
  }
}

/** Most repositories within a workspace that are looked after. */
const MOST_REPOSITORIES = 20
const REPOSITORIES = `
find . -mindepth 2 '(' -name node_modules -o -name .venv -o -name .saydo ')' -prune -o -name .git -prune -exec sh -c '
for each; do git check-ignore -q "\${each%/.git}" || printf "%s\\0" "$each"; done' sh {} +
`
const FAILED = 'git could not compare the workspace with what it was'
const CHANGES: Readonly<Record<string, 'added' | 'deleted'>> = { A: 'added', D: 'deleted' }

/** No settings of a user or a machine, no program that a repository names, and no question of whose files they are. */
const SETTINGS = {
  'core.quotePath': 'false',
  'core.autocrlf': 'false',
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'safe.directory': '*',
}

const ENV = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_COUNT: `${Object.keys(SETTINGS).length}`,
  ...Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
}

function lineOf(said: Buffer): string {
  return said.toString('utf8').trim()
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
