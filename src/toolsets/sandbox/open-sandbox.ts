// Options → a sandbox that is shown to work: what must succeed in it does, and what must fail fails. Otherwise it is refused; nothing is ever run
// without the protection that was asked for.
import { SaydoError } from '../../core/errors.js'
import type { Sandbox } from '../../core/sandbox.js'
import { type Backend, BackendSandbox } from './backend-sandbox.js'
import { LentSandbox } from './lent-sandbox.js'
import { selfTest } from './self-test.js'
import { type BackendName, type SandboxOptions, type SandboxSettings, sandboxSettings } from './settings.js'

const OPENERS: Readonly<Record<BackendName, (settings: SandboxSettings) => Promise<Backend>>> = {
  bwrap: async settings => (await import('./bwrap.js')).bwrapBackend(settings),
  srt: async settings => (await import('./srt.js')).srtBackend(settings),
  docker: async settings => (await import('./docker.js')).dockerBackend(settings),
  local: async settings => (await import('./local.js')).localBackend(settings),
}

/**
 * Opens a sandbox; whoever opens it destroys it.
 *
 * @example
 * const sandbox = await openSandbox({ workspace: 'work' })
 * const { code, output } = await sandbox.exec('python3 main.py')
 * await sandbox.destroy()
 *
 * Rejects with `CONFIG` for options that are not usable, `MISSING_PACKAGE` for a backend that is not installed, and `SANDBOX` for one that does not hold
 * here what it promises.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const settings = await sandboxSettings(options)
  try {
    return await opened(settings)
  } catch (cause) {
    if (cause instanceof SaydoError) throw cause
    const hint = 'A sandbox needs sh in PATH, and a folder for temporary files (TMPDIR) that it may write to.'
    throw new SaydoError('SANDBOX', `The sandbox ${settings.backend} cannot be opened: ${(cause as Error).message}.`, {
      hint,
      cause,
    })
  }
}

async function opened(settings: SandboxSettings): Promise<Sandbox> {
  const backend = await OPENERS[settings.backend](settings)
  const sandbox = new BackendSandbox(backend)
  try {
    await selfTest(sandbox, backend)
    return sandbox
  } catch (error) {
    await sandbox.destroy()
    throw error
  }
}

/** One that is open already is lent: its `destroy` ends what was started through it, and leaves the sandbox itself to whoever opened it. */
export async function sandboxFrom(given: SandboxOptions | Sandbox): Promise<Sandbox> {
  return 'destroy' in given ? new LentSandbox(given) : openSandbox(given)
}
