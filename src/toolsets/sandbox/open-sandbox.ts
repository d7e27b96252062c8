// Options → a sandbox that is shown to work: what must succeed in it does, and what must fail fails. Otherwise it is refused; nothing is ever run
// without the protection that was asked for.
import type { Sandbox } from '../../core/sandbox.js'
import { type Backend, BackendSandbox } from './backend-sandbox.js'
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
 * Rejects with `CONFIG` for options that are not usable and for a backend that does not hold what it promises here, `MISSING_PACKAGE` for one
 * that is not installed.
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const settings = await sandboxSettings(options)
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
