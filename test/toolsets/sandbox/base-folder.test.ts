// What sandboxes of processes that are gone have left in the system's temporary folder → cleared away; nothing else is.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeBaseFolder, removeOrphans } from '../../../src/toolsets/sandbox/base-folder.js'

let temporary: string

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'saydo-base-'))
  vi.stubEnv('TMPDIR', temporary)
})

afterEach(() => vi.unstubAllEnvs())

const mark = '0123456789abcdef'
/** Of a process that has ended. */
const gone = spawnSync('true').pid

test('a folder whose process is gone is removed with all in it', () => {
  const orphan = join(temporary, `saydo-sandbox-${gone}-${mark}`)
  mkdirSync(join(orphan, 'tmp', 'deep'), { recursive: true })
  writeFileSync(join(orphan, 'tmp', 'deep', 'file'), 'x')
  symlinkSync(temporary, join(orphan, 'tmp', 'link'))
  removeOrphans()
  expect(readdirSync(temporary)).toEqual([])
})

test.each([
  ['of a process that runs', `saydo-sandbox-${process.pid}-${mark}`],
  ['of another program', `other-sandbox-${gone}-${mark}`],
  ['with a name that only begins like one', `saydo-sandbox-${gone}-${mark}.kept`],
  ['with a mark that is none', `saydo-sandbox-${gone}-mine`],
  ['with a number that is none', `saydo-sandbox-x-${mark}`],
])('a folder %s stays', (_, name) => {
  mkdirSync(join(temporary, name))
  removeOrphans()
  expect(readdirSync(temporary)).toEqual([name])
})

test('one that is made here is known by its process, and nobody else can look into it', () => {
  const { name, path } = makeBaseFolder()
  removeOrphans()
  expect([path, name]).toEqual([join(temporary, name), expect.stringMatching(`^saydo-sandbox-${process.pid}-[0-9a-f]{16}$`)])
  expect([statSync(path).mode & 0o777, statSync(join(path, 'tmp')).mode & 0o7777]).toEqual([0o700, 0o1777])
})
