// A prompt and the body it is sent in → lines for people: each turn under a line that says whose it is. Only such lines begin at the margin, so
// that no text can be taken for one.
import type { Prompt } from '../core/message.js'
import { type PlacedTurn, placeTurns } from '../prompt/sections.js'
import type { Paint } from './paint.js'
import { visible } from './visible.js'

/** The body of a request, parsed. */
export type Body = Readonly<Record<string, unknown>>

export function viewPrompt(prompt: Prompt, { messages, prompt: text, ...rest }: Body, paint: Paint): string {
  const head = (words: string): string => paint.cyan(`── ${words} ${'─'.repeat(Math.max(2, 60 - words.length))}`)
  const block = (words: string, content: string): string => `${head(words)}\n${indent(content)}\n`
  const turns = placeTurns(prompt.messages)
  const blocks =
    typeof text === 'string'
      ? [block('one text, which the model continues', text)]
      : (messages as readonly { readonly role: string; readonly content: string }[]).map(({ role, content }, at) =>
          block(titleOf(turns[at], role, at), content),
        )
  return `${blocks.join('')}${head('sent with it')}\n${indent(JSON.stringify(rest, null, 1).replace(/\n */g, ' ').slice(2, -2))}\n`
}

function titleOf(turn: PlacedTurn | undefined, role: string, at: number): string {
  const place = turn && turn.place !== turn.role ? ` · ${PLACES[turn.place] ?? turn.place}` : ''
  return `${at + 1} ${role}${place}`
}

const PLACES: Readonly<Record<string, string>> = { examples: 'example', scratchpad: 'so far' }

function indent(text: string): string {
  return visible(text)
    .split('\n')
    .map(line => (line === '' ? '' : `  ${line}`))
    .join('\n')
}
