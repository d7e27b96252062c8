// A run that was cut short → the same run gone on with: what was asked and called in both parts, and what a record of them holds.

import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { RunResult } from '../../src/core/step.js'
import type { Tool } from '../../src/core/tool.js'
import { type ScriptedReply, scriptedModel } from '../../src/model/scripted.js'
import { capitalTool, type RunScript } from './recorded-runs.js'

export interface Resumed {
  readonly result: RunResult
  /** What the record held, and what was added to it. */
  readonly events: readonly AgentEvent[]
  /** Replies that were asked for. */
  readonly asked: number
  /** Calls that were made. */
  readonly called: number
}

/** Goes on with `events`, the beginning of a run of the script, in a new agent that has the same tools and the replies that did not come yet. */
export async function goOn(
  { replies, options }: RunScript,
  events: readonly AgentEvent[],
  { tools, ...more }: Partial<ToolCallAgentOptions> & { readonly tools?: readonly Tool[] } = {},
): Promise<Resumed> {
  let called = 0
  const capital = { ...capitalTool(() => void called++), ...(options?.confirm ? { confirm: true as const } : {}) }
  const model = scriptedModel(repliesAfter(replies, events), { chunk: 7 })
  const agent = new ToolCallAgent({ model, tools: tools ?? [capital], ...options, ...more })
  const added: AgentEvent[] = []
  const result = await agent.run(undefined, {
    resume: events,
    onEvent: event => {
      if (event.type !== 'delta') added.push(event)
    },
  })
  return { result, events: [...events, ...added], asked: model.prompts.length, called }
}

/** Those that neither came nor failed. */
export function repliesAfter(replies: RunScript['replies'], events: readonly AgentEvent[]): readonly (string | ScriptedReply)[] {
  const over = (event: AgentEvent): boolean =>
    event.type === 'reply_end' || (event.type === 'reply_error' && event.error.code !== 'ABORTED')
  return replies.slice(events.filter(over).length)
}

/** What a record says of a run, but for what only its time decides. */
export function withoutTimes<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, item) => (key === 'ms' || key === 'at' ? 0 : item))) as T
}
