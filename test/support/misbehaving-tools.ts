// Tools that do what no tool should. Each call marks what it gives: `own` is the one result it may give, `extra` what comes too late, too often or
// where nobody looks, and must never reach a model.
import { Readable } from 'node:stream'
import type { Tool, ToolContext } from '../../src/core/tool.js'
import { tool } from '../../src/tools/define.js'
import { ToolUnavailableError } from '../../src/tools/tool-unavailable-error.js'

export interface Marks {
  /** A text that stands for the result of this call. */
  readonly own: () => string
  /** A text that no prompt may ever hold. */
  readonly extra: () => string
}

export interface MisbehavingOptions extends Marks {
  /** Starts another run of the agent that is calling the tool. */
  readonly runAgain: () => unknown
}

type Run = (input: object, context: ToolContext) => unknown

/** Time for a call, in ms. */
export const TIME = 5
/** How long after its time a call may still give something, in ms. */
const LATE = 20

// what makes a value a thenable, good or bad
const THEN = 'then'

const later = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))
/** Some time after the call's own is up, whatever a busy machine makes of the order of its timers. */
const timeUp = async (signal: AbortSignal) => {
  while (!signal.aborted) await later(1)
  await later(LATE)
}
const never = new Promise(() => {})
const thrower = (value: unknown) => () => {
  throw value
}
const hugeText = 'x'.repeat(50_000_000)

/** What each tool does. The names are the facts. */
export function misbehaviours({ own, extra, runAgain }: MisbehavingOptions): Readonly<Record<string, Run>> {
  const fail = () => new Error(own())
  return {
    throwsError: () => thrower(fail())(),
    throwsString: () => thrower(own())(),
    throwsUndefined: thrower(undefined),
    throwsNull: thrower(null),
    throwsSymbol: thrower(Symbol('x')),
    throwsFunction: thrower(() => 1),
    throwsFrozenError: () => thrower(Object.freeze(fail()))(),
    throwsGetter: thrower({
      get message() {
        return thrower(1)()
      },
    }),
    throwsProxy: thrower(new Proxy({}, { get: thrower(1), has: thrower(1), ownKeys: thrower(1), getPrototypeOf: thrower(1) })),
    throwsHugeMessage: () => thrower(new Error(own() + 'x'.repeat(100_000)))(),
    throwsUnavailable: () => thrower(new ToolUnavailableError(own()))(),
    rejects: () => Promise.reject(fail()),
    rejectsUndefined: () => Promise.reject(),
    rejectsLater: () => later(1).then(thrower(fail())),
    rejectsTooLate: (_, { signal }) => timeUp(signal).then(thrower(new Error(extra()))),
    answersTooLate: (_, { signal }) => timeUp(signal).then(extra),
    floats: () => {
      Promise.reject(new Error(`floating ${extra()}`))
      return own()
    },
    floatsLater: () => {
      setTimeout(() => Promise.reject(new Error(`floating ${extra()}`)), LATE)
      return own()
    },
    neverAnswers: () => never,
    ignoresSignal: (_, { signal }) => {
      signal.addEventListener('abort', () => {})
      return never
    },
    rejectsOnAbort: (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error(extra())))),
    answersOnAbort: (_, { signal }) => new Promise(resolve => signal.addEventListener('abort', () => resolve(extra()))),
    throwsOnAbort: (_, { signal }) => {
      signal.addEventListener('abort', thrower(new Error(`floating ${extra()}`)))
      return never
    },
    settlesTwice: () => {
      const texts = [own(), extra(), extra()]
      return {
        [THEN]: (ok: (value: unknown) => void, no: (error: unknown) => void) => {
          ok(texts[0])
          ok(texts[1])
          no(new Error(texts[2]))
        },
      }
    },
    settlesTwiceLater: () =>
      new Promise((ok, no) => {
        ok(own())
        setTimeout(() => ok(extra()), 1)
        setTimeout(() => no(new Error(extra())), LATE)
      }),
    settlesThenThrows: () => ({
      [THEN]: (ok: (value: unknown) => void) => {
        ok(own())
        thrower(new Error(extra()))()
      },
    }),
    thenThrows: () => ({ [THEN]: thrower(fail()) }),
    thenGetterThrows: () => Object.defineProperty({}, THEN, { get: thrower(fail()) }),
    thenableOfThenable: () => ({
      [THEN]: (ok: (value: unknown) => void) => ok({ [THEN]: (_: unknown, no: (error: unknown) => void) => no(own()) }),
    }),
    hijackedPromise: () => Object.assign(Promise.resolve(extra()), { [THEN]: thrower(fail()), constructor: null }),
    givesBigint: () => ({ n: 1n, mark: own() }),
    givesCycle: () => {
      const cycle: Record<string, unknown> = { mark: own() }
      cycle.cycle = cycle
      return cycle
    },
    givesBadToJson: () => ({ mark: own(), toJSON: thrower(new Error(extra())) }),
    givesProxy: () =>
      new Proxy(
        {},
        { get: (_, key) => (key === THEN ? undefined : thrower(1)()), ownKeys: thrower(1), getPrototypeOf: thrower(1) },
      ),
    givesFunction: () => () => extra(),
    givesSymbol: () => Symbol(own()),
    givesBinary: () => `\0\u0001${own()}\0`.repeat(50),
    givesHalfSurrogates: () => `\ud800${own()}\udfff`,
    givesDateMapSet: () => ({ date: new Date(0), bad: new Date(Number.NaN), map: new Map([[own(), new Set([1])]]) }),
    givesBytes: () => [new Uint8Array(5), new Float64Array(3), new ArrayBuffer(2), Buffer.from('x')],
    givesResponse: () => new Response(extra()),
    givesDeepList: () => {
      let list: unknown = 1
      for (let depth = 0; depth < 20_000; depth++) list = [list]
      return list
    },
    givesDeepObject: () => {
      let object: unknown = own()
      for (let depth = 0; depth < 60; depth++) object = { a: object, b: depth }
      return object
    },
    givesManyFields: () => Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, at])),
    givesThrowingGetter: () =>
      Object.defineProperty({ mark: own() }, 'x', { enumerable: true, get: thrower(new Error(extra())) }),
    generatesWithoutEnd: function* () {
      yield own()
      for (;;) yield 'x'.repeat(10_000)
    },
    generatesThenThrows: async function* () {
      yield extra()
      throw fail()
    },
    generatesThenHangs: async function* () {
      yield extra()
      await never
    },
    generatesSlowly: async function* () {
      for (;;) {
        yield extra()
        await later(1)
      }
    },
    streamsThenFails: () =>
      Readable.from(
        (function* () {
          yield extra()
          throw fail()
        })(),
      ),
    mutatesInput: input => {
      Object.assign(input, { polluted: own() })
      return Object.defineProperty(input, 'x', { enumerable: true, get: thrower(new Error(extra())) })
    },
    runsAgain: async () => {
      await runAgain()
      return extra()
    },
    givesHugeText: () => own() + hugeText,
  }
}

/** Too slow for a mix: tried once. */
export const SLOW: ReadonlySet<string> = new Set(['givesHugeText'])

/** All of them as tools that take anything. */
export function misbehavingTools(options: MisbehavingOptions, more: Partial<Tool> = {}): readonly Tool[] {
  return Object.entries(misbehaviours(options)).map(([name, run]) =>
    tool({
      name,
      description: '',
      input: { type: 'object', properties: { n: { type: 'integer' } } },
      timeoutMs: TIME,
      ...more,
      run: (input, context) => run(input, context),
    }),
  )
}

/** Marks that are all different, and which of them a text holds. */
export class Markers implements Marks {
  #next = 0
  readonly own = () => `own#${this.#next++}#`
  readonly extra = () => `extra#${this.#next++}#`

  static in(text: string): string[] {
    return text.match(/(?:own|extra)#\d+#/g) ?? []
  }
}
