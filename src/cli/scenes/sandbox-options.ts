// The options of agents that work on a folder, within a sandbox or not.
import { relative, resolve } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import { BACKENDS, type BackendName, type SandboxOptions } from '../../toolsets/sandbox/settings.js'
import type { OptionSpec } from '../command.js'
import type { Stage } from './scene.js'

export const WORKSPACE: OptionSpec = { flags: '--workspace <dir>', description: 'the folder it works on', returns: isWithin }

export const SANDBOX: OptionSpec = {
  flags: '--sandbox <name>',
  description: 'what keeps its commands from the rest of this machine (default: bwrap, for mcp local); local: nothing does',
  choices: BACKENDS,
  returns: name => name !== 'local',
}

export const ALLOW_HOST: OptionSpec = {
  flags: '--allow-host <name>',
  description: 'a host that may be reached: example.com, *.example.com, localhost:3000 (repeatable; of sandboxes, srt alone)',
  repeat: true,
}

/** Throws `CONFIG` where no folder is named. */
export function sandboxOf({ settings: { options }, io }: Pick<Stage, 'settings' | 'io'>): SandboxOptions {
  const { workspace, sandbox, allowHost } = options
  if (typeof workspace !== 'string')
    throw new SaydoError('CONFIG', 'no workspace is named', { hint: 'give --workspace DIR, a folder of its own for this work' })
  return {
    workspace: resolve(io.cwd, workspace),
    backend: (sandbox ?? 'bwrap') as BackendName,
    allowHosts: Array.isArray(allowHost) ? allowHost.map(String) : [],
  }
}

/** A path in a folder, which is trusted already, or the folder itself. A record may come from anywhere. */
export function isWithin(path: unknown, folder: string): boolean {
  return typeof path === 'string' && !relative(folder, resolve(folder, path)).startsWith('..')
}
