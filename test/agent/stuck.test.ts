import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'

const input = { type: 'object', properties: { q: { type: 'string' } } }
const call = (name: string, q: string) => `Thought: I look.\nAction: ${name}\nAction Input: {"q": "${q}"}`

async function play(replies: readonly string[], answers: (q: string, calls: number) => string, repeatable = false) {
  let calls = 0
  const made: string[] = []
  const named = (name: string) =>
    tool({
      name,
      description: 'Looks something up.',
      input,
      repeatable,
      run: ({ q }) => {
        made.push(`${name} ${String(q)}`)
        calls += 1
        return answers(String(q), calls)
      },
    })
  const model = scriptedModel([...replies, ...Array(3).fill('Final Answer: done')])
  const result = await new ToolCallAgent({ model, tools: [named('search'), named('lookup')] }).run('What is it?')
  const hints = result.steps.flatMap(step => (step.nudge === undefined ? [] : [step.index]))
  return { result, made, hints, model }
}

describe('a run that goes in circles', () => {
  const same = () => 'nothing found'

  test('gets one hint at the third same call with the same result', async () => {
    const { result, hints, model } = await play(Array(3).fill(call('search', 'a')), same)
    expect(hints).toEqual([3])
    expect(result).toMatchObject({ stop: 'final_answer', answer: 'done' })
    expect(model.prompts[3]?.messages.at(-1)?.text).toMatch(/nothing found[\s\S]*search[\s\S]*What is it\?/)
  })

  test('is not let make that call a fourth time', async () => {
    const { made, result } = await play(Array(4).fill(call('search', 'a')), same)
    expect(made).toHaveLength(3)
    expect(result.steps[3]?.observations[0]).toMatchObject({ failure: { code: 'limited' } })
    expect(result.stop).toBe('final_answer')
  })

  test('ends as stuck, with one last turn for an answer', async () => {
    const { made, result, model } = await play(Array(5).fill(call('search', 'a')), same)
    expect(result).toMatchObject({ stop: 'best_effort', reason: 'stuck', answer: 'done' })
    expect(made).toHaveLength(3)
    expect(model.prompts).toHaveLength(6)
  })

  test('is seen when two steps take turns', async () => {
    const turns = [call('search', 'a'), call('lookup', 'b'), call('search', 'a'), call('lookup', 'b')]
    const { hints } = await play(turns, same)
    expect(hints).toEqual([4])
  })

  test('is seen when other inputs give the same result, but only hinted at', async () => {
    const { hints, result, made } = await play(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(q => call('search', q)),
      same,
    )
    expect(hints).toEqual([3])
    expect(made).toHaveLength(7)
    expect(result.stop).toBe('final_answer')
  })

  test('is seen when an unknown tool is called again and again', async () => {
    const { result } = await play(Array(5).fill(call('serch', 'a')), same)
    expect(result).toMatchObject({ reason: 'stuck' })
  })

  test('the same input with its keys in another order is the same call', async () => {
    const a = 'Action: search\nAction Input: {"q": "a", "x": 1}'
    const b = 'Action: search\nAction Input: {"x": 1, "q": "a"}'
    expect((await play([a, b, a], same)).hints).toEqual([3])
  })
})

describe('no circle is', () => {
  test('the same call with changing results', async () => {
    const { hints, made } = await play(Array(6).fill(call('search', 'a')), (_, calls) => `${calls} of 9 done`)
    expect([hints, made.length]).toEqual([[], 6])
  })

  test('the same call after something else was found out', async () => {
    const replies = [call('search', 'a'), call('search', 'b'), call('search', 'a'), call('lookup', 'c'), call('search', 'a')]
    expect((await play(replies, q => q)).hints).toEqual([])
  })

  test('a repeatable tool', async () => {
    const { hints, made } = await play(Array(6).fill(call('search', 'a')), () => 'still waiting', true)
    expect([hints, made.length]).toEqual([[], 6])
  })

  test('what stands long after a hint that helped', async () => {
    const replies = [...Array(3).fill(call('search', 'a')), call('search', 'b'), ...Array(2).fill(call('search', 'a'))]
    const { hints, made, result } = await play(replies, q => q)
    expect([hints, made.length, result.stop]).toEqual([[3], 6, 'final_answer'])
  })
})
