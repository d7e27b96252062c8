// A tool → what the model is told of it, for people.
import type { ToolSpec } from '../core/tool.js'
import { describeTool } from '../tools/describe.js'
import { visible } from './visible.js'

export function toolText(tool: ToolSpec): string {
  const doc = describeTool(tool)
  const signature = `${doc.name}(${doc.parameters.map(({ name, required }) => (required ? name : `${name}?`)).join(', ')})`
  const lines = doc.parameters.map(
    ({ name, type, description }) => `    ${name}: ${type}${description ? ` — ${description}` : ''}`,
  )
  const effect = tool.effect ? ` [${tool.effect === 'changes' ? 'changes things' : 'changes nothing'}]` : ''
  return visible([`${signature}${effect}`, `    ${doc.description}`, ...lines].join('\n'))
}
