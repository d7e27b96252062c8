// A workspace and what became of it → a list and a patch that is exact as a string, whatever bytes the files hold.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../src/core/sandbox.js'
import { openSandbox } from '../../src/toolsets/sandbox/open-sandbox.js'
import { Snapshot } from '../../src/toolsets/snapshot.js'

let outer: string
let workspace: string
let sandbox: Sandbox

beforeEach(async () => {
  outer = mkdtempSync(join(tmpdir(), 'saydo-snapshot-'))
  workspace = join(outer, 'work')
  mkdirSync(workspace)
  sandbox = await openSandbox({ workspace, backend: 'local' })
})

afterEach(async () => {
  await sandbox.destroy()
  rmSync(outer, { recursive: true, force: true })
})

const latin = (text: string) => Buffer.from(text, 'latin1')
const put = (name: string | Buffer, bytes: string | Buffer) =>
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from(name)]), bytes)

function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, { encoding: 'latin1' }).filter(name => name !== '.git')
  return Object.fromEntries(names.map(name => [name, readFileSync(latin(`${folder}/${name}`), 'latin1')]))
}

test('texts and names of any bytes go through the patch as they are', async () => {
  put('café.txt', 'one\ntwo\n')
  put('latin.txt', latin('caf\xe9\ntwo\n'))
  put('plain.txt', 'one\n')
  put('kind.txt', latin('\xe9\n'))
  const copy = join(outer, 'copy')
  cpSync(workspace, copy, { recursive: true })
  const snapshot = await Snapshot.take(sandbox)
  put('café.txt', 'one\nzwölf\ndiff --git a/x b/x\n')
  put('latin.txt', latin('caf\xe9\ndr\xfcben\n'))
  put('plain.txt', 'two\n')
  put(latin('na\xefve'), 'a\n')
  rmSync(join(workspace, 'kind.txt'))
  symlinkSync('plain.txt', join(workspace, 'kind.txt'))
  const { patch = '' } = (await snapshot?.changes()) ?? {}
  await snapshot?.remove()
  expect(patch).toContain('+zwölf\n')
  expect(patch).not.toContain('\uFFFD')
  execFileSync('git', ['init', '-q'], { cwd: copy })
  execFileSync('git', ['apply', '-'], { cwd: copy, input: patch })
  expect(contents(copy)).toEqual(contents(workspace))
}, 30_000)

test('a patch that is too long is left out, the list of files is not', async () => {
  const snapshot = await Snapshot.take(sandbox)
  put('long.txt', 'x'.repeat(99).concat('\n').repeat(150_000))
  expect(await snapshot?.changes()).toEqual({ files: [{ path: 'long.txt', change: 'added' }] })
  await snapshot?.remove()
}, 30_000)

const git = (...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
    cwd: workspace,
    stdio: ['ignore', 'pipe', 'ignore'],
  })

function commitAll(): void {
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
}

/** A repository within the workspace. */
function repositoryIn(folder: string, commit: boolean): void {
  mkdirSync(join(workspace, folder))
  put(`${folder}/deep.txt`, 'old\n')
  git('-C', folder, 'init', '-q')
  if (!commit) return
  git('-C', folder, 'add', '.')
  git('-C', folder, 'commit', '-qm', 'first')
}

/** What it is before; `deep.txt` and `own.txt` hold `old`, and then `new`. */
const REPOSITORIES: readonly (readonly [string, () => void])[] = [
  ['plain', commitAll],
  [
    'whose index is damaged',
    () => {
      commitAll()
      put('.git/index', 'no index')
    },
  ],
  [
    'whose index is locked',
    () => {
      commitAll()
      put('.git/index.lock', '')
    },
  ],
  [
    'whose index lies in several files',
    () => {
      commitAll()
      git('update-index', '--split-index')
    },
  ],
  [
    'with files that git is told not to look at',
    () => {
      commitAll()
      git('update-index', '--assume-unchanged', 'own.txt')
    },
  ],
  [
    'with a repository in it',
    () => {
      repositoryIn('inner', true)
      commitAll()
    },
  ],
  [
    'with a repository in it that has no commit',
    () => {
      git('init', '-q')
      repositoryIn('inner', false)
    },
  ],
  ['that is told by a file where there is none', () => put('.git', 'gitdir: /none\n')],
]

describe('a repository', () => {
  test.each(REPOSITORIES)(
    '%s: each change is told, and stands in the patch',
    async (_, before) => {
      put('own.txt', 'old\n')
      before()
      const copy = join(outer, 'copy')
      cpSync(workspace, copy, { recursive: true })
      const snapshot = await Snapshot.take(sandbox)
      const names = existsSync(join(workspace, 'inner')) ? ['own.txt', 'inner/deep.txt'] : ['own.txt']
      for (const name of names) put(name, 'new\n')
      const { files, patch = '' } = (await snapshot?.changes()) ?? {}
      await snapshot?.remove()
      expect(files).toEqual(names.map(path => ({ path, change: 'changed' })))
      // the patch is for files, whatever repository is around them
      for (const folder of ['.git', 'inner/.git']) rmSync(join(copy, folder), { recursive: true, force: true })
      execFileSync('git', ['apply', '-'], { cwd: copy, input: patch })
      for (const name of names) expect(readFileSync(join(copy, name), 'utf8')).toBe('new\n')
    },
    30_000,
  )

  test('has none of its programs run: hooks, filters, what is asked for changes; nor has one within it', async () => {
    const program = join(outer, 'program')
    writeFileSync(program, `#!/bin/sh\ntouch ${join(outer, 'was-run')}\ncat\n`)
    chmodSync(program, 0o755)
    put('own.txt', 'old\n')
    repositoryIn('inner', true)
    commitAll()
    for (const folder of ['.', 'inner']) {
      put(`${folder}/.gitattributes`, '* filter=own diff=own\n')
      for (const name of ['core.fsmonitor', 'filter.own.clean', 'diff.own.command', 'diff.own.textconv'])
        git('-C', folder, 'config', name, program)
      for (const hook of ['post-index-change', 'reference-transaction', 'pre-commit'])
        cpSync(program, join(workspace, folder, '.git/hooks', hook))
    }
    const snapshot = await Snapshot.take(sandbox)
    for (const name of ['own.txt', 'inner/deep.txt']) put(name, 'new\n')
    expect((await snapshot?.changes())?.files).toHaveLength(2)
    await snapshot?.remove()
    expect(existsSync(join(outer, 'was-run'))).toBe(false)
  }, 30_000)
})
