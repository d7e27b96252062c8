// How an endpoint wants to be asked, learnt from what it refuses: which of the two APIs, which parameters not, system text folded or not.
// No list of model names: a refusal plus the request that met it give the next request, and each change is made at most once.
import type { NoticeCode } from '../core/event.js'
import type { Message } from '../core/message.js'
import { type EndpointError, namesMissingModel, saysNear } from './endpoint-error.js'

export type Api = 'chat' | 'completions'

export interface Plan {
  readonly api: Api
  /** APIs that were asked during this call. */
  readonly asked: readonly Api[]
  readonly stream: boolean
  /** Parameters not to send. */
  readonly without: readonly string[]
  /** `max_completion_tokens` where `max_tokens` is refused. */
  readonly lengthName: 'max_tokens' | 'max_completion_tokens'
  /** The default length was too much for the context. */
  readonly short: boolean
  /** System text goes into the first user turn, and neighbours of one role are merged. */
  readonly fold: boolean
  /** No images are sent. */
  readonly blind: boolean
  /** The user was told that the server seems to cut prompts. */
  readonly warned: boolean
}

export interface Notice {
  readonly code: NoticeCode
  readonly message: string
}

/** The next way to ask, and what to tell the user once it works. */
export interface Change {
  readonly plan: Plan
  readonly notice: Notice
}

export interface AskedWith {
  readonly body: Readonly<Record<string, unknown>>
  readonly messages: readonly Message[]
  /** Images were sent. */
  readonly images: boolean
  /** The API may not be changed. */
  readonly forced: boolean
  readonly maxTokensGiven: boolean
}

export function firstPlan(api: Api, stream: boolean): Plan {
  return {
    api,
    asked: [api],
    stream,
    without: [],
    lengthName: 'max_tokens',
    short: false,
    fold: false,
    blind: false,
    warned: false,
  }
}

/** What to change after a refusal; undefined when it names nothing that can be changed. */
export function adapt(plan: Plan, error: EndpointError, asked: AskedWith): Change | undefined {
  for (const change of [shorterReply, withoutImages, foldedRoles, otherApi, droppedParameter]) {
    const next = change(plan, error, asked)
    if (next) return next
  }
  return undefined
}

/** The last thing to try against a 500 without a word: some servers answer so to a system turn. */
export function adaptToSilence(plan: Plan, error: EndpointError, asked: AskedWith): Change | undefined {
  if (error.status !== 500 || error.said.trim() !== '') return undefined
  return folding(plan, asked, 'answered a system turn with a bare 500')
}

const NOT_A_CHAT_MODEL =
  /chat[_ ]template|not a chat model|does ?n[o']t support chat|chat (is|completions? (is|are)) not supported|not supported in the v1\/chat/i
const NOT_A_COMPLETIONS_MODEL =
  /this is a chat model|not supported in the v1\/completions|does ?n[o']t support (text |legacy )?completions?|completions? (is|are) not supported/i

function otherApi(plan: Plan, error: EndpointError, asked: AskedWith): Change | undefined {
  const other = plan.api === 'chat' ? 'completions' : 'chat'
  if (asked.forced || plan.asked.includes(other) || error.status === undefined) return undefined
  const wrongModel = (plan.api === 'chat' ? NOT_A_CHAT_MODEL : NOT_A_COMPLETIONS_MODEL).test(error.said) && error.status >= 400
  const noRoute = [404, 405, 501].includes(error.status) && !namesMissingModel(error.said) && !/\bstream/i.test(error.said)
  if (!wrongModel && !noRoute) return undefined
  const names = { chat: '/chat/completions', completions: '/completions' }
  const why = wrongModel ? `this model cannot be asked on ${names[plan.api]}` : `the endpoint has no ${names[plan.api]}`
  return {
    plan: { ...plan, api: other, asked: [...plan.asked, other] },
    notice: { code: 'API_CHANGED', message: `${why}; ${names[other]} is used` },
  }
}

/** A small context may have no room for the default length: the prompt may fit all the same. */
function shorterReply(plan: Plan, error: EndpointError, asked: AskedWith): Change | undefined {
  if (error.code !== 'MODEL_CONTEXT' || plan.short || asked.maxTokensGiven || !(plan.lengthName in asked.body)) return undefined
  return {
    plan: { ...plan, short: true },
    notice: { code: 'REPLY_SHORTENED', message: 'the context has little room left: replies are limited to 512 tokens' },
  }
}

const NO_IMAGES =
  /image[ _]?(?:url|input|s)?\b[^\n]{0,80}(?:not (?:supported|allowed|enabled)|unsupported|invalid)|(?:not|n't) (?:support|accept|process|take|have) [^\n]{0,40}(?:image|vision|multimodal)|\b(?:unsupported|invalid|no)\b[^\n]{0,40}(?:image|vision|multimodal)|mmproj|content[^\n]{0,60}(?:must be|should be|valid|expected)[^\n]{0,20} string/i

/** A model that can't see is asked in words. */
function withoutImages(plan: Plan, error: EndpointError, asked: AskedWith): Change | undefined {
  if (!asked.images || plan.blind || ![400, 404, 415, 422, 500, 501].includes(error.status ?? 0) || !NO_IMAGES.test(error.said))
    return undefined
  return {
    plan: { ...plan, blind: true },
    notice: { code: 'IMAGES_LEFT_OUT', message: 'the endpoint takes no images: none is sent' },
  }
}

const ROLES =
  /system[ _-]?(?:role|message|prompt|instruction)|\balternat|(?:unsupported|unexpected|invalid|unknown) role|only user and assistant/i

function namesRoles(said: string): boolean {
  return (
    ROLES.test(said) || saysNear(said, 'system', 60, /not (?:supported|allowed)/i) || saysNear(said, 'role', 68, /\bsystem\b/i)
  )
}

function foldedRoles(plan: Plan, error: EndpointError, asked: AskedWith): Change | undefined {
  if (![400, 422, 500].includes(error.status ?? 0) || !namesRoles(error.said)) return undefined
  return folding(plan, asked, 'takes no system turn or no two turns of one role in a row')
}

function folding(plan: Plan, asked: AskedWith, why: string): Change | undefined {
  if (plan.api !== 'chat' || plan.fold || !isFoldable(asked.messages)) return undefined
  return {
    plan: { ...plan, fold: true },
    notice: { code: 'SYSTEM_FOLDED', message: `the endpoint ${why}: the system text is sent inside the first user turn` },
  }
}

/** `stream_options` before `stream`, whose name it holds. */
const DROPPABLE = ['stream_options', 'stop', 'temperature', 'seed', 'max_completion_tokens', 'max_tokens', 'stream']

function droppedParameter(plan: Plan, error: EndpointError, asked: AskedWith): Change | undefined {
  if (![400, 422, 501].includes(error.status ?? 0) || error.code === 'MODEL_CONTEXT' || error.code === 'MODEL_NOT_FOUND')
    return undefined
  const sent = DROPPABLE.filter(name => name in asked.body && asked.body[name] !== false)
  const culprit = sent.find(name => name === error.parameter) ?? sent.find(name => mentions(error.said, name))
  if (culprit === undefined) return undefined
  if (culprit === 'max_tokens') {
    return {
      plan: { ...plan, lengthName: 'max_completion_tokens' },
      notice: { code: 'PARAMETER_RENAMED', message: 'the endpoint refuses max_tokens: max_completion_tokens is sent' },
    }
  }
  if (culprit === 'stream') {
    return {
      plan: { ...plan, stream: false },
      notice: { code: 'STREAMING_OFF', message: 'the endpoint does not stream: each reply comes whole' },
    }
  }
  const more = culprit === 'stop' ? '; replies are cut here' : ''
  return {
    plan: { ...plan, without: [...plan.without, culprit] },
    notice: { code: 'PARAMETER_DROPPED', message: `the endpoint refuses ${culprit}: it is no longer sent${more}` },
  }
}

function mentions(said: string, name: string): boolean {
  if (name === 'stream') return /\bstream(ing)?\b/i.test(said)
  return new RegExp(`(?<![\\w-])${name}(?![\\w-])`, 'i').test(said)
}

function isFoldable(messages: readonly Message[]): boolean {
  return messages.some((message, at) => message.role === 'system' || message.role === messages[at - 1]?.role)
}

/** System text before the first user turn's text, neighbours of one role joined by a blank line: user and assistant alternate. */
export function foldRoles(messages: readonly Message[]): readonly Message[] {
  const folded: Message[] = []
  for (const { role, text } of messages) {
    const as = role === 'system' ? 'user' : role
    const last = folded.at(-1)
    if (last?.role === as) folded[folded.length - 1] = { role: as, text: `${last.text}\n\n${text}` }
    else folded.push({ role: as, text })
  }
  return folded
}
