import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { SaydoError } from '../../src/core/errors.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Prompt } from '../../src/core/message.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { LANGUAGES } from '../../src/prompt/index.js'
import { answer, call, searchTool, toldIn } from '../support/agents.js'

type Script = Parameters<typeof scriptedModel>[0]

function open(script: Script, options: Partial<ConstructorParameters<typeof ToolCallAgent>[0]> = {}) {
  const model = scriptedModel(script)
  return { model, agent: new ToolCallAgent({ model, tools: [searchTool()], ...options }) }
}

function isPrefix(before: Prompt | undefined, after: Prompt | undefined): boolean {
  if (!before || !after) return false
  const sameTurns = JSON.stringify(after.messages.slice(0, before.messages.length)) === JSON.stringify(before.messages)
  return sameTurns && after.text.startsWith(before.text) && after.text.length > before.text.length
}

describe('a second task', () => {
  test('goes on from the first: its prompt begins with the last one of the first run, and with its answer', async () => {
    const { model, agent } = open([call('a'), answer('blue'), call('b'), answer('red')])
    await agent.run('What is a?')
    await agent.run('And b?')
    expect(isPrefix(model.prompts[1], model.prompts[2])).toBe(true)
    expect(isPrefix(model.prompts[2], model.prompts[3])).toBe(true)
    expect(model.prompts[2]?.messages.slice(-2)).toEqual([
      { role: 'assistant', text: answer('blue') },
      { role: 'user', text: 'Question: And b?', task: true },
    ])
  })

  test('has steps, limits and a watch for circles of its own', async () => {
    const { agent } = open([call('a'), call('a'), answer('x'), call('a'), call('a'), answer('y')], { maxSteps: 3 })
    await agent.run('one')
    const second = await agent.run('two')
    expect(second.steps.map(step => step.index)).toEqual([1, 2, 3])
    expect([second.answer, second.steps.map(step => step.nudge)]).toEqual(['y', [undefined, undefined, undefined]])
  })

  test('does not change the result of the first', async () => {
    const { agent } = open([call('a'), answer('x'), answer('y')])
    const first = await agent.run('one')
    await agent.run('two')
    expect(first.steps).toHaveLength(2)
  })

  test('sees no correction or hint of the first', async () => {
    const { model, agent } = open(['```', '```', '```', answer('y')], { onMaxSteps: 'return' })
    await agent.run('one')
    await agent.run('two')
    expect(model.prompts[3]?.text).not.toMatch(/```|Question: one/)
  })

  test('follows the last observation of a run that had no answer', async () => {
    const { model, agent } = open([call('a'), answer('y')], { maxSteps: 1, onMaxSteps: 'return' })
    await agent.run('one')
    await agent.run('two')
    const last = model.prompts[1]
    expect(last?.messages.at(-1)?.text).toBe('Observation: about a\n\nQuestion: two')
    expect(last?.messages.map(({ role }) => role).slice(-3)).toEqual(['user', 'assistant', 'user'])
  })

  test('knows nothing of the first after a reset', async () => {
    const { model, agent } = open([answer('x'), answer('y')])
    await agent.run('one')
    agent.reset()
    expect(agent.state).toBe('IDLE')
    await agent.run('two')
    expect(model.prompts[1]?.text).not.toContain('Question: one')
  })

  test.each(LANGUAGES)(
    'keeps the newest tasks when the context is short, and says in %s how many it left out',
    async language => {
      const { model, agent } = open(
        Array.from({ length: 6 }, (_, i) => answer(`${i} ${'word '.repeat(400)}`)),
        { contextTokens: 3400, language, examples: [] },
      )
      for (const task of ['task zero', 'task one', 'task two', 'task three', 'task four', 'task five']) await agent.run(task)
      const last = model.prompts.at(-1)?.text ?? ''
      expect(last).not.toContain('task zero')
      expect(last).toContain('task four')
      expect(last).toMatch(/\[[^\]]*\d[^\]]*\]\n\nQuestion: task/)
    },
  )
})

describe('a run without a task', () => {
  test('goes on with one that met a limit, with all its steps before it and a fresh budget', async () => {
    const { model, agent } = open([call('a'), call('b'), call('c'), answer('x')], { maxSteps: 2, onMaxSteps: 'return' })
    expect((await agent.run('one')).stop).toBe('max_steps')
    const result = await agent.run()
    expect(result).toMatchObject({ task: 'one', stop: 'final_answer', answer: 'x' })
    expect(result.steps.map(step => step.index)).toEqual([1, 2])
    expect(isPrefix(model.prompts[1], model.prompts[2])).toBe(true)
    expect(model.prompts[2]?.text).toContain('about b')
  })

  test('goes on after an abort', async () => {
    const { agent } = open([call('a'), answer('x')])
    const abort = new AbortController()
    const onEvent = ({ type }: AgentEvent) => void (type === 'call_end' && abort.abort())
    expect((await agent.run('one', { signal: abort.signal, onEvent })).stop).toBe('aborted')
    expect((await agent.run()).answer).toBe('x')
  })

  test('goes on after an error', async () => {
    const { agent } = open([call('a'), { text: '', error: new SaydoError('MODEL_UNREACHABLE', 'gone') }, answer('x')])
    await expect(agent.run('one')).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' })
    expect(agent.state).toBe('ERROR')
    expect((await agent.run()).answer).toBe('x')
    expect(agent.state).toBe('FINISHED')
  })

  test.each(['at first', 'after an answer', 'after a reset'])('is refused %s', async when => {
    const { agent } = open([answer('x')])
    if (when !== 'at first') await agent.run('one')
    if (when === 'after a reset') agent.reset()
    await expect(agent.run()).rejects.toMatchObject({ code: 'CONFIG' })
  })

  test('comes as events, too', async () => {
    const { agent } = open([call('a'), answer('x')], { maxSteps: 1, onMaxSteps: 'return' })
    await agent.run('one')
    const types: string[] = []
    for await (const event of agent.stream()) types.push(event.type)
    expect(types.at(-1)).toBe('run_end')
  })
})

test('a reset during a run is refused', async () => {
  const { agent } = open([answer('x')])
  const running = agent.run('one')
  expect(() => agent.reset()).toThrowError(expect.objectContaining({ code: 'STATE' }))
  await running
})

describe('a context that is known', () => {
  const long = searchTool(q => `${q} ${'word '.repeat(300)}`)
  const calls = Array.from({ length: 12 }, (_, i) => call(`${i}`))

  async function play(script: Script, contextTokens: number, tools = [long]) {
    const { model, agent } = open(script, { contextTokens, tools, examples: [] })
    const events: AgentEvent[] = []
    const result = await agent.run('What is it?', { onEvent: event => events.push(event) })
    return { result, prompts: model.prompts, told: toldIn(events) }
  }

  test('is kept, by few cuts between which prompts only grow', async () => {
    const { result, prompts, told } = await play([...calls, answer('x')], 3600)
    expect(result.stop).toBe('final_answer')
    const cuts = prompts.slice(1).filter((prompt, at) => !isPrefix(prompts[at], prompt))
    expect(cuts.length).toBeLessThanOrEqual(3)
    expect(told.filter(code => code === 'CONTEXT_TRIMMED')).toHaveLength(cuts.length)
    for (const { text } of prompts) expect(text.length).toBeLessThan(3600 * 4.4)
    expect(prompts.at(-1)?.text).toMatch(/What is it\?\n\n\[\d+ earlier steps left out\]/)
  })

  test('that one observation exceeds shows that one shortened', async () => {
    const huge = searchTool(() => `begin ${'word '.repeat(20_000)} end`)
    const { result, prompts, told } = await play([call('a'), answer('x')], 4000, [huge])
    expect([result.stop, result.steps[0]?.observations[0]?.text.length]).toEqual(['final_answer', 100_010])
    expect(prompts[1]?.text).toMatch(/begin [\s\S]*characters left out[\s\S]* end/)
    expect(prompts[1]?.text.length).toBeLessThan(4000 * 4.4)
    expect(new Set(told)).toEqual(new Set(['CONTEXT_TRIMMED']))
  })

  test('that one observation exceeds shows that one shortened, also while a reply is corrected', async () => {
    const huge = searchTool(() => 'word '.repeat(20_000))
    const tooLong = { text: '', error: new SaydoError('MODEL_CONTEXT', 'too long') }
    const { model, agent } = open([call('a'), 'Thought: hm', tooLong, answer('x')], { tools: [huge] })
    expect((await agent.run('x')).answer).toBe('x')
    expect(model.prompts[3]?.text).toContain('characters left out')
  })

  test('is not known: a huge observation is shortened when the endpoint refuses it', async () => {
    const tooLong = { text: '', error: new SaydoError('MODEL_CONTEXT', 'too long') }
    const { model, agent } = open([call('a'), tooLong, tooLong, answer('x')], { tools: [long] })
    expect((await agent.run('x')).stop).toBe('final_answer')
    expect(model.prompts[3]?.text.length).toBeLessThan(model.prompts[1]?.text.length ?? 0)
  })
})

test('an endpoint that reads less than the prompt is told of once', async () => {
  const cut = (text: string) => ({ text, usage: { promptTokens: 50, completionTokens: 5 } })
  const { agent } = open([cut(call('a')), cut(call('b')), cut(answer('x'))], { tools: [searchTool(() => 'word '.repeat(2000))] })
  const events: AgentEvent[] = []
  await agent.run('x', { onEvent: event => events.push(event) })
  expect(toldIn(events)).toEqual(['CONTEXT_CUT'])
})
