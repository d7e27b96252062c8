// A sandbox → all tools that work in it, and the sessions of its shell.
import type { Sandbox } from '../../core/sandbox.js'
import type { Tool } from '../../core/tool.js'
import { fileTools } from './file-tools.js'
import { imageTool } from './image-tool.js'
import { scriptTool } from './script-tool.js'
import { Sessions } from './sessions.js'
import { shellTools } from './shell-tools.js'

export interface SandboxTools {
  readonly tools: readonly Tool[]
  readonly sessions: Sessions
}

/** `vision`: for a model that can see. */
export function sandboxTools(sandbox: Sandbox, { vision = false }: { readonly vision?: boolean | undefined } = {}): SandboxTools {
  const sessions = new Sessions(sandbox)
  const tools = [...shellTools(sessions), ...fileTools(sandbox), ...(vision ? [imageTool(sandbox)] : []), scriptTool()]
  return { tools, sessions }
}
