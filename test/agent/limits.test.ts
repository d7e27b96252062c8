import { describe, expect, test } from 'vitest'
import { ReActAgent } from '../../src/agent/react-agent.js'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { Model, ModelChunk } from '../../src/core/model.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { answer, call, play, searchTool } from '../support/agents.js'

const forever = () => new Promise<never>(() => {})

/** Plays its replies, and then never says anything again. */
function silentAfter(...replies: readonly string[]): Model & { readonly signals: AbortSignal[] } {
  const script = scriptedModel(replies)
  const signals: AbortSignal[] = []
  return {
    name: 'silent',
    signals,
    stream(prompt, options) {
      if (options?.signal) signals.push(options.signal)
      if (script.left > 0) return script.stream(prompt, options)
      return { [Symbol.asyncIterator]: () => ({ next: () => forever() as Promise<IteratorResult<ModelChunk>> }) }
    },
  }
}

const used = (promptTokens: number, completionTokens: number) => ({ promptTokens, completionTokens })

describe('a deadline', () => {
  test('ends a run whose model never answers, and the model is told', async () => {
    const model = silentAfter()
    const agent = new ToolCallAgent({ model, deadlineMs: 40, onMaxSteps: 'return' })
    const result = await agent.run('x')
    expect(result).toMatchObject({ stop: 'budget', message: expect.stringMatching(/deadline of 0\.04 s/) })
    expect(model.signals.map(signal => signal.aborted)).toEqual([true])
    expect(agent.state).toBe('FINISHED')
  })

  test('ends a run whose tool never comes back, and the step stays', async () => {
    const agent = new ToolCallAgent({
      model: scriptedModel([call('a')]),
      tools: [searchTool(forever)],
      deadlineMs: 200,
      onMaxSteps: 'return',
    })
    const { stop, steps } = await agent.run('x')
    expect([stop, steps[0]?.observations[0]?.failure?.code]).toEqual(['budget', 'aborted'])
  })

  test('leaves a fifth of the time for an answer', async () => {
    const { result } = await play([call('a'), answer('late')], { deadlineMs: 1000, tools: [searchTool(forever)] })
    expect(result).toMatchObject({ stop: 'best_effort', reason: 'budget', answer: 'late' })
    expect(result.message).toMatch(/deadline of 1 s .* the rest was kept for an answer/)
  })

  test('ends the last turn, too', async () => {
    const model = silentAfter()
    const result = await new ToolCallAgent({ model, deadlineMs: 50 }).run('x')
    expect(result.stop).toBe('budget')
    expect(result.answer).toBeUndefined()
    expect(model.signals).toHaveLength(2)
  })

  test.each(['onOpen', 'beforeStep'])('ends a run that hangs in %s', async hook => {
    const agent = new ToolCallAgent({ model: scriptedModel([]), deadlineMs: 30, onMaxSteps: 'return' })
    Object.assign(agent, { [hook]: forever })
    expect((await agent.run('x')).stop).toBe('budget')
  })

  test('of a run wins over that of the agent', async () => {
    const agent = new ToolCallAgent({ model: silentAfter(), deadlineMs: 600_000, onMaxSteps: 'return' })
    expect((await agent.run('x', { deadlineMs: 20 })).stop).toBe('budget')
  })

  test('is nothing to a run that ends before', async () => {
    expect((await play([call('a'), answer('b')], { deadlineMs: 600_000 })).result.stop).toBe('final_answer')
  })
})

describe('a limit of tokens', () => {
  const step = (text: string) => ({ text, usage: used(90, 10) })

  test('ends the run at four fifths of it, with a turn for the answer', async () => {
    const script = [step(call('a')), step(call('b')), step(call('c')), step(call('d')), step(answer('x'))]
    const { result, made } = await play(script, { maxRunTokens: 500 })
    expect(made).toEqual(['a', 'b', 'c', 'd'])
    expect(result).toMatchObject({ stop: 'best_effort', reason: 'budget', answer: 'x' })
    expect(result.message).toContain('the limit of 500 tokens was reached (400 used')
  })

  test('is used up whole when no answer is asked for', async () => {
    const script = Array.from({ length: 5 }, (_, i) => step(call(`${i}`)))
    const { result } = await play(script, { maxRunTokens: 500, onMaxSteps: 'return' })
    expect(result).toMatchObject({ stop: 'budget', usage: used(450, 50) })
  })

  test('counts by the characters when the endpoint reports none', async () => {
    const { result } = await play([call('a'), call('b'), call('c')], { maxRunTokens: 600, onMaxSteps: 'return' })
    expect(result.stop).toBe('budget')
    expect(result.usage).toEqual(used(0, 0))
  })

  test('that is passed by far leaves no turn for an answer', async () => {
    const { result, prompts } = await play([step(call('a'))], { maxRunTokens: 50 })
    expect([result.stop, prompts.length]).toEqual(['budget', 1])
  })

  test('never costs an answer that came', async () => {
    expect((await play([step(answer('x'))], { maxRunTokens: 50 })).result.stop).toBe('final_answer')
  })

  test('is looked at before an unreadable reply is answered', async () => {
    const { prompts } = await play([step('Thought: hm'), step('Thought: hm')], { maxRunTokens: 100, onMaxSteps: 'return' })
    expect(prompts).toHaveLength(1)
  })
})

test.each([{ deadlineMs: 0 }, { deadlineMs: -1 }, { deadlineMs: Number.NaN }, { maxRunTokens: 0 }, { maxRunTokens: Number.NaN }])(
  '%o is refused, by the agent and by the run',
  async limit => {
    expect(() => new ToolCallAgent({ model: scriptedModel([]), ...limit })).toThrowError(
      expect.objectContaining({ code: 'CONFIG' }),
    )
    const agent = new ToolCallAgent({ model: scriptedModel([answer('x')]) })
    await expect(agent.run('x', limit)).rejects.toMatchObject({ code: 'CONFIG' })
    expect((await agent.run('x')).stop).toBe('final_answer')
  },
)

test.each([0, 1.5, Number.NaN])('maxFormatErrors %s is refused', maxFormatErrors => {
  expect(() => new ToolCallAgent({ model: scriptedModel([]), maxFormatErrors })).toThrowError(
    expect.objectContaining({ code: 'CONFIG' }),
  )
})

test('the steps of a run are thirty for an agent with tools, and ten for the classes below it', () => {
  class Plain extends ReActAgent {
    constructor() {
      super('plain')
    }
    protected override profile = never
    protected override think = never
    protected override review = never
    protected override act = never
    protected override hint = never
  }
  expect(new Plain().maxSteps).toBe(10)
  expect(new ToolCallAgent({ model: scriptedModel([]) }).maxSteps).toBe(30)
})

function never(): never {
  throw new Error('nothing is run')
}

test('the events say what limits a run has', async () => {
  const { events } = await play([answer('x')], { maxSteps: 7, maxRunTokens: 900 }, { deadlineMs: 60_000 })
  expect(events[0]).toMatchObject({ options: { maxSteps: 7, deadlineMs: 60_000, maxRunTokens: 900 } })
})
