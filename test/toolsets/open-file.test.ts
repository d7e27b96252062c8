import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { openFile } from '../../src/toolsets/open-file.js'

afterEach(() => vi.unstubAllEnvs())

test('a file is given to the program that the system opens files with', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'saydo-open-'))
  const opener = join(folder, 'xdg-open')
  writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > ${folder}/opened\n`)
  chmodSync(opener, 0o755)
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
  expect(await openFile('/a page.html', 'linux')).toBeUndefined()
  await expect.poll(() => readFileSync(join(folder, 'opened'), 'utf8')).toBe('/a page.html')
})

test('where there is no such program, that is said', async () => {
  vi.stubEnv('PATH', '/nowhere')
  expect(await openFile('/a.html', 'linux')).toContain('ENOENT')
})
