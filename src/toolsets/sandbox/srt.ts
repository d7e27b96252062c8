// The backend srt: sandbox-runtime of Anthropic, for a network of named hosts, and for macOS. On Linux programs stand in the sandbox of bwrap, and only its
// proxy is taken, the one way out of their network; elsewhere it is the sandbox as well. Its type alone enters here (see srt-process.ts).
import { randomBytes } from 'node:crypto'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime'
import { SaydoError } from '../../core/errors.js'
import type { Backend } from './backend-sandbox.js'
import { makeBaseFolder, removeOrphans } from './base-folder.js'
import { bwrapBackend } from './bwrap.js'
import { Keeper } from './keeper.js'
import { limitedBy, limitNotes } from './launcher.js'
import { killMarked, MARK } from './processes.js'
import { protectPaths } from './protected-paths.js'
import type { SandboxSettings } from './settings.js'
import { SrtProcess } from './srt-process.js'

const PACKAGE = '@anthropic-ai/sandbox-runtime'

/** Rejects with `MISSING_PACKAGE` where it is not installed, `SANDBOX` where it can't work. */
export function srtBackend(settings: SandboxSettings): Promise<Backend> {
  const url = packageUrl()
  return process.platform === 'linux' ? behindProxy(url, settings) : wrapped(url, settings)
}

async function behindProxy(url: string, settings: SandboxSettings): Promise<Backend> {
  const filesystem = { disabled: true, denyRead: [], allowWrite: [], denyWrite: [] }
  const srt = new SrtProcess(url, { network: networkOf(settings, true), filesystem }, hostEnv(tmpdir()))
  try {
    const { socket, env } = await srt.proxy()
    const proxied = { ...settings, env: { ...proxyVariables(env), ...settings.env } }
    const bwrap = await bwrapBackend(proxied, { socket, ports: PORTS })
    const close = async () => {
      await bwrap.close()
      await srt.end()
    }
    return { ...bwrap, name: 'srt', notes: [networkNote(settings), ...bwrap.notes], close }
  } catch (error) {
    await srt.end()
    throw error
  }
}

async function wrapped(url: string, settings: SandboxSettings): Promise<Backend> {
  removeOrphans()
  const { root, diskMiB } = settings
  const { paths, made } = protectPaths(root)
  const base = makeBaseFolder()
  const id = randomBytes(8).toString('hex')
  const keeper = await Keeper.start({
    cleanUp: 'clear_away "$1" ""; unmake "$2" "$3"',
    args: [base.path, root, made.join(' ')],
  })
  const tmp = join(base.path, 'tmp')
  const config = { network: networkOf(settings, false), filesystem: filesystemOf(root, tmp, paths) }
  const srt = new SrtProcess(url, config, hostEnv(tmp))
  const close = async () => {
    await srt.end()
    await keeper.end()
  }
  await srt.ready.catch(async error => {
    await close()
    throw error
  })
  const cgroups = { folders: [], holdsMemory: false, holdsProcesses: false }
  let count = 0
  return {
    name: 'srt',
    root,
    workspace: root,
    diskMiB,
    hidesFiles: false,
    notes: [
      networkNote(settings),
      'nothing can be written but the workspace; all files of this machine but those of its user can be read',
      ...limitNotes(cgroups, settings),
    ],
    async launch(argv, cwd, own) {
      const { argv: line, env } = await srt.wrap(argv.map(quoted).join(' '))
      const mark = `${id}.${count++}`
      return {
        argv: [...limitedBy(cgroups, settings), ...line],
        cwd,
        env: { ...env, ...settings.env, ...own, [MARK]: mark },
        sweep: () => killMarked(mark),
      }
    },
    close,
  }
}

/** Where its clients look for its proxy: HTTP, and SOCKS. */
const PORTS = [3128, 1080]

/** Of its variables those that lead programs to the proxy. What is for its own view of the machine would lead nowhere here. */
function proxyVariables(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^(?:[a-z_]*_proxy|GIT_CONFIG_PARAMETERS)$/i.test(name)))
}

function networkOf({ allowHosts }: SandboxSettings, allowAllUnixSockets: boolean): SandboxRuntimeConfig['network'] {
  return { allowedDomains: [...allowHosts], deniedDomains: [], allowAllUnixSockets }
}

function networkNote({ allowHosts }: SandboxSettings): string {
  return allowHosts.length === 0 ? 'no network' : `no network but ${allowHosts.join(', ')}`
}

function filesystemOf(root: string, tmp: string, paths: readonly string[]): SandboxRuntimeConfig['filesystem'] {
  return {
    denyRead: [homedir(), '/etc/shadow', '/run'],
    allowRead: [root, tmp],
    allowWrite: [root, tmp],
    denyWrite: paths.map(path => join(root, path)),
  }
}

/**
 * Its shells begin outside of the sandbox, with a socket for their input: one that takes itself for the first (`SHLVL`) would read settings from `HOME`,
 * where programs of the sandbox may write.
 */
function hostEnv(tmp: string): Record<string, string> {
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: tmp, LANG: 'C.UTF-8', TMPDIR: tmp, SHLVL: '1' }
}

function packageUrl(): string {
  try {
    return import.meta.resolve(PACKAGE)
  } catch (cause) {
    throw new SaydoError('MISSING_PACKAGE', 'The sandbox srt is not installed.', { hint: `npm i ${PACKAGE}@0.0.78`, cause })
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
