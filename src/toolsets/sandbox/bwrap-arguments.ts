// What a bwrap sandbox shows of this machine → bwrap's arguments. All else is not there: no home, no sockets, no devices, no capabilities, no other
// user, no processes, no network but the one it is started in.
import { SECRET_FD } from './group.js'

export interface BwrapView {
  /** A folder of this machine, seen as /workspace. */
  readonly root: string
  /** Paths in it that cannot be changed, from the workspace. */
  readonly protectedPaths: readonly string[]
  /** Folders in it that cannot be moved or removed, outermost first. */
  readonly held: readonly string[]
  /** A folder of this machine, seen as /tmp. */
  readonly tmp: string
  /** Top folders of this machine that are links into /usr, such as `bin` → `usr/bin`, and those that are none. */
  readonly links: readonly (readonly [name: string, target: string])[]
  readonly folders: readonly string[]
  /** Further things that can be read: where they are, and where they are seen. */
  readonly readable: readonly (readonly [from: string, to: string])[]
  /** As seen inside. */
  readonly cwd: string
}

/** Most that fits into shared memory, in bytes. */
const SHARED_MEMORY = 64 * 1024 * 1024

export const WORKSPACE = '/workspace'

/** The whole environment of a command, as bwrap reads it from `SECRET_FD`: what stands in a command line can be read by every user of this machine. */
export function bwrapEnvironment(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .flatMap(([name, value]) => ['--setenv', name, value])
    .map(word => `${word}\0`)
    .join('')
}

/** For `bwrap`, behind its name; the command comes after it. */
export function bwrapArguments(view: BwrapView): string[] {
  const { root, protectedPaths, held, tmp, links, folders, readable, cwd } = view
  return [
    // the network is the keeper's
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try', '--disable-userns'],
    ...['--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL'],
    // no terminal to type into, and no life beyond this process
    ...['--new-session', '--die-with-parent', '--clearenv'],
    ...['--args', `${SECRET_FD}`],
    ...['--ro-bind', '/usr', '/usr'],
    ...links.flatMap(([name, target]) => ['--symlink', target, `/${name}`]),
    ...folders.flatMap(name => ['--ro-bind', `/${name}`, `/${name}`]),
    ...readable.flatMap(([from, to]) => ['--ro-bind', from, to]),
    ...['--proc', '/proc', '--dev', '/dev', '--size', `${SHARED_MEMORY}`, '--tmpfs', '/dev/shm'],
    ...['--bind', tmp, '/tmp', '--bind', root, WORKSPACE],
    ...held.flatMap(path => ['--bind', `${root}/${path}`, `${WORKSPACE}/${path}`]),
    ...protectedPaths.flatMap(path => ['--ro-bind', `${root}/${path}`, `${WORKSPACE}/${path}`]),
    // what is left writable is /workspace, /tmp and /dev/shm; where root runs this, the settings of the kernel would be as well
    ...['--remount-ro', '/proc', '--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', cwd, '--'],
  ]
}
