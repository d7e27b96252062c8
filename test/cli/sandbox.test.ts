// `--agent sandbox` as a process: what it does, what it refuses, and that a kill -9 leaves nothing.
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { HAS_BWRAP, makeWorkspace, WITHOUT_BWRAP } from '../support/bwrap.js'
import { startEndpoint, type TestEndpoint } from '../support/endpoint.js'
import { buildSaydo, type Saydo } from '../support/process.js'

let saydo: Saydo
beforeAll(async () => {
  saydo = await buildSaydo()
}, 60_000)

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

async function run(workspace: string, replies: string[], during?: (child: ChildProcess) => unknown, more: string[] = []) {
  const endpoint = await startEndpoint({ replies })
  open.push(endpoint)
  const args = ['run', 'x', '--url', endpoint.url, '--model', 'm', '--agent', 'sandbox', '--workspace', workspace, ...more]
  return saydo(args, { env: { HOME: '/nowhere', SOME_API_KEY: 'sk-secret' }, ...(during ? { during } : {}) })
}

describe.runIf(HAS_BWRAP)(`saydo run --agent sandbox${WITHOUT_BWRAP}`, { timeout: 60_000 }, () => {
  test('works in its folder, and shows its commands no key', async () => {
    const workspace = makeWorkspace()
    const { code, stdout, stderr } = await run(workspace, ['Action: shell\nAction Input: env > seen', 'Final Answer: done'])
    expect([code, stdout]).toEqual([0, 'done\n'])
    expect(stderr).toContain('commands run in the sandbox bwrap')
    expect(readFileSync(join(workspace, 'seen'), 'utf8')).not.toContain('sk-secret')
  })

  test('tells its situation once while it stays the same, and so does its record', async () => {
    const record = join(mkdtempSync(join(tmpdir(), 'saydo-told-')), 'run.jsonl')
    const replies = ['Action: shell\nAction Input: true', 'Action: shell\nAction Input: pwd', 'Final Answer: done']
    const { stderr } = await run(makeWorkspace(), replies, undefined, ['--record', record])
    const { stdout } = await saydo(['trace', record])
    for (const told of [stderr, stdout]) expect(told.match(/Situation: Folder: /g)).toHaveLength(1)
    expect((await saydo(['trace', record, '--step', '2'])).stdout).toContain('Situation: Folder: ')
  })

  test('leaves nothing behind when it is killed', async () => {
    const workspace = makeWorkspace()
    let pid = 0
    await run(workspace, ['Action: shell\nAction Input: touch begun; setsid sleep 77.125; sleep 77.125'], async child => {
      pid = child.pid ?? 0
      await expect.poll(() => existsSync(join(workspace, 'begun')), { timeout: 20_000 }).toBe(true)
      child.kill('SIGKILL')
    })
    const left = () => [
      ...readdirSync(tmpdir()).filter(name => name.startsWith(`saydo-sandbox-${pid}-`)),
      ...readdirSync(workspace).filter(name => name.includes('saydo')),
      ...readdirSync('/proc').filter(isSleeping),
    ]
    await expect.poll(left, { timeout: 10_000 }).toEqual([])
  })
})

function isSleeping(pid: string): boolean {
  try {
    return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('77.125')
  } catch {
    return false
  }
}

test.each([
  [[], 'error CONFIG: no workspace is named — give --workspace DIR, a folder of its own for this work'],
  [['--workspace', '/nowhere-at-all'], 'error CONFIG: The workspace /nowhere-at-all is no folder — Make it, or name another.'],
])('%j is refused with 2', async (args, verdict) => {
  const result = await saydo(['run', 'x', '--url', 'http://127.0.0.1:9', '--model', 'm', '--agent', 'sandbox', ...args])
  expect([result.code, result.verdict]).toEqual([2, verdict])
})

test.each([
  [
    'sandbox',
    [],
    [
      'shell',
      'read_session',
      'kill_session',
      'list_files',
      'read_file',
      'create_file',
      'rewrite_file',
      'str_replace',
      'delete_file',
      'run_js',
    ],
  ],
  ['sandbox', ['--tool', 'calculator'], expect.arrayContaining(['calculator', 'shell'])],
  ['swe', [], ['bash', 'job', 'str_replace_editor', 'find_file', 'search_dir']],
])('the tools of --agent %s %j are listed without a workspace', async (agent, args, names) => {
  const { code, stdout } = await saydo(['tools', '--agent', agent, ...args, '--json'])
  expect([code, JSON.parse(stdout).map(({ name }: { name: string }) => name)]).toEqual([0, names])
})
