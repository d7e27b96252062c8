// A workspace and what became of it → a list and a patch that is exact as a string, whatever bytes the files hold.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
