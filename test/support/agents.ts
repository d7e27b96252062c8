// Small real parts for tests of agents: a tool, replies in the plain form, and a run with its events.

import type { RunOptions } from '../../src/agent/run-options.js'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Tool } from '../../src/core/tool.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'

export const call = (q: string, name = 'search') => `Thought: I look.\nAction: ${name}\nAction Input: {"q": "${q}"}`
export const answer = (text: string) => `Thought: I know it.\nFinal Answer: ${text}`

/** Takes `q`; `run` gets it, and the signal of the call. */
export function searchTool(run: (q: string, signal: AbortSignal) => unknown = q => `about ${q}`, name = 'search'): Tool {
  return tool({
    name,
    description: 'Looks something up.',
    input: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    run: ({ q }, { signal }) => run(String(q), signal),
  })
}

type Script = Parameters<typeof scriptedModel>[0]

/** Plays a script through an agent with the search tool. `told` are the nudges and notices, in order. */
export async function play(replies: Script, options: Partial<ToolCallAgentOptions> = {}, runOptions: RunOptions = {}) {
  const model = scriptedModel(replies)
  const made: string[] = []
  const search = searchTool(q => {
    made.push(q)
    return `about ${q}`
  })
  const agent = new ToolCallAgent({ model, tools: [search], ...options })
  const events: AgentEvent[] = []
  const result = await agent.run('What is it?', { ...runOptions, onEvent: event => events.push(event) })
  return { agent, model, made, events, result, prompts: model.prompts, told: toldIn(events) }
}

export function toldIn(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap(event => (event.type === 'nudge' ? [event.text] : event.type === 'notice' ? [event.code] : []))
}
