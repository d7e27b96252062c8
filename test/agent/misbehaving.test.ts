// Whole runs with random mixes of tools that do what no tool should, and of people who answer nonsense: every run ends, every call has exactly one
// observation, and nothing that came too late, twice or from an earlier run ever stands in a prompt.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Model } from '../../src/core/model.js'
import type { RunResult } from '../../src/core/step.js'
import type { Confirm } from '../../src/tools/approval.js'
import { Markers, misbehavingTools, SLOW } from '../support/misbehaving-tools.js'
import { runs, timeFor } from '../support/property-runs.js'

const strays: string[] = []
const note = (error: unknown) => void strays.push(String(error))
beforeAll(() => {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})
afterAll(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

/** What people say who are asked; the last two only where the run is aborted anyway. */
const PEOPLE: Readonly<Record<string, (markers: Markers) => unknown>> = {
  yes: () => true,
  laterYes: () => Promise.resolve(true),
  no: () => false,
  reason: markers => `not now ${markers.own()}`,
  throws: () => {
    throw new Error('x')
  },
  rejects: () => Promise.reject(new Error('x')),
  nonsense: () => Symbol('yes'),
  proxy: () =>
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('x')
        },
      },
    ),
  otherInput: () => ({ input: { n: 7 } }),
  badInput: markers => ({ input: { n: markers.extra() } }),
  answers: markers => ({ observation: markers.own() }),
  stops: () => ({ stop: 'enough' }),
  never: () => new Promise(() => {}),
}

const names = misbehavingTools({ own: () => '', extra: () => '', runAgain: () => undefined }).flatMap(({ name }) =>
  SLOW.has(name) ? [] : [name],
)
const call = fc.record({
  tool: fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: fc.constant('unknown') }),
  n: fc.oneof({ weight: 15, arbitrary: fc.constant('1') }, { weight: 1, arbitrary: fc.constant('"x"') }),
})
const plan = fc.record({
  replies: fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
  parallel: fc.boolean(),
  concurrency: fc.constantFrom(1, 2, 4),
  exclusive: fc.boolean(),
  asks: fc.integer({ min: 0, max: 2 }).map(n => n === 0),
  person: fc.constantFrom(...Object.keys(PEOPLE)),
  maxObserve: fc.constantFrom(300, 5000),
  abortAfter: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
  again: fc.boolean(),
})
type Plan = typeof plan extends fc.Arbitrary<infer P> ? P : never

interface Played {
  readonly result: RunResult
  readonly events: readonly AgentEvent[]
}

/** Runs a plan, perhaps twice with one agent; gives the runs, and the texts of all prompts. */
async function play(
  plan: Plan,
  markers: Markers,
): Promise<{ readonly played: readonly Played[]; readonly prompts: readonly string[] }> {
  const prompts: string[] = []
  let waiting: string[] = []
  const model: Model = {
    name: 'm',
    async *stream(prompt) {
      prompts.push(prompt.text)
      yield { kind: 'text', text: waiting.shift() ?? 'Final Answer: done' }
      yield { kind: 'end', finish: 'stop' }
    },
  }
  const needsAbort = plan.asks && plan.person === 'never'
  const tools = misbehavingTools(
    { own: markers.own, extra: markers.extra, runAgain: () => agent.run('again') },
    { exclusive: plan.exclusive, ...(plan.asks ? { confirm: true } : {}) },
  )
  const agent = new ToolCallAgent({
    model,
    tools,
    examples: [],
    parallel: plan.parallel,
    concurrency: plan.concurrency,
    confirm: (() => PEOPLE[plan.person]?.(markers)) as Confirm,
    maxObserve: plan.maxObserve,
  })
  const played: Played[] = []
  for (const _ of plan.again ? [1, 2] : [1]) {
    waiting = plan.replies.map(calls => calls.map(({ tool, n }) => `Action: ${tool}\nAction Input: {"n": ${n}}`).join('\n'))
    const abort = new AbortController()
    const abortAfter = plan.abortAfter ?? (needsAbort ? 5 : undefined)
    const timer = abortAfter === undefined ? undefined : setTimeout(() => abort.abort(), abortAfter)
    const events: AgentEvent[] = []
    const result = await agent.run('x', { onEvent: event => events.push(event), signal: abort.signal })
    clearTimeout(timer)
    played.push({ result, events })
  }
  return { played, prompts }
}

/** Each started call ends once; each other call is told of once. */
function miscounted(events: readonly AgentEvent[]): string[] {
  const started: string[] = []
  const told: string[] = []
  for (const event of events) {
    if (event.type === 'call_start') started.push(`${event.step}.${event.attempt}.${event.call.id}`)
    if (event.type === 'call_end') told.push(`${event.step}.${event.attempt}.${event.call.id}`)
  }
  const odd = told.filter((id, at) => told.indexOf(id) !== at)
  return [...odd, ...started.filter(id => !told.includes(id)), ...told.filter(id => !started.includes(id))]
}

test(
  'any mix ends, with one observation for each call, and nothing late or doubled in a prompt',
  async () => {
    const count = { runs: 0, calls: 0, begun: 0, marks: 0 }
    await fc.assert(
      fc.asyncProperty(plan, async given => {
        const markers = new Markers()
        const { played, prompts } = await play(given, markers)
        for (const { result, events } of played) {
          count.runs++
          count.begun += events.filter(({ type }) => type === 'call_start').length
          expect(['final_answer', 'aborted', 'denied', 'stuck', 'unclear', 'best_effort']).toContain(result.stop)
          expect(miscounted(events)).toEqual([])
          for (const { parsed, observations } of result.steps) {
            if (parsed.decision.kind !== 'act') continue
            count.calls += observations.length
            expect(observations.map(({ tool }) => tool)).toEqual(parsed.decision.calls.map(({ tool }) => tool))
          }
          const inEvents = events.flatMap(event => ('observation' in event ? [event.observation] : []))
          const inSteps = result.steps.flatMap(({ observations }) => observations)
          expect(new Set(inEvents)).toEqual(new Set(inSteps))
        }
        // a mark is given to one observation of one run, and no prompt holds any other
        const allowed = played.flatMap(({ result }) =>
          result.steps.flatMap(({ observations }) => observations.map(({ text }) => new Set(Markers.in(text)))),
        )
        const seen = allowed.flatMap(marks => [...marks])
        count.marks += seen.length
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen.filter(mark => mark.startsWith('extra'))).toEqual([])
        expect(prompts.flatMap(Markers.in).filter(mark => !seen.includes(mark))).toEqual([])
      }),
      { ...runs(200, 45), endOnFailure: true },
    )
    // how much was tried, for whoever asked for more than usual
    if (process.env.PROPERTY_RUNS !== undefined) console.log(count)
    expect(count.begun).toBeGreaterThan(500)
    expect(count.marks).toBeGreaterThan(200)
  },
  timeFor(120_000),
)

test('nothing was left unhandled but what a tool let float by itself', async () => {
  await new Promise(resolve => setTimeout(resolve, 80))
  expect(strays.filter(stray => !stray.startsWith('Error: floating extra#'))).toEqual([])
  expect(strays.length).toBeGreaterThan(0)
})
