// What was sent before a reply → how its sections weigh, what is new in it and what left it; the whole of it when it is asked for.
import type { Message } from '../../core/message.js'
import { changed, removed } from '../prompt-change.js'
import type { PromptTrace, TraceTurn } from '../trace.js'
import { useState } from './preact.js'
import { LongText } from './text-view.js'
import { count, numberText } from './units.js'
import './sent-view.css'

interface SentViewProps {
  readonly turns: readonly TraceTurn[]
  readonly at: number
}

export function SentView({ turns, at }: SentViewProps) {
  const [open, setOpen] = useState(false)
  const turn = turns[at]
  if (turn?.prompt === undefined) return null
  const { prompt, reply } = turn
  const total = tokensOf(prompt)
  const left = prompt.changes.reduce((sum, change) => sum + (change.kind === 'remove' ? change.count : 0), 0)
  return (
    <details class="sent" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="label">Prompt</span>{' '}
        {reply?.usage ? `${numberText(reply.usage.promptTokens)} tokens` : `about ${numberText(total)} tokens`}
        {left > 0 && <span class="trouble"> · {count(left, 'turn')} left it</span>}
        <SectionBar prompt={prompt} />
      </summary>
      {open && <Sent turns={turns} at={at} prompt={prompt} />}
    </details>
  )
}

export function tokensOf({ tokens }: PromptTrace): number {
  return tokens.reduce((sum, [, each]) => sum + each, 0)
}

function SectionBar({ prompt }: { readonly prompt: PromptTrace }) {
  return (
    <span class="bar" aria-hidden="true">
      {prompt.tokens.map(([section, tokens]) => (
        <span key={section} class={`part ${section}`} style={{ flexGrow: tokens }} title={`${section}: about ${tokens} tokens`} />
      ))}
    </span>
  )
}

function Sent({ turns, at, prompt }: SentViewProps & { readonly prompt: PromptTrace }) {
  const [whole, setWhole] = useState(false)
  const before = promptAt(turns, at - 1)
  const gone = removed(before, prompt.changes)
  const added = prompt.changes.flatMap(change => (change.kind === 'add' ? change.turns : []))
  const total = tokensOf(prompt)
  return (
    <div class="sent-body">
      <ul class="sections" aria-label="Sections, about so many tokens each">
        {prompt.tokens.map(([section, tokens]) => (
          <li key={section}>
            <span class={`swatch ${section}`} aria-hidden="true" /> {section} {numberText(tokens)}{' '}
            <span class="quiet">{Math.round((100 * tokens) / Math.max(1, total))} %</span>
          </li>
        ))}
      </ul>
      {gone.length > 0 && <Turns title="Left out of the prompt before" sign="−" turns={gone} />}
      {!whole && (
        <Turns
          title={before.length === 0 ? 'The first prompt' : 'New in it'}
          sign={before.length === 0 ? '' : '+'}
          turns={added}
        />
      )}
      {whole && <Turns title="The whole prompt" sign="" turns={changed(before, prompt.changes)} />}
      {before.length > 0 && (
        <button type="button" onClick={() => setWhole(!whole)}>
          {whole ? 'Only what is new' : 'The whole prompt'}
        </button>
      )}
    </div>
  )
}

function Turns({ title, sign, turns }: { readonly title: string; readonly sign: string; readonly turns: readonly Message[] }) {
  const kind = sign === '−' ? 'gone' : sign === '+' ? 'new' : ''
  return (
    <section class={`messages ${kind}`}>
      <h4>{title}</h4>
      {turns.map(({ role, text }, at) => (
        <div key={at} class="message">
          <span class="role">
            {sign && `${sign} `}
            {role}
          </span>
          <LongText text={text} />
        </div>
      ))}
      {turns.length === 0 && <p class="quiet">Nothing.</p>}
    </section>
  )
}

/** The turns of the prompt of that reply, or of the last one before it that had one. */
function promptAt(turns: readonly TraceTurn[], at: number): readonly Message[] {
  let messages: readonly Message[] = []
  for (const { prompt } of turns.slice(0, at + 1)) if (prompt) messages = changed(messages, prompt.changes)
  return messages
}
