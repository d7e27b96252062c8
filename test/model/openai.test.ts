import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SaydoError } from '../../src/core/errors.js'
import type { ModelChunk, ModelReply } from '../../src/core/model.js'
import { listModels } from '../../src/model/list-models.js'
import { type OpenaiModelOptions, openaiModel } from '../../src/model/openai.js'
import { collectReply } from '../support/collect.js'
import {
  answering,
  type EndpointOptions,
  goodBody,
  type Mood,
  type MoodName,
  rateLimited,
  resetAtByte,
  startEndpoint,
  type TestEndpoint,
} from '../support/endpoint.js'
import { prompt } from './prompt.js'

const THOUGHT = ' compare the two – 一二 😀\nAction: weather\nAction Input: {"city": "Oslo"}'

let endpoints: TestEndpoint[] = []
beforeEach(() => {
  for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL']) vi.stubEnv(name, undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(endpoints.map(endpoint => endpoint.close()))
  endpoints = []
})

async function start(options: EndpointOptions | MoodName | Mood = {}): Promise<TestEndpoint> {
  const asMood = typeof options === 'string' || typeof options === 'function'
  const endpoint = await startEndpoint(asMood ? { moods: [options], replies: [THOUGHT] } : { replies: [THOUGHT], ...options })
  endpoints.push(endpoint)
  return endpoint
}

function modelAt(endpoint: TestEndpoint, options: OpenaiModelOptions = {}) {
  return openaiModel({ model: 'stub', baseURL: endpoint.url, pause: async () => {}, ...options })
}

interface Outcome {
  readonly reply?: ModelReply
  readonly error?: SaydoError
  readonly notices: readonly string[]
  /** What was handed out, whole or not. */
  readonly text: string
}

async function outcomeOf(stream: AsyncIterable<ModelChunk>): Promise<Outcome> {
  const notices: string[] = []
  let text = ''
  const onChunk = (chunk: ModelChunk) => {
    if (chunk.kind === 'notice') notices.push(chunk.code)
    if (chunk.kind === 'text') text += chunk.text
  }
  try {
    const reply = await collectReply(stream, { onChunk })
    return { reply, notices, text }
  } catch (error) {
    return { error: error as SaydoError, notices, text }
  }
}

const WAYS = [
  ['chat, streamed', { api: 'chat', stream: true }],
  ['chat, whole', { api: 'chat', stream: false }],
  ['completions, streamed', { api: 'completions', stream: true }],
  ['completions, whole', { api: 'completions', stream: false }],
] as const

describe.each(WAYS)('a complete reply over %s', (_, way) => {
  const whole = way.api === 'chat' ? THOUGHT : `Thought:${THOUGHT}`

  it.each([
    'good',
    'byte_by_byte',
    'slow',
    'gzipped',
    'wrong_content_type',
    'other_form',
    'no_done',
    'text_after_done',
    'crlf',
    'multi_line',
    'two_choices',
  ] as const)('is read whatever the wire does: %s', async mood => {
    const endpoint = await start(mood)
    const { reply, notices } = await outcomeOf(modelAt(endpoint, way).stream(prompt))
    expect(reply).toEqual({ text: whole, finish: 'stop', usage: expect.objectContaining({ promptTokens: 7 }) })
    expect(notices).toEqual([])
    expect(endpoint.requests).toHaveLength(1)
  })

  it('has finish unknown when only [DONE] or the whole body says that it is complete', async () => {
    const { reply } = await outcomeOf(modelAt(await start('only_done'), way).stream(prompt))
    expect(reply).toMatchObject({ text: whole, finish: 'unknown' })
  })

  it.each([
    ['length', 'length'],
    ['banana', 'unknown'],
    ['content_filter', 'filter'],
    ['tool_calls', 'stop'],
  ])('with the finish reason %s finishes with %s', async (finish, expected) => {
    const { reply } = await outcomeOf(modelAt(await start({ replies: [{ text: THOUGHT, finish }] }), way).stream(prompt))
    expect(reply).toMatchObject({ text: whole, finish: expected })
  })

  it('may be empty, and then has not even the opener', async () => {
    const { reply } = await outcomeOf(modelAt(await start('empty_content'), way).stream(prompt))
    expect(reply).toMatchObject({ text: '', finish: 'stop' })
  })

  it('may have null for its content', async () => {
    const { reply } = await outcomeOf(modelAt(await start('null_content'), way).stream(prompt))
    expect(reply).toMatchObject({ text: '', finish: 'stop' })
  })

  it('is cut at the first stop string when the server ignores stop, and the connection is closed', async () => {
    const endpoint = await start('stop_ignored')
    const { reply } = await outcomeOf(modelAt(endpoint, way).stream(prompt))
    expect(reply).toMatchObject({ text: whole, finish: 'stop' })
    if (!way.stream) return
    await vi.waitFor(() => expect(endpoint.asked[0]?.closedEarly).toBe(true))
    expect(endpoint.asked[0]?.sent).toBeLessThan(200)
  })

  it.each([
    ['truncated', 'MODEL_BROKEN_STREAM'],
    ['reset', 'MODEL_UNREACHABLE'],
    ['html', 'MODEL_BAD_RESPONSE'],
    ['error_in_200', 'MODEL_BAD_RESPONSE'],
    ['no_content', 'MODEL_BAD_RESPONSE'],
    ['empty_body', 'MODEL_BAD_RESPONSE'],
    ['gzip_garbage', 'MODEL_BAD_RESPONSE'],
    ['empty_choices', 'MODEL_BAD_RESPONSE'],
    ['stalled', 'MODEL_TIMEOUT'],
    ['silent', 'MODEL_TIMEOUT'],
    ['deaf', 'MODEL_TIMEOUT'],
    ['unauthorized', 'MODEL_AUTH'],
    ['unknown_model', 'MODEL_NOT_FOUND'],
    ['context_exceeded', 'MODEL_CONTEXT'],
    ['rate_limited', 'MODEL_RATE_LIMITED'],
    ['server_error', 'MODEL_BAD_RESPONSE'],
    ['both_missing', 'MODEL_REFUSED'],
  ] as const)('never comes out of a fault: %s is %s', async (mood, code) => {
    const endpoint = await start(mood)
    const timeouts = { firstByteMs: 150, idleMs: 100, totalMs: 400 }
    const { error, reply } = await outcomeOf(modelAt(endpoint, { ...way, maxRetries: 0, timeouts }).stream(prompt))
    expect(reply).toBeUndefined()
    expect(error).toMatchObject({ name: 'SaydoError', code })
    expect(error?.message).toContain(endpoint.url)
  })
})

describe('a reply that carries more than text', () => {
  it('gives reasoning apart from the text', async () => {
    for (const stream of [true, false]) {
      const { reply } = await outcomeOf(modelAt(await start('reasoning_only'), { stream }).stream(prompt))
      expect(reply).toMatchObject({ text: '', reasoning: 'I wonder about it', finish: 'length' })
    }
  })

  it('writes tool calls that nobody asked for as text', async () => {
    for (const stream of [true, false]) {
      const { reply } = await outcomeOf(modelAt(await start('tool_calls'), { stream }).stream(prompt))
      expect(reply).toEqual({
        text: '<tool_call>\n{"name": "weather", "arguments": {"city":"Oslo"}}\n</tool_call>',
        finish: 'stop',
      })
    }
  })

  it('is an error when a content filter held back all of it', async () => {
    for (const stream of [true, false]) {
      const { error } = await outcomeOf(
        modelAt(await start({ replies: [{ text: '', finish: 'content_filter' }] }), { stream }).stream(prompt),
      )
      expect(error?.code).toBe('MODEL_FILTERED')
    }
  })

  it('is an error when the filter refused the prompt', async () => {
    const endpoint = await start(answering(400, '{"error":{"message":"The response was filtered","code":"content_filter"}}'))
    expect((await outcomeOf(modelAt(endpoint).stream(prompt))).error?.code).toBe('MODEL_FILTERED')
    expect(endpoint.asked).toHaveLength(1)
  })

  it('is an error when the endpoint itself gives up after some text', async () => {
    for (const mood of ['error_in_stream', { replies: [{ text: 'half', finish: 'error' }] }] as const) {
      const { error, text } = await outcomeOf(modelAt(await start(mood), { maxRetries: 0 }).stream(prompt))
      expect(text).not.toBe('')
      expect(error?.code).toMatch(/MODEL_(BAD_RESPONSE|BROKEN_STREAM)/)
    }
  })

  it('is cut at 1 MiB with finish length', async () => {
    const endpoint = await start({ replies: ['x'.repeat(1_300_000)] })
    const { reply } = await outcomeOf(modelAt(endpoint, { stream: false }).stream(prompt))
    expect(reply?.finish).toBe('length')
    expect(reply?.text).toHaveLength(1024 * 1024)
  })

  it('is read in linear time when one event of 1 MB comes in pieces of 64 bytes', async () => {
    const body = Buffer.from(
      goodBody({ chat: true, streamed: true }, { text: 'end' }).replace(
        '"content":"end"',
        `"content":"${'y'.repeat(1_000_000)}"`,
      ),
    )
    const pieces = new ReadableStream({
      start(controller) {
        for (let at = 0; at < body.length; at += 64) controller.enqueue(body.subarray(at, at + 64))
        controller.close()
      },
    })
    const model = openaiModel({ model: 'stub', baseURL: 'http://localhost:1', fetch: async () => new Response(pieces) })
    const { reply } = await outcomeOf(model.stream(prompt))
    expect(reply?.text).toHaveLength(1_000_000)
  })
})

describe('the chunks in which bytes arrive', () => {
  const MOODS = [
    'good',
    'crlf',
    'multi_line',
    'two_choices',
    'no_done',
    'only_done',
    'text_after_done',
    'wrong_content_type',
    'other_form',
    'null_content',
    'empty_choices',
    'tool_calls',
    'reasoning_only',
    'truncated',
    'error_in_stream',
    'error_in_200',
    'html',
    'empty_body',
  ] as const

  /** The answer as it came, its body handed on in pieces of that many bytes. */
  function inPieces(size: number): typeof fetch {
    return async (input, init) => {
      const response = await fetch(input, init)
      const bytes = new Uint8Array(await response.arrayBuffer())
      let at = 0
      const pull = (controller: ReadableStreamDefaultController) => {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
      }
      return new Response(new ReadableStream({ pull }), { status: response.status, headers: response.headers })
    }
  }

  it.each(MOODS.flatMap(mood => WAYS.map(([way, options]) => [mood, way, options] as const)))(
    'do not matter: %s over %s',
    async (mood, _, options) => {
      const endpoint = await start(mood)
      const seen = async (size: number) => {
        const { reply, error, text } = await outcomeOf(
          modelAt(endpoint, { ...options, maxRetries: 0, fetch: inPieces(size) }).stream(prompt),
        )
        return { reply, code: error?.code, message: error?.message, text }
      }
      const expected = await seen(1_000_000)
      for (const size of [1, 2, 5, 64]) expect(await seen(size)).toEqual(expected)
    },
  )
})

describe('a reset at every byte of a stream', () => {
  const text = 'Thought: é 😀\nFinal Answer: 4'
  const size = Buffer.byteLength(goodBody({ chat: true, streamed: true }, { text }))

  /** One call for each byte: the seed says where its first request is reset; later ones are answered well. */
  async function outcomesOf(maxRetries: number): Promise<readonly Outcome[]> {
    const met = new Set<unknown>()
    const endpoint = await start({
      replies: [text],
      moods: [
        e => {
          const { seed } = e.request.body
          if (met.has(seed)) return e.answer(e.next())
          met.add(seed)
          return resetAtByte(Number(seed))(e)
        },
      ],
    })
    const outcomes: Outcome[] = []
    for (let at = 0; at < size; at += 16) {
      const seeds = Array.from({ length: Math.min(16, size - at) }, (_, n) => at + n)
      outcomes.push(...(await Promise.all(seeds.map(seed => outcomeOf(modelAt(endpoint, { seed, maxRetries }).stream(prompt))))))
    }
    return outcomes
  }

  it('gives the complete reply or a typed error, never a part as if it were whole', async () => {
    const outcomes = await outcomesOf(0)
    for (const { reply, error, text: handedOut } of outcomes) {
      if (reply) expect(reply).toMatchObject({ text, finish: 'stop' })
      else expect(error).toMatchObject({ code: 'MODEL_BROKEN_STREAM', retryable: true })
      expect(text.startsWith(handedOut)).toBe(true)
    }
    expect(outcomes.filter(outcome => outcome.reply).length).toBeGreaterThan(10)
    expect(outcomes.filter(outcome => outcome.error).length).toBeGreaterThan(200)
  })

  it('gives the complete reply after another attempt when nothing was handed out yet', async () => {
    const outcomes = await outcomesOf(1)
    for (const { reply, error, text: handedOut } of outcomes) {
      if (reply) expect(reply).toMatchObject({ text, finish: 'stop' })
      else expect([error?.code, handedOut === '']).toEqual(['MODEL_BROKEN_STREAM', false])
    }
    expect(outcomes.filter(outcome => outcome.notices.includes('RETRY')).length).toBeGreaterThan(100)
  })
})

describe('what is sent', () => {
  it('is messages for chat, with stop strings and without tools', async () => {
    const endpoint = await start()
    await outcomeOf(
      modelAt(endpoint, { apiKey: 'sk-test-123', temperature: 0, seed: 7, headers: { 'x-team': 'a' } }).stream(prompt),
    )
    expect(endpoint.asked[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-test-123', 'x-team': 'a' },
    })
    expect(endpoint.asked[0]?.body).toEqual({
      model: 'stub',
      messages: [
        { role: 'system', content: 'You are precise.' },
        { role: 'user', content: 'Is Oslo colder than Rome?' },
      ],
      stop: ['\nObservation:', '\nObservation :'],
      temperature: 0,
      seed: 7,
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('is one text for completions, with more stop strings and always a limit', async () => {
    const endpoint = await start()
    await outcomeOf(modelAt(endpoint, { api: 'completions', stream: false }).stream(prompt))
    expect(endpoint.asked[0]?.body).toEqual({
      model: 'stub',
      prompt: prompt.text,
      stop: ['\nObservation:', '\nObservation :', '\nQuestion:'],
      max_tokens: 2048,
      stream: false,
    })
  })

  it('holds at most four stop strings and no empty one, and the others are enforced here', async () => {
    const endpoint = await start({ replies: ['one FIVE two'] })
    const { reply } = await outcomeOf(modelAt(endpoint).stream({ ...prompt, stop: ['', 'ONE', 'TWO', 'THREE', 'FOUR', 'FIVE'] }))
    expect(endpoint.asked[0]?.body.stop).toEqual(['ONE', 'TWO', 'THREE', 'FOUR'])
    expect(reply?.text).toBe('one ')
  })

  it('has no stop at all when there is no stop string', async () => {
    const endpoint = await start()
    await outcomeOf(modelAt(endpoint).stream({ ...prompt, stop: [''], textStop: [] }))
    expect(endpoint.asked[0]?.body).not.toHaveProperty('stop')
  })

  it('carries no key when none is known', async () => {
    const endpoint = await start()
    await outcomeOf(modelAt(endpoint).stream(prompt))
    expect(endpoint.asked[0]?.headers).not.toHaveProperty('authorization')
  })

  it('follows the environment of the openai package', async () => {
    const endpoint = await start()
    vi.stubEnv('OPENAI_BASE_URL', endpoint.url)
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-env')
    vi.stubEnv('OPENAI_ORG_ID', 'org-1')
    vi.stubEnv('OPENAI_MODEL', 'from-env')
    const model = openaiModel()
    expect(model.name).toBe('from-env')
    await outcomeOf(model.stream(prompt))
    expect(endpoint.asked[0]).toMatchObject({
      body: { model: 'from-env' },
      headers: { authorization: 'Bearer sk-from-env', 'openai-organization': 'org-1' },
    })
  })

  it('goes to each instance’s own endpoint', async () => {
    const [one, two] = [await start({ replies: ['one'] }), await start({ replies: ['two'], moods: ['stop_rejected'] })]
    const models = [modelAt(one, { apiKey: 'key-one' }), modelAt(two, { apiKey: 'key-two' })]
    const outcomes = await Promise.all(models.map(model => outcomeOf(model.stream(prompt))))
    expect(outcomes.map(outcome => outcome.reply?.text)).toEqual(['one', 'two'])
    expect(one.asked.map(request => request.headers.authorization)).toEqual(['Bearer key-one'])
    expect(two.asked.map(request => request.headers.authorization)).toEqual(['Bearer key-two', 'Bearer key-two'])
    expect(one.asked[0]?.body).toHaveProperty('stop')
  })
})

describe('a prompt that the server seems to have cut', () => {
  it('is told once, with the count', async () => {
    const endpoint = await start()
    const model = modelAt(endpoint)
    const long = { ...prompt, messages: [{ role: 'user', text: 'word '.repeat(10_000) } as const] }
    expect((await outcomeOf(model.stream(prompt))).notices).toEqual([])
    expect((await outcomeOf(model.stream(long))).notices).toEqual(['PROMPT_CUT'])
    expect((await outcomeOf(model.stream(long))).notices).toEqual([])
  })
})

describe('an endpoint that dislikes something', () => {
  it.each([
    ['stop_rejected', 'stop', 'PARAMETER_DROPPED', {}],
    ['temperature_rejected', 'temperature', 'PARAMETER_DROPPED', { temperature: 0 }],
    ['seed_rejected', 'seed', 'PARAMETER_DROPPED', { seed: 1 }],
    ['stream_options_rejected', 'stream_options', 'PARAMETER_DROPPED', {}],
    ['max_tokens_rejected', 'max_tokens', 'PARAMETER_RENAMED', { maxTokens: 100 }],
  ] as const)('%s: costs one request, is told once and remembered', async (mood, parameter, notice, options) => {
    const endpoint = await start(mood)
    const model = modelAt(endpoint, options)
    const first = await outcomeOf(model.stream(prompt))
    expect(first).toMatchObject({ reply: { text: THOUGHT }, notices: [notice] })
    expect(endpoint.asked).toHaveLength(2)
    expect(endpoint.asked[1]?.body).not.toHaveProperty(parameter)
    expect(await outcomeOf(model.stream(prompt))).toMatchObject({ reply: { text: THOUGHT }, notices: [] })
    expect(endpoint.asked).toHaveLength(3)
  })

  it('sends the limit under its other name', async () => {
    const endpoint = await start('max_tokens_rejected')
    await outcomeOf(modelAt(endpoint, { maxTokens: 100 }).stream(prompt))
    expect(endpoint.asked[1]?.body).toMatchObject({ max_completion_tokens: 100 })
  })

  it('still cuts replies when stop is refused', async () => {
    const endpoint = await start({ replies: ['a\nObservation: 1'], moods: ['stop_rejected'] })
    expect((await outcomeOf(modelAt(endpoint).stream(prompt))).reply?.text).toBe('a')
  })

  it('gets whole replies when it refuses to stream', async () => {
    const endpoint = await start('streaming_refused')
    const model = modelAt(endpoint)
    expect(await outcomeOf(model.stream(prompt))).toMatchObject({ reply: { text: THOUGHT }, notices: ['STREAMING_OFF'] })
    await outcomeOf(model.stream(prompt))
    expect(endpoint.asked.map(request => request.body.stream)).toEqual([true, false, false])
  })

  it.each(['system_refused', 'must_alternate'] as const)('%s: gets the system text inside the first user turn', async mood => {
    const endpoint = await start(mood)
    const model = modelAt(endpoint)
    const turns = { ...prompt, messages: [...prompt.messages, { role: 'user', text: 'Hurry.' } as const] }
    expect(await outcomeOf(model.stream(turns))).toMatchObject({ reply: { text: THOUGHT }, notices: ['SYSTEM_FOLDED'] })
    expect(endpoint.asked).toHaveLength(2)
    expect(endpoint.asked[1]?.body.messages).toEqual([
      { role: 'user', content: 'You are precise.\n\nIs Oslo colder than Rome?\n\nHurry.' },
    ])
    await outcomeOf(model.stream(turns))
    expect(endpoint.asked).toHaveLength(3)
  })

  it('is asked without a system turn when it answers a bare 500 to the end', async () => {
    const endpoint = await start('system_crashes')
    const model = modelAt(endpoint, { maxRetries: 1 })
    expect(await outcomeOf(model.stream(prompt))).toMatchObject({ reply: { text: THOUGHT }, notices: ['RETRY', 'SYSTEM_FOLDED'] })
    await outcomeOf(model.stream(prompt))
    expect(endpoint.asked).toHaveLength(4)
  })

  it.each(['chat_missing', 'no_chat_template'] as const)(
    '%s: is asked to continue text, told once and remembered',
    async mood => {
      const endpoint = await start(mood)
      const model = modelAt(endpoint)
      expect(await outcomeOf(model.stream(prompt))).toMatchObject({
        reply: { text: `Thought:${THOUGHT}` },
        notices: ['API_CHANGED'],
      })
      expect(await outcomeOf(model.stream(prompt))).toMatchObject({ reply: { text: `Thought:${THOUGHT}` }, notices: [] })
      expect(endpoint.asked.map(request => request.path)).toEqual(['/v1/chat/completions', '/v1/completions', '/v1/completions'])
    },
  )

  it('is asked for a chat again when its completions are gone', async () => {
    const endpoint = await start({ moods: ['chat_missing', 'chat_missing', 'completions_missing'] })
    const model = modelAt(endpoint)
    await outcomeOf(model.stream(prompt))
    expect(await outcomeOf(model.stream(prompt))).toMatchObject({ reply: { text: THOUGHT }, notices: ['API_CHANGED'] })
    expect(endpoint.asked).toHaveLength(4)
  })

  it('is not asked on the other API when one was chosen', async () => {
    const endpoint = await start('chat_missing')
    expect((await outcomeOf(modelAt(endpoint, { api: 'chat' }).stream(prompt))).error?.code).toBe('MODEL_REFUSED')
    expect(endpoint.asked).toHaveLength(1)
  })

  it('gets shorter replies asked of it when the default length does not fit its context', async () => {
    const endpoint = await start(e =>
      Number(e.request.body.max_tokens) > 512
        ? e.refuse(400, "This model's maximum context length is 2048 tokens")
        : e.answer(e.next()),
    )
    const outcome = await outcomeOf(modelAt(endpoint, { api: 'completions' }).stream(prompt))
    expect(outcome).toMatchObject({ reply: { text: `Thought:${THOUGHT}` }, notices: ['REPLY_SHORTENED'] })
  })

  it('is given up when it dislikes what cannot be changed, after one request per parameter', async () => {
    const endpoint = await start(e => e.refuse(400, 'bad: stop, temperature, seed, stream, stream_options, max_tokens'))
    const { error } = await outcomeOf(modelAt(endpoint, { temperature: 0, seed: 1, maxTokens: 9 }).stream(prompt))
    expect(error?.code).toBe('MODEL_REFUSED')
    expect(endpoint.asked.length).toBeLessThanOrEqual(7)
  })
})

describe('attempts', () => {
  async function waitsFor(moods: NonNullable<EndpointOptions['moods']>, options: OpenaiModelOptions = {}) {
    const waits: number[] = []
    const endpoint = await start({ moods })
    const outcome = await outcomeOf(modelAt(endpoint, { pause: async ms => void waits.push(ms), ...options }).stream(prompt))
    return { ...outcome, waits, requests: endpoint.asked.length }
  }

  it.each([408, 409, 429, 500, 502, 503])('are four at most for %i, with growing random waits', async status => {
    const { error, waits, requests } = await waitsFor([answering(status, '{"error":{"message":"later"}}')])
    expect(error).toMatchObject({ retryable: true })
    expect(requests).toBe(4)
    expect(waits).toHaveLength(3)
    waits.forEach((wait, n) => {
      expect(wait).toBeGreaterThanOrEqual(0)
      expect(wait).toBeLessThanOrEqual(500 * 2 ** n)
    })
  })

  it.each([400, 401, 403, 404, 422])('are not repeated for %i', async status => {
    const { error, waits, requests } = await waitsFor([answering(status, '{"error":{"message":"no"}}', { 'retry-after': '1' })], {
      api: 'chat',
    })
    expect(error).toMatchObject({ retryable: false })
    expect([requests, waits.length]).toEqual([1, 0])
  })

  it.each([
    ['honour Retry-After in seconds', rateLimited('2'), 2000],
    ['honour retry-after-ms', rateLimited('7', { 'retry-after-ms': '30' }), 30],
    ['honour a date', (e => rateLimited(new Date(Date.now() + 30_000).toUTCString())(e)) satisfies Mood, 30_000],
  ])('%s', async (_, mood, expected) => {
    const { reply, waits, notices } = await waitsFor([mood, 'good'])
    expect(reply?.text).toBe(THOUGHT)
    expect(notices).toEqual(['RETRY'])
    expect(waits[0]).toBeLessThanOrEqual(expected)
    expect(waits[0]).toBeGreaterThan(expected - 2000)
  })

  it.each(['abc', '-1', '0', '1e9', 'Wed, 21 Oct 2015 07:28:00 GMT', '12 apples'])(
    'fall back to backoff for Retry-After: %s',
    async wish => {
      const { reply, waits } = await waitsFor([rateLimited(wish), 'good'])
      expect(reply?.text).toBe(THOUGHT)
      expect(waits[0]).toBeLessThanOrEqual(500)
    },
  )

  it('end at once when the server asks for more than a minute', async () => {
    const { error, requests, waits } = await waitsFor([rateLimited('86400')])
    expect([requests, waits.length]).toEqual([1, 0])
    expect(error).toMatchObject({ code: 'MODEL_RATE_LIMITED', retryable: true })
    expect(error?.message).toContain('24 h')
  })

  it('end at once when the server says so, or the quota is used up', async () => {
    for (const mood of [
      rateLimited('1', { 'x-should-retry': 'false' }),
      answering(429, '{"error":{"code":"insufficient_quota","message":"pay"}}'),
    ]) {
      expect(await waitsFor([mood])).toMatchObject({ requests: 1, error: { code: 'MODEL_RATE_LIMITED' } })
    }
  })

  it('start anew after a broken connection', async () => {
    expect(await waitsFor(['reset', 'reset', 'good'])).toMatchObject({ requests: 3, reply: { text: THOUGHT } })
  })

  it('do not start anew once text was handed out', async () => {
    const { error, requests, text } = await waitsFor(['truncated', 'good'])
    expect(text).not.toBe('')
    expect(error).toMatchObject({ code: 'MODEL_BROKEN_STREAM', retryable: true })
    expect(requests).toBe(1)
  })

  it('start anew after an error in a 200 that names a passing status', async () => {
    expect(await waitsFor([answering(200, '{"error":{"code":503,"message":"busy"}}'), 'good'])).toMatchObject({
      requests: 2,
      reply: { text: THOUGHT },
    })
  })
})

describe('an abort', () => {
  it.each([
    ['before the first request', 'good', true],
    ['while a server is deaf', 'deaf', false],
    ['while a stream is silent', 'silent', false],
    ['in the middle of a reply', 'stalled', false],
    ['during a long wait for the next attempt', rateLimited('59'), false],
  ] as const)('settles the reply at once %s', async (_, mood, before) => {
    const endpoint = await start(mood)
    const abort = new AbortController()
    if (before) abort.abort('enough')
    const outcome = outcomeOf(openaiModel({ model: 'stub', baseURL: endpoint.url }).stream(prompt, { signal: abort.signal }))
    if (!before) await vi.waitFor(() => expect(endpoint.asked).toHaveLength(1))
    if (mood !== 'deaf') await new Promise(resolve => setTimeout(resolve, 30))
    abort.abort('enough')
    expect((await outcome).error).toMatchObject({ code: 'ABORTED', cause: 'enough' })
    if (before) expect(endpoint.requests).toHaveLength(0)
    else await vi.waitFor(() => expect(endpoint.asked[0]?.closedEarly).toBe(typeof mood === 'string'))
  })

  it('settles the reply even when fetch is deaf to it', async () => {
    const abort = new AbortController()
    const model = openaiModel({ model: 'stub', baseURL: 'http://localhost:1', fetch: () => new Promise(() => {}) })
    const outcome = outcomeOf(model.stream(prompt, { signal: abort.signal }))
    setTimeout(() => abort.abort('enough'), 20)
    expect((await outcome).error?.code).toBe('ABORTED')
  })

  it('leaves no listener on the caller’s signal', async () => {
    const endpoint = await start()
    const { signal } = new AbortController()
    const added = vi.spyOn(signal, 'addEventListener')
    const removed = vi.spyOn(signal, 'removeEventListener')
    await outcomeOf(modelAt(endpoint).stream(prompt, { signal }))
    expect(removed.mock.calls.length).toBe(added.mock.calls.length)
  })

  it('is what leaving the stream does', async () => {
    const endpoint = await start('slow')
    for await (const chunk of modelAt(endpoint).stream(prompt)) if (chunk.kind === 'text') break
    await vi.waitFor(() => expect(endpoint.asked[0]?.closedEarly).toBe(true))
  })
})

describe('errors', () => {
  it('say whether a key was sent, and never the key', async () => {
    const endpoint = await start('unauthorized')
    const withKey = await outcomeOf(modelAt(endpoint, { apiKey: 'sk-very-secret' }).stream(prompt))
    expect(withKey.error).toMatchObject({ code: 'MODEL_AUTH', hint: expect.stringContaining('OPENAI_API_KEY') })
    expect(JSON.stringify([withKey.error, withKey.error?.message])).not.toContain('sk-very-secret')
    expect(withKey.error?.message).toContain('[hidden]')
    expect((await outcomeOf(modelAt(endpoint).stream(prompt))).error?.hint).toContain('no key was sent')
  })

  it('list what the endpoint offers in place of an unknown model', async () => {
    const models = Array.from({ length: 14 }, (_, n) => `model-${n}`)
    const endpoint = await start({ moods: ['unknown_model'], models })
    const { error } = await outcomeOf(modelAt(endpoint).stream(prompt))
    expect(error).toMatchObject({ code: 'MODEL_NOT_FOUND', hint: expect.stringContaining('model-0, model-1') })
    expect(error?.hint).toContain('and 4 more')
    expect(endpoint.requests.map(request => request.path)).toEqual(['/v1/chat/completions', '/v1/models'])
  })

  it('advise /v1 when the base URL has neither API', async () => {
    const endpoint = await start()
    const { error } = await outcomeOf(modelAt(endpoint, { baseURL: endpoint.url.replace('/v1', '/api') }).stream(prompt))
    expect(error).toMatchObject({ code: 'MODEL_REFUSED', hint: expect.stringContaining('/api/v1') })
    expect(endpoint.requests).toHaveLength(2)
  })

  it('hold at most 300 characters of what the server said, on one line', async () => {
    const endpoint = await start(answering(400, JSON.stringify({ detail: `no\n${'z'.repeat(5000)}` })))
    const { error } = await outcomeOf(modelAt(endpoint).stream(prompt))
    expect(error?.message).toMatch(/answered 400: no z{297}…$/)
  })

  it('name the title of a web page', async () => {
    const { error } = await outcomeOf(modelAt(await start('html')).stream(prompt))
    expect(error?.message).toContain('Welcome to nginx!')
  })

  it('advise for a closed port, an unknown host and a port that fetch refuses', async () => {
    const closed = await startEndpoint()
    await closed.close()
    for (const [baseURL, hint] of [
      [closed.url, /server running/],
      ['http://nowhere.invalid', /host name/],
      ['http://127.0.0.1:9', /another/],
    ] as const) {
      const { error } = await outcomeOf(openaiModel({ model: 'stub', baseURL, maxRetries: 0 }).stream(prompt))
      expect(error).toMatchObject({ code: 'MODEL_UNREACHABLE', hint: expect.stringMatching(hint) })
    }
  })

  it('advise http when the server does not speak https', async () => {
    const endpoint = await start()
    const { error } = await outcomeOf(modelAt(endpoint, { baseURL: endpoint.url.replace('http:', 'https:') }).stream(prompt))
    expect(error).toMatchObject({ code: 'MODEL_UNREACHABLE', hint: expect.stringContaining('http://') })
  })

  it.each([
    ['{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}', 400],
    ['{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}', 400],
    ['{"object":"error","message":"This model\'s maximum context length is 2048 tokens."}', 400],
    ['{"error":"prompt is too long: 210000 tokens > 200000 maximum"}', 413],
    ['{"error":{"message":"no user query found in messages"}}', 500],
  ])('know a prompt that is too long: %s', async (body, status) => {
    const endpoint = await start(answering(status, body))
    expect((await outcomeOf(modelAt(endpoint).stream(prompt))).error?.code).toBe('MODEL_CONTEXT')
    expect(endpoint.asked).toHaveLength(1)
  })

  it('are the caller’s own when a fetch of the caller’s throws a SaydoError', async () => {
    const own = new SaydoError('STATE', 'the tape is over')
    const model = openaiModel({ model: 'stub', baseURL: 'http://localhost:1', fetch: () => Promise.reject(own) })
    expect((await outcomeOf(model.stream(prompt))).error).toBe(own)
  })

  it('hide the key wherever the server repeats it', async () => {
    const page = answering(200, '<title>sk-very-secret</title>')
    const list = answering(200, '{"seen":"sk-very-secret"}')
    for (const mood of [page, list, answering(400, 'sk-very-secret'), answering(200, '{"error":"sk-very-secret"}')]) {
      const { error } = await outcomeOf(modelAt(await start(mood), { apiKey: 'sk-very-secret' }).stream(prompt))
      expect(error?.message).toContain('[hidden]')
      expect(inspect(error, { depth: 9 })).not.toContain('very-secret')
    }
  })
})

describe('configuration', () => {
  it('needs a base URL or a key, and says which variables', () => {
    expect(() => openaiModel({ model: 'x' })).toThrow(
      expect.objectContaining({ code: 'CONFIG', hint: expect.stringMatching(/OPENAI_BASE_URL.*OPENAI_API_KEY/) }),
    )
  })

  it.each(['ftp://x', 'http://', '::'])('refuses the base URL %s', baseURL => {
    expect(() => openaiModel({ baseURL })).toThrow(expect.objectContaining({ code: 'CONFIG' }))
  })

  it.each<[string, unknown]>([
    ['a model', null],
    ['a model', 'http://localhost:8080'],
    ['baseURL', { baseURL: 5 }],
    ['model', { baseURL: 'http://localhost', model: 5 }],
    ['api', { baseURL: 'http://localhost', api: 'response' }],
    ['temperature', { baseURL: 'http://localhost', temperature: 'low' }],
    ['stream', { baseURL: 'http://localhost', stream: 'no' }],
    ['did you mean "baseURL"', { baseUrl: 'http://localhost' }],
    ['did you mean "temperature"', { baseURL: 'http://localhost', temprature: 0 }],
  ])('names %s in %j', (name, options) => {
    expect(() => openaiModel(options as never)).toThrow(
      expect.objectContaining({ code: 'CONFIG', message: expect.stringContaining(name) }),
    )
  })

  it.each([{ maxRetries: -1 }, { maxTokens: 0 }, { timeouts: { idleMs: Number.NaN } }])('refuses %j', options => {
    expect(() => openaiModel({ baseURL: 'localhost:1', ...options })).toThrow(expect.objectContaining({ code: 'CONFIG' }))
  })

  it('takes the only model that the endpoint lists, and says so', async () => {
    const endpoint = await start({ models: ['tiny'] })
    const model = openaiModel({ baseURL: endpoint.url })
    expect(await outcomeOf(model.stream(prompt))).toMatchObject({ reply: { text: THOUGHT }, notices: ['MODEL_CHOSEN'] })
    expect(model.name).toBe('tiny')
    expect(endpoint.asked[0]?.body.model).toBe('tiny')
  })

  it('asks for a choice when there are several', async () => {
    const endpoint = await start({ models: ['a', 'b'] })
    expect((await outcomeOf(openaiModel({ baseURL: endpoint.url }).stream(prompt))).error).toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining('a, b'),
    })
  })
})

describe('a server that still loads its model', () => {
  const busy = answering(503, '{"error":{"message":"Loading model","type":"unavailable_error","code":503}}')
  const busyList = (): Record<string, [number, string]> => ({ '/v1/models': [503, '{"error":{"message":"Loading model"}}'] })

  it('is asked again until it is ready, longer than a fault would be, and that is told once', async () => {
    const waits: number[] = []
    const endpoint = await start({ moods: [...Array.from({ length: 8 }, () => busy), 'good'] })
    const model = modelAt(endpoint, { maxRetries: 0, pause: async ms => void waits.push(ms) })
    expect(await outcomeOf(model.stream(prompt))).toMatchObject({ reply: { text: THOUGHT }, notices: ['MODEL_LOADING'] })
    expect(waits).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000, 5000])
  })

  it('is given up when the time until the first byte is over', async () => {
    const waits: number[] = []
    const endpoint = await start({ moods: [busy] })
    const model = modelAt(endpoint, { timeouts: { firstByteMs: 2000 }, pause: async ms => void waits.push(ms) })
    const { error, notices } = await outcomeOf(model.stream(prompt))
    expect([error?.code, notices, waits]).toEqual(['MODEL_UNREACHABLE', ['MODEL_LOADING'], [500, 1000, 500]])
  })

  it('is what is told when the time for all attempts is over meanwhile', async () => {
    const endpoint = await start({ moods: [busy] })
    const { error } = await outcomeOf(
      openaiModel({ model: 'stub', baseURL: endpoint.url, timeouts: { totalMs: 200 } }).stream(prompt),
    )
    expect([error?.code, error?.message]).toEqual(['MODEL_UNREACHABLE', expect.stringContaining('Loading model')])
  })

  it('is waited for as well where it is asked for its only model', async () => {
    const pages = busyList()
    const endpoint = await start({ models: ['a'], pages })
    const pause = async () => void delete pages['/v1/models']
    const model = openaiModel({ baseURL: endpoint.url, pause })
    const { reply, notices } = await outcomeOf(model.stream(prompt))
    expect([reply?.text, notices]).toEqual([THOUGHT, ['MODEL_LOADING', 'MODEL_CHOSEN']])
  })

  it('is not waited for after an abort', async () => {
    const endpoint = await start({ models: ['a'], pages: busyList() })
    const abort = new AbortController()
    const outcome = outcomeOf(openaiModel({ baseURL: endpoint.url }).stream(prompt, { signal: abort.signal }))
    await vi.waitFor(() => expect(endpoint.requests.length).toBeGreaterThan(0))
    abort.abort('enough')
    expect((await outcome).error).toMatchObject({ code: 'ABORTED', cause: 'enough' })
  })
})

describe('listing models', () => {
  it('gives the names', async () => {
    expect(await listModels({ baseURL: (await start({ models: ['a', 'b', 'a'] })).url })).toEqual(['a', 'b'])
  })

  it('rejects what is no list, a closed port and an abort', async () => {
    const page = async () => new Response('<html>')
    await expect(listModels({ baseURL: 'http://localhost:1', fetch: page })).rejects.toMatchObject({ code: 'MODEL_BAD_RESPONSE' })
    await expect(listModels({ baseURL: 'http://127.0.0.1:9' })).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' })
    await expect(listModels({ baseURL: 'http://localhost:1', signal: AbortSignal.abort('x') })).rejects.toMatchObject({
      code: 'ABORTED',
    })
  })
})
