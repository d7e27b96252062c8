// SWEAgent on real repositories: sloppy replies repair them, and the patch of the result repairs a fresh copy.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SWEAgent } from '../../src/agents/swe-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { HAS_BWRAP, WITHOUT_BWRAP } from '../support/bwrap.js'

let outer: string
let workspace: string

beforeEach(() => {
  outer = mkdtempSync(join(tmpdir(), 'saydo-swe-'))
  workspace = join(outer, 'work')
  mkdirSync(join(workspace, 'py'), { recursive: true })
  put('sum.js', 'exports.sum = (a, b) => a - b\r\n')
  put(
    'sum.test.js',
    "const t = require('node:test'); const { sum } = require('./sum.js')\nt('adds', () => require('assert').equal(sum(2, 3), 5))\n",
  )
  put('py/greet.py', "def greet(name):\n\treturn 'hi ' + nam\n")
  put(
    'py/test_greet.py',
    "import unittest\nfrom greet import greet\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(greet('x'), 'hi x')\n",
  )
  put('old.txt', 'old\n')
  put('run.sh', 'echo run\n')
})

afterEach(() => rmSync(outer, { recursive: true, force: true }))

function put(name: string, text: string): void {
  writeFileSync(join(workspace, name), text)
}

function git(folder: string, ...args: string[]): string {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH } })
}

const REPLIES = [
  'Thought: Look first.\nAction: bash\nAction Input: {"command": "ls; node --test sum.test.js > /dev/null; echo $?"}',
  '**Thought:** The sign is wrong.\n**Action:** str_replace_editor\n**Action Input:** {"command": "str_replace", "path": "sum.js", "old_str": "a - b", "new_str": "a + b",}',
  'Action: bash(command="cd py && python3 -m unittest 2>&1 | tail -3")',
  "Thought: A typo.\nAction: str_replace_editor\nAction Input: {'command': 'str_replace', 'path': 'greet.py', 'old_str': '+ nam', 'new_str': '+ name'}",
  'Thought: Both again, and the rest.\nAction: bash\nAction Input: ```json\n{"command": "python3 -m unittest 2>&1 | tail -1; cd ..; node --test sum.test.js > /dev/null && echo js fine; rm old.txt; chmod +x run.sh; printf \'a\\\\0b\' > data.bin; echo new > new.txt"}\n```',
  'Thought: Done.\nFinal Answer: Both are repaired.',
]

describe.each(HAS_BWRAP ? (['local', 'bwrap'] as const) : (['local'] as const))(`in %s${WITHOUT_BWRAP}`, backend => {
  test.each([['a repository'], ['a plain folder']])(
    '%s is repaired, and so is a copy by the patch',
    async kind => {
      if (kind === 'a repository') {
        git(workspace, 'init', '-q')
        git(workspace, 'add', '.')
        git(workspace, 'commit', '-qm', 'first')
      }
      const copy = join(outer, 'copy')
      cpSync(workspace, copy, { recursive: true })
      const index = kind === 'a repository' ? readFileSync(join(workspace, '.git/index')) : undefined
      const agent = new SWEAgent({ model: scriptedModel(REPLIES), sandbox: { workspace, backend } })
      const { answer, steps, artifacts } = await agent.run('Make the tests pass.')
      expect(answer).toBe('Both are repaired.')
      const told = steps.map(({ observations }) => observations[0]?.text).join('\n')
      expect(steps.at(-2)?.situation, told).toMatch(/^Folder: \S+\/py\nOpen file: \S+\/py\/greet\.py/)
      expect(steps.at(-2)?.observations[0]?.text).toMatch(/OK\njs fine\n\[exit code 0\]/)
      expect(artifacts?.files.map(({ path, change }) => `${change} ${path}`)).toEqual([
        'added data.bin',
        'added new.txt',
        'deleted old.txt',
        'changed py/greet.py',
        'changed run.sh',
        'changed sum.js',
      ])
      if (index) expect(readFileSync(join(workspace, '.git/index')).equals(index)).toBe(true)

      writeFileSync(join(outer, 'patch'), artifacts?.patch ?? '')
      if (kind !== 'a repository') git(copy, 'init', '-q')
      git(copy, 'apply', join(outer, 'patch'))
      for (const file of ['sum.js', 'py/greet.py', 'data.bin', 'new.txt', 'run.sh'])
        expect(readFileSync(join(copy, file)).equals(readFileSync(join(workspace, file)))).toBe(true)
      execFileSync('node', ['--test', 'sum.test.js'], { cwd: copy })
      execFileSync('python3', ['-m', 'unittest', '-q'], { cwd: join(copy, 'py'), stdio: 'ignore' })
    },
    60_000,
  )
})

describe('the changes are told', () => {
  const touch = 'Action: bash\nAction Input: {"command": "echo b >> old.txt"}'

  test('when the steps run out', async () => {
    const agent = new SWEAgent({
      model: scriptedModel([touch]),
      sandbox: { workspace, backend: 'local' },
      maxSteps: 1,
      onMaxSteps: 'return',
    })
    const { stop, artifacts } = await agent.run('x')
    expect([stop, artifacts?.files]).toEqual(['max_steps', [{ path: 'old.txt', change: 'changed' }]])
  }, 30_000)

  test('when the run is aborted', async () => {
    const abort = new AbortController()
    const agent = new SWEAgent({ model: scriptedModel([touch, touch]), sandbox: { workspace, backend: 'local' } })
    const onEvent = (event: AgentEvent) => void (event.type === 'call_end' && abort.abort())
    const { stop, artifacts } = await agent.run('x', { signal: abort.signal, onEvent })
    expect([stop, artifacts?.patch]).toEqual(['aborted', expect.stringContaining('+b\n')])
  }, 30_000)

  test('when it fails', async () => {
    const ends: AgentEvent[] = []
    const agent = new SWEAgent({ model: scriptedModel([touch]), sandbox: { workspace, backend: 'local' } })
    const onEvent = (event: AgentEvent) => void (event.type === 'run_end' && ends.push(event))
    await expect(agent.run('x', { onEvent })).rejects.toThrow()
    expect(ends[0]).toMatchObject({ result: { artifacts: { files: [{ path: 'old.txt', change: 'changed' }] } } })
  }, 30_000)

  test('not where there is no git, and that is told', async () => {
    const bin = join(outer, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'git'), '#!/bin/sh\nexit 127\n', { mode: 0o755 })
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const replies = [touch, 'Final Answer: done']
    const agent = new SWEAgent({ model: scriptedModel(replies), sandbox: { workspace, backend: 'local', env } })
    const codes: string[] = []
    const onEvent = (event: AgentEvent) => void (event.type === 'notice' && codes.push(event.code))
    const { answer, artifacts } = await agent.run('x', { onEvent })
    expect([answer, artifacts]).toEqual(['done', undefined])
    expect(codes).toContain('ARTIFACTS_FAILED')
  }, 30_000)
})

test('the model is told before each step which jobs run', async () => {
  const replies = [
    'Action: bash\nAction Input: {"command": "true\\n sleep 60", "background": true}',
    'Action: job\nAction Input: {"action": "kill", "id": 1}',
    'Action: bash\nAction Input: true',
    'Final Answer: done',
  ]
  const agent = new SWEAgent({ model: scriptedModel(replies), sandbox: { workspace, backend: 'local' } })
  const { steps } = await agent.run('x')
  const [before, running, killed] = steps.map(({ situation }) => situation?.split('\n').slice(1).join('\n'))
  expect([before, running, killed]).toEqual(['', 'job 1: true sleep 60 (still running)', ''])
}, 30_000)
