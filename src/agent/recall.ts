// The events of a recorded conversation → an agent's memory of it, in place of what stood there.
import type { AgentEvent } from '../core/event.js'
import type { Scratchpad } from '../memory/scratchpad.js'
import { conversationIn } from '../transcript/conversation.js'
import { transcriptOf } from '../transcript/transcript.js'

export function recall(memory: Scratchpad, events: readonly AgentEvent[]): void {
  memory.reset()
  for (const { task, steps, result } of conversationIn(events).map(transcriptOf)) {
    memory.begin(task)
    for (const step of steps) memory.add(step)
    if (result?.answer !== undefined) memory.end()
  }
}
