// The backend docker: one container for a sandbox, which lives as long as somebody holds its input, and in it the commands one by one.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { promisify } from 'node:util'
import { SaydoError } from '../../core/errors.js'
import type { Backend } from './backend-sandbox.js'
import { WORKSPACE } from './bwrap-arguments.js'
import { Keeper } from './keeper.js'
import { MARK } from './processes.js'
import { type ProtectedPaths, protectPaths } from './protected-paths.js'
import type { SandboxSettings } from './settings.js'

const run = promisify(execFile)

/** Kills what carries a mark, wherever it went in the container. */
const KILL = `for each in /proc/[0-9]*; do if tr '\\0' '\\n' <"$each/environ" | grep -qx "${MARK}=$1"; then kill -9 "\${each#/proc/}"; fi; done 2>/dev/null`

/** Of the container, for `docker`; the command comes after it. */
export function containerArguments(
  name: string,
  settings: SandboxSettings,
  { paths, held }: ProtectedPaths,
  owner: string,
): string[] {
  const { root, memoryMiB, processes, cpuSeconds, fileMiB, openFiles, image } = settings
  const bytes = fileMiB * 1024 * 1024
  return [
    ...['run', '--rm', '--interactive', '--init', '--name', name, '--network', 'none', '--read-only'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--user', owner],
    ...['--memory', `${memoryMiB}m`, '--memory-swap', `${memoryMiB}m`, '--pids-limit', `${processes}`],
    ...['--ulimit', `cpu=${cpuSeconds}`, '--ulimit', `fsize=${bytes}`, '--ulimit', `nofile=${openFiles}`, '--ulimit', 'core=0'],
    ...['--tmpfs', `/tmp:rw,exec,nosuid,nodev,mode=1777,size=${memoryMiB}m`],
    ...['--mount', `type=bind,source=${root},target=${WORKSPACE}`],
    ...held.flatMap(path => ['--mount', `type=bind,source=${root}/${path},target=${WORKSPACE}/${path}`]),
    ...paths.flatMap(path => ['--mount', `type=bind,source=${root}/${path},target=${WORKSPACE}/${path},readonly`]),
    ...['--workdir', WORKSPACE, '--entrypoint', 'env', image],
  ]
}

/** Of one command in it. */
export function commandArguments(
  name: string,
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): string[] {
  const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
  return ['exec', '--interactive', '--workdir', cwd, ...variables, name, ...argv]
}

/** Rejects with `MISSING_PACKAGE` where there is no docker, `CONFIG` where it can't be used. */
export async function dockerBackend(settings: SandboxSettings): Promise<Backend> {
  const { root, diskMiB, image } = settings
  await requireDocker(image)
  const name = `saydo-sandbox-${process.pid}-${randomBytes(8).toString('hex')}`
  const guarded = protectPaths(root)
  const host = await Keeper.start({
    cleanUp: 'docker rm --force "$1" >/dev/null; unmake "$2" "$3"',
    args: [name, root, guarded.made.join(' ')],
  })
  // in the container stands a keeper, too: it lives for as long as this process holds its input
  const inside = await Keeper.start({
    within: ['docker', ...containerArguments(name, settings, guarded, ownerOf(root))],
    cleanUp: ':',
    args: [],
  })
  let count = 0
  return {
    name: 'docker',
    root,
    workspace: WORKSPACE,
    diskMiB,
    hidesFiles: true,
    notes: ['no network, no files but the workspace and those of the image'],
    launch(argv, cwd, own) {
      const mark = `${name}.${count++}`
      const env = { HOME: '/tmp', LANG: 'C.UTF-8', ...settings.env, ...own, [MARK]: mark }
      return {
        argv: ['docker', ...commandArguments(name, argv, cwd, env)],
        env: { PATH: process.env.PATH ?? '' },
        sweep: async () => void (await run('docker', ['exec', name, 'sh', '-c', KILL, 'sh', mark]).catch(() => {})),
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
    throw new SaydoError(missing ? 'MISSING_PACKAGE' : 'CONFIG', message, {
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
