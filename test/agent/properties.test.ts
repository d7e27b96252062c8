import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import { SaydoError } from '../../src/core/errors.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Model } from '../../src/core/model.js'
import type { RunResult } from '../../src/core/step.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { answer, call, searchTool } from '../support/agents.js'
import { unpaired } from '../support/paired-events.js'
import { runs } from '../support/property-runs.js'

type Reply = Parameters<typeof scriptedModel>[0][number]

const failing = (code: 'MODEL_BROKEN_STREAM' | 'MODEL_CONTEXT' | 'MODEL_UNREACHABLE'): Reply => ({
  text: 'Thought: so',
  error: new SaydoError(code, 'it failed'),
})

/** Replies of every kind; the same one may come again and again. */
const REPLIES: readonly Reply[] = [
  call('a'),
  call('b'),
  call('slow'),
  call('break'),
  `${call('a')}\n${call('c').replace('Thought: I look.\n', '')}`,
  `${call('a')}\nObservation: 7\nFinal Answer: 7`,
  call('a', 'serch'),
  'Action: search\nAction Input: {"q": ',
  'Action: search\nAction Input: {"x": 1}',
  'Thought: I wonder.',
  '```',
  '',
  { text: '', reasoning: 'Let me think about that.', finish: 'length' },
  { text: '<think>Observation shows', finish: 'stop' },
  { text: 'Final Answer: it is', finish: 'length' },
  { text: "Let's run. Let's execute. ".repeat(400), finish: 'length' },
  answer('It is blue.'),
  answer('{"colour": "blue"}'),
  'It is blue.',
  'Thought: x\nAction: submit\nAction Input: {}',
  { text: answer('x'), usage: { promptTokens: 900, completionTokens: 9 } },
  failing('MODEL_BROKEN_STREAM'),
  failing('MODEL_CONTEXT'),
  failing('MODEL_UNREACHABLE'),
]

const form = { type: 'object', properties: { colour: { type: 'string' } }, required: ['colour'] }

const options: fc.Arbitrary<Partial<ToolCallAgentOptions>> = fc.record(
  {
    maxSteps: fc.integer({ min: 1, max: 6 }),
    maxFormatErrors: fc.integer({ min: 1, max: 3 }),
    onMaxSteps: fc.constantFrom('answer', 'return', 'throw'),
    toolChoice: fc.constantFrom('none', 'auto', 'required'),
    answer: fc.constant(form),
    stuck: fc.constantFrom<NonNullable<ToolCallAgentOptions['stuck']>[]>(false, { repeats: 2, strikes: 1 }, { repeats: 2 }),
    maxRunTokens: fc.integer({ min: 1, max: 6000 }),
    contextTokens: fc.integer({ min: 300, max: 3000 }),
    deadlineMs: fc.constantFrom(15, 40, 60_000),
    parallel: fc.boolean(),
    keepOpen: fc.boolean(),
    examples: fc.constant([]),
  },
  { requiredKeys: ['maxSteps', 'maxFormatErrors'] },
)

/** Plays the replies round and round, and counts. */
function endless(replies: readonly Reply[]): Model & { asked: number } {
  return {
    name: 'endless',
    asked: 0,
    stream(prompt, given) {
      const reply = replies[this.asked++ % replies.length] ?? ''
      return scriptedModel([reply]).stream(prompt, given)
    },
  }
}

class Lab extends ToolCallAgent {
  opened = 0
  closed = 0
  protected override async onOpen() {
    this.opened += 1
  }
  protected override async onClose() {
    this.closed += 1
  }
}

async function play(replies: readonly Reply[], given: Partial<ToolCallAgentOptions>) {
  const made: string[] = []
  const search = searchTool(q => {
    made.push(q)
    if (q === 'break') throw new Error('broken')
    return q === 'slow' ? new Promise(resolve => setTimeout(resolve, 2)) : `about ${q}`
  })
  const submit = { ...searchTool(() => 'handed in', 'submit'), parameters: { type: 'object' }, finishes: true }
  const model = endless(replies)
  const agent = new Lab({ model, tools: [search, submit], ...given })
  const events: AgentEvent[] = []
  let result: RunResult | undefined
  let error: unknown
  try {
    result = await agent.run('What colour is it?', { onEvent: event => events.push(event) })
  } catch (thrown) {
    error = thrown
  }
  return { agent, model, made, events, result, error }
}

const anyRun = fc.tuple(fc.array(fc.constantFrom(...REPLIES), { minLength: 1, maxLength: 8 }), options)

describe('whatever a model writes, and whatever is wanted', () => {
  test('a run ends, by itself or with an error that says why, and leaves the agent closed and free', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async ([replies, given]) => {
        const { agent, model, events, result, error } = await play(replies, given)
        const { maxSteps = 1, maxFormatErrors = 1 } = given
        // unreadable and empty replies are counted apart; a broken stream is asked for three times, and a prompt is halved a few times
        const tries = 2 * maxFormatErrors - 1
        expect(model.asked).toBeLessThanOrEqual((maxSteps * tries + 1) * 3 + 20)
        if (error !== undefined) {
          expect(error).toBeInstanceOf(SaydoError)
          expect(['STATE', 'MODEL_BROKEN_STREAM', 'MODEL_CONTEXT', 'MODEL_UNREACHABLE']).toContain((error as SaydoError).code)
        }
        expect(agent.state).toBe(error === undefined ? 'FINISHED' : 'ERROR')
        expect(unpaired(events)).toEqual([])
        expect(agent.closed).toBe(given.keepOpen ? 0 : agent.opened)
        expect(result?.message).not.toBe('')
        expect((await agent.run('again').catch((thrown: unknown) => thrown)) !== undefined).toBe(true)
      }),
      runs(150, 11),
    )
  })

  test('what is given as an answer is one', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async ([replies, given]) => {
        const { result } = await play(replies, given)
        if (!result) return
        const { stop, answer, value, steps } = result
        expect(answer !== undefined).toBe(stop === 'final_answer' || stop === 'best_effort')
        if (answer !== undefined && !given.answer)
          expect(['It is blue.', '{"colour": "blue"}', 'x', 'handed in']).toContain(answer)
        if (stop === 'final_answer' && given.answer) expect(value).toEqual({ colour: 'blue' })
        const succeeded = steps.some(step => step.observations.some(({ failure }) => !failure))
        if (stop === 'final_answer' && given.toolChoice === 'required') expect(succeeded).toBe(true)
      }),
      runs(150, 12),
    )
  })

  test('no tool runs that may not', async () => {
    await fc.assert(
      fc.asyncProperty(anyRun, async ([replies, given]) => {
        const { made, events } = await play(replies, { ...given, toolChoice: 'none' })
        expect([made, events.filter(({ type }) => type === 'call_start')]).toEqual([[], []])
      }),
      runs(60, 13),
    )
  })
})
