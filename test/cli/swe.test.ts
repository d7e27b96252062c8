// `--agent swe` on the command line: the files it changed are named, and their patch is written where it was asked for.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { Io } from '../../src/cli/command.js'
import { tellChanges } from '../../src/cli/tell-changes.js'
import { openSandbox } from '../../src/toolsets/sandbox/open-sandbox.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

test('saydo run --agent swe --patch FILE writes what was changed, also when no answer came', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'work'))
  writeFileSync(join(folder, 'work', 'a.txt'), 'a\n')
  const call = 'Action: bash\nAction Input: {"command": "echo b >> a.txt"}'
  const endpoint = await startEndpoint({ replies: [call, call] })
  open.push(endpoint)
  const where = ['--agent', 'swe', '--workspace', join(folder, 'work'), '--sandbox', 'local', '--patch', join(folder, 'it.patch')]
  const { code, stderr } = await saydo(['run', 'x', '--url', endpoint.url, '--model', 'm', '--max-steps', '1', ...where])
  expect([code, stderr]).toEqual([1, expect.stringContaining('files: changed a.txt')])
  expect(readFileSync(join(folder, 'it.patch'), 'utf8')).toContain('\n a\n+b\n')
}, 30_000)

test('what is said of a patch behind a resumed run is that it begins where the run went on', () => {
  const cwd = emptyFolder()
  const told = (patch?: string) => {
    const lines: string[] = []
    const files = patch === undefined ? [] : [{ path: 'a.txt', change: 'changed' as const }]
    const how = { io: { cwd } as Io, say: (line: string) => void lines.push(line), resumed: true }
    tellChanges({ files, ...(patch === undefined ? {} : { patch }) }, 'it.patch', how)
    return lines
  }
  expect(told()).toEqual(['no patch was written to it.patch: nothing was changed since the run went on'])
  expect(told('p')).toEqual([
    'files since the run went on: changed a.txt',
    'the patch of what was changed since then is in it.patch: git apply it.patch',
  ])
})

test.each([['PATH'], ['TMPDIR']])('a sandbox that cannot be opened, for its %s, is for the user to fix', async name => {
  const before = process.env[name]
  const workspace = emptyFolder()
  try {
    process.env[name] = '/nowhere/at/all'
    await expect(openSandbox({ workspace, backend: 'local' })).rejects.toMatchObject({
      code: 'SANDBOX',
      hint: expect.stringContaining(name),
    })
  } finally {
    if (before === undefined) delete process.env[name]
    else process.env[name] = before
  }
})
