import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import type { Tool } from '../../src/core/tool.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'

const input = { type: 'object', properties: { q: { type: 'string' } } }
const call = (name: string, q: string) => `Thought: I look.\nAction: ${name}\nAction Input: {"q": "${q}"}`

async function play(
  replies: readonly string[],
  answers: (q: string, calls: number) => string,
  facts: Partial<Tool> = {},
  options: Partial<ToolCallAgentOptions> = {},
) {
  let calls = 0
  const made: string[] = []
  const named = (name: string) =>
    tool({
      name,
      description: 'Looks something up.',
      input,
      ...facts,
      run: ({ q }) => {
        made.push(`${name} ${String(q)}`)
        calls += 1
        return answers(String(q), calls)
      },
    })
  const model = scriptedModel([...replies, ...Array(3).fill('Final Answer: done')])
  const result = await new ToolCallAgent({ model, tools: [named('search'), named('lookup')], ...options }).run('What is it?')
  const hints = result.steps.flatMap(step => (step.nudge?.includes('gives nothing new') ? [step.index] : []))
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

  test('is told at the second one already when its tools change nothing, and may still go on', async () => {
    const { hints, made } = await play(Array(3).fill(call('search', 'a')), same, { effect: 'none' })
    expect([hints, made.length]).toEqual([[2, 3], 3])
  })

  test('is told so, too, when other calls lie between the two', async () => {
    const replies = [call('search', 'a'), call('lookup', 'b'), call('search', 'a')]
    expect((await play(replies, q => q, { effect: 'none' })).hints).toEqual([3])
  })

  test.each([
    ['gave something else', (_: string, calls: number) => `${calls} of 9 done`, { effect: 'none' }],
    ['may be meant to wait', same, { effect: 'none', repeatable: true }],
    ['changed something', same, { effect: 'changes' }],
    ['may have changed something', same, {}],
  ] as const)('is told nothing yet when the second same call %s', async (_, answers, facts) => {
    expect((await play(Array(2).fill(call('search', 'a')), answers, facts)).hints).toEqual([])
  })

  test('is not let make that call a fourth time', async () => {
    const { made, result } = await play(Array(4).fill(call('search', 'a')), same)
    expect(made).toHaveLength(3)
    expect(result.steps[3]?.observations[0]).toMatchObject({ tool: 'search', failure: { code: 'limited' } })
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
    expect(hints).toEqual([3, 6])
    expect(made).toHaveLength(7)
    expect(result.stop).toBe('final_answer')
  })

  test('with other inputs but never anything new ends, too, after twice the patience', async () => {
    const { hints, result, made } = await play(
      'abcdefghijkl'.split('').map(q => call('search', q)),
      same,
    )
    expect([hints, made.length, result.stop]).toEqual([[3, 6], 9, 'stuck'])
  })

  test('is seen when the same thought comes again and again, whatever its dress, and the calls fail', async () => {
    const thoughts = ['I look it up.', 'i look it up!', 'I  LOOK: it up', 'I look it up']
    const replies = thoughts.map((thought, i) => `Thought: ${thought}\nAction: search\nAction Input: {"q": "${i}"}`)
    const failing = (q: string) => {
      throw new Error(`no ${q}`)
    }
    expect((await play(replies, failing)).hints).toEqual([3])
  })

  test('is seen when three calls take turns', async () => {
    const replies = Array.from({ length: 12 }, (_, i) => call('search', 'abc'[i % 3] ?? ''))
    const { result, hints } = await play(replies, q => q)
    expect([hints, result.reason]).toEqual([[6, 9], 'stuck'])
  })

  test('has both of its calls blocked when two take turns', async () => {
    const turns = Array.from({ length: 6 }, (_, i) => call('search', 'ab'[i % 2] ?? ''))
    const { made, result } = await play(turns, q => q)
    expect([made.length, result.reason]).toEqual([4, 'stuck'])
  })

  test('may go on when that is wanted', async () => {
    const { made, hints } = await play(Array(9).fill(call('search', 'a')), same, {}, { stuck: false })
    expect([made.length, hints]).toEqual([9, []])
  })

  test('ends as soon as it is wanted', async () => {
    const { made, result } = await play(Array(9).fill(call('search', 'a')), same, {}, { stuck: { repeats: 2, strikes: 1 } })
    expect([made.length, result.stop]).toEqual([2, 'stuck'])
  })

  test.each([{ repeats: 1 }, { repeats: 2.5 }, { strikes: 0 }])('thresholds that are none are refused: %o', stuck => {
    expect(() => new ToolCallAgent({ model: scriptedModel([]), stuck })).toThrowError(expect.objectContaining({ code: 'CONFIG' }))
  })

  test('is told beside a remark about a call that was left out', async () => {
    const two = `${call('search', 'a')}\nAction: serch\nAction Input: {"q": "b"}`
    const { result } = await play(Array(3).fill(two), same)
    expect(result.steps[2]?.nudge).toMatch(/serch[\s\S]*gives nothing new/)
  })

  test('gets a hint that leaves with the next step', async () => {
    const { model } = await play([...Array(3).fill(call('search', 'a')), call('search', 'b')], q => q)
    expect(model.prompts[3]?.text).toContain('gives nothing new')
    expect(model.prompts[4]?.text).not.toContain('gives nothing new')
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
  const same = () => 'ok'

  test('the same call with changing results', async () => {
    const { hints, made } = await play(Array(6).fill(call('search', 'a')), (_, calls) => `${calls} of 9 done`)
    expect([hints, made.length]).toEqual([[], 6])
  })

  test('the same call after something else was found out', async () => {
    const replies = [call('search', 'a'), call('search', 'b'), call('search', 'a'), call('lookup', 'c'), call('search', 'a')]
    expect((await play(replies, q => q)).hints).toEqual([])
  })

  test('a repeatable tool', async () => {
    const { hints, made } = await play(Array(6).fill(call('search', 'a')), () => 'still waiting', { repeatable: true })
    expect([hints, made.length]).toEqual([[], 6])
  })

  test('another change with the same result, as that of a file that is written', async () => {
    const replies = 'abcdefg'.split('').map(q => `Thought: I write ${q}.\nAction: search\nAction Input: {"q": "${q}"}`)
    expect((await play(replies, same, { effect: 'changes' })).hints).toEqual([])
  })

  test('a call made again after another changed what it gives', async () => {
    const replies = [
      call('search', 'list'),
      call('search', 'write'),
      call('search', 'list'),
      call('search', 'write2'),
      call('search', 'list'),
    ]
    expect((await play(replies, q => q)).hints).toEqual([])
  })

  test('what stands long after a hint that helped', async () => {
    const replies = [...Array(3).fill(call('search', 'a')), call('search', 'b'), ...Array(2).fill(call('search', 'a'))]
    const { hints, made, result } = await play(replies, q => q)
    expect([hints, made.length, result.stop]).toEqual([[3], 6, 'final_answer'])
  })
})
