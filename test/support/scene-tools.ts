// The tools of the agents that work on something, as their prompts know them: nothing is opened, and none of them can be called.
import type { Sandbox } from '../../src/core/sandbox.js'
import type { Tool } from '../../src/core/tool.js'
import { BrowserSession } from '../../src/toolsets/browser/browser-session.js'
import { browserTools } from '../../src/toolsets/browser/browser-tools.js'
import { editorTool } from '../../src/toolsets/editor/editor-tool.js'
import type { Connection } from '../../src/toolsets/mcp/connection.js'
import { resourceTools } from '../../src/toolsets/mcp/resource-tools.js'
import { sandboxTools } from '../../src/toolsets/sandbox/sandbox-tools.js'
import { searchTools } from '../../src/toolsets/search-tools.js'
import { bashTool } from '../../src/toolsets/shell/bash-tool.js'
import { jobTool } from '../../src/toolsets/shell/job-tool.js'

const closed = { workspace: '/workspace' } as Sandbox
const never = () => Promise.reject(new Error('nothing is open'))
const server = { offers: () => true, server: { name: 'harbour' } } as unknown as Connection

/** By the name of the agent. */
export const SCENE_TOOLS: Readonly<Record<string, readonly Tool[]>> = {
  browser: browserTools(new BrowserSession({}), {}),
  sandbox: sandboxTools(closed, { vision: true }).tools,
  swe: [bashTool(never), jobTool(never), editorTool(never), ...searchTools(never)],
  mcp: resourceTools([server], () => never(), 1000),
}
