// The backend bwrap: each command has namespaces of its own (users, processes, mounts), all of a sandbox share a /tmp and a network that leads nowhere, or
// to one proxy. One keeper holds that network, another clears everything away; both also when this process is gone.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import type { Backend } from './backend-sandbox.js'
import { makeBaseFolder, removeOrphans } from './base-folder.js'
import { bwrapArguments, bwrapEnvironment, WORKSPACE } from './bwrap-arguments.js'
import { makeCgroups } from './cgroups.js'
import { Keeper } from './keeper.js'
import { limitedBy, limitedInside, limitNotes } from './launcher.js'
import { machineView, PATH } from './machine-view.js'
import { killMarked, MARK, send, startedInside } from './processes.js'
import { makeMissing, protectPaths } from './protected-paths.js'
import type { SandboxSettings } from './settings.js'

const INSTALL = 'Install bubblewrap: apt-get install bubblewrap (dnf and pacman know it by the same name).'

/** The only way out of a sandbox's network. */
export interface Proxy {
  /** A Unix socket of this machine, where it listens. */
  readonly socket: string
  /** Where it is reached on the loopback of the sandbox. */
  readonly ports: readonly number[]
}

/** Rejects with `MISSING_PACKAGE` where bwrap is not installed, `SANDBOX` where it can't work. */
export async function bwrapBackend(settings: SandboxSettings, proxy?: Proxy): Promise<Backend> {
  if (process.platform !== 'linux')
    throw new SaydoError('CONFIG', 'The sandbox bwrap needs Linux.', { hint: 'Choose the sandbox srt or docker.' })
  removeOrphans()
  const { root, diskMiB } = settings
  const { paths, held, made } = protectPaths(root)
  const base = makeBaseFolder()
  const cgroups = makeCgroups(base.name, settings)
  const keeper = await Keeper.start({
    // a command that was just being started when this process was killed does not know yet whose death to follow
    cleanUp: 'kill_marked "$5"; take_rights "$3" "$1/passwd"; clear_away "$1" "$2"; unmake "$3" "$4"; kill_marked "$5"',
    args: [base.path, cgroups.folders.join(' '), root, made.join(' '), base.name],
  })
  const network = await holdNetwork().catch(async cause => {
    await keeper.end()
    throw notStarted(cause)
  })
  const machine = machineView()
  const readable = [...machine.readable, ...fewUsers(base.path)]
  const enter = ['nsenter', '--target', network.pid, '--user', '--net', '--preserve-credentials', '--']
  const start = [...limitedBy(cgroups, settings), ...enter, 'bwrap']
  const inside = limitedInside(cgroups, settings)
  let count = 0
  const close = async () => {
    await network.end()
    await keeper.end()
  }
  try {
    for (const port of proxy?.ports ?? []) await bridge(enter, port, proxy?.socket ?? '', `${base.name}.${count++}`)
  } catch (error) {
    await close()
    throw error
  }
  return {
    name: 'bwrap',
    root,
    workspace: WORKSPACE,
    diskMiB,
    hidesFiles: true,
    notes: [
      ...(proxy ? [] : ['no network']),
      'no files but the workspace and the programs of this machine',
      ...limitNotes(cgroups, settings),
    ],
    launch(argv, cwd, own) {
      makeMissing(root, made)
      const mark = `${base.name}.${count++}`
      const env = { PATH: machine.path, HOME: '/tmp', LANG: 'C.UTF-8', TMPDIR: '/tmp', ...settings.env, ...own, [MARK]: mark }
      const view = { ...machine, root, protectedPaths: paths, held, tmp: join(base.path, 'tmp'), readable, cwd }
      return {
        argv: [...start, ...bwrapArguments(view), ...inside, ...argv],
        env: { PATH: process.env.PATH ?? machine.path, [MARK]: mark },
        secret: bwrapEnvironment(env),
        // what was killed while it was being started; otherwise all ends with its namespace
        sweep: async end => (end === 'exit' ? undefined : killMarked(mark)),
        async interrupt(pid) {
          for (const below of startedInside(pid)) send(below, 'SIGINT')
        },
      }
    },
    close,
  }
}

/** A process with a network of its own, which leads nowhere. */
function holdNetwork(): Promise<Keeper> {
  const within = ['bwrap', '--unshare-user', '--unshare-net', '--dev-bind', '/', '/', '--']
  return Keeper.start({ within, cleanUp: ':', args: [] })
}

/** In the network: a port that leads to a socket outside of it. The keeper that clears away ends it, by its mark. */
async function bridge(enter: readonly string[], port: number, socket: string, mark: string): Promise<void> {
  const [program = '', ...rest] = enter
  // twice -d says when it listens
  const args = [...rest, 'socat', '-d', '-d', `TCP-LISTEN:${port},bind=127.0.0.1,fork,reuseaddr`, `UNIX-CONNECT:${socket}`]
  const env = { PATH: process.env.PATH ?? PATH, [MARK]: mark }
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'], env })
  // its own error, or the first that it says
  const said = await Promise.race([once(child.stderr, 'data'), once(child, 'exit')])
  if (!String(said[0]).includes('listening')) throw notStarted(new Error(`its proxy is not reached: ${String(said[0]).trim()}`))
  child.stderr.resume()
  for (const handle of [child, child.stderr]) (handle as { unref?: () => void }).unref?.()
}

function notStarted(cause: Error): SaydoError {
  if ((cause.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT')
    return new SaydoError('MISSING_PACKAGE', 'The sandbox bwrap is not installed.', { hint: INSTALL, cause })
  return new SaydoError('SANDBOX', `The sandbox bwrap does not work here: ${cause.message}.`, {
    hint: 'See what `bwrap --unshare-user --ro-bind / / true` says; in a container and on Ubuntu 24.04 namespaces may have to be allowed.',
    cause,
  })
}

/** Without names for its ids, programs that ask who they are fail. */
function fewUsers(base: string): readonly (readonly [string, string])[] {
  writeFileSync(join(base, 'passwd'), 'saydo:x:65534:65534::/tmp:/bin/bash\n')
  writeFileSync(join(base, 'group'), 'saydo:x:65534:\n')
  writeFileSync(join(base, 'hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  return ['passwd', 'group', 'hosts'].map(name => [join(base, name), `/etc/${name}`])
}
