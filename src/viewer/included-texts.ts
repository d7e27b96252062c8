// What a run was set up with → the texts that its templates may include, so that they can be found in a prompt: a run may have tools and tell none.
import type { ToolSpec } from '../core/tool.js'
import { dialectByName } from '../dialect/index.js'
import { partialText } from '../prompt/partial-text.js'
import type { Included } from '../prompt/sections.js'
import { describeTool } from '../tools/describe.js'

export interface PromptSetting {
  readonly tools: readonly ToolSpec[]
  readonly dialect: string
  readonly language: string
}

/** Rejects with `CONFIG` for a dialect or a language that nobody knows. */
export async function includedTexts({ tools, dialect, language }: PromptSetting): Promise<Included> {
  const { labels, wording } = dialectByName(dialect)
  const data = { task: '', tools: tools.map(describeTool), examples: [], labels, scratchpad: [] }
  const format = (shown: typeof data) => partialText('format', language, shown, wording)
  return {
    tools: tools.length === 0 ? [] : [await partialText('tools', language, data)],
    format: [await format(data), await format({ ...data, tools: [] })],
  }
}
