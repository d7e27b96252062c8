// A process that opens a sandbox, starts the commands of its arguments in it, says so, and waits to be killed: `node sandbox-child.mjs BACKEND WORKSPACE
// COMMAND…`.
import { openSandbox } from '../../src/toolsets/sandbox/open-sandbox.js'
import type { BackendName } from '../../src/toolsets/sandbox/settings.js'

const [backend, workspace, ...commands] = process.argv.slice(2)
const sandbox = await openSandbox({ backend: backend as BackendName, workspace: workspace as string })
for (const command of commands) await sandbox.spawn(command)
process.stdout.write('ready\n')
setInterval(() => {}, 1000)
