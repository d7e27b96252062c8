import { Readable } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import type { Tool, ToolContext } from '../../src/core/tool.js'
import type { BatchOptions } from '../../src/tools/batch.js'
import { tool } from '../../src/tools/define.js'
import { CallLimits } from '../../src/tools/limits.js'
import { OutOfTimeError } from '../../src/tools/out-of-time-error.js'
import { ToolRegistry } from '../../src/tools/registry.js'
import { ToolUnavailableError } from '../../src/tools/tool-unavailable-error.js'
import { callOne as call, callNamed } from './call-one.js'

// what makes a value a thenable, good or bad
const THEN = 'then'

const returning = (value: unknown) => tool({ name: 't', description: '', run: () => value })
const doing = (run: (input: never, context: ToolContext) => unknown, more: Partial<Tool> = {}) =>
  tool({ name: 't', description: '', ...more, run: (input, context) => run(input as never, context) })

describe('a call, when all is well', () => {
  it('gives the text, and the data of plain JSON', async () => {
    expect(await call(returning({ a: 1 }))).toEqual({ tool: 't', text: '{"a":1}', data: { a: 1 }, truncated: 0, ms: 0 })
    expect(await call(returning(Promise.resolve('later')))).toEqual({ tool: 't', text: 'later', truncated: 0, ms: 0 })
  })

  it.each([undefined, null, ''])('tells that %j is no output', async value => {
    expect((await call(returning(value))).text).toBe('no_output {}')
  })

  it('hands over the input, the call id and a signal', async () => {
    const seen = await call(
      doing((input, { callId, signal }) => ({ input, callId, aborted: signal.aborted })),
      {},
      { step: 3 },
    )
    expect(seen.data).toEqual({ input: {}, callId: '3.1', aborted: false })
  })

  it('hands over what the schema of the tool made of the input', async () => {
    const made = tool({ name: 't', description: '', input: z.object({ n: z.string().transform(Number) }), run: ({ n }) => n + 1 })
    expect((await call(made, { n: '41' })).data).toBe(42)
  })

  it('measures the time with the given clock', async () => {
    let ms = 0
    expect((await call(returning('x'), {}, { now: () => (ms += 40) })).ms).toBe(40)
  })

  it('cuts a long text and counts what is missing', async () => {
    expect(await call(returning('0123456789'), {}, { maxObserve: 5 })).toMatchObject({
      text: '012\ntruncated {"omitted":5,"total":10}\n89',
      truncated: 5,
    })
  })

  it('refuses a nonsensical limit before anything runs', async () => {
    const run = vi.fn()
    await expect(call(doing(run), {}, { maxObserve: true as never })).rejects.toMatchObject({ code: 'CONFIG' })
    expect(run).not.toHaveBeenCalled()
  })

  it.each<[string, unknown, string]>([
    [
      'a generator',
      (function* () {
        yield 'a'
        yield 'b'
      })(),
      'ab',
    ],
    [
      'an async generator',
      (async function* () {
        yield 'a'
        yield { n: 1 }
      })(),
      'a{"n":1}\n',
    ],
    ['a stream of bytes that splits a character', Readable.from([Buffer.from([0xe6, 0xbc]), Buffer.from([0xa2])]), '漢'],
    ['a web stream', new Blob(['hello']).stream(), 'hello'],
  ])('reads %s to its end', async (_, value, text) => {
    expect((await call(returning(value))).text).toBe(text)
  })

  it.each<[string, () => unknown]>([
    [
      'endless text',
      async function* () {
        for (;;) yield 'y'.repeat(1000)
      },
    ],
    [
      'endless nothing',
      function* () {
        for (;;) yield ''
      },
    ],
  ])('closes a source of %s', async (_, source) => {
    expect((await call(doing(source))).text).toMatch(/\[the output went on\]$/)
  })
})

describe('a call, when the model is wrong', () => {
  it('names near tools for an unknown one', async () => {
    const registry = new ToolRegistry([returning(1), tool({ name: 'search', description: '', run: () => 1 })])
    const observation = await callNamed('serach', {}, { registry })
    expect(observation).toMatchObject({ tool: 'serach', failure: { code: 'unknown_tool' } })
    expect(observation.text).toBe('unknown_tool {"tool":"serach","near":["search"],"tools":["t","search"]}')
  })

  it.each(['constructor', '__proto__', 'toString'])('%s is an unknown tool', async name => {
    const observation = await callNamed(name, {}, { registry: new ToolRegistry() })
    expect(observation.failure?.code).toBe('unknown_tool')
  })

  it('lists each wrong field and one right input', async () => {
    const run = vi.fn()
    const input = { type: 'object', properties: { city: { type: 'string' }, n: { type: 'integer' } }, required: ['city', 'n'] }
    const observation = await call(tool({ name: 't', description: '', input, run }), { n: 'x' })
    expect(observation.failure).toEqual({
      code: 'invalid_input',
      message:
        'The input of t is not valid: /city: issue_required {"type":"string"}; /n: issue_type {"type":"integer","got":"\\"x\\""}',
    })
    expect(observation.text).toBe(
      `invalid_input ${JSON.stringify({
        tool: 't',
        issues: [
          { path: '/city', message: 'issue_required {"type":"string"}' },
          { path: '/n', message: 'issue_type {"type":"integer","got":"\\"x\\""}' },
        ],
        example: '{"city":"<city>","n":1}',
      })}`,
    )
    expect(run).not.toHaveBeenCalled()
  })
})

describe('a call, when the tool is wrong', () => {
  it.each<[string, () => unknown, string]>([
    [
      'throws',
      () => {
        throw new Error('401 from upstream')
      },
      '401 from upstream',
    ],
    [
      'rejects',
      async () => {
        throw new Error('late')
      },
      'late',
    ],
    [
      'throws undefined',
      () => {
        throw undefined
      },
      'it threw undefined',
    ],
    [
      'throws a symbol',
      () => {
        throw Symbol('x')
      },
      'it threw Symbol(x)',
    ],
    [
      'gives a thenable that throws',
      () => ({
        [THEN]() {
          throw new Error('then')
        },
      }),
      'then',
    ],
    [
      'gives a thenable whose then cannot be read',
      () =>
        Object.defineProperty({}, THEN, {
          get() {
            throw new Error('get')
          },
        }),
      'get',
    ],
    [
      'yields and then throws',
      async function* () {
        yield 'a'
        throw new Error('mid')
      },
      'mid',
    ],
    ['divides by zero with BigInt', () => 1n / 0n, 'Division by zero'],
  ])('tells a tool that %s', async (_, run, message) => {
    const observation = await call(doing(run))
    expect(observation).toMatchObject({
      text: `tool_threw ${JSON.stringify({ tool: 't', message })}`,
      failure: { code: 'threw' },
    })
  })

  it('takes the first of several settlements', async () => {
    const twice = {
      [THEN]: (resolve: (v: unknown) => void, reject: (e: unknown) => void) => {
        resolve('first')
        reject(new Error('x'))
        resolve('second')
      },
    }
    expect((await call(returning(twice))).text).toBe('first')
  })

  it('ends a tool that never does, and aborts its signal with a TimeoutError', async () => {
    let reason: unknown
    const observation = await call(
      doing(
        (_, { signal }) =>
          new Promise(() =>
            signal.addEventListener('abort', () => {
              reason = signal.reason
            }),
          ),
      ),
      {},
      { timeoutMs: 10 },
    )
    expect(observation).toMatchObject({ text: 'tool_timeout {"tool":"t","seconds":0.01}', failure: { code: 'timeout' } })
    expect(reason).toMatchObject({ name: 'TimeoutError' })
  })

  it('lets the tool set its own time', async () => {
    const slow = doing(() => new Promise(resolve => setTimeout(resolve, 30, 'done')), { timeoutMs: 10_000 })
    expect((await call(slow, {}, { timeoutMs: 1 })).text).toBe('done')
    expect(
      (
        await call(
          doing(() => new Promise(() => {}), { timeoutMs: 5 }),
          {},
          { timeoutMs: 10_000 },
        )
      ).failure?.code,
    ).toBe('timeout')
  })

  it.each([Number.POSITIVE_INFINITY, 2 ** 40])('a time of %d ms is not up at once', async timeoutMs => {
    expect((await call(doing(() => new Promise(resolve => setTimeout(resolve, 5, 'ok')), { timeoutMs }))).text).toBe('ok')
  })

  it('drops late results and late rejections', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    const late = doing(() => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 20)), { timeoutMs: 5 })
    expect((await call(late)).failure?.code).toBe('timeout')
    await new Promise(resolve => setTimeout(resolve, 40))
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('ends a check that never does', async () => {
    const made: Tool = { ...returning(1), check: () => new Promise(() => {}), timeoutMs: 5 }
    expect((await call(made)).failure?.code).toBe('timeout')
  })

  it.each<[string, Tool['check']]>([
    [
      'throws',
      () => {
        throw new Error('check')
      },
    ],
    ['answers nonsense', () => undefined as never],
  ])('survives a check that %s', async (_, check) => {
    expect((await call({ ...returning(1), check } as Tool)).failure?.code).toBe('threw')
  })

  it('says of a tool whose own time was up what was there until then, no longer than wanted', async () => {
    const late = doing(() => {
      throw new OutOfTimeError('it took longer than 2 s', 'half of it')
    })
    const failure = { code: 'timeout', message: 't failed: it took longer than 2 s' }
    expect(await call(late)).toMatchObject({ text: 'half of it', truncated: 0, failure })
    expect(await call(late, {}, { maxObserve: 4 })).toMatchObject({
      text: expect.stringMatching(/^hal\n.*\nt$/),
      truncated: 6,
      failure,
    })
  })

  it('says that a tool with a broken schema or a lost world is unavailable', async () => {
    const broken: Tool = { ...returning(1), parameters: { type: 'object', properties: { p: { $ref: '#/nowhere' } } } }
    expect((await call(broken)).failure?.code).toBe('unavailable')
    const gone = await call(
      doing(() => {
        throw new ToolUnavailableError('the server is gone')
      }),
    )
    expect(gone).toMatchObject({
      text: 'tool_unavailable {"tool":"t","message":"the server is gone"}',
      failure: { code: 'unavailable' },
    })
  })

  it('says that a tool which gave up by itself ran out of time', async () => {
    const given = await call(doing(() => Promise.reject(new DOMException('nobody came', 'TimeoutError'))))
    expect(given.failure).toEqual({ code: 'timeout', message: 't failed: nobody came' })
  })

  it('still gives an observation when a wording cannot be rendered', async () => {
    const mute = () => {
      throw new Error('template')
    }
    expect(await call(returning(''), {}, { say: mute })).toMatchObject({ text: '(no output)' })
    expect(
      await call(
        doing(() => {
          throw new Error('x')
        }),
        {},
        { say: mute },
      ),
    ).toMatchObject({ text: 't failed: x', failure: { code: 'threw' } })
  })
})

describe('a call, when the run is aborted', () => {
  it('does not begin after the abort', async () => {
    const run = vi.fn()
    expect((await call(doing(run), {}, { signal: AbortSignal.abort() })).failure?.code).toBe('aborted')
    expect(run).not.toHaveBeenCalled()
  })

  it('ends at once and hands the reason on', async () => {
    const controller = new AbortController()
    let reason: unknown
    const waiting = call(
      doing((_, { signal }) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
        })
        queueMicrotask(() => controller.abort('enough'))
        return new Promise(() => {})
      }),
      {},
      { signal: controller.signal },
    )
    expect(await waiting).toMatchObject({ text: 'tool_aborted {"tool":"t"}', failure: { code: 'aborted' } })
    expect(reason).toBe('enough')
  })
})

describe('a call that wants a confirmation', () => {
  const guarded = (confirm: Tool['confirm'], run: () => unknown = () => 'done') =>
    doing(run, confirm === undefined ? {} : { confirm })

  it.each<[string, Tool['confirm'], BatchOptions['confirm'], boolean]>([
    ['nobody to ask', true, undefined, false],
    ['yes', true, () => true, true],
    ['a later yes', true, async () => true, true],
    ['no', true, () => false, false],
    ['a word instead of yes', true, () => 'yes', false],
    ['a number instead of yes', true, () => 1 as never, false],
    [
      'an answer that throws',
      true,
      () => {
        throw new Error('x')
      },
      false,
    ],
    [
      'an answer that rejects',
      true,
      async () => {
        throw new Error('x')
      },
      false,
    ],
    ['a condition that says no need', () => false, undefined, true],
    ['a condition that says so, and no', () => true, () => false, false],
    [
      'a condition that throws, and nobody',
      () => {
        throw new Error('x')
      },
      undefined,
      false,
    ],
    ['a condition that gives no boolean, and nobody', () => undefined as never, undefined, false],
    ['no condition at all', undefined, () => false, true],
  ])('%s', async (_, wanted, confirm, runs) => {
    const run = vi.fn(() => 'done')
    const observation = await call(guarded(wanted, run), {}, { confirm })
    expect(run).toHaveBeenCalledTimes(runs ? 1 : 0)
    expect(observation.failure?.code).toBe(runs ? undefined : 'denied')
  })

  it('tells people, not the model, that nobody could be asked', async () => {
    expect(await call(guarded(true))).toMatchObject({
      text: 'tool_denied {"tool":"t"}',
      failure: { code: 'denied', message: 't was not allowed: it must be confirmed, and nobody can be asked.' },
    })
  })

  it('tells the model a reason that is given', async () => {
    expect((await call(guarded(true), {}, { confirm: () => 'not on a Sunday' })).text).toBe(
      'tool_denied {"tool":"t","reason":"not on a Sunday"}',
    )
  })

  it('shows the input that will run, and a change to it changes nothing', async () => {
    const input = {
      type: 'object',
      properties: { path: { type: 'string' }, force: { type: 'boolean', default: false } },
      required: ['path'],
    }
    const made = tool({ name: 't', description: '', input, confirm: true, run: given => given })
    let shown: unknown
    const observation = await call(
      made,
      { path: '/tmp/a' },
      {
        confirm: (_, asked) => {
          shown = structuredClone(asked)
          Object.assign(asked, { path: '/etc/passwd' })
          return true
        },
      },
    )
    expect(shown).toEqual({ path: '/tmp/a', force: false })
    expect(observation.data).toEqual({ path: '/tmp/a', force: false })
  })

  it('an abort ends the question, the time limit does not', async () => {
    const controller = new AbortController()
    const never = () => new Promise<boolean>(() => controller.abort())
    expect((await call(guarded(true), {}, { confirm: never, signal: controller.signal })).failure?.code).toBe('aborted')
    const slow = () => new Promise<boolean>(resolve => setTimeout(resolve, 30, true))
    expect((await call(guarded(true), {}, { confirm: slow, timeoutMs: 5 })).text).toBe('done')
  })
})

describe('a call that is counted', () => {
  it('says when a limit frees, and runs nothing', async () => {
    const run = vi.fn(() => 'x')
    const made = doing(run, { maxCallsPerMinute: 1 })
    const limits = new CallLimits(() => 0)
    await call(made, {}, { limits })
    expect(await call(made, {}, { limits })).toMatchObject({
      text: 'tool_limited {"tool":"t","limit":1,"per":"minute","seconds":60}',
      failure: { code: 'limited', message: 't may be called once per minute, free again in 60 s.' },
    })
    expect(run).toHaveBeenCalledTimes(1)
  })

  it('an invalid or denied call is not counted', async () => {
    const limits = new CallLimits()
    const input = { type: 'object', properties: { n: { type: 'integer' } } }
    const made = tool({ name: 't', description: '', input, confirm: true, maxCallsPerRun: 1, run: () => 'ok' })
    await call(made, { n: 'x' }, { limits })
    await call(made, {}, { limits, confirm: () => false })
    expect((await call(made, {}, { limits, confirm: () => true })).text).toBe('ok')
    expect((await call(made, {}, { limits, confirm: () => true })).failure?.code).toBe('limited')
  })

  it('never answers from an earlier call', async () => {
    let price = 0
    const made = doing(() => ++price)
    expect([(await call(made)).data, (await call(made)).data]).toEqual([1, 2])
  })
})
