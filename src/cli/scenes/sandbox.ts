// `--agent sandbox`: a shell, files and JavaScript in a sandbox, on the files of one folder.
import type { Sandbox } from '../../core/sandbox.js'
import { type Finding, faultFinding } from '../doctor/finding.js'
import { sandboxFinding } from './sandbox-finding.js'
import { ALLOW_HOST, SANDBOX, sandboxOf, WORKSPACE } from './sandbox-options.js'
import type { Scene } from './scene.js'

export const sandbox: Scene = {
  name: 'sandbox',
  summary: 'a shell and files in a sandbox',
  options: [WORKSPACE, SANDBOX, ALLOW_HOST],
  async build(parts, stage) {
    const { SandboxAgent } = await import('../../agents/sandbox-agent.js')
    return new SandboxAgent({ ...parts, sandbox: sandboxOf(stage) })
  },
  async tools({ settings }) {
    const { sandboxTools } = await import('../../toolsets/sandbox/sandbox-tools.js')
    // none of them is called
    return sandboxTools({} as Sandbox, { vision: settings.options.vision === true }).tools
  },
  async needs(stage) {
    return [await sandboxFinding(stage), await scriptFinding()]
  },
}

async function scriptFinding(): Promise<Finding> {
  const { runScript } = await import('../../toolsets/sandbox/quickjs.js')
  try {
    await runScript('1 + 1')
    return { name: 'run_js', state: 'fine', seen: 'quickjs-emscripten is there' }
  } catch (error) {
    return faultFinding('run_js', error, { state: 'off' })
  }
}
