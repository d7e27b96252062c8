import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeDisk } from '../../src/transcript/disk.js'
import { lockFile, writerOf } from '../../src/transcript/lock.js'

const newFile = (): string => join(mkdtempSync(join(tmpdir(), 'saydo-lock-')), 'run.jsonl')

/** The parts of the name under which this process claims a file: host, boot, pid, start. */
function ownParts(file: string): readonly string[] {
  const unlock = lockFile(file, nodeDisk)
  const [name = ''] = readdirSync(join(file, '..'))
  unlock()
  return name.split('.lock-')[1]?.split('-') ?? []
}

function leave(file: string, change: (parts: readonly string[]) => readonly string[]): void {
  writeFileSync(`${file}.lock-${change(ownParts(file)).join('-')}`, '')
}

const NOBODY = '999999999'

describe('the right to write a file', () => {
  test('is for one, and free again when it is given back', () => {
    const file = newFile()
    const unlock = lockFile(file, nodeDisk)
    expect(writerOf(file, nodeDisk)).toBe(process.pid)
    expect(() => lockFile(file, nodeDisk)).toThrow(expect.objectContaining({ code: 'JOURNAL_LOCKED' }))
    unlock()
    expect(writerOf(file, nodeDisk)).toBeUndefined()
    lockFile(file, nodeDisk)()
    expect(readdirSync(join(file, '..'))).toEqual([])
  })

  test.each([
    ['a process that is no more', ([host = '', boot = '']: readonly string[]) => [host, boot, NOBODY, '7']],
    ['an earlier start of the machine', ([host = '', , pid = '', start = '']: readonly string[]) => [host, 'abc', pid, start]],
  ])('is not held by %s, and what it left goes away', (_, change) => {
    const file = newFile()
    leave(file, change)
    expect(writerOf(file, nodeDisk)).toBeUndefined()
    lockFile(file, nodeDisk)()
    expect(readdirSync(join(file, '..'))).toEqual([])
  })

  test.runIf(process.platform === 'linux')('is not held by a process whose number was given anew', () => {
    const file = newFile()
    leave(file, ([host = '', boot = '', pid = '', start = '']) => [host, boot, pid, String(Number(start) - 1)])
    expect(writerOf(file, nodeDisk)).toBeUndefined()
    lockFile(file, nodeDisk)()
  })

  test.each([
    [
      'another process that lives',
      ([host = '', boot = '']: readonly string[]) => [host, boot, String(process.ppid), '0'],
      /process \d+ is writing/,
    ],
    [
      'another machine, of whose processes nothing is known',
      ([, boot = '', pid = '', start = '']: readonly string[]) => ['abc', boot, pid, start],
      /of another machine/,
    ],
  ])('is held by %s', (_, change, message) => {
    const file = newFile()
    leave(file, change)
    expect(() => lockFile(file, nodeDisk)).toThrow(message)
    expect(readdirSync(join(file, '..'))).toHaveLength(1)
  })

  test('is of one file: a claim on another, or a file of such a name, is none', () => {
    const file = newFile()
    writeFileSync(`${file}.lock-notes`, '')
    lockFile(`${file}.lock-1`, nodeDisk)
    lockFile(file, nodeDisk)()
  })
})
