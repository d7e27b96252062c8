import { describe, expect, test } from 'vitest'
import { HOOK_NAMES, type Hooks } from '../../src/agent/hooks.js'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Approval } from '../../src/core/tool.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { answer, call, play, searchTool } from '../support/agents.js'
import { unpaired } from '../support/paired-events.js'

const SCRIPT = [call('a'), answer('blue')]
const forever = () => new Promise<never>(() => {})

test('hooks are called in the order of the circle, with what there is', async () => {
  const seen: string[] = []
  const note =
    (name: string) =>
    (...given: readonly unknown[]) => {
      seen.push(`${name} ${JSON.stringify(given).slice(0, 60)}`)
      return undefined
    }
  const hooks = Object.fromEntries(HOOK_NAMES.map(name => [name, note(name)])) as Hooks
  const { result } = await play(SCRIPT, { hooks })
  expect(result.answer).toBe('blue')
  expect(seen.map(line => line.split(' ')[0])).toEqual([
    ...['beforeStep', 'beforeModel', 'afterModel', 'afterParse', 'beforeCall', 'afterCall', 'afterStep'],
    ...['beforeStep', 'beforeModel', 'afterModel', 'afterParse', 'beforeAnswer', 'afterStep'],
    'afterRun',
  ])
  expect(seen[0]).toBe('beforeStep [1]')
  expect(seen.find(line => line.startsWith('beforeAnswer'))).toBe('beforeAnswer ["blue"]')
})

describe('what a hook puts in the place of', () => {
  test('a prompt is sent, in both renderings, and told', async () => {
    const beforeModel: Hooks['beforeModel'] = prompt => ({
      ...prompt,
      messages: prompt.messages.map(turn => ({ ...turn, text: turn.text.replaceAll('What is it?', 'What is blue?') })),
    })
    const { prompts, events } = await play(SCRIPT, { hooks: { beforeModel } })
    expect(prompts[0]?.messages.at(-1)?.text).toContain('What is blue?')
    expect(prompts[0]?.text).toContain('What is blue?')
    expect(JSON.stringify(events.filter(({ type }) => type === 'prompt'))).toContain('What is blue?')
  })

  test('a reading is what happens, and told', async () => {
    const decision = { kind: 'answer', text: 'red' } as const
    const { result, made, events } = await play(SCRIPT, { hooks: { afterParse: parsed => ({ ...parsed, decision }) } })
    expect([result.answer, made]).toEqual(['red', []])
    expect(events.find(({ type }) => type === 'parsed')).toMatchObject({ parsed: { decision } })
  })

  test('an observation is what the model reads, and told', async () => {
    const hooks: Hooks = { afterCall: async (_, observation) => ({ ...observation, text: 'nothing' }) }
    const { result, prompts, events } = await play(SCRIPT, { hooks })
    expect(result.steps[0]?.observations[0]?.text).toBe('nothing')
    expect(prompts[1]?.messages.at(-1)?.text).toBe('Observation: nothing')
    expect(events.find(({ type }) => type === 'call_end')).toMatchObject({ observation: { text: 'nothing' } })
  })
})

describe('a hook before a call', () => {
  const decide = (said: Approval | undefined) => play([call('a'), answer('x')], { hooks: { beforeCall: () => said } })

  test.each([
    ['allows it', true, ['a'], 'about a'],
    ['leaves it', undefined, ['a'], 'about a'],
    ['denies it', false, [], 'not allowed'],
    ['denies it with a reason', 'not on a Sunday', [], 'not on a Sunday'],
    ['changes its input', { input: { q: 'b' } }, ['b'], 'about b'],
    ['answers for it', { observation: 'as before' }, [], 'as before'],
  ] as const)('%s', async (_, said, made, text) => {
    const played = await decide(said)
    expect(played.made).toEqual(made)
    expect(played.result.steps[0]?.observations[0]?.text).toContain(text)
    expect(played.events.some(({ type }) => type === 'approval')).toBe(said !== undefined)
  })

  test('stops the run', async () => {
    expect((await decide({ stop: 'enough' })).result).toMatchObject({ stop: 'denied', message: 'enough' })
  })

  test('that leaves a call leaves it to whoever is asked', async () => {
    const careful = { ...searchTool(), confirm: true as const }
    const asked: string[] = []
    const confirm = ({ name }: { name: string }) => {
      asked.push(name)
      return true
    }
    await play(SCRIPT, { tools: [careful], confirm, hooks: { beforeCall: () => undefined } })
    await play(SCRIPT, { tools: [careful], confirm, hooks: { beforeCall: () => true } })
    expect(asked).toEqual(['search'])
    await play(SCRIPT, { tools: [careful], confirm, hooks: { beforeCall: () => null } as unknown as Hooks })
    expect(asked).toEqual(['search', 'search'])
  })
})

describe('a hook before an answer', () => {
  const needsLink: Hooks = { beforeAnswer: text => (text.includes('http') ? undefined : 'Name your source.') }

  test('refuses it with what the model is told', async () => {
    const { result, told } = await play([answer('blue'), answer('blue, http://x')], { hooks: needsLink })
    expect([result.answer, told]).toEqual(['blue, http://x', ['Name your source.']])
  })

  test('that refuses all of them leaves a run without an answer', async () => {
    const { result } = await play(Array(4).fill(answer('blue')), { hooks: needsLink })
    expect([result.stop, result.answer]).toEqual(['unclear', undefined])
  })

  test('is asked about one that does not fit its schema, before that stands in for a better one', async () => {
    const form = { type: 'number' }
    const kept = await play(Array(4).fill(answer('about http://x')), { hooks: needsLink, answer: form })
    expect(kept.result).toMatchObject({ stop: 'best_effort', answer: 'about http://x' })
    const refused = await play(Array(4).fill(answer('about forty')), { hooks: needsLink, answer: form })
    expect(refused.result.answer).toBeUndefined()
  })
})

describe('a hook that throws ends the run with that', () => {
  test.each(HOOK_NAMES)('%s', async name => {
    const fault = new Error('the hook broke')
    const hooks: Hooks = {
      [name]: () => {
        throw fault
      },
    }
    const made: string[] = []
    const agent = new ToolCallAgent({
      model: scriptedModel([...SCRIPT, ...SCRIPT]),
      tools: [searchTool(q => made.push(q))],
      hooks,
    })
    const events: AgentEvent[] = []
    await expect(agent.run('x', { onEvent: event => events.push(event) })).rejects.toBe(fault)
    expect([agent.state, unpaired(events)]).toEqual(['ERROR', []])
    expect(events.at(-1)).toMatchObject({ type: 'run_end', error: { message: 'the hook broke' } })
    if (name === 'beforeCall') expect(made).toEqual([])
  })

  test.each(['beforeCall', 'afterCall'] as const)('%s: what was done before is remembered, and not done again', async name => {
    const two = `${call('a')}\nAction: search\nAction Input: {"q": "b"}\nAction: search\nAction Input: {"q": "c"}`
    let asked = 0
    const hooks: Hooks = {
      [name]: () => {
        asked += 1
        if (asked === 2) throw new Error('no')
      },
    }
    const made: string[] = []
    const model = scriptedModel([two, answer('x')])
    const agent = new ToolCallAgent({ model, tools: [searchTool(q => `made ${made.push(q)}`)], hooks })
    await expect(agent.run('x')).rejects.toThrow('no')
    expect(made).toEqual(name === 'beforeCall' ? ['a'] : ['a', 'b'])
    expect(agent.memory.steps[0]?.observations.map(({ failure }) => failure?.code)).toEqual(
      name === 'beforeCall' ? [undefined, 'denied', 'skipped'] : [undefined, undefined, 'denied'],
    )
    expect((await agent.run()).answer).toBe('x')
    expect(model.prompts[1]?.messages.at(-1)?.text).toContain('made 1')
  })

  test('before a call: none behind it is made either', async () => {
    const two = `${call('a')}\nAction: search\nAction Input: {"q": "b"}`
    const hooks: Hooks = { beforeCall: () => Promise.reject(new Error('no')) }
    const made: string[] = []
    const agent = new ToolCallAgent({
      model: scriptedModel([two]),
      tools: [searchTool(q => made.push(q))],
      hooks,
      parallel: true,
    })
    await expect(agent.run('x')).rejects.toThrow('no')
    expect(made).toEqual([])
  })
})

// the last one is waited for without end
test.each(HOOK_NAMES.filter(name => name !== 'afterRun'))('a deadline ends a run whose %s never ends', async name => {
  const { result } = await play(SCRIPT, { hooks: { [name]: forever }, deadlineMs: 300, onMaxSteps: 'return' })
  expect(result.stop).toBe('budget')
})

describe('what gives nonsense ends the run, which says so', () => {
  const nonsense: unknown[] = [true, false, 0, {}, [], () => 1]
  const cases = (['beforeModel', 'afterParse', 'afterCall', 'beforeAnswer'] as const).flatMap(name =>
    nonsense.map(value => [name, value] as const),
  )
  test.each(cases)('%s: %j', async (name, value) => {
    const model = scriptedModel(SCRIPT)
    const agent = new ToolCallAgent({ model, tools: [searchTool()], hooks: { [name]: () => value } as Hooks })
    await expect(agent.run('q')).rejects.toMatchObject({ code: 'CONFIG', message: expect.stringContaining(name) })
  })

  test.each([
    ['beforeModel', { messages: [] }],
    ['beforeModel', { messages: ['hi'] }],
    ['afterParse', { decision: { kind: 'act', calls: [null] } }],
    ['afterParse', { decision: { kind: 'act', calls: [{ id: '1', tool: 'search' }] } }],
  ])('%s: what it got, but with %j', async (name, part) => {
    const hooks = { [name]: (given: object) => ({ ...given, ...part }) } as unknown as Hooks
    const agent = new ToolCallAgent({ model: scriptedModel(SCRIPT), tools: [searchTool()], hooks })
    await expect(agent.run('q')).rejects.toMatchObject({ code: 'CONFIG', message: expect.stringContaining(name) })
  })

  test.each(['beforeModel', 'afterParse', 'afterCall', 'beforeAnswer'])('but null is nothing: %s', async name => {
    const { result } = await play(SCRIPT, { hooks: { [name]: () => null } as unknown as Hooks })
    expect(result.answer).toBe('blue')
  })
})
