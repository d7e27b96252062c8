// `saydo tools`: which tools a run would have, as the model would see them.
import type { Tool, ToolSpec } from '../../core/tool.js'
import { TOOL_OPTIONS } from '../agent-options.js'
import type { Command, Invocation, Io } from '../command.js'
import { sceneOf } from '../scenes/index.js'
import { readSettings } from '../settings.js'
import { visible, visibleJson } from '../visible.js'
import { run } from './run.js'

export const tools: Command = {
  name: 'tools',
  summary: 'list the built-in tools, those of a file, or those of an agent, as the model sees them',
  options: [...TOOL_OPTIONS, { flags: '--json', description: 'print the specifications as a JSON array' }],
  examples: [
    'saydo tools',
    'saydo tools --tools ./my-tools.mjs',
    'saydo tools --tool calculator --json',
    'saydo tools --agent mcp --mcp servers.json',
    'saydo tools --agent sandbox',
  ],
  async run(invocation) {
    const { options, io } = invocation
    const say = (line: string) => void io.stderr.write(`${visible(line)}\n`)
    const specs = options.agent === undefined ? await toolsOf(invocation, say) : await toolsOfAgent(invocation, say)
    if (options.json) io.stdout.write(`${visibleJson(specs, 2)}\n`)
    else {
      const { toolText } = await import('../tool-text.js')
      for (const spec of specs) io.stdout.write(`${toolText(spec)}\n`)
    }
    return { code: 0 }
  },
}

async function toolsOf({ options, io }: Invocation, say: (line: string) => void): Promise<readonly ToolSpec[]> {
  const { builtinNames } = await import('../../toolsets/index.js')
  sceneOf({ options, flags: options })
  const asked = options.tools !== undefined || options.tool !== undefined
  return specsOf(asked ? options : { tool: builtinNames }, io, say)
}

/** Those of its first prompt, where some come from outside, and are known only once the agent is open. */
async function toolsOfAgent(invocation: Invocation, say: (line: string) => void): Promise<readonly ToolSpec[]> {
  const { io } = invocation
  const settings = await readSettings(invocation, run.options)
  const stage = { settings, io, say }
  const own = await sceneOf(settings)?.tools?.(stage)
  if (own) return specsOf(settings.options, io, say, own)
  const { composePrompt } = await import('../shown-prompt.js')
  return (await composePrompt('Which tools are there?', stage)).tools
}

async function specsOf(
  options: Invocation['options'],
  io: Io,
  say: (line: string) => void,
  own: readonly Tool[] = [],
): Promise<readonly ToolSpec[]> {
  const [{ loadTools }, { ToolRegistry }] = await Promise.all([import('../load-tools.js'), import('../../tools/registry.js')])
  const loaded = await loadTools(options, io, say)
  await loaded.close()
  return new ToolRegistry([...loaded.tools, ...own]).specs()
}
