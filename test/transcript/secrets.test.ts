import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/event.js'
import type { JsonValue } from '../../src/core/json.js'
import { parseReply } from '../../src/dialect/read.js'
import { openJournal } from '../../src/transcript/journal.js'
import { createMask, joinedSecrets, secretsIn } from '../../src/transcript/secrets.js'
import { memoryDisk } from '../support/memory-disk.js'
import { playRun, RUN_SCRIPTS } from '../support/recorded-runs.js'

/** With all that encodings treat in different ways: quotes, slashes, plus, percent, blanks, letters beyond ASCII. */
const CANARY = 'c4n"ary/+\\ %=é~value'

const VARIANTS: Readonly<Record<string, (value: string) => string>> = {
  plain: value => value,
  'as JSON': value => JSON.stringify(value).slice(1, -1),
  'as a URL': value => encodeURIComponent(value),
  'as base64': value => Buffer.from(value).toString('base64'),
  'as base64url': value => Buffer.from(value).toString('base64url'),
  'as hex': value => Buffer.from(value).toString('hex'),
  'as JSON in JSON': value => JSON.stringify(JSON.stringify(value).slice(1, -1)).slice(1, -1),
  'as JSON with escaped slashes': value => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/'),
  'as a URL in small letters': value => encodeURIComponent(value).replace(/%../g, code => code.toLowerCase()),
  'as a form': value => encodeURIComponent(value).replaceAll('%20', '+'),
  'as base64 behind one byte': value => Buffer.from(`u${value}`).toString('base64'),
  'as base64 behind two bytes': value => Buffer.from(`u:${value}:`).toString('base64'),
  'as base64url behind five bytes': value => Buffer.from(`user:${value}`).toString('base64url'),
  'as hex in capitals': value => Buffer.from(value).toString('hex').toUpperCase(),
}

/** Whatever of the canary a reader of the file could use: each encoding of its middle, in a JSON text. */
function traces(text: string): string[] {
  const middle = CANARY.slice(3, -3)
  return Object.entries(VARIANTS).flatMap(([name, encode]) => {
    const spelt = name.includes('base64')
      ? ['', 'a', 'ab'].map(before => encode(before + middle).slice(8, -8))
      : [encode(middle), JSON.stringify(encode(middle)).slice(1, -1)]
    return spelt.some(each => text.includes(each)) ? [name] : []
  })
}

/** The value with the text put into every string of it, one at a time; keys of inputs and data included. */
function* planted(value: JsonValue, text: string): Generator<JsonValue> {
  if (typeof value === 'string') yield `${value} ${text}.`
  if (Array.isArray(value))
    for (const [at, item] of value.entries()) for (const each of planted(item, text)) yield value.with(at, each) as JsonValue
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value as object)) {
      if (key === 'type') continue
      for (const each of planted(item, text)) yield { ...(value as object), [key]: each } as JsonValue
      yield { ...(value as object), [`${key} ${text}`]: item } as JsonValue
    }
}

function onDisk(events: readonly AgentEvent[]): string {
  const disk = memoryDisk()
  const journal = openJournal('/runs/one.jsonl', { secrets: { THE_CANARY: CANARY }, env: {}, disk })
  for (const event of events) journal.onEvent(event)
  journal.close()
  return disk.read('/runs/one.jsonl').toString()
}

describe('a known secret never reaches the disk', () => {
  test('the canary is found by this test where nothing is masked', () => {
    for (const [name, encode] of Object.entries(VARIANTS))
      expect(traces(JSON.stringify({ text: encode(CANARY) }))).toContain(name)
  })

  test.each(Object.entries(VARIANTS))('%s, in any field of any event', async (_, encode) => {
    const events: AgentEvent[] = []
    for (const name of ['odd replies', 'reasoning and counts', 'an endpoint that fails', 'a tool that throws']) {
      const { events: played } = await playRun(RUN_SCRIPTS[name] ?? { replies: [] })
      const seen = new Set<string>()
      for (const event of played.filter(({ type }) => type !== 'delta')) {
        if (seen.has(event.type)) continue
        seen.add(event.type)
        events.push(...([...planted(event as unknown as JsonValue, encode(CANARY))] as unknown as AgentEvent[]))
      }
    }
    expect(events.length).toBeGreaterThan(150)
    const text = onDisk(events)
    expect(traces(text)).toEqual([])
    expect(text.split('[secret THE_CANARY]').length).toBeGreaterThan(events.length)
  })

  test('not even where its pieces came in different chunks', async () => {
    const { events } = await playRun({ replies: [`Thought: ${CANARY}\nFinal Answer: ${CANARY}`] })
    expect(traces(onDisk(events))).toEqual([])
  })
})

describe('what is masked', () => {
  test('names of variables that tell, whatever their case', () => {
    const env = {
      OPENAI_API_KEY: 'a',
      gh_token: 'b',
      DB_PASSWORD: 'c',
      X_SECRET: 'd',
      HOME: 'e',
      KEYBOARD: 'f',
      TOKEN: 'g',
      A_KEY: undefined,
    }
    expect(Object.keys(secretsIn(env))).toEqual(['OPENAI_API_KEY', 'gh_token', 'DB_PASSWORD', 'X_SECRET', 'TOKEN'])
  })

  const said = (text: string, secrets = {}): string => {
    const masked = createMask(secrets)({ type: 'nudge', step: 1, attempt: 1, text })
    return masked.type === 'nudge' ? masked.text : ''
  }

  test.each([
    ['sk-proj-Ab12_cd34-ef56gh78', 'API_KEY'],
    ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'GITHUB_TOKEN'],
    ['github_pat_11ABCDEFG0123456789_abcdef', 'GITHUB_TOKEN'],
    ['glpat-abcDEF0123456789xyz', 'GITLAB_TOKEN'],
    ['AKIAIOSFODNN7EXAMPLE', 'AWS_KEY_ID'],
    ['xoxb-123456789012-abcdefABCDEF', 'SLACK_TOKEN'],
    ['AIzaSyA1234567890abcdefghijklmnopqrstuv', 'GOOGLE_KEY'],
    ['hf_abcdefghij0123456789ABCDEFGH', 'HUGGING_FACE_TOKEN'],
    ['npm_abcdefghij0123456789ABCDEFGH0123', 'NPM_TOKEN'],
    ['sk_live_abcdefghij0123456789', 'STRIPE_KEY'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r', 'JWT'],
  ])('%s, wherever it stands', (key, name) => {
    const mask = `[secret ${name}]`
    expect(said(key)).toBe(mask)
    expect(said(`key="${key}", again ${key}`)).toBe(`key="${mask}", again ${mask}`)
    expect(said(`a\\n${key}\\n`)).not.toContain(key.slice(4))
  })

  test.each([
    ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer [secret CREDENTIALS]'],
    ['authorization: basic dXNlcjpwYXNzd29yZDE=', 'authorization: basic [secret CREDENTIALS]'],
    ['postgres://user:hunter2@db.example/x', 'postgres://user:[secret PASSWORD]@db.example/x'],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN RSA PRIVATE KEY-----[secret PRIVATE_KEY]-----END RSA PRIVATE KEY-----',
    ],
  ])('%j', (text, masked) => {
    expect(said(text)).toBe(masked)
  })

  test.each([
    'sk-learn-contributed-packages',
    'task-1234567890abcdefghij',
    'the bearer of bad news, and basic understanding-of-everything',
    'http://localhost:8080/v1/models@latest',
    'https://example.com/user@host',
    '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
    'eyJ is how they begin',
    '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----',
  ])('not %j', text => {
    expect(said(text)).toBe(text)
  })

  test('no value of fewer than 8 characters', () => {
    expect(said('none of these', { API_KEY: 'none' })).toBe('none of these')
    expect(said('12345678', { API_KEY: '12345678' })).toBe('[secret API_KEY]')
  })

  test('also where a reading made a number of it', () => {
    const event: AgentEvent = {
      type: 'call_start',
      step: 1,
      attempt: 1,
      call: { id: '1', tool: 'pay', input: { pin: 1234567890, sum: 12 } },
    }
    expect(createMask({ PIN: '1234567890' })(event)).toMatchObject({ call: { input: { pin: '[secret PIN]', sum: 12 } } })
  })

  test('whichever of several values of a name it is', () => {
    expect(said('of-old-times of-today', joinedSecrets({ A: 'of-old-times' }, { A: 'of-today' }))).toBe('[secret A] [secret A]')
  })

  test('once, where two secrets overlap', () => {
    expect(said('x-first-second-x', { A: 'first-second', B: 'second-x' })).toBe('x-[secret A]')
  })
})

describe('places in a masked reply', () => {
  test('point to the same text as before', () => {
    const secret = 'hunter2-hunter2'
    const text = `Thought: it is ${secret}, I think\naction: pay\naction input: {pin: '${secret}', to: 'Ann'}`
    const parsed = parseReply(text)
    const at = { step: 1, attempt: 1 }
    const mask = createMask({ PIN: secret })
    const cuts = [9, text.indexOf('hunter2-') + 3, text.indexOf(', I think')]
    const reply = mask({ type: 'reply_end', reply: { text, finish: 'stop' }, cuts, ms: 1, ...at })
    const read = mask({ type: 'parsed', parsed, ...at })
    if (reply.type !== 'reply_end' || read.type !== 'parsed') throw new Error('kinds of events stay')
    const masked = reply.reply.text
    expect(masked).not.toContain('hunter2')
    const without = (part: string) => part.replaceAll(secret, '[secret PIN]')
    for (const [at, { span }] of read.parsed.problems.entries())
      expect(masked.slice(...span)).toBe(without(text.slice(...(parsed.problems[at]?.span ?? [0, 0]))))
    expect(masked.slice(...read.parsed.kept)).toBe(without(text.slice(...parsed.kept)))
    expect(reply.cuts).toEqual([9, masked.indexOf(', I think'), masked.indexOf(', I think')])
  })
})
