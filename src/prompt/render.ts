// A template and the data of one prompt → the prompt in both renderings. What changes from step to step (situation, correction, the call to
// finish) goes to the very end, so that all before it stays the same and servers can reuse what they have read.
import type { Dialect } from '../core/dialect.js'
import type { Message, Prompt } from '../core/message.js'
import type { PromptData } from './prompt-data.js'
import type { Template } from './template.js'

/** Prompt k of a run is a prefix of prompt k+1 as long as only the scratchpad grows (see `Prompt`). */
export function renderPrompt(
  template: Template,
  data: PromptData,
  dialect: Pick<Dialect, 'opener' | 'stop' | 'textStop' | 'taskBreak'>,
): Prompt {
  const messages = withTail(template.render(data), tailOf(template, data))
  const { opener, stop, textStop, taskBreak } = dialect
  const told = (strings: readonly string[]) => strings.filter(string => string !== '')
  return {
    messages,
    text: flattenMessages(messages, opener, taskBreak),
    opener,
    taskBreak,
    stop: told(stop),
    textStop: told(textStop),
  }
}

/**
 * Turns → one text that a model continues: it ends in a line break and `opener`. A turn of the assistant that does not begin with the opener
 * gets it in a line of its own, because the model's continuation of an earlier prompt stands there. Before each task stands `taskBreak`:
 * without a mark, models run an answer and the next question together.
 */
export function flattenMessages(messages: readonly Message[], opener: string, taskBreak = ''): string {
  const rule = taskBreak === '' ? '' : `${taskBreak}\n`
  const turns = messages.map(({ role, text, task }, at) => {
    if (role === 'system') return `${text}\n\n`
    if (role === 'assistant') return `${opened(text, opener)}\n`
    if (!task) return `${text}\n`
    return `${messages[at - 1]?.role === 'assistant' ? '\n' : ''}${rule}${text}\n`
  })
  return turns.join('') + opener
}

const opened = (text: string, opener: string): string => (text.startsWith(opener) ? text : `${opener}\n${text}`)

function tailOf({ say }: Template, { situation, nudge, final, reason = 'max_steps' }: PromptData): string {
  const parts = [situation, nudge, final ? say('wrap_up', { reason }) : undefined]
  return parts.filter(part => part !== undefined && part !== '').join('\n\n')
}

function withTail(messages: readonly Message[], tail: string): readonly Message[] {
  const last = messages.at(-1)
  if (tail === '') return messages
  if (last?.role !== 'user') return [...messages, { role: 'user', text: tail }]
  return [...messages.slice(0, -1), { role: 'user', text: `${last.text}\n\n${tail}` }]
}
