// The backend docker: one container for a sandbox, which lives as long as somebody holds its input, and in it the commands one by one.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { promisify } from 'node:util'
import { SaydoError } from '../../core/errors.js'
import type { Backend } from './backend-sandbox.js'
import { WORKSPACE } from './bwrap-arguments.js'
import { commandArguments, containerArguments, dockerEnvironment, INTERRUPT_MARKED, KILL_MARKED } from './docker-arguments.js'
import { Keeper } from './keeper.js'
import { limitNotes } from './launcher.js'
import { MARK } from './processes.js'
import { protectPaths } from './protected-paths.js'
import type { SandboxSettings } from './settings.js'

const run = promisify(execFile)

/** Rejects with `MISSING_PACKAGE` where there is no docker, `SANDBOX` where it can't be used, `CONFIG` without its image. */
export async function dockerBackend(settings: SandboxSettings): Promise<Backend> {
  const { root, diskMiB, image } = settings
  await requireDocker(image)
  const name = `saydo-sandbox-${process.pid}-${randomBytes(8).toString('hex')}`
  const guarded = protectPaths(root)
  const env = dockerEnvironment(process.env)
  const host = await Keeper.start({
    cleanUp: 'docker rm --force "$1" >/dev/null; unmake "$2" "$3"',
    args: [name, root, guarded.made.join(' ')],
    env,
  })
  // in the container stands a keeper, too: it lives for as long as this process holds its input
  const inside = await Keeper.start({
    within: ['docker', ...containerArguments(name, settings, guarded, ownerOf(root))],
    cleanUp: ':',
    args: [],
    env,
  }).catch(async cause => {
    await host.end()
    throw new SaydoError('SANDBOX', `The sandbox docker does not work here: ${cause.message}.`, {
      hint: 'See whether `docker run --rm IMAGE true` works for this user.',
      cause,
    })
  })
  const toMarked = async (script: string, mark: string) => {
    // a container that is gone has nothing left in it
    await run('docker', ['exec', name, 'sh', '-c', script, 'sh', mark], { env }).catch(() => {})
  }
  let count = 0
  return {
    name: 'docker',
    root,
    workspace: WORKSPACE,
    diskMiB,
    hidesFiles: true,
    notes: [
      'no network',
      'no files but the workspace and those of the image',
      ...limitNotes({ holdsMemory: true, holdsProcesses: true }, settings),
    ],
    launch(argv, cwd, own) {
      const mark = `${name}.${count++}`
      const given = { HOME: '/tmp', LANG: 'C.UTF-8', TMPDIR: '/tmp', ...settings.env, ...own, [MARK]: mark }
      return {
        argv: ['docker', ...commandArguments(name, argv, cwd, given)],
        env: dockerEnvironment(process.env, given),
        sweep: () => toMarked(KILL_MARKED, mark),
        interrupt: () => toMarked(INTERRUPT_MARKED, mark),
      }
    },
    async close() {
      await inside.end()
      await host.end()
    },
  }
}

/** Never root; what is made in the workspace belongs to its owner where that is another. */
function ownerOf(root: string): string {
  const { uid, gid } = statSync(root)
  return uid === 0 ? '65534:65534' : `${uid}:${gid}`
}

async function requireDocker(image: string): Promise<void> {
  await run('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 10_000 }).catch(cause => {
    const missing = cause.code === 'ENOENT'
    const message = missing ? 'The sandbox docker is not installed.' : 'The sandbox docker does not work here: no daemon answers.'
    throw new SaydoError(missing ? 'MISSING_PACKAGE' : 'SANDBOX', message, {
      hint: 'Install and start Docker, and see whether `docker info` works for this user.',
      cause,
    })
  })
  await run('docker', ['image', 'inspect', image]).catch(cause => {
    throw new SaydoError('CONFIG', `The image ${image} of the sandbox docker is not here.`, {
      hint: `docker pull ${image}`,
      cause,
    })
  })
}
