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
  /** Ids of the calls that were made, `step.call`. */
  readonly called: readonly string[]
  /** Those of them that the record had begun already, and nobody was asked about. */
  readonly calledTwice: readonly string[]
}

/** Goes on with `events`, the beginning of a run of the script, in a new agent that has the same tools and the replies that did not come yet. */
export async function goOn(
  { replies, options }: RunScript,
  events: readonly AgentEvent[],
  {
    tools,
    onEvent,
    ...more
  }: Partial<ToolCallAgentOptions> & { readonly tools?: readonly Tool[]; readonly onEvent?: (event: AgentEvent) => void } = {},
): Promise<Resumed> {
  const called: string[] = []
  const capital = { ...capitalTool((_, id) => void called.push(id)), ...(options?.confirm ? { confirm: true as const } : {}) }
  const model = scriptedModel(repliesAfter(replies, events), { chunk: 7 })
  const agent = new ToolCallAgent({ model, tools: tools ?? [capital], ...options, ...more })
  const added: AgentEvent[] = []
  const result = await agent.run(undefined, {
    resume: events,
    onEvent: event => {
      if (event.type !== 'delta') added.push(event)
      onEvent?.(event)
    },
  })
  const [begun, approved] = [idsIn(events, 'call_start'), idsIn(added, 'approval')]
  const calledTwice = called.filter(id => begun.includes(id) && !approved.includes(id))
  return { result, events: [...events, ...added], asked: model.prompts.length, called, calledTwice }
}

function idsIn(events: readonly AgentEvent[], type: 'call_start' | 'approval'): readonly string[] {
  return events.flatMap(event => (event.type === type ? [`${event.step}.${event.call.id}`] : []))
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
