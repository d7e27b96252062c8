// What every backend gives: commands with their output and end, files by paths that stay in the workspace, and an end that takes all with it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, SandboxError } from '../../../src/core/sandbox.js'
import { openSandbox } from '../../../src/toolsets/sandbox/open-sandbox.js'
import { BACKENDS_HERE, HAS_BWRAP, makeWorkspace, text, WITHOUT_BWRAP } from '../../support/bwrap.js'
import { buildChild } from '../../support/sandbox-trials.js'

const opened: Sandbox[] = []
afterEach(() => Promise.all(opened.splice(0).map(sandbox => sandbox.destroy())))

async function open(...args: Parameters<typeof openSandbox>): Promise<Sandbox> {
  const sandbox = await openSandbox(...args)
  opened.push(sandbox)
  return sandbox
}

describe.each(BACKENDS_HERE)(`the sandbox %s${WITHOUT_BWRAP}`, { timeout: 60_000 }, backend => {
  test('gives what a command prints, in its order, and its exit code', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    const result = await sandbox.exec('echo one; sleep 0.1; echo two >&2; exit 3')
    expect([text(result.stdout), text(result.stderr), text(result.output)]).toEqual(['one\n', 'two\n', 'one\ntwo\n'])
    expect([result.code, result.end]).toEqual([3, 'exit'])
  })

  test('loses nothing of what short commands print, many at a time, or one prints while nobody reads', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    for (let round = 0; round < 8; round++) {
      const all = await Promise.all(Array.from({ length: 4 }, () => sandbox.exec(['echo', 'hello'])))
      expect(all.map(({ stdout }) => text(stdout))).toEqual(Array(4).fill('hello\n'))
    }
    const process = await sandbox.spawn(['head', '-c', '150000', '/dev/zero'])
    let got = 0
    await Promise.race([process.exited, new Promise(resolve => setTimeout(resolve, 300))])
    for await (const chunk of process.stdout) got += chunk.length
    expect(got).toBe(150_000)
  })

  test('hands arguments on as they are, and input', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    const odd = `a 'b' "c" $HOME \`x\` \\ ; * é`
    expect(text((await sandbox.exec(['printf', '%s', odd])).stdout)).toBe(odd)
    expect(text((await sandbox.exec(['cat'], { stdin: odd })).stdout)).toBe(odd)
    expect(text((await sandbox.exec(['cat'])).stdout)).toBe('')
  })

  test('runs in a folder of the workspace, and with variables that are given', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    await sandbox.write('a/b/file.txt', 'x')
    const { stdout } = await sandbox.exec('ls; echo $GIVEN', { cwd: 'a/b', env: { GIVEN: 'yes' } })
    expect(text(stdout)).toBe('file.txt\nyes\n')
    await expect(sandbox.exec('true', { cwd: '..' })).rejects.toMatchObject({ code: 'outside' })
    await expect(sandbox.exec('true', { cwd: 'missing' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('knows nothing of the environment of this process', async () => {
    process.env.SOME_API_KEY = 'sk-secret'
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    expect(text((await sandbox.exec('env')).stdout)).not.toContain('sk-secret')
    delete process.env.SOME_API_KEY
  })

  test('does not wait for a child in the background that holds the pipe', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    const result = await sandbox.exec('echo hi; sleep 50 &')
    expect([text(result.stdout), result.end]).toEqual(['hi\n', 'exit'])
  })

  test('ends a command for its time, for its output and on abort, and keeps what came before', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    const late = await sandbox.exec('echo first; sleep 50', { timeoutMs: 2000 })
    expect([text(late.stdout), late.end]).toEqual(['first\n', 'timeout'])
    const loud = await sandbox.exec('yes', { maxOutputBytes: 1000 })
    expect([loud.stdout.length, loud.end]).toEqual([1000, 'output'])
    const aborted = await sandbox.exec('echo first; sleep 50', { signal: AbortSignal.timeout(2000) })
    expect([text(aborted.stdout), aborted.end]).toEqual(['first\n', 'aborted'])
  })

  test('talks to a program, and interrupts what it started', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    const shell = await sandbox.spawn(['bash', '--norc'])
    await shell.write('echo ready; sleep 50; echo "code $?"; read answer; echo "heard $answer"\n')
    let said = ''
    for await (const chunk of shell.stdout) {
      said += text(chunk)
      if (said === 'ready\n') {
        // the sleep may just be starting
        await new Promise(resolve => setTimeout(resolve, 200))
        await shell.interrupt()
        await shell.write('me\n')
        shell.endInput()
      }
    }
    expect(said).toBe('ready\ncode 130\nheard me\n')
    expect(await shell.exited).toEqual({ code: 0, end: 'exit' })
    await expect(shell.write('x')).rejects.toMatchObject({ code: 'ended' })
  })

  test('lets a server in one command be reached from another', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    const server = await sandbox.spawn(['python3', '-u', '-c', SERVER])
    const [port] = await Promise.race([first(server.stdout), first(server.stderr)])
    const { stdout } = await sandbox.exec(`exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`)
    expect(text(stdout)).toBe('served')
  })

  test('keeps its temporary files from command to command', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    const name = `/tmp/saydo-note-${process.pid}`
    await sandbox.exec(`echo kept > ${name}`)
    expect(text((await sandbox.exec(`cat ${name}; rm -f ${name}`)).stdout)).toBe('kept\n')
  })

  test('is over when it is destroyed, with all that ran', async () => {
    const sandbox = await open({ backend, workspace: makeWorkspace() })
    const running = await sandbox.spawn('sleep 50')
    await Promise.all([sandbox.destroy(), sandbox.destroy()])
    expect(await running.exited).toMatchObject({ end: 'killed' })
    await expect(sandbox.exec('true')).rejects.toMatchObject({ code: 'destroyed' })
    await expect(sandbox.read('x')).rejects.toMatchObject({ code: 'destroyed' })
  })
})

describe.runIf(BACKENDS_HERE.includes('srt'))('the sandbox srt', { timeout: 60_000 }, () => {
  const server = createServer((_, response) => response.end('served'))
  let port = 0
  let asked = 0
  beforeAll(async () => {
    server.on('request', () => asked++).listen(0, '127.0.0.1')
    await once(server, 'listening')
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => server.close())

  test('reaches the hosts that are allowed through its proxy, and nothing past it', async () => {
    const sandbox = await open({ backend: 'srt', workspace: makeWorkspace(), allowHosts: ['localhost'] })
    expect(sandbox.notes[0]).toBe('no network but localhost')
    const fetched = await sandbox.exec(['python3', '-c', FETCH, `http://localhost:${port}/`])
    expect(text(fetched.output)).toBe('served')
    const past = await sandbox.exec(`exec 3<>/dev/tcp/127.0.0.1/${port} && echo REACHED`)
    expect([text(past.stdout), asked]).toEqual(['', 1])
  })

  test.each([
    ['http://127.0.0.1:PORT/'],
    ['http://[::1]:PORT/'],
    ['http://0:PORT/'],
    ['http://2130706433:PORT/'],
    ['http://0x7f.1:PORT/'],
    ['http://[::ffff:127.0.0.1]:PORT/'],
    ['http://localhost.example.com:PORT/'],
    ['http://sub.localhost:PORT/'],
    ['http://example.com@127.0.0.1:PORT/'],
    ['http://localhost@127.0.0.1:PORT/'],
    ['http://169.254.169.254/'],
    ['https://127.0.0.1:PORT/'],
  ])('does not fetch %s where another host is allowed', async url => {
    const before = asked
    const sandbox = await open({ backend: 'srt', workspace: makeWorkspace(), allowHosts: ['example.com', 'localhost'] })
    const { stdout } = await sandbox.exec(['python3', '-c', FETCH, url.replace('PORT', String(port))])
    expect([text(stdout), asked]).toEqual(['', before])
  })

  test('fetches nothing where no host is allowed', async () => {
    const before = asked
    const sandbox = await open({ backend: 'srt', workspace: makeWorkspace() })
    const { code } = await sandbox.exec(['python3', '-c', FETCH, `http://localhost:${port}/`])
    expect([code, asked]).toEqual([1, before])
  })
})

/** Through the proxy of its variables, this machine's own names as well. */
const FETCH = `
import os, sys, urllib.request as r
proxies = r.ProxyHandler({k: os.environ['HTTP_PROXY'] for k in ('http', 'https')})
os.environ.pop('NO_PROXY', None); os.environ.pop('no_proxy', None)
print(r.build_opener(proxies).open(sys.argv[1], timeout=5).read().decode(), end='')
`

/** Says its port, and serves one connection. */
const SERVER = `
import socket
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(1); print(s.getsockname()[1])
c, _ = s.accept(); c.sendall(b'served'); c.close()
`

async function first(stream: AsyncIterable<Uint8Array>): Promise<string[]> {
  for await (const chunk of stream) return text(chunk).trim().split('\n')
  return await new Promise(() => {})
}

test.runIf(HAS_BWRAP)(`what a command is given in its environment stands in no command line${WITHOUT_BWRAP}`, async () => {
  const sandbox = await open({ backend: 'bwrap', workspace: makeWorkspace(), env: { GIVEN_KEY: 'sk-given' } })
  const child = await sandbox.spawn('echo $GIVEN_KEY $OWN_KEY; sleep 50', { env: { OWN_KEY: 'sk-own' } })
  for await (const chunk of child.stdout) {
    expect(text(chunk)).toBe('sk-given sk-own\n')
    break
  }
  const lines = readdirSync('/proc').map(commandLineOf)
  expect(lines.filter(line => line.includes('sleep 50'))).not.toEqual([])
  expect(lines.filter(line => line.includes('sk-given') || line.includes('sk-own'))).toEqual([])
  await child.kill()
})

test.runIf(HAS_BWRAP)(`a file that whoever started this process had open is not open inside${WITHOUT_BWRAP}`, async () => {
  const workspace = makeWorkspace()
  const child = await buildChild()
  const looks = 'ls -l /proc/self/fd > seen; echo done > over'
  const started = spawn('bash', [
    '-c',
    'exec 9</etc/hostname; exec "$0" "$@"',
    process.execPath,
    child,
    'bwrap',
    workspace,
    looks,
  ])
  await expect.poll(() => existsSync(join(workspace, 'over')), { timeout: 20_000 }).toBe(true)
  started.kill('SIGKILL')
  expect(readFileSync(join(workspace, 'seen'), 'utf8')).not.toMatch(/ [4-9] ->|hostname/)
})

const FORKS = `
import os, time
n = 0
try:
  while n < 400:
    if os.fork() == 0: time.sleep(3); os._exit(0)
    n += 1
except OSError: pass
print(n)
`

test.runIf(HAS_BWRAP && process.getuid?.() === 0)(
  `a user who is not root is held in as well, to a number of processes even without control groups${WITHOUT_BWRAP}`,
  async () => {
    const workspace = mkdtempSync('/tmp/saydo-other-user-')
    const nobody = { uid: 65_534, gid: 65_534 }
    chownSync(workspace, nobody.uid, nobody.gid)
    writeFileSync(join(workspace, 'forks.py'), FORKS)
    const ways = '(unshare -Ur true || cat /etc/shadow) && echo REACHED > through'
    const command = `python3 forks.py > count; ${ways}; id -u > who; echo > over`
    const args = ['--input-type=module', '-', 'bwrap', workspace, command]
    const env = { PATH: process.env.PATH, HOME: '/nowhere', TMPDIR: workspace }
    const child = spawn(process.execPath, args, { ...nobody, env, cwd: workspace })
    // its program lies where that user can't read it
    child.stdin.end(readFileSync(await buildChild()))
    await expect.poll(() => existsSync(join(workspace, 'over')), { timeout: 30_000 }).toBe(true)
    child.kill('SIGKILL')
    const [count, who] = ['count', 'who'].map(name => Number(readFileSync(join(workspace, name), 'utf8')))
    expect([who, existsSync(join(workspace, 'through'))]).toEqual([65_534, false])
    expect(count).toBeGreaterThan(100)
    expect(count).toBeLessThan(256)
    await expect.poll(() => existsSync(join(workspace, '.saydo')), { timeout: 10_000 }).toBe(false)
    rmSync(workspace, { recursive: true })
  },
  60_000,
)

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

test.runIf(HAS_BWRAP)(`no program with the rights of its owner is left in the workspace${WITHOUT_BWRAP}`, async () => {
  const workspace = makeWorkspace()
  writeFileSync(join(workspace, 'before'), 'x')
  chmodSync(join(workspace, 'before'), 0o4755)
  const sandbox = await openSandbox({ backend: 'bwrap', workspace })
  await sandbox.exec('cp /usr/bin/id left; chmod 6755 left')
  await sandbox.destroy()
  expect(['before', 'left'].map(name => statSync(join(workspace, name)).mode & 0o7777)).toEqual([0o4755, 0o755])
})

test.each([{ A: 'a\0--bind\0/\0/host' }, { 'A\0B': 'x' }, { 'A=B': 'x' }, { '': 'x' }])(
  'the variables %j are refused',
  async env => {
    const sandbox = await open({ backend: HAS_BWRAP ? 'bwrap' : 'local', workspace: makeWorkspace() })
    await expect(sandbox.exec('true', { env })).rejects.toMatchObject({ code: 'not_started' })
    const asked = openSandbox({ backend: 'local', workspace: makeWorkspace(), env })
    await expect(asked).rejects.toMatchObject({ code: 'CONFIG' })
  },
)

test('a command that is longer than the system takes is refused with what to do', async () => {
  const sandbox = await open({ backend: 'local', workspace: makeWorkspace() })
  const message = 'it cannot be started: the command is too long: put its text into a file'
  await expect(sandbox.exec(`: ${'x'.repeat(140_000)}`)).rejects.toMatchObject({ code: 'not_started', message })
})

describe.runIf(process.platform === 'linux')(
  'while a folder is exchanged for a link out of the workspace, again and again',
  () => {
    const EXCHANGE = `
import ctypes, os, sys
os.makedirs('d'); open('d/secret', 'w').write('inside'); os.symlink(sys.argv[1], 'l'); print('ready', flush=True)
exchange = ctypes.CDLL(None).renameat2
while True: exchange(-100, b'd', -100, b'l', 2)
`

    test('nothing outside is read, written, listed or removed, and each refusal says why', { timeout: 30_000 }, async () => {
      const [workspace, outside] = [makeWorkspace(), makeWorkspace()]
      writeFileSync(join(outside, 'secret'), 'outside')
      const sandbox = await open({ backend: 'local', workspace })
      const exchange = await sandbox.spawn(['python3', '-c', EXCHANGE, outside])
      await first(exchange.stdout)
      const seen = new Map<string, number>()
      const tell = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)
      for (let round = 0; round < 300; round++) {
        const tried = await Promise.allSettled([
          sandbox.read('d/secret').then(bytes => tell(text(bytes))),
          sandbox.write('d/written', 'x'),
          sandbox.remove('d/written'),
          sandbox.list('d'),
        ])
        for (const one of tried)
          if (one.status === 'rejected') tell(one.reason instanceof SandboxError ? 'refused' : String(one.reason))
      }
      await exchange.kill()
      expect([...seen.keys()].filter(key => !['inside', 'refused'].includes(key))).toEqual([])
      expect(seen.get('refused')).toBeGreaterThan(0)
      expect([readdirSync(outside), readFileSync(join(outside, 'secret'), 'utf8')]).toEqual([['secret'], 'outside'])
    })
  },
)

describe('files of a workspace', () => {
  test.runIf(process.platform === 'linux')('are listed whatever their names are', async () => {
    const sandbox = await open({ backend: 'local', workspace: makeWorkspace() })
    await sandbox.exec(`touch $'a\\nb' $'\\xff' ' lead' -- '-rf'`)
    const names = (await sandbox.list('')).map(({ name, kind }) => `${kind} ${name}`)
    expect(names).toEqual(['file  lead', 'file -rf', 'file a\nb', 'other \uFFFD'])
  })

  test('are written whole, with the mode they had, and bytes as they are', async () => {
    const workspace = makeWorkspace()
    const sandbox = await open({ backend: 'local', workspace })
    writeFileSync(join(workspace, 'run.sh'), 'old', { mode: 0o750 })
    await sandbox.write('run.sh', new Uint8Array([0, 255, 13, 10]))
    expect([...(await sandbox.read('run.sh'))]).toEqual([0, 255, 13, 10])
    expect(statSync(join(workspace, 'run.sh')).mode & 0o777).toBe(0o750)
    expect((await sandbox.list('')).map(({ name }) => name)).toEqual(['run.sh'])
  })

  test('are never made where one is, when that is asked', async () => {
    const sandbox = await open({ backend: 'local', workspace: makeWorkspace() })
    await sandbox.write('a', 'first', { exclusive: true })
    await expect(sandbox.write('a', 'second', { exclusive: true })).rejects.toMatchObject({ code: 'exists' })
    expect(text(await sandbox.read('a'))).toBe('first')
  })

  test('are removed, links without what they lead to, folders when that is asked', async () => {
    const workspace = makeWorkspace()
    const outside = makeWorkspace()
    writeFileSync(join(outside, 'kept'), 'x')
    const sandbox = await open({ backend: 'local', workspace })
    await sandbox.write('folder/deep/file', 'x')
    symlinkSync(outside, join(workspace, 'folder', 'link'))
    await expect(sandbox.remove('folder')).rejects.toMatchObject({ code: 'not_a_file' })
    await sandbox.remove('folder', { recursive: true })
    expect([await sandbox.stat('folder'), readFileSync(join(outside, 'kept'), 'utf8')]).toEqual([undefined, 'x'])
    await expect(sandbox.remove('')).rejects.toMatchObject({ code: 'protected' })
  })

  test('are not removed with a folder that holds what is protected', async () => {
    const sandbox = await open({ backend: 'local', workspace: makeWorkspace() })
    await sandbox.exec('mkdir -p folder/deep/.git')
    await sandbox.write('folder/file', 'x')
    await expect(sandbox.remove('folder', { recursive: true })).rejects.toMatchObject({ code: 'protected' })
    expect([await sandbox.stat('folder/file'), await sandbox.stat('folder/deep/.git')]).not.toContain(undefined)
  })

  test('that are too large, or no files, are refused', async () => {
    const sandbox = await open({ backend: 'local', workspace: makeWorkspace() })
    await sandbox.write('big', 'x'.repeat(100))
    await sandbox.exec('mkfifo pipe; mkdir folder')
    await expect(sandbox.read('big', { maxBytes: 99 })).rejects.toMatchObject({ code: 'too_large' })
    for (const path of ['pipe', 'folder']) await expect(sandbox.read(path)).rejects.toMatchObject({ code: 'not_a_file' })
    await expect(sandbox.write('pipe', 'x')).rejects.toMatchObject({ code: 'not_a_file' })
    await expect(sandbox.list('big')).rejects.toMatchObject({ code: 'not_a_folder' })
  })
})

describe('a sandbox is refused', () => {
  test.each([
    [{ workspace: '/' }, 'holds everything of a person'],
    [{ workspace: '/nowhere-at-all' }, 'is no folder'],
    [{ backend: 'jail' as 'local' }, 'There is no sandbox "jail"'],
    [{ memoryMiB: 0 }, 'memoryMiB is 0'],
    [{ allowHosts: ['example.com'] }, 'lets nothing onto the network'],
  ])('with %j', async (options, message) => {
    const asked = openSandbox({ backend: 'local', workspace: makeWorkspace(), ...options })
    await expect(asked).rejects.toMatchObject({ code: 'CONFIG', message: expect.stringContaining(message) })
  })

  test('when bwrap is not there, with how to install it, and nothing runs', async () => {
    await withPath(makeWorkspace(), async workspace => {
      const asked = openSandbox({ backend: 'bwrap', workspace })
      await expect(asked).rejects.toMatchObject({
        code: 'MISSING_PACKAGE',
        hint: expect.stringContaining('apt-get install bubblewrap'),
      })
    })
  })

  test.runIf(HAS_BWRAP).each(['.git', '.saydo', 'saydo.config.json5', 'part/.git'])(
    `when %s is a link, which could be put aside${WITHOUT_BWRAP}`,
    async name => {
      const workspace = makeWorkspace()
      mkdirSync(join(workspace, 'part'))
      symlinkSync('elsewhere', join(workspace, name))
      const message = `${name} in the workspace is a link, which cannot be protected from programs.`
      await expect(openSandbox({ backend: 'bwrap', workspace })).rejects.toMatchObject({ code: 'CONFIG', message })
    },
  )

  test.runIf(HAS_BWRAP)(`when nothing can be written into its workspace${WITHOUT_BWRAP}`, async () => {
    const message = expect.stringContaining('Nothing can be written into the workspace')
    await expect(openSandbox({ backend: 'bwrap', workspace: '/proc/self/task' })).rejects.toMatchObject({
      code: 'CONFIG',
      message,
    })
  })

  test.runIf(HAS_BWRAP)(`when what is called bwrap only runs the command${WITHOUT_BWRAP}`, async () => {
    const bin = makeWorkspace()
    const fake = '#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n'
    writeFileSync(join(bin, 'bwrap'), fake, { mode: 0o755 })
    writeFileSync(join(bin, 'nsenter'), fake, { mode: 0o755 })
    await withPath(`${bin}:${process.env.PATH}`, async workspace => {
      const asked = openSandbox({ backend: 'bwrap', workspace })
      await expect(asked).rejects.toMatchObject({ code: 'SANDBOX', message: expect.stringContaining('does not work here') })
    })
  })

  async function withPath(path: string, act: (workspace: string) => Promise<void>): Promise<void> {
    const before = process.env.PATH
    const workspace = makeWorkspace()
    try {
      // the shell of a keeper must still be found
      mkdirSync(join(workspace, 'bin'))
      symlinkSync('/bin/sh', join(workspace, 'bin', 'sh'))
      process.env.PATH = `${path}:${join(workspace, 'bin')}`
      await act(workspace)
    } finally {
      process.env.PATH = before
    }
  }
})
