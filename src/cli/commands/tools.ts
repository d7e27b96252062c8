// `saydo tools`: which tools a run would have, as the model would see them.
import type { ToolDoc } from '../../core/text.js'
import type { Tool } from '../../core/tool.js'
import { TOOL_OPTIONS } from '../agent-options.js'
import type { Command } from '../command.js'
import { visible, visibleJson } from '../visible.js'

export const tools: Command = {
  name: 'tools',
  summary: 'list the built-in tools, or those of a file, as the model sees them',
  options: [...TOOL_OPTIONS, { flags: '--json', description: 'print the specifications as a JSON array' }],
  examples: ['saydo tools', 'saydo tools --tools ./my-tools.mjs', 'saydo tools --tool calculator --json'],
  async run({ options, io }) {
    const { loadTools } = await import('../load-tools.js')
    const { builtinNames } = await import('../../toolsets/index.js')
    const { describeTool } = await import('../../tools/describe.js')
    const { ToolRegistry } = await import('../../tools/registry.js')
    const asked = options.tools !== undefined || options.tool !== undefined
    const say = (line: string) => io.stderr.write(`${visible(line)}\n`)
    const loaded = await loadTools(asked ? options : { tool: builtinNames }, io, say)
    await loaded.close()
    const registry = new ToolRegistry(loaded.tools)
    if (options.json) io.stdout.write(`${visibleJson(registry.specs(), 2)}\n`)
    else for (const tool of registry.list()) io.stdout.write(`${write(tool, describeTool(tool))}\n`)
    return { code: 0 }
  },
}

function write(tool: Tool, doc: ToolDoc): string {
  const signature = `${doc.name}(${doc.parameters.map(({ name, required }) => (required ? name : `${name}?`)).join(', ')})`
  const lines = doc.parameters.map(
    ({ name, type, description }) => `    ${name}: ${type}${description ? ` — ${description}` : ''}`,
  )
  const effect = tool.effect ? ` [${tool.effect === 'changes' ? 'changes things' : 'changes nothing'}]` : ''
  return visible([`${signature}${effect}`, `    ${doc.description}`, ...lines].join('\n'))
}
