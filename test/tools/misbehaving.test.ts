// Thirty tools that do what no tool should, in random mixes: each call still gets exactly one observation, and the process stays quiet.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ToolContext } from '../../src/core/tool.js'
import { callTools } from '../../src/tools/batch.js'
import { tool } from '../../src/tools/define.js'
import { ToolRegistry } from '../../src/tools/registry.js'
import { say } from './say.js'

// what makes a value a thenable, good or bad
const THEN = 'then'

const later = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
const never = new Promise(() => {})
const thrower = (value: unknown) => () => {
  throw value
}

const misbehaviours: Record<string, (input: never, context: ToolContext) => unknown> = {
  throwsError: thrower(new Error('x')),
  throwsUndefined: thrower(undefined),
  throwsNull: thrower(null),
  throwsSymbol: thrower(Symbol('x')),
  throwsFunction: thrower(() => 1),
  throwsGetter: thrower({
    get message() {
      return thrower(1)()
    },
  }),
  throwsFrozenProxy: thrower(
    new Proxy({}, { get: thrower(1), has: thrower(1), ownKeys: thrower(1), getPrototypeOf: thrower(1) }),
  ),
  throwsHugeMessage: thrower(new Error('x'.repeat(100_000))),
  rejects: () => Promise.reject(new Error('x')),
  rejectsUndefined: () => Promise.reject(),
  rejectsLater: () => later(1).then(thrower(new Error('x'))),
  rejectsAfterTimeout: () => later(8).then(thrower(new Error('late'))),
  resolvesAfterTimeout: () => later(8).then(() => 'late'),
  neverResolves: () => never,
  ignoresSignal: (_, { signal }) => {
    signal.addEventListener('abort', () => {})
    return never
  },
  rejectsOnAbort: (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  thenThrows: () => ({ [THEN]: thrower(new Error('x')) }),
  thenGetterThrows: () => Object.defineProperty({}, THEN, { get: thrower(new Error('x')) }),
  settlesTwice: () => ({
    [THEN]: (ok: (v: unknown) => void, no: (e: unknown) => void) => {
      ok(1)
      ok(2)
      no(3)
    },
  }),
  settlesThenThrows: () => ({
    [THEN]: (ok: (v: unknown) => void) => {
      ok(1)
      thrower(2)()
    },
  }),
  thenableOfThenable: () => ({
    [THEN]: (ok: (v: unknown) => void) => ok({ [THEN]: (_: unknown, no: (e: unknown) => void) => no('inner') }),
  }),
  hijackedPromise: () => Object.assign(Promise.resolve(1), { [THEN]: thrower(new Error('x')), constructor: null }),
  bigint: () => ({ n: 1n }),
  cycle: () => {
    const o: Record<string, unknown> = {}
    o.o = o
    return o
  },
  badToJson: () => ({ toJSON: thrower(new Error('x')) }),
  badProxy: () =>
    new Proxy(
      {},
      { get: (_, key) => (key === 'then' ? undefined : thrower(1)()), ownKeys: thrower(1), getPrototypeOf: thrower(1) },
    ),
  hugeString: () => 'x'.repeat(2_000_000),
  deepList: () => {
    let v: unknown = 1
    for (let i = 0; i < 20_000; i++) v = [v]
    return v
  },
  endlessGenerator: function* () {
    for (;;) yield 'x'.repeat(10_000)
  },
  throwingGenerator: async function* () {
    yield 'a'
    throw new Error('x')
  },
  stuckGenerator: async function* () {
    yield 'a'
    await never
  },
  mutatesInput: input => Object.assign(input, { polluted: true, __proto__: { a: 1 } }),
}

const registry = new ToolRegistry(
  Object.entries(misbehaviours).map(([name, run]) =>
    tool({ name, description: '', timeoutMs: 4, run: (input, context) => run(input as never, context) }),
  ),
)
const strays: unknown[] = []
const note = (error: unknown) => void strays.push(error)
beforeAll(() => {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})
afterAll(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

it('knows at least thirty', () => {
  expect(registry.size).toBeGreaterThanOrEqual(30)
})

it.each(Object.keys(misbehaviours))('%s gives one observation', async name => {
  const { observations } = await callTools([{ id: '1', tool: name, input: {} }], {
    registry,
    say,
    step: 1,
    maxObserve: 2000,
  })
  const [observation, ...rest] = observations
  expect(rest).toEqual([])
  expect(observation?.tool).toBe(name)
  expect(observation?.text).not.toBe('')
  expect(observation?.text.length).toBeLessThan(2200)
  expect(JSON.parse(JSON.stringify(observation))).toEqual(observation)
})

it('any mix, in any mode, aborted at any time, gives one observation for each call', async () => {
  const name = fc.constantFrom(...Object.keys(misbehaviours), 'unknown')
  await fc.assert(
    fc.asyncProperty(
      fc.array(name, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      fc.option(fc.integer({ min: 0, max: 10 }), { nil: undefined }),
      async (names, parallel, abortAfter) => {
        const controller = new AbortController()
        const timer = abortAfter === undefined ? undefined : setTimeout(() => controller.abort(), abortAfter)
        const told: string[] = []
        const { observations } = await callTools(
          names.map((tool, i) => ({ id: String(i + 1), tool, input: {} })),
          {
            registry,
            say,
            step: 1,
            parallel,
            signal: controller.signal,
            maxObserve: 2000,
            onEnd: ({ id }) => void told.push(id),
            onRefused: ({ id }) => void told.push(id),
          },
        )
        clearTimeout(timer)
        expect(observations.map(o => o.tool)).toEqual(names)
        expect(new Set(told).size).toBe(names.length)
        expect(told).toHaveLength(names.length)
      },
    ),
    { seed: 42, numRuns: 60 },
  )
})

it('leaves nothing unhandled behind, late rejections included', async () => {
  await later(40)
  expect(strays).toEqual([])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
