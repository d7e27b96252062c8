// A prompt, the user's settings and the plan → what is sent. Never tools, never an empty stop string.
import type { Prompt } from '../core/message.js'
import { foldRoles, type Plan } from './plan.js'

export interface Sampling {
  readonly model: string
  readonly temperature: number | undefined
  readonly seed: number | undefined
  readonly maxTokens: number | undefined
}

export interface ModelRequest {
  readonly path: '/chat/completions' | '/completions'
  readonly body: Readonly<Record<string, unknown>>
  /** Where the reply ends for us, whatever the server makes of `stop`. */
  readonly stops: readonly string[]
  /** What the reply begins with although the model does not say it. */
  readonly opener: string
}

/** Servers refuse more; the rest is cut here. */
const MAX_SENT_STOPS = 4
/** For completions, where some servers stop after 16 tokens unless told otherwise. */
const COMPLETION_TOKENS = 2048
const SHORT_TOKENS = 512

export function buildRequest(prompt: Prompt, sampling: Sampling, plan: Plan): ModelRequest {
  const chat = plan.api === 'chat'
  const stops = [...new Set(chat ? prompt.stop : [...prompt.stop, ...prompt.textStop])].filter(stop => stop !== '')
  const length = sampling.maxTokens ?? (chat ? undefined : plan.short ? SHORT_TOKENS : COMPLETION_TOKENS)
  const parameters: Record<string, unknown> = {
    stop: stops.length > 0 ? stops.slice(0, MAX_SENT_STOPS) : undefined,
    temperature: sampling.temperature,
    seed: sampling.seed,
    [plan.lengthName]: length,
    stream: plan.stream,
    stream_options: plan.stream ? { include_usage: true } : undefined,
  }
  const sent = Object.entries(parameters).filter(([name, value]) => value !== undefined && !plan.without.includes(name))
  return {
    path: chat ? '/chat/completions' : '/completions',
    body: {
      model: sampling.model,
      ...(chat ? { messages: turnsOf(prompt, plan) } : { prompt: prompt.text }),
      ...Object.fromEntries(sent),
    },
    stops,
    opener: chat ? '' : prompt.opener,
  }
}

interface SentTurn {
  readonly role: string
  readonly content: string | readonly object[]
}

/** The last turn shows the images of the prompt. */
function turnsOf({ messages, images = [] }: Prompt, { fold, blind }: Plan): readonly SentTurn[] {
  const turns = (fold ? foldRoles(messages) : messages).map(({ role, text }) => ({ role, content: text }))
  const last = turns.at(-1)
  if (!last || images.length === 0 || blind) return turns
  const pictures = images.map(({ mime, base64 }) => ({ type: 'image_url', image_url: { url: `data:${mime};base64,${base64}` } }))
  return [...turns.slice(0, -1), { ...last, content: [{ type: 'text', text: last.content }, ...pictures] }]
}
