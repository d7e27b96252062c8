// Settings → what an endpoint says when it is looked at from several sides. Each look is made once, when a check first wants it.
import type { Prompt } from '../../core/message.js'
import { once } from '../../core/once.js'
import { type Connection, connect } from '../../model/connection.js'
import { EndpointError } from '../../model/endpoint-error.js'
import { modelNames } from '../../model/list-models.js'
import { type Look, lookAt } from '../../model/look.js'
import type { OpenaiModelOptions } from '../../model/openai.js'
import { type Api, adapt, adaptToSilence, firstPlan, type Notice, type Plan } from '../../model/plan.js'
import { buildRequest, type ModelRequest, type Sampling } from '../../model/request-body.js'
import { shortAnswer } from '../../model/short-answer.js'

/** One API, asked for the same short reply. */
export interface Asked {
  readonly api: Api
  readonly look: Look
  /** What it dislikes, and the way of asking that it took in the end. */
  readonly notices: readonly Notice[]
  readonly plan: Plan
}

export interface Listing {
  /** The body of the answer; empty when there was none. */
  readonly body: string
  readonly names: readonly string[]
  readonly ms: number
  /** Why there are no names. */
  readonly error?: EndpointError
}

export interface Exam {
  readonly connection: Connection
  readonly options: OpenaiModelOptions
  readonly keySent: boolean
  readonly signal: AbortSignal
  listing(): Promise<Listing>
  /** The one of the settings, else the first that is listed. */
  model(): Promise<string>
  asked(api: Api): Promise<Asked>
  /** The APIs that answered, the one that a run would use first. */
  working(): Promise<readonly Asked[]>
  /** The first of them, streamed. */
  streamed(): Promise<Asked | undefined>
  /** Asks again, in the same way but for the stop strings and what `change` makes of the body. */
  again(asked: Asked, stop: readonly string[], change?: (body: ModelRequest['body']) => ModelRequest['body']): Promise<Asked>
}

/** The reply is short, and the same each time; a base model can only go on counting. */
const COUNT = 'Count from one to twenty in English words, separated by commas, on one line. Write nothing else.'
const REPLY_TOKENS = 40

/** Throws `CONFIG` like a model does. Looks reject with the signal's reason alone; what the endpoint does wrong is part of what they see. */
export function openExam(options: OpenaiModelOptions, signal: AbortSignal): Exam {
  const connection = connect(options)
  const sampling = async (): Promise<Sampling> => ({
    model: await exam.model(),
    temperature: options.temperature ?? 0,
    seed: options.seed,
    maxTokens: Math.min(options.maxTokens ?? REPLY_TOKENS, REPLY_TOKENS),
  })
  const listing = once(() => list(connection, signal))
  const streamed = once(async () => {
    const [first] = await exam.working()
    return first && ask(prompt([]), { ...first.plan, stream: true }, await sampling(), exam)
  })
  const apis = { chat: once(async () => plainly('chat')), completions: once(async () => plainly('completions')) }
  const plainly = async (api: Api) => ask(prompt([]), firstPlan(api, false), await sampling(), exam)
  const exam: Exam = {
    connection,
    options,
    keySent: connection.placeOf('get', '').keySent,
    signal,
    listing,
    streamed,
    model: async () => options.model ?? (await listing()).names[0] ?? 'default',
    asked: api => apis[api](),
    async working() {
      const asked = [await apis.chat(), await apis.completions()]
      const preferred = options.api === 'completions' ? asked.toReversed() : asked
      return preferred.filter(({ look }) => look.error === undefined)
    },
    again: async ({ plan }, stop, change) => ask(prompt(stop), plan, await sampling(), exam, change),
  }
  return exam
}

function prompt(stop: readonly string[]): Prompt {
  return {
    messages: [
      { role: 'system', text: 'You do exactly what you are asked.' },
      { role: 'user', text: COUNT },
    ],
    text: `${COUNT}\none, two, three, four,`,
    opener: '',
    taskBreak: '',
    stop,
    textStop: [],
  }
}

async function list(connection: Connection, signal: AbortSignal): Promise<Listing> {
  const place = connection.placeOf('get', '/models')
  const started = performance.now()
  let body = ''
  try {
    body = await shortAnswer(connection, 'get', '/models', place, { signal })
    return { body, names: modelNames(body, place), ms: performance.now() - started }
  } catch (error) {
    if (signal.aborted || !(error instanceof EndpointError)) throw signal.aborted ? signal.reason : error
    return { body, names: [], ms: performance.now() - started, error }
  }
}

/** Asks until it is answered, or nothing is left to change: as a run would, but on this API alone. */
async function ask(
  prompt: Prompt,
  start: Plan,
  sampling: Sampling,
  { connection, signal }: Exam,
  change: (body: ModelRequest['body']) => ModelRequest['body'] = body => body,
): Promise<Asked> {
  const notices: Notice[] = []
  let plan = start
  for (;;) {
    const { path, body } = buildRequest(prompt, sampling, plan)
    const look = await lookAt({ path, body: change(body) }, connection, signal)
    const asked = { body, messages: prompt.messages, images: false, forced: true, maxTokensGiven: true }
    const next = look.error && (adapt(plan, look.error, asked) ?? adaptToSilence(plan, look.error, asked))
    if (!next) return { api: plan.api, look, notices, plan }
    plan = next.plan
    notices.push(next.notice)
  }
}
