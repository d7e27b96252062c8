// What a sandbox is opened with → checked, with every default in its place.
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { SaydoError } from '../../core/errors.js'

export const BACKENDS = ['bwrap', 'srt', 'docker', 'local'] as const

export type BackendName = (typeof BACKENDS)[number]

/** Limits of all the programs of a sandbox; what of it a backend can't hold stands in its notes. */
export interface SandboxLimits {
  /** Memory of all together, in MiB; default 1024. Where that can't be held, of each process. */
  readonly memoryMiB?: number
  /** Processes and threads at a time; default 256. */
  readonly processes?: number
  /** Of one process, in seconds of computing; default 120. */
  readonly cpuSeconds?: number
  /** Largest file that can be written, in MiB; default 256. */
  readonly fileMiB?: number
  /** Most that may be written to the disk while commands run, in MiB; default 2048. */
  readonly diskMiB?: number
  /** Open files of one process; default 1024. */
  readonly openFiles?: number
}

export interface SandboxOptions extends SandboxLimits {
  /** A folder that exists. */
  readonly workspace: string
  /** Default `bwrap`. `local` is no protection at all. */
  readonly backend?: BackendName
  /** Further variables for every program. */
  readonly env?: Readonly<Record<string, string>>
  /** Hosts that may be reached, such as `api.example.com` or `*.example.org`: `srt` only. Default none. */
  readonly allowHosts?: readonly string[]
  /** For `docker`; default `debian:stable-slim`. */
  readonly image?: string
}

export type SandboxSettings = Required<SandboxOptions> & {
  /** The real path of the workspace. */
  readonly root: string
}

/** Rejects with `CONFIG` for a workspace or a limit that is not usable. */
export async function sandboxSettings(options: SandboxOptions): Promise<SandboxSettings> {
  const settings = {
    backend: 'bwrap' as BackendName,
    memoryMiB: 1024,
    processes: 256,
    cpuSeconds: 120,
    fileMiB: 256,
    diskMiB: 2048,
    openFiles: 1024,
    env: {},
    allowHosts: [],
    image: 'debian:stable-slim',
    ...Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
    workspace: resolve(options.workspace),
  }
  if (!BACKENDS.includes(settings.backend))
    throw config(`There is no sandbox ${JSON.stringify(settings.backend)}.`, `There are ${BACKENDS.join(', ')}.`)
  for (const name of ['memoryMiB', 'processes', 'cpuSeconds', 'fileMiB', 'diskMiB', 'openFiles'] as const) {
    const value = settings[name]
    if (!Number.isSafeInteger(value) || value < 1) throw config(`${name} is ${value}.`, 'Give a whole number from 1.')
  }
  const odd = oddVariable(settings.env)
  if (odd !== undefined) throw config(odd, 'Give names without =, and no NUL characters.')
  if (settings.allowHosts.length > 0 && settings.backend !== 'srt')
    throw config(
      `The sandbox ${settings.backend} lets nothing onto the network, so allowHosts would do nothing.`,
      'Choose the sandbox srt.',
    )
  return { ...settings, root: await folderOf(settings.workspace) }
}

/** What of it can't be a variable, in a sentence: it would end up as something else in an environment, or in a list of arguments. */
export function oddVariable(env: Readonly<Record<string, string>>): string | undefined {
  const odd = Object.entries(env).find(([name, value]) => name === '' || /[=\0]/.test(name) || value.includes('\0'))
  return odd && `The variable ${JSON.stringify(odd[0])} cannot be set.`
}

async function folderOf(workspace: string): Promise<string> {
  const root = await realpath(workspace).catch(() => undefined)
  if (root === undefined || !(await stat(root)).isDirectory())
    throw config(`The workspace ${workspace} is no folder.`, 'Make it, or name another.')
  const home = await realpath(homedir()).catch(() => homedir())
  // keys and settings lie there
  if (root === '/' || root === home || home.startsWith(`${root}/`))
    throw config(`The workspace ${workspace} holds everything of a person.`, 'Choose a folder of its own below it.')
  return root
}

function config(message: string, hint: string): SaydoError {
  return new SaydoError('CONFIG', message, { hint })
}
