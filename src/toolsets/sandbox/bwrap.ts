// The backend bwrap: each command has namespaces of its own (users, processes, mounts), all of a sandbox share a network that leads nowhere and a
// /tmp. A keeper holds that network, and clears everything away when this process is gone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import type { Backend } from './backend-sandbox.js'
import { makeBaseFolder, removeOrphans } from './base-folder.js'
import { bwrapArguments, WORKSPACE } from './bwrap-arguments.js'
import { makeCgroups } from './cgroups.js'
import { Keeper } from './keeper.js'
import { limitedBy, limitNotes } from './launcher.js'
import { machineView } from './machine-view.js'
import { MARK, send, startedInside } from './processes.js'
import { protectPaths } from './protected-paths.js'
import type { SandboxSettings } from './settings.js'

const INSTALL = 'Install bubblewrap: apt-get install bubblewrap (dnf and pacman know it by the same name).'

/** Rejects with `MISSING_PACKAGE` where bwrap is not installed, `CONFIG` where it can't work. */
export async function bwrapBackend(settings: SandboxSettings): Promise<Backend> {
  if (process.platform !== 'linux')
    throw new SaydoError('CONFIG', 'The sandbox bwrap needs Linux.', { hint: 'Choose the sandbox srt or docker.' })
  removeOrphans()
  const { root, diskMiB } = settings
  const base = makeBaseFolder()
  const cgroups = makeCgroups(base.name, settings)
  const { paths, made } = protectPaths(root)
  const keeper = await Keeper.start({
    within: ['bwrap', '--unshare-user', '--unshare-net', '--dev-bind', '/', '/', '--json-status-fd', '3', '--'],
    cleanUp: 'clear_away "$1" "$2"; unmake "$3" "$4"',
    args: [base.path, cgroups.folders.join(' '), root, made.join(' ')],
  }).catch(cause => {
    throw new SaydoError('MISSING_PACKAGE', 'The sandbox bwrap is not installed.', { hint: INSTALL, cause })
  })
  const child = (await keeper.told(/"child-pid"\s{0,9}:\s{0,9}\d{1,10}/)).match(/"child-pid"\s{0,9}:\s{0,9}(\d{1,10})/)?.[1]
  if (child === undefined) {
    await keeper.end()
    throw new SaydoError('CONFIG', 'The sandbox bwrap does not work here: it may not make namespaces.', {
      hint: 'See whether `bwrap --unshare-user --ro-bind / / true` says why; in a container and on Ubuntu 24.04 they may have to be allowed.',
    })
  }
  const machine = machineView()
  const readable = [...machine.readable, ...fewUsers(base.path)]
  const enter = ['nsenter', '--target', child, '--user', '--net', '--preserve-credentials', '--']
  const start = [...limitedBy(cgroups, settings), ...enter, 'bwrap']
  return {
    name: 'bwrap',
    root,
    workspace: WORKSPACE,
    diskMiB,
    hidesFiles: true,
    notes: ['no network, no files but the workspace and the programs of this machine', ...limitNotes(cgroups, settings)],
    launch(argv, cwd, own) {
      const env = { PATH: machine.path, HOME: '/tmp', LANG: 'C.UTF-8', TMPDIR: '/tmp', ...settings.env, ...own, [MARK]: 'bwrap' }
      const view = { ...machine, root, protectedPaths: paths, tmp: join(base.path, 'tmp'), readable, cwd, env }
      return {
        argv: [...start, ...bwrapArguments(view), ...argv],
        env: { PATH: process.env.PATH ?? machine.path },
        async interrupt(pid) {
          for (const below of startedInside(pid)) send(below, 'SIGINT')
        },
      }
    },
    close: () => keeper.end(),
  }
}

/** Without names for its ids, programs that ask who they are fail. */
function fewUsers(base: string): readonly (readonly [string, string])[] {
  writeFileSync(join(base, 'passwd'), 'saydo:x:65534:65534::/tmp:/bin/bash\n')
  writeFileSync(join(base, 'group'), 'saydo:x:65534:\n')
  writeFileSync(join(base, 'hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  return ['passwd', 'group', 'hosts'].map(name => [join(base, name), `/etc/${name}`])
}
