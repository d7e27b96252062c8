// What a sandbox holds, in figures: ways out of it, trees of processes and their endings, bombs, and what a command costs. Tests do it with small numbers,
// bench/sandbox.mjs with large ones.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { build } from 'esbuild'
import type { Sandbox } from '../../src/core/sandbox.js'
import { openSandbox } from '../../src/toolsets/sandbox/open-sandbox.js'
import type { BackendName } from '../../src/toolsets/sandbox/settings.js'
import { ESCAPES } from './sandbox-escapes.js'

const SECRET = 'a file of this machine'

/** The names of those that got somewhere. */
export async function tryEscapes(
  backend: BackendName,
  names = Object.keys(ESCAPES),
): Promise<{ tried: number; through: string[] }> {
  const outside = mkdtempSync(join(tmpdir(), 'saydo-outside-'))
  writeFileSync(join(outside, 'secret'), SECRET)
  const workspace = repository()
  const before = stateOf(workspace)
  const listener = await listen(0)
  const sock = await listen(join(outside, 'socket'))
  const abstract = await listen(`\0saydo-test-${process.pid}`)
  const memory = sharedMemory()
  process.env.SAYDO_TEST_SECRET = 'seen'
  const sandbox = await openSandbox({ backend, workspace })
  const env = {
    WS: sandbox.workspace,
    OUT: outside,
    PORT: String(listener.port),
    SOCK: join(outside, 'socket'),
    SHM: memory.id,
    HOSTPID: String(process.pid),
  }
  const through: string[] = []
  for (const name of names) {
    const { stdout } = await sandbox.exec(ESCAPES[name] as string, { env, timeoutMs: 10_000 })
    if (Buffer.from(stdout).includes('REACHED') || Buffer.from(stdout).includes(SECRET)) through.push(name)
  }
  await sandbox.destroy()
  if (existsSync(join(outside, 'written'))) through.push('a file was written outside')
  if (stateOf(workspace) !== before) through.push('what git runs by was changed')
  for (const { close } of [listener, sock, abstract, memory]) close()
  for (const folder of [outside, workspace]) rmSync(folder, { recursive: true, force: true })
  return { tried: names.length, through }
}

/** Each leaves a process behind in another way; `$MARK` is what it is found by. */
const TREES = [
  'sleep $MARK & sleep 60',
  '(setsid sleep $MARK &) ; sleep 60',
  'nohup sleep $MARK >/dev/null 2>&1 & sleep 60',
  '( ( sleep $MARK & ) & ) ; sleep 60',
  'sleep $MARK & disown; exec sleep 60',
  'setsid bash -c "trap : TERM INT HUP; while :; do sleep $MARK; done" & sleep 60',
  'python3 -c "import os,time; os.fork() or os.setsid() or (os.fork() or time.sleep($MARK)); time.sleep(60)" & sleep 60',
  'sleep $MARK | cat & sleep 60',
] as const

const ENDINGS = ['exit', 'timeout', 'abort', 'kill', 'destroy', 'kill -9'] as const

/** Of `count` trees, ended in all ways by turns: how many processes are still there a second later. */
export async function endTrees(
  backend: BackendName,
  count: number,
): Promise<{ trees: number; survivors: string[]; left: string[] }> {
  const child = await buildChild()
  const workspace = mkdtempSync(join(tmpdir(), 'saydo-work-'))
  const survivors: string[] = []
  const left: string[] = []
  for (let index = 0; index < count; index++) {
    const mark = `${900_000 + Math.floor(Math.random() * 90_000)}.${index}`
    const ending = ENDINGS[index % ENDINGS.length] as (typeof ENDINGS)[number]
    const tree = (TREES[Math.floor(index / ENDINGS.length) % TREES.length] as string).replaceAll('$MARK', mark)
    if (ending === 'kill -9') left.push(...(await killParent(child, backend, workspace, tree, mark)))
    else await end(backend, workspace, tree, mark, ending)
    if (await within(2000, () => running(mark) === 0)) continue
    survivors.push(`${ending}: ${tree}`)
  }
  rmSync(workspace, { recursive: true, force: true })
  return { trees: count, survivors, left }
}

async function end(
  backend: BackendName,
  workspace: string,
  tree: string,
  mark: string,
  ending: (typeof ENDINGS)[number],
): Promise<void> {
  const sandbox = await openSandbox({ backend, workspace })
  const aborter = new AbortController()
  const command = ending === 'exit' ? tree.replaceAll('sleep 60', 'sleep 0.3') : tree
  if (ending === 'timeout') await sandbox.exec(command, { timeoutMs: 500 })
  else {
    const started = await sandbox.spawn(command, { signal: aborter.signal })
    if (!(await within(5000, () => running(mark) > 0)) && ending !== 'exit') throw new Error(`${tree} did not start`)
    if (ending === 'abort') aborter.abort()
    if (ending === 'kill') await started.kill()
    if (ending !== 'destroy') await started.exited
  }
  await sandbox.destroy()
}

/** What is left of the sandbox beside its processes. */
async function killParent(child: string, backend: BackendName, workspace: string, tree: string, mark: string): Promise<string[]> {
  const parent: ChildProcess = spawn(process.execPath, [child, backend, workspace, tree], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(parent.stdout as NodeJS.ReadableStream, 'data')
  await within(5000, () => running(mark) > 0)
  parent.kill('SIGKILL')
  await once(parent, 'exit')
  const left = () => [
    ...['/tmp', tmpdir(), '/sys/fs/cgroup/memory', '/sys/fs/cgroup/pids'].flatMap(folder =>
      existsSync(folder) ? readdirSync(folder).filter(name => name.startsWith(`saydo-sandbox-${parent.pid}-`)) : [],
    ),
    ...['.saydo', 'saydo.config.json5'].filter(name => existsSync(join(workspace, name))),
  ]
  await within(5000, () => left().length === 0)
  return left()
}

export interface Bomb {
  readonly bomb: string
  readonly contained: boolean
  readonly seen: string
}

/** Each within limits that are small; contained means that it ended by itself, that its harm has the limit's size, and that the sandbox still works. */
export async function dropBombs(backend: BackendName): Promise<readonly Bomb[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'saydo-work-'))
  const limits = { memoryMiB: 128, processes: 64, cpuSeconds: 2, fileMiB: 16, diskMiB: 64, openFiles: 64 }
  const sandbox = await openSandbox({ backend, workspace, ...limits })
  const bombs: Bomb[] = []
  const drop = async (bomb: string, command: string, holds: (seen: string) => boolean): Promise<void> => {
    const { code, end, output, ms } = await sandbox.exec(command, { timeoutMs: 10_000, maxOutputBytes: 1024 * 1024 })
    const seen = `${end} ${code} ${Buffer.from(output).toString().trim().slice(-80)}`
    const alive = await sandbox.exec('echo alive')
    const contained = holds(seen) && ms < 20_000 && Buffer.from(alive.stdout).toString() === 'alive\n'
    bombs.push({ bomb, contained, seen: seen.replaceAll('\n', ' ').slice(0, 100) })
  }
  await drop('processes', 'f() { f | f & }; f; sleep 2', seen => seen.includes('temporarily unavailable'))
  await drop(
    'memory',
    'python3 -c "x = bytearray(400 << 20); print(len(x))"',
    seen => !seen.includes('419430400') && !seen.startsWith('timeout'),
  )
  await drop(
    'one large file',
    'dd if=/dev/zero of=big bs=1M count=100 2>/dev/null; stat -c %s big; rm big',
    seen => lastNumber(seen) <= 16 << 20,
  )
  await drop(
    'the disk',
    'for i in $(seq 400); do dd if=/dev/zero of=part$i bs=1M count=15 2>/dev/null || break; done; echo all',
    seen => seen.startsWith('disk'),
  )
  await sandbox.exec('rm -f part*')
  await drop('output', 'yes', seen => seen.startsWith('output'))
  await drop('computing', 'while :; do :; done', seen => seen.startsWith('exit'))
  await drop(
    'open files',
    'python3 -c "\nfiles = []\ntry:\n  while True: files.append(open(\'/dev/null\'))\nexcept OSError: print(len(files))"',
    seen => lastNumber(seen) <= limits.openFiles,
  )
  await sandbox.destroy()
  rmSync(workspace, { recursive: true, force: true })
  return bombs
}

/** Median time of a command that does nothing, in ms: `true`, and Node. */
export async function commandCost(backend: BackendName, rounds: number): Promise<{ open: number; true: number; node: number }> {
  const workspace = mkdtempSync(join(tmpdir(), 'saydo-work-'))
  const started = performance.now()
  const sandbox = await openSandbox({ backend, workspace })
  const open = performance.now() - started
  const cost = {
    open,
    true: await median(rounds, () => run(sandbox, ['true'])),
    node: await median(rounds, () => run(sandbox, ['node', '-e', '0'])),
  }
  await sandbox.destroy()
  rmSync(workspace, { recursive: true, force: true })
  return cost
}

function lastNumber(seen: string): number {
  return Number(/\d+$/.exec(seen)?.[0])
}

async function run(sandbox: Sandbox, command: readonly [string, ...string[]]): Promise<void> {
  const { code } = await sandbox.exec(command)
  if (code !== 0) throw new Error(`${command.join(' ')} ends with ${code}`)
}

async function median(rounds: number, act: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    await act()
    times.push(performance.now() - started)
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)] as number
}

/** Processes of this machine with this text in their command line. */
function running(mark: string): number {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name) && commandLine(name).includes(mark)).length
}

function commandLine(pid: string): string {
  try {
    // a process that has ended has none
    return Number(pid) === process.pid ? '' : readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

async function within(ms: number, holds: () => boolean): Promise<boolean> {
  const until = performance.now() + ms
  while (!holds()) {
    if (performance.now() > until) return false
    await setTimeout(20)
  }
  return true
}

function repository(): string {
  const workspace = mkdtempSync(join(tmpdir(), 'saydo-work-'))
  for (const git of ['.git', 'part/.git']) {
    mkdirSync(join(workspace, git, 'hooks'), { recursive: true })
    writeFileSync(join(workspace, git, 'config'), '[core]\n\trepositoryformatversion = 0\n')
    writeFileSync(join(workspace, git, 'HEAD'), 'ref: refs/heads/main\n')
  }
  writeFileSync(join(workspace, 'saydo.config.json5'), '{ maxSteps: 5 }\n')
  return workspace
}

function stateOf(workspace: string): string {
  const files = ['.git', 'part/.git'].flatMap(git =>
    ['.', 'hooks'].flatMap(folder => readdirSync(join(workspace, git, folder)).map(name => join(git, folder, name))),
  )
  const texts = ['saydo.config.json5', '.git/config', 'part/.git/config'].map(file => readFileSync(join(workspace, file), 'utf8'))
  return [...files, ...texts].join('\n')
}

/** A piece that every user may read and write. */
function sharedMemory(): { readonly id: string; close(): void } {
  const { stdout } = spawnSync('ipcmk', ['--shmem', '64', '--mode', '0666'], { encoding: 'utf8' })
  const id = /\d+/.exec(stdout ?? '')?.[0] ?? ''
  return { id, close: () => void (id !== '' && spawnSync('ipcrm', ['--shmem-id', id])) }
}

function listen(at: number | string): Promise<{ readonly port: number; close(): void }> {
  const server = createServer(socket => socket.on('error', () => {}).end('hello'))
  return new Promise(resolve => {
    const started = () => {
      const address = server.address()
      resolve({ port: typeof address === 'object' ? (address?.port ?? 0) : 0, close: () => server.close() })
    }
    if (typeof at === 'number') server.listen(at, '127.0.0.1', started)
    else server.listen(at, started)
  })
}

export async function buildChild(): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'saydo-child-')), 'child.mjs')
  const source = join(import.meta.dirname, 'sandbox-child.ts')
  await build({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
    absWorkingDir: dirname(source),
  })
  return outfile
}
