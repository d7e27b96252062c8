// `--agent swe` on the command line: the files it changed are named, and their patch is written where it was asked for.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
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
