import { afterEach, describe, expect, test } from 'vitest'
import type { Finding } from '../../src/cli/doctor/finding.js'
import { emptyFolder, saydo } from '../support/cli.js'
import {
  type EndpointOptions,
  type Mood,
  type MoodName,
  type RecordedRequest,
  startEndpoint,
  type TestEndpoint,
} from '../support/endpoint.js'
import { MOODS } from '../support/moods.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

const COUNTED = ' five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen'
const CALL = 'Thought: I count.\nAction: count_items\nAction Input: {"item": "lanterns"}'
const ANSWER = 'Thought: I know it.\nFinal Answer: There are 4,163 lanterns.'

/** A model that counts when it is told to, and uses a tool as it should. */
function goodModel({ text }: RecordedRequest): string {
  if (!text.includes('lanterns')) return COUNTED
  return text.includes('There are 4163') ? ANSWER : CALL
}

async function serverWith(options: EndpointOptions): Promise<TestEndpoint> {
  const endpoint = await startEndpoint({ respond: goodModel, pages: { '/props': [200, PROPS] }, ...options })
  open.push(endpoint)
  return endpoint
}

const PROPS = JSON.stringify({ default_generation_settings: { n_ctx: 8192 } })

async function examine(options: EndpointOptions | MoodName | Mood, flags: readonly string[] = []) {
  const mood = typeof options === 'string' || typeof options === 'function'
  const endpoint = await serverWith(mood ? { moods: [options] } : options)
  const { code, stdout, verdict } = await saydo(['doctor', '--url', endpoint.url, '--json', ...flags])
  const { findings } = JSON.parse(stdout) as { findings: readonly Finding[] }
  const named = (name: string) => findings.find(finding => finding.name === name)
  return {
    endpoint,
    code,
    verdict,
    findings,
    named,
    odd: findings.filter(({ state }) => state !== 'fine').map(({ name }) => name),
  }
}

describe('saydo doctor', () => {
  test('finds nothing at a good endpoint, in one line for each check, and exits 0', async () => {
    const endpoint = await serverWith({})
    const { code, stdout, verdict } = await saydo(['doctor', '--url', endpoint.url, '--no-color'])
    const lines = stdout.trim().split('\n')
    expect(lines.map(line => line.slice(0, 2))).toEqual(lines.map(() => '✓ '))
    expect(lines.map(line => line.slice(2, line.indexOf(':')))).toEqual([
      ...['server', 'key', 'models', 'chat', 'completions', 'system turn', 'streaming', 'end of a stream', 'stop strings'],
      ...['empty stop string', 'token counts', 'reasoning', 'speed', 'context', 'model name', 'a run'],
    ])
    expect(stdout).toContain('stop strings: honoured on chat, honoured on completions')
    expect(stdout).toContain('context: 8,192 tokens (/props)')
    expect([code, verdict]).toEqual([0, `fine: ${lines.length} checks`])
  })

  test('takes the endpoint from the environment, and writes JSON with the exit code in it', async () => {
    const endpoint = await serverWith({})
    const { code, stdout } = await saydo(['doctor', '--json'], { env: { SAYDO_URL: endpoint.url } })
    expect(JSON.parse(stdout)).toMatchObject({ url: endpoint.url, exit: code })
  })

  test('asks for few and short replies, and at temperature 0', async () => {
    const { endpoint } = await examine('good')
    expect(endpoint.asked.length).toBeLessThanOrEqual(10)
    for (const { body } of endpoint.asked) {
      expect(body.max_tokens).toBeLessThanOrEqual(200)
      expect(body.temperature).toBe(0)
    }
  })

  test.each<[string, EndpointOptions | MoodName | Mood, readonly string[], string, RegExp]>([
    ['a server that ignores stop', e => e.answer(e.nextUncut()), [], 'stop strings', /^ignored on chat, ignored on completions$/],
    ['a server that rejects stop', 'stop_rejected', [], 'stop strings', /^rejected .* on chat, rejected/],
    ['a server that leaves the stop string in', leavesStopIn, [], 'stop strings', /left at the end of the reply/],
    ['a server that does not stream', 'streaming_refused', [], 'streaming', /^refused$/],
    ['a server that answers whole to a stream', wholeAlways, [], 'streaming', /comes whole/],
    ['a proxy that gathers the stream', gathered, [], 'streaming', /gathers the stream/],
    ['a server without chat', 'chat_missing', [], 'chat', /^none: .*404.*completions is used$/],
    ['a server without completions', 'completions_missing', [], 'completions', /^none: .*404.*chat is used$/],
    ['a model without a chat template', 'no_chat_template', [], 'chat', /^no use: .*completions is used$/],
    ['a model without a system role', 'system_refused', [], 'system turn', /^refused/],
    ['a server that crashes on a system turn', 'system_crashes', [], 'system turn', /^refused/],
    ['a server that dislikes temperature', 'temperature_rejected', [], 'chat', /refuses temperature/],
    ['a server that counts nothing', uncounted, [], 'token counts', /^not reported$/],
    ['no finish reason', 'only_done', [], 'end of a stream', /no finish reason/],
    ['no [DONE]', 'no_done', [], 'end of a stream', /no \[DONE\]/],
    ['a model that thinks for ever', 'reasoning_only', [], 'reasoning', /kept apart.* too few for a reply/],
    ['no list of models', { pages: { '/v1/models': [404, '{}'] } }, [], 'models', /none are listed/],
    [
      'no list, and a model by name',
      { pages: { '/v1/models': [404, '{}'] } },
      ['--model', 'm'],
      'models',
      /m is asked for all the same/,
    ],
    ['several models', { models: ['a', 'b'] }, [], 'models', /2 listed: a, b; the first is looked at/],
    ['a model that is not listed', { models: ['a'] }, ['--model', 'c'], 'models', /c is not among them/],
    ['a model that has to be named right', onlyStub, [], 'model name', /must be one/],
    ['an endpoint that takes any model', 'good', [], 'model name', /any is taken/],
    ['a small context', { pages: { '/props': [200, '{"n_ctx":2048}'] } }, [], 'context', /2,048 tokens/],
    ['no word about the context', { pages: {} }, [], 'context', /does not say/],
    [
      'vLLM',
      { pages: { '/v1/models': [200, '{"data":[{"id":"v","max_model_len":32768}]}'] } },
      [],
      'context',
      /32,768 .*\/models/,
    ],
    [
      'Ollama',
      { pages: { '/api/ps': [200, '{"models":[{"name":"stub","context_length":16384}]}'] } },
      [],
      'context',
      /16,384 .*\/api\/ps/,
    ],
    [
      'an older Ollama',
      { pages: { '/api/show': [200, '{"parameters":"stop \\"x\\"\\nnum_ctx 12288","model_info":{"a.context_length":99}}'] } },
      [],
      'context',
      /12,288 .*\/api\/show/,
    ],
    [
      'a model that never calls',
      { respond: r => (r.text.includes('lanterns') ? 'Final Answer: 12' : COUNTED) },
      [],
      'a run',
      /never called/,
    ],
    [
      'a model that babbles',
      { respond: r => (r.text.includes('lanterns') ? 'Thought: Hm.' : COUNTED) },
      [],
      'a run',
      /unreadable; remarks: ONLY_THOUGHT/,
    ],
    ['a model that writes another dialect', 'good', ['--dialect', 'xml'], 'a run', /called the tool and answered/],
  ])('sees %s', async (_, options, flags, name, seen) => {
    const { code, named, odd } = await examine(options, flags)
    expect(named(name)?.seen).toMatch(seen)
    expect(code).toBe(odd.some(each => ['off', 'broken'].includes(named(each)?.state ?? '')) ? 1 : 0)
    for (const each of odd.map(named)) if (each?.state !== 'unseen') expect(each?.fix).toMatch(/\S/)
  })

  test.each<[string, EndpointOptions | MoodName | Mood, string, RegExp]>([
    ['a key is wanted', 'unauthorized', 'key', /401.*|no key/],
    ['a key is wanted for the list already', { pages: { '/v1/models': [401, '{}'] }, moods: ['unauthorized'] }, 'key', /401/],
    ['it answers with web pages', 'html', 'chat', /HTML page/],
    ['it has neither API', 'both_missing', 'chat', /404/],
    ['every reply breaks off', 'truncated', 'chat', /broke off/],
    ['every connection ends', 'reset', 'chat', /no answer|broke off/],
    ['the model is unknown', 'unknown_model', 'chat', /does not exist/],
    ['it refuses by rate', 'rate_limited', 'chat', /429/],
  ])('exits 3 as soon as it is clear that nothing works: %s', async (_, options, name, seen) => {
    const { code, verdict, findings } = await examine(options)
    expect(code).toBe(3)
    expect(findings.at(-1)).toMatchObject({ name, state: 'broken', fatal: true, seen: expect.stringMatching(seen) })
    expect(verdict).toBe(`not usable: ${name}`)
  })

  test('exits 3 when nobody listens', async () => {
    const { code, stdout } = await saydo(['doctor', '--url', 'http://127.0.0.1:9/v1', '--no-color'])
    expect(code).toBe(3)
    expect(stdout).toMatch(/^✗ server: .*\n {4}→ \S.*\n$/)
  })

  test.each([
    ['before anything answered', 'silent', 3],
    ['after something answered', (e => (e.number < 3 ? e.answer(e.next()) : MOODS.silent(e))) satisfies Mood, 1],
  ] as const)('ends when its time is up: %s', async (_, mood, exit) => {
    const { code, findings } = await examine(mood, ['--timeout', '1'])
    expect(code).toBe(exit)
    expect(findings.at(-1)).toMatchObject({ name: 'time', seen: expect.stringContaining('1 s are over') })
  })

  test('a server that still loads its model is to be waited for', async () => {
    const loading = '{"error":{"message":"Loading model"}}'
    const { findings } = await examine({ pages: { '/v1/models': [503, loading] } })
    expect(findings.find(({ name }) => name === 'models')).toMatchObject({ state: 'off', fix: expect.stringContaining('Wait') })
  })

  test('an API that was chosen and is missing is broken, although the other works', async () => {
    const { code, named } = await examine('completions_missing', ['--api', 'completions'])
    expect(code).toBe(3)
    expect(named('completions')).toMatchObject({ state: 'broken', fatal: true })
  })

  test('an abort ends it with 130', async () => {
    const endpoint = await serverWith({ moods: ['silent'] })
    const abort = new AbortController()
    const running = saydo(['doctor', '--url', endpoint.url], { signal: abort.signal })
    await expect.poll(() => endpoint.asked.length).toBe(1)
    abort.abort()
    expect((await running).code).toBe(130)
  })

  test('without an endpoint exits 2', async () => {
    expect((await saydo(['doctor'], { cwd: emptyFolder() })).code).toBe(2)
  })

  test('neither a key nor an escape sequence of the server is shown', async () => {
    const endpoint = await serverWith({ moods: ['unauthorized'], models: ['a\u001b[2J'] })
    const { stdout, stderr } = await saydo(['doctor', '--url', endpoint.url], { env: { OPENAI_API_KEY: 'sk-secret-key' } })
    expect(stdout + stderr).not.toMatch(/secret|\u001b/)
  })
})

/** Ends a reply behind the stop string in place of before it. */
function leavesStopIn(...[e]: Parameters<Mood>): ReturnType<Mood> {
  const { text } = e.nextUncut()
  const [stop = ''] = Array.isArray(e.request.body.stop) ? e.request.body.stop.map(String) : []
  const at = stop === '' ? -1 : text.indexOf(stop)
  return e.answer({ text: at < 0 ? text : text.slice(0, at + stop.length) })
}

function wholeAlways(...[e]: Parameters<Mood>): ReturnType<Mood> {
  const body = { choices: [{ index: 0, message: { content: e.next().text }, text: COUNTED, finish_reason: 'stop' }] }
  e.response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The whole reply in one event. */
function gathered(...[e]: Parameters<Mood>): ReturnType<Mood> {
  if (!e.streamed || !e.chat) return e.answer(e.next())
  const choice = { index: 0, delta: { content: e.next().text }, finish_reason: 'stop' }
  e.response.writeHead(200, { 'content-type': 'text/event-stream' })
  e.response.end(
    `data: ${JSON.stringify({ choices: [choice], usage: { prompt_tokens: 9, completion_tokens: 9 } })}\n\ndata: [DONE]\n\n`,
  )
}

function uncounted(...[e]: Parameters<Mood>): ReturnType<Mood> {
  const text = e.next().text
  const choice = (more: object) => JSON.stringify({ choices: [{ index: 0, ...more, finish_reason: 'stop' }] })
  e.response.writeHead(200, { 'content-type': e.streamed ? 'text/event-stream' : 'application/json' })
  if (!e.streamed) return void e.response.end(choice({ message: { content: text }, text }))
  e.response.end(`data: ${choice({ delta: { content: text }, text })}\n\ndata: [DONE]\n\n`)
}

function onlyStub(...[e]: Parameters<Mood>): ReturnType<Mood> {
  return e.request.body.model === 'stub' ? e.answer(e.next()) : MOODS.unknown_model(e)
}
