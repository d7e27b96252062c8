import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'
import { answer, call, play, searchTool } from '../support/agents.js'

describe('toolChoice none', () => {
  const none = { toolChoice: 'none' } as const

  test('tells the model of no tool', async () => {
    const { prompts } = await play(['It is blue.'], none)
    expect(prompts[0]?.text).toContain('There are no tools')
    expect(prompts[0]?.text).not.toContain('Looks something up')
  })

  test('takes the first text as the answer, in one model call', async () => {
    const { result, prompts } = await play(['It is blue.'], none)
    expect([result.stop, result.answer, prompts.length]).toEqual(['final_answer', 'It is blue.', 1])
  })

  test.each([
    ['of a tool there is', call('a')],
    ['of a tool there is not', call('a', 'browse')],
    ['as an object', '{"action": "search", "action_input": {"q": "a"}}'],
    ['that can not be read', 'Thought: x\nAction: search\nAction Input: {"q": '],
  ])('never runs a call %s, and tells the model so', async (_, reply) => {
    const { result, made, told, prompts } = await play([reply, answer('x')], none)
    expect([made, result.answer]).toEqual([[], 'x'])
    expect(told[0]).toMatch(/(search|browse) was not called: no tool can be used now/)
    expect(prompts[1]?.messages.at(-1)?.text).toContain('no tool can be used now')
  })

  test('ends a run that does nothing but call', async () => {
    const { result, made } = await play(Array(4).fill(call('a')), none)
    expect([result.stop, made]).toEqual(['unclear', []])
  })

  test('of a run wins over that of the agent, and lasts for the run', async () => {
    const model = scriptedModel(['It is blue.', call('a'), answer('x')])
    const agent = new ToolCallAgent({ model, tools: [searchTool()] })
    await agent.run('one', { toolChoice: 'none' })
    expect((await agent.run('two')).steps[0]?.observations[0]?.text).toBe('about a')
  })
})

describe('toolChoice required', () => {
  const required = { toolChoice: 'required' } as const

  test('asks about an answer that comes before any call', async () => {
    const { result, told, made } = await play([answer('early'), call('a'), answer('late')], required)
    expect([result.answer, made]).toEqual(['late', ['a']])
    expect(told[0]).toBe('Use a tool before you answer: search.')
  })

  test('a call that failed is none', async () => {
    let calls = 0
    const flaky = searchTool(() => {
      calls += 1
      if (calls === 1) throw new Error('busy')
      return 'found'
    })
    const { result, told } = await play([call('a'), answer('early'), call('b'), answer('late')], { ...required, tools: [flaky] })
    expect([result.answer, told.length]).toEqual(['late', 1])
  })

  test('ends as unclear, without an answer, when the model will not call', async () => {
    const { result, prompts } = await play(Array(9).fill(answer('no')), required)
    expect([result.stop, result.answer, prompts.length]).toEqual(['unclear', undefined, 3])
    expect(result.message).toContain('the answer came before any tool had been called with success')
  })

  test('a tool that finishes is a call', async () => {
    const submit = tool({ name: 'submit', description: 'Hands the work in.', finishes: true, run: () => 'done' })
    const { result } = await play(['Thought: x\nAction: submit\nAction Input: {}'], { ...required, tools: [submit] })
    expect([result.stop, result.answer]).toEqual(['final_answer', 'done'])
  })

  test('counts the calls of this run alone', async () => {
    const model = scriptedModel([call('a'), answer('x'), answer('y'), call('b'), answer('z')])
    const agent = new ToolCallAgent({ model, tools: [searchTool()], ...required })
    await agent.run('one')
    expect((await agent.run('two')).answer).toBe('z')
  })

  test('without any tool is refused', async () => {
    await expect(play([answer('x')], { ...required, tools: [] })).rejects.toMatchObject({ code: 'CONFIG' })
  })
})

test('a tool choice that nobody knows is refused', () => {
  const toolChoice = 'sometimes' as 'auto'
  expect(() => new ToolCallAgent({ model: scriptedModel([]), toolChoice })).toThrowError(
    expect.objectContaining({ code: 'CONFIG' }),
  )
})
