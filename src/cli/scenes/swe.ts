// `--agent swe`: a bash and an editor on the code of one folder, within a sandbox.
import { sandboxFinding } from './sandbox-finding.js'
import { ALLOW_HOST, SANDBOX, sandboxOf, WORKSPACE } from './sandbox-options.js'
import type { Scene } from './scene.js'

export const swe: Scene = {
  name: 'swe',
  summary: 'a bash and an editor on the code of a folder',
  options: [
    WORKSPACE,
    SANDBOX,
    ALLOW_HOST,
    { flags: '--patch <file>', description: 'write what was changed there, for git apply; also when the run ends badly' },
  ],
  async build(parts, stage) {
    const { SWEAgent } = await import('../../agents/swe-agent.js')
    return new SWEAgent({ ...parts, sandbox: sandboxOf(stage) })
  },
  async tools() {
    const { sweTools } = await import('../../agents/swe-agent.js')
    return sweTools(nowhere, nowhere)
  },
  async needs(stage) {
    return [await sandboxFinding(stage)]
  },
}

/** None of its tools is called without a workspace. */
async function nowhere(): Promise<never> {
  throw new Error('there is no workspace')
}
