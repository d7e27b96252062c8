// The sandbox that was asked for → whether it holds on this machine, for `saydo doctor`.
import { type Finding, faultFinding } from '../doctor/finding.js'
import { sandboxOf } from './sandbox-options.js'
import type { Stage } from './scene.js'

/** Opens the sandbox and closes it. */
export async function sandboxFinding(stage: Stage): Promise<Finding> {
  const { openSandbox } = await import('../../toolsets/sandbox/open-sandbox.js')
  const options = sandboxOf(stage)
  const name = `sandbox ${options.backend}`
  const started = performance.now()
  try {
    const opened = await openSandbox(options)
    await opened.destroy()
    const state = opened.backend === 'local' ? 'off' : 'fine'
    return { name, state, seen: opened.notes.join('; '), ms: performance.now() - started }
  } catch (error) {
    return faultFinding(name, error, { state: 'broken', fatal: true })
  }
}
