// One prompt → the chunks of one reply, through as many requests as it takes: another try after a passing fault, another way to ask after a
// refusal that names what it dislikes. A new request is made only while nothing of a reply was handed out.

import { SaydoError } from '../core/errors.js'
import type { Prompt } from '../core/message.js'
import type { ModelChunk, Usage } from '../core/model.js'
import { EndpointError, inWords, type Place } from './endpoint-error.js'
import { LoadingWait } from './loading.js'
import { type Api, type AskedWith, adapt, adaptToSilence, type Change, type Notice, type Plan } from './plan.js'
import { readReply } from './read-reply.js'
import { buildRequest, type ModelRequest, type Sampling } from './request-body.js'
import { backoffMs, type Pause } from './retry.js'
import { openWatch, type TimeLimit, type Watch } from './watch.js'

export interface Timeouts {
  readonly firstByteMs: number
  readonly idleMs: number
  readonly totalMs: number
}

/** What a call needs of the world. */
export interface Asking {
  /** Sends one request; rejects with a `SaydoError` when there is no answer with a status of 200 to 299. */
  readonly send: (request: ModelRequest, place: Place, signal: AbortSignal) => Promise<Response>
  readonly placeOf: (request: ModelRequest) => Place
  readonly sampling: Sampling
  readonly timeouts: Timeouts
  readonly maxRetries: number
  readonly forced: Api | undefined
  readonly pause: Pause
}

/** What came together comes in one list. `learn` is told the plan that worked, before the first chunk of the reply. */
export async function* ask(
  prompt: Prompt,
  start: Plan,
  asking: Asking,
  learn: (plan: Plan) => void,
  signal?: AbortSignal,
): AsyncGenerator<readonly ModelChunk[]> {
  const notices: Notice[] = []
  let plan: Plan = { ...start, asked: [start.api] }
  let request = buildRequest(prompt, asking.sampling, plan)
  let attempt = 1
  const loading = new LoadingWait(asking.timeouts.firstByteMs)
  const call = openWatch(signal, {
    ms: asking.timeouts.totalMs,
    error: () =>
      timeoutError(asking.placeOf(request), `did not finish within ${inWords(asking.timeouts.totalMs)}, all attempts included`),
  })
  try {
    for (;;) {
      let handedOut = false
      if (plan.api === 'completions' && prompt.images?.length && !plan.blind) {
        plan = { ...plan, blind: true }
        notices.push({ code: 'IMAGES_LEFT_OUT', message: '/completions takes text alone: no image is sent' })
      }
      try {
        for await (const chunks of oneReply(request, asking, call)) {
          const last = chunks.at(-1)
          if (last?.kind === 'end' && !plan.warned && looksCut(prompt, last.usage)) {
            plan = { ...plan, warned: true }
            notices.push(cutPromptNotice(last.usage))
          }
          if (!handedOut || notices.length > 0) learn(plan)
          handedOut = true
          yield [...notices.splice(0).map(told), ...chunks]
        }
        return
      } catch (error) {
        if (call.signal.aborted) throw call.signal.reason
        if (handedOut || !(error instanceof EndpointError)) throw error
        const change = changeAfter(error, plan, request, prompt, asking, attempt)
        if (change) {
          plan = change.plan
          request = buildRequest(prompt, asking.sampling, plan)
          notices.push(change.notice)
          continue
        }
        const wait = loading.after(error)
        if (wait) {
          yield wait.told
          await call.race(asking.pause(wait.ms, call.signal)).catch(cut => {
            throw cut.code === 'MODEL_TIMEOUT' ? error : cut
          })
          continue
        }
        if (!mayRepeat(error, asking, attempt)) throw bothMissing(error, plan, asking.placeOf(request))
        const waitMs = error.waitMs ?? backoffMs(attempt)
        attempt += 1
        yield [told({ code: 'RETRY', message: `${error.message}; attempt ${attempt} in ${inWords(waitMs)}` })]
        await call.race(asking.pause(waitMs, call.signal))
      }
    }
  } finally {
    call.close()
  }
}

function told(notice: Notice): ModelChunk {
  return { kind: 'notice', ...notice }
}

function mayRepeat(error: EndpointError, asking: Asking, attempt: number): boolean {
  return error.again && attempt <= asking.maxRetries
}

function changeAfter(
  error: EndpointError,
  plan: Plan,
  request: ModelRequest,
  prompt: Prompt,
  asking: Asking,
  attempt: number,
): Change | undefined {
  const asked: AskedWith = {
    body: request.body,
    messages: prompt.messages,
    images: plan.api === 'chat' && (prompt.images ?? []).length > 0,
    forced: asking.forced !== undefined,
    maxTokensGiven: asking.sampling.maxTokens !== undefined,
  }
  const change = adapt(plan, error, asked)
  return change ?? (mayRepeat(error, asking, attempt) ? undefined : adaptToSilence(plan, error, asked))
}

/** One request; its connection is closed however its reading ends. */
async function* oneReply(request: ModelRequest, asking: Asking, call: Watch): AsyncGenerator<readonly ModelChunk[]> {
  const place = asking.placeOf(request)
  const watch = openWatch(call.signal)
  const sentAt = performance.now()
  let overByItself = false
  const whole = request.body.stream !== true
  const firstByte = (): TimeLimit => ({
    // a reply that comes whole comes late: only the total limit counts
    ms: whole ? Number.POSITIVE_INFINITY : Math.max(1, asking.timeouts.firstByteMs - (performance.now() - sentAt)),
    error: () => timeoutError(place, `gave no first byte within ${inWords(asking.timeouts.firstByteMs)}`),
  })
  try {
    const response = await watch.race(asking.send(request, place, watch.signal), firstByte())
    overByItself = yield* readReply(response, {
      place,
      watch,
      stops: request.stops,
      opener: request.opener,
      firstByte: firstByte(),
      idle: {
        ms: asking.timeouts.idleMs,
        error: () => timeoutError(place, `fell silent for ${inWords(asking.timeouts.idleMs)} in the middle of a reply`),
      },
    })
  } finally {
    if (!overByItself) watch.abort(new SaydoError('ABORTED', 'The reply was read as far as it was needed'))
    watch.close()
  }
}

function timeoutError(place: Place, what: string): EndpointError {
  return new EndpointError('MODEL_TIMEOUT', `${place.request} ${what}`, {
    hint: 'A large prompt on a slow machine takes minutes: raise the time limit, or check whether the server is busy.',
    retryable: true,
  })
}

const LONG_PROMPT = 8_000
/** English takes about 4 characters a token, white space more; nothing sensible takes so many. */
const CHARACTERS_PER_TOKEN = 12

/** Some servers drop the head of a prompt that is longer than their context, and say nothing. */
function looksCut(prompt: Prompt, usage: Usage | undefined): usage is Usage {
  const characters = prompt.messages.reduce((sum, message) => sum + message.text.length, 0)
  return (
    usage !== undefined && usage.promptTokens > 0 && characters > Math.max(LONG_PROMPT, CHARACTERS_PER_TOKEN * usage.promptTokens)
  )
}

function cutPromptNotice({ promptTokens }: Usage): Notice {
  return {
    code: 'PROMPT_CUT',
    message: `the endpoint counted only ${promptTokens} tokens in a much longer prompt: it may have dropped its beginning, so raise its context size`,
  }
}

const NO_ROUTE = [404, 405, 501]

/** Neither API is there: then the address is wrong rather than the model. */
function bothMissing(error: EndpointError, plan: Plan, place: Place): EndpointError {
  const { code, status, said } = error
  if (plan.asked.length < 2 || code !== 'MODEL_REFUSED' || status === undefined || !NO_ROUTE.includes(status)) return error
  const base = place.request.replace(/^\w+ /, '').replace(/\/(chat\/)?completions$/, '')
  const advice = base.endsWith('/v1')
    ? 'Check the base URL: the API may live under another path.'
    : `Does the base URL end in /v1? Try ${base}/v1.`
  return new EndpointError('MODEL_REFUSED', `${base} has neither /chat/completions nor /completions (${status})`, {
    hint: advice,
    status,
    said,
  })
}
