// A folder of the workspace that a program swaps for a link out of it, again and again, while files below it are read and written.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WorkspaceFiles } from '../../../src/toolsets/sandbox/workspace-files.js'

const ROUNDS = 1_500
const SWAPPER = `
const { mkdirSync, rmSync, symlinkSync, writeFileSync } = require('node:fs')
const steps = [
  () => symlinkSync('../outside', 'folder'),
  () => (mkdirSync('folder'), writeFileSync('folder/file', 'own')),
]
for (let round = 0; ; round++)
  // whoever writes below it may have made it meanwhile
  try { rmSync('folder', { recursive: true, force: true }), steps[round % 2]() } catch {}
`

const outer = mkdtempSync(join(tmpdir(), 'saydo-swapped-'))
const outside = join(outer, 'outside')
const workspace = join(outer, 'work')
let swapper: ChildProcess

beforeAll(() => {
  mkdirSync(outside)
  mkdirSync(join(workspace, 'folder'), { recursive: true })
  writeFileSync(join(outside, 'file'), 'secret')
  writeFileSync(join(workspace, 'folder', 'file'), 'own')
  swapper = spawn(process.execPath, ['-e', SWAPPER], { cwd: workspace })
})

afterAll(async () => {
  swapper.kill('SIGKILL')
  await new Promise(resolve => swapper.once('close', resolve))
})

test.runIf(process.platform === 'linux')(
  'nothing outside is ever read, written, listed or removed',
  { timeout: 60_000 },
  async () => {
    const files = new WorkspaceFiles(workspace, '/workspace')
    const got = new Map<string, number>()
    const count = (what: string) => got.set(what, (got.get(what) ?? 0) + 1)
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = await files.read('folder/file').catch(({ code }) => void count(code))
      if (bytes) count(Buffer.from(bytes).toString())
      await files.write('folder/file', 'own').catch(() => {})
      await files.write('folder/new', 'own').catch(() => {})
      for (const { name } of await files.list('folder').catch(() => [])) count(`listed ${name.replace(/^\.saydo-.*/, 'its own')}`)
      await files.remove('folder/new').catch(() => {})
    }
    expect(swapper.exitCode).toBe(null)
    // both were met, so that there was something to lose
    expect(Math.min(got.get('own') ?? 0, got.get('outside') ?? 0)).toBeGreaterThan(0)
    expect(got.has('secret')).toBe(false)
    expect([readdirSync(outside), readFileSync(join(outside, 'file'), 'utf8')]).toEqual([['file'], 'secret'])
  },
)
