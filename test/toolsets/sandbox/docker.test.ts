// The backend docker, with a docker that keeps its containers with bubblewrap: what it is asked, word for word, and what comes of it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../src/core/sandbox.js'
import { commandArguments, containerArguments, dockerEnvironment } from '../../../src/toolsets/sandbox/docker-arguments.js'
import { openSandbox } from '../../../src/toolsets/sandbox/open-sandbox.js'
import { type SandboxOptions, sandboxSettings } from '../../../src/toolsets/sandbox/settings.js'
import { HAS_BWRAP, makeWorkspace, text, WITHOUT_BWRAP } from '../../support/bwrap.js'
import { type FakeDocker, fakeDocker } from '../../support/fake-docker.js'

describe('the arguments of docker', () => {
  test('hold every limit and every protection', async () => {
    const settings = await sandboxSettings({
      ...{ workspace: makeWorkspace(), backend: 'docker', image: 'python:3.12-slim' },
      ...{ memoryMiB: 512, processes: 64, cpuSeconds: 30, fileMiB: 2, openFiles: 100, env: { KEY: 'sk-secret' } },
    })
    const guarded = { paths: ['.git', 'part/.git'], held: ['part'] }
    const root = '/work/here'
    expect(
      containerArguments('box', { ...settings, root }, guarded, '1000:1001')
        .join(' ')
        .split(' --'),
    ).toEqual([
      ...['run', 'rm', 'interactive', 'init', 'pull never', 'name box', 'log-driver none', 'network none', 'read-only'],
      ...['cap-drop ALL', 'security-opt no-new-privileges', 'user 1000:1001'],
      ...['memory 512m', 'memory-swap 512m', 'pids-limit 64'],
      ...['ulimit cpu=30', 'ulimit fsize=2097152', 'ulimit nofile=100', 'ulimit core=0'],
      'tmpfs /tmp:rw,exec,nosuid,nodev,mode=1777,size=512m',
      'mount type=bind,source=/work/here,target=/workspace',
      'mount type=bind,source=/work/here/part,target=/workspace/part',
      'mount type=bind,source=/work/here/.git,target=/workspace/.git,readonly',
      'mount type=bind,source=/work/here/part/.git,target=/workspace/part/.git,readonly',
      ...['workdir /workspace', 'entrypoint env python:3.12-slim'],
    ])
  })

  test.each([
    ['/a,b', 'type=bind,"source=/a,b",target=/workspace'],
    ['/a"b', 'type=bind,"source=/a""b",target=/workspace'],
    ['/a,readonly', 'type=bind,"source=/a,readonly",target=/workspace'],
    ['/a b', 'type=bind,source=/a b,target=/workspace'],
  ])('name the folder %s as it is', async (root, mount) => {
    const settings = { ...(await sandboxSettings({ workspace: makeWorkspace(), backend: 'docker' })), root }
    expect(containerArguments('box', settings, { paths: [], held: [] }, '1:1')).toContain(mount)
  })

  test('of a command name its variables, without their values', () => {
    const env = { API_KEY: 'sk-secret', GOOGLE_KEY: 'sk-other', HTTPS_PROXY: 'http://me:pass@proxy', HOME: '/tmp', PATH: '/bin' }
    expect(commandArguments('box', ['sh', '-c', 'x'], '/workspace/a', env)).toEqual([
      ...[
        'exec',
        '--interactive',
        '--workdir',
        '/workspace/a',
        '--env',
        'API_KEY',
        '--env',
        'GOOGLE_KEY',
        '--env',
        'HTTPS_PROXY',
      ],
      // docker itself would follow these
      ...['--env', 'HOME=/tmp', '--env', 'PATH=/bin', 'box', 'sh', '-c', 'x'],
    ])
    const outer = { PATH: '/usr/bin', HOME: '/home/me', DOCKER_HOST: 'tcp://there:1', OPENAI_API_KEY: 'sk-outer', API_KEY: 'x' }
    expect(dockerEnvironment(outer, { ...env, LD_PRELOAD: '/evil.so' })).toEqual({
      ...{ API_KEY: 'sk-secret', GOOGLE_KEY: 'sk-other', HTTPS_PROXY: 'http://me:pass@proxy' },
      ...{ PATH: '/usr/bin', HOME: '/home/me', DOCKER_HOST: 'tcp://there:1' },
    })
  })
})

describe.runIf(HAS_BWRAP)(`the sandbox docker${WITHOUT_BWRAP}`, { timeout: 60_000 }, () => {
  const path = process.env.PATH
  let docker: FakeDocker
  const opened: Sandbox[] = []
  beforeEach(() => {
    docker = fakeDocker(makeWorkspace())
    process.env.PATH = `${docker.folder}:${path}`
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(sandbox => sandbox.destroy()))
    process.env.PATH = path
  })

  async function open(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
    const sandbox = await openSandbox({ workspace: makeWorkspace(), backend: 'docker', ...options })
    opened.push(sandbox)
    return sandbox
  }

  test('runs commands in one container, with their input, folder, variables, output and exit code', async () => {
    const workspace = makeWorkspace()
    const sandbox = await open({ workspace, env: { GIVEN: 'sk-given' } })
    await sandbox.write('part/file', 'x')
    const command = 'pwd; ls; cat; echo; echo $GIVEN $OWN >&2; exit 3'
    const result = await sandbox.exec(command, { cwd: 'part', stdin: 'input', env: { OWN: 'sk-own' } })
    expect([text(result.stdout), text(result.stderr), result.code]).toEqual([
      '/workspace/part\nfile\ninput\n',
      'sk-given sk-own\n',
      3,
    ])
    expect(sandbox.notes.join('; ')).toMatch(/^no network; no files but .*; limits: 1024 MiB of memory together, 256 processes,/)
    expect(docker.calls().filter(([word]) => word === 'run')).toHaveLength(1)
    expect(JSON.stringify(docker.calls())).not.toContain('sk-')
  })

  test('ends a command with all it started, wherever it went, and goes on', async () => {
    const sandbox = await open()
    const late = await sandbox.exec('(setsid sleep 71.25 &); echo first; sleep 71.25', { timeoutMs: 2000 })
    expect([text(late.stdout), late.end]).toEqual(['first\n', 'timeout'])
    await expect.poll(sleepers, { timeout: 5000 }).toEqual([])
    expect(text((await sandbox.exec('echo alive')).stdout)).toBe('alive\n')
  })

  test('interrupts what a program has started, not the program', async () => {
    const sandbox = await open()
    const shell = await sandbox.spawn(['bash', '--norc'])
    await shell.write('echo ready; sleep 71.25; echo "code $?"\n')
    let said = ''
    for await (const chunk of shell.stdout) {
      said += text(chunk)
      if (said !== 'ready\n') continue
      await new Promise(resolve => setTimeout(resolve, 300))
      await shell.interrupt()
      shell.endInput()
    }
    expect(said).toBe('ready\ncode 130\n')
  })

  test('leaves no container and nothing in the workspace behind', async () => {
    const workspace = makeWorkspace()
    const sandbox = await open({ workspace })
    const running = await sandbox.spawn('sleep 71.25')
    await sandbox.destroy()
    expect((await running.exited).end).toBe('killed')
    expect([readdirSync(workspace), readdirSync(join(docker.folder, 'state'))]).toEqual([[], ['calls']])
    expect(docker.calls().at(-1)?.slice(0, 2)).toEqual(['rm', '--force'])
  })

  test('tells by their end that commands are in a container that is gone', async () => {
    const sandbox = await open()
    const name =
      docker
        .calls()
        .find(([word]) => word === 'run')
        ?.find(word => word.startsWith('saydo-sandbox-')) ?? ''
    execFileSync('docker', ['rm', '--force', name])
    const result = await sandbox.exec('echo hi')
    expect([result.code, text(result.stderr)]).toEqual([1, `Error response from daemon: No such container: ${name}\n`])
  })

  test.each([
    [
      'the image is not here',
      { image: 'missing:1' },
      undefined,
      'The image missing:1 of the sandbox docker is not here.',
      'docker pull missing:1',
    ],
    ['no daemon answers', {}, 'no-daemon', 'no daemon answers', 'docker info'],
    ['the container does not start', {}, 'no-run', 'Error response from daemon: it is broken', 'docker run'],
  ] as const)('is refused where %s, and nothing is left', async (_, options, broken, message, hint) => {
    const workspace = makeWorkspace()
    if (broken) docker.breakDown(broken)
    const asked = open({ workspace, ...options })
    await expect(asked).rejects.toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringContaining(hint),
    })
    expect(readdirSync(workspace)).toEqual([])
  })

  test('is refused where docker is not installed', async () => {
    const empty = makeWorkspace()
    mkdirSync(join(empty, 'bin'))
    process.env.PATH = join(empty, 'bin')
    await expect(open()).rejects.toMatchObject({ code: 'MISSING_PACKAGE' })
  })
})

function sleepers(): readonly string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('71.25')
    } catch {
      return false
    }
  })
}
