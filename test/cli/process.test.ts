import type { ChildProcess } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { emptyFolder } from '../support/cli.js'
import { rateLimited, startEndpoint, type TestEndpoint } from '../support/endpoint.js'
import { buildSaydo, isAlive, type Saydo, toolsFile, type } from '../support/process.js'

let saydo: Saydo
beforeAll(async () => {
  saydo = await buildSaydo()
}, 60_000)

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

async function start(...args: Parameters<typeof startEndpoint>): Promise<TestEndpoint> {
  const endpoint = await startEndpoint(...args)
  open.push(endpoint)
  return endpoint
}

function interruptWhen(ready: () => boolean, signal: NodeJS.Signals = 'SIGINT') {
  return async (child: ChildProcess) => {
    child.stdin?.end()
    await expect.poll(ready, { timeout: 10_000 }).toBe(true)
    child.kill(signal)
  }
}

describe('a tool cannot take the run with it', () => {
  test.each([
    ['leaves a rejection behind', `() => { Promise.reject(new Error('left behind')); return 'fine' }`],
    [
      'throws in a timer of its own',
      `() => new Promise(done => { setTimeout(() => { throw new Error('left behind') }, 1); setTimeout(() => done('fine'), 20) })`,
    ],
  ])('when it %s', async (_, body) => {
    const endpoint = await start({ replies: ['Action: odd\nAction Input: {}', 'Final Answer: done'] })
    const file = toolsFile(emptyFolder(), 'odd', body)
    const { code, stdout, stderr } = await saydo(['x', '--url', endpoint.url, '--model', 'm', '--tools', file])
    expect([code, stdout]).toEqual([0, 'done\n'])
    expect(stderr).toContain('left behind')
    expect(stderr).not.toMatch(/^ {4}at /m)
  })

  test('when it logs, stdout still carries the answer alone', async () => {
    const endpoint = await start({ replies: ['Action: odd\nAction Input: {}', 'Final Answer: done'] })
    const file = toolsFile(emptyFolder(), 'odd', "() => console.log('a remark')")
    const { stdout, stderr } = await saydo(['x', '--url', endpoint.url, '--model', 'm', '--tools', file])
    expect([stdout, stderr.includes('a remark')]).toEqual(['done\n', true])
  })

  test('when it ends its process, which the model is told', async () => {
    const endpoint = await start({ replies: ['Action: odd\nAction Input: {}', 'Final Answer: done'] })
    const file = toolsFile(emptyFolder(), 'odd', '() => process.exit(0)')
    const { code, stdout, stderr } = await saydo(['x', '--url', endpoint.url, '--model', 'm', '--tools', file])
    expect([code, stdout]).toEqual([0, 'done\n'])
    expect(stderr).toContain('Observation: odd failed: the process it ran in is gone')
  })

  test('when it computes for ever', async () => {
    const endpoint = await start({ replies: ['Action: odd\nAction Input: {}', 'Final Answer: done'] })
    const file = toolsFile(emptyFolder(), 'odd', '() => { for (;;); }', 'timeoutMs: 100')
    const { code, stdout } = await saydo(['x', '--url', endpoint.url, '--model', 'm', '--tools', file])
    expect([code, stdout]).toEqual([0, 'done\n'])
  })
})

describe('an interrupt ends with 130 and a last line that says so', () => {
  const HANG = ['Action: hang\nAction Input: {}']
  test.each([
    ['while a tool hangs', { replies: HANG }],
    ['while a server asks for a long wait', { moods: [rateLimited('50')] }],
    ['while a server is silent', { moods: ['silent'] }],
  ] as const)('%s', async (_, options) => {
    const endpoint = await start(options)
    const file = toolsFile(emptyFolder(), 'hang', '() => new Promise(() => {})')
    const during = interruptWhen(() => endpoint.asked.length > 0)
    const { code, verdict } = await saydo(['x', '--url', endpoint.url, '--model', 'm', '--tools', file], { during })
    expect(code).toBe(130)
    expect(verdict).toMatch(/^aborted/)
  })

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'together with the tool, what it started, and whatever it computes (%s)',
    async signal => {
      const endpoint = await start({ replies: ['Action: loop\nAction Input: {}'] })
      const folder = emptyFolder()
      const begun = join(folder, 'begun')
      const body = `() => {
      const child = spawn('sleep', ['600'])
      writeFileSync(${JSON.stringify(begun)}, process.pid + ' ' + child.pid)
      for (;;);
    }`
      const file = toolsFile(folder, 'loop', body)
      const imports = `import { writeFileSync } from 'node:fs'\nimport { spawn } from 'node:child_process'`
      writeFileSync(file, `${imports}\n${readFileSync(file, 'utf8')}`)
      const during = interruptWhen(() => existsSync(begun) && readFileSync(begun, 'utf8') !== '', signal)
      const ended = await saydo(['x', '--url', endpoint.url, '--model', 'm', '--tools', file], { during })
      expect(ended).toMatchObject(signal === 'SIGINT' ? { code: 130 } : { signal })
      const started = readFileSync(begun, 'utf8').split(' ').map(Number)
      expect(started).toHaveLength(2)
      await expect.poll(() => started.filter(isAlive), { timeout: 5_000 }).toEqual([])
    },
  )

  test('with the patch that was asked for, however long that takes', async () => {
    const folder = emptyFolder()
    const bin = join(folder, 'bin')
    const work = join(folder, 'work')
    for (const each of [bin, work]) mkdirSync(each)
    const slow = `#!/bin/sh\n[ -e begun ] && sleep 0.5\nPATH=${process.env.PATH} exec git "$@"\n`
    writeFileSync(join(bin, 'git'), slow, { mode: 0o755 })
    const endpoint = await start({ replies: ['Action: bash\nAction Input: {"command": "touch begun; sleep 60"}'] })
    const where = ['--agent', 'swe', '--workspace', work, '--sandbox', 'local', '--patch', join(folder, 'it.patch')]
    const { code, stderr } = await saydo(['x', '--url', endpoint.url, '--model', 'm', ...where], {
      env: { PATH: `${bin}:${process.env.PATH}` },
      during: interruptWhen(() => existsSync(join(work, 'begun'))),
    })
    expect([code, stderr]).toEqual([130, expect.stringContaining('once more ends it at once')])
    expect(readFileSync(join(folder, 'it.patch'), 'utf8')).toContain('a/begun b/begun')
  }, 30_000)

  test('while it reads stdin', async () => {
    const during = (child: ChildProcess) => setTimeout(() => child.kill('SIGINT'), 1_000)
    const { code, verdict } = await saydo(['--url', 'http://127.0.0.1:9', '--model', 'm'], { during })
    expect(code).toBe(130)
    expect(verdict).toMatch(/^aborted: interrupted/)
  })
})

// util-linux gives a command a terminal of its own
describe.runIf(existsSync('/usr/bin/script') && process.platform === 'linux')('at a terminal', () => {
  const QUESTION = 'say why not: '
  const CALL = 'Action: odd\nAction Input: {}'

  async function play(...typing: readonly (readonly [shown: string, typed: string])[]) {
    const endpoint = await start({ replies: [CALL, 'Final Answer: done'] })
    const file = toolsFile(emptyFolder(), 'odd', "() => 'fine'", 'confirm: true')
    return saydo(['x', '--url', endpoint.url, '--model', 'm', '--tools', file], {
      terminal: true,
      during: child => type(child, typing),
    })
  }

  test('a yes makes the call, and the spinner leaves the question alone', async () => {
    const { code, stdout } = await play([QUESTION, 'y\r'])
    expect(code).toBe(0)
    expect(stdout).toContain('Observation:')
    expect(stdout.slice(stdout.indexOf('say why not: '), stdout.indexOf('Allowed:'))).not.toContain('waiting for the model')
  })

  test('Ctrl-C at the question ends with 130', async () => {
    const { code, stdout } = await play([QUESTION, '\u0003'])
    expect(code).toBe(130)
    expect(stdout).toContain('aborted')
  })

  test('an input is edited where it stands', async () => {
    const { code, stdout } = await play([QUESTION, 'e\r'], ['input: ', '\u0015{"n":1}\r'])
    expect(code).toBe(0)
    expect(stdout).toContain('odd was called with another input: {"n":1}')
  })

  test('Ctrl-C while an input is edited ends with 130', async () => {
    expect((await play([QUESTION, 'e\r'], ['input: ', '\u0003'])).code).toBe(130)
  })

  test('Ctrl-D at the question denies the call', async () => {
    const { code, stdout } = await play([QUESTION, '\u0004'])
    expect(code).toBe(0)
    expect(stdout).toContain('nobody is at a terminal')
  })
})

test('no secret of a request is shown, not even to OPENAI_LOG', async () => {
  const endpoint = await start({ moods: ['unauthorized'] })
  const url = `${endpoint.url.replace('//', '//user:password-1@')}?key=secret-in-query`
  const argv = ['x', '--url', url, '--model', 'm', '-v', '--jsonl', '--header', 'X-Token: secret-in-header']
  const { stdout, stderr } = await saydo(argv, { env: { OPENAI_LOG: 'debug', OPENAI_API_KEY: 'sk-secret-key' } })
  expect(stdout + stderr).not.toMatch(/secret|password-1/)
})

describe('a world that fails', () => {
  test.runIf(existsSync('/dev/full'))('a full disk under stdout is exit 3, not a lost answer', async () => {
    const endpoint = await start()
    const full = openSync('/dev/full', 'w')
    const { code, verdict } = await saydo(['x', '--url', endpoint.url, '--model', 'm'], { stdout: full })
    closeSync(full)
    expect(code).toBe(3)
    expect(verdict).toMatch(/^error OUTPUT.*ENOSPC/)
  })

  test('a working directory that is gone is exit 2, without a stack trace', async () => {
    const folder = emptyFolder()
    const gone = join(folder, 'gone')
    const prelude = join(folder, 'prelude.cjs')
    // Node remembers the folder until it is changed
    writeFileSync(prelude, `process.chdir(${JSON.stringify(gone)}); require('fs').rmdirSync(${JSON.stringify(gone)})`)
    mkdirSync(gone)
    const { code, stderr } = await saydo(['x'], { node: ['--require', prelude] })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error CONFIG: the working directory is gone.*\n$/)
  })
})

test.runIf(process.platform === 'linux')(
  'a record in a folder that the system does not make is a fault of the command',
  async () => {
    const during = (child: ChildProcess) => {
      child.stdin?.end()
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref()
    }
    const { code, verdict } = await saydo(['demo', '--record', '/proc/saydo/runs/one.jsonl'], { during })
    expect(code).toBe(2)
    expect(verdict).toMatch(/^error CONFIG: cannot write \/proc\/saydo\/runs\/one\.jsonl: ENOENT/)
  },
  20_000,
)
