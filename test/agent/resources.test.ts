// What is opened and closed with an agent, and a world that is gone before a step.
import { describe, expect, test, vi } from 'vitest'
import type { ActiveRun } from '../../src/agent/active-run.js'
import type { AgentResource } from '../../src/agent/resource.js'
import type { RunEnd } from '../../src/agent/run-options.js'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { answer, call, searchTool, toldIn } from '../support/agents.js'

class Room extends ToolCallAgent {
  readonly log: string[] = []
  /** What each look at the world gives. */
  looks: (string | RunEnd | undefined)[] = []

  protected override async onOpen(_run: ActiveRun) {
    this.log.push('open own')
  }

  protected override async onClose() {
    this.log.push('close own')
  }

  protected override async beforeStep() {
    return this.looks.shift()
  }
}

function room(
  replies: Parameters<typeof scriptedModel>[0],
  given: (log: string[]) => readonly AgentResource[],
  keepOpen = false,
) {
  const log: string[] = []
  const agent = new Room({ model: scriptedModel(replies), tools: [searchTool()], resources: given(log), keepOpen })
  log.push = (...lines) => agent.log.push(...lines)
  return agent
}

const named = (log: string[], name: string): AgentResource => ({
  open: async () => void log.push(`open ${name}`),
  close: async () => void log.push(`close ${name}`),
})

describe('resources', () => {
  test('are opened before the agent’s own and closed after it, in reverse', async () => {
    const agent = room([answer('x')], log => [named(log, 'a'), named(log, 'b')])
    await agent.run('What?')
    expect(agent.log).toEqual(['open a', 'open b', 'open own', 'close own', 'close b', 'close a'])
  })

  test('are asked once for what was made, while they are open, also when what comes behind the run fails', async () => {
    class Bench extends Room {
      protected override async artifacts() {
        this.log.push('asked')
        return { files: [{ path: 'a.txt', change: 'added' } as const] }
      }
    }
    const afterRun = () => Promise.reject(new Error('no'))
    const agent = new Bench({ model: scriptedModel([answer('x')]), tools: [], hooks: { afterRun } })
    const events: AgentEvent[] = []
    await expect(agent.run('What?', { onEvent: event => events.push(event) })).rejects.toThrow('no')
    expect(agent.log).toEqual(['open own', 'asked', 'close own'])
    expect(events.at(-1)).toMatchObject({ type: 'run_end', result: { artifacts: { files: [{ path: 'a.txt' }] } } })
  })

  test('stay open between runs with keepOpen, until the agent is closed', async () => {
    const agent = room([answer('x'), answer('y')], log => [named(log, 'a')], true)
    await agent.run('What?')
    await agent.run('And then?')
    await agent.close()
    expect(agent.log).toEqual(['open a', 'open own', 'close own', 'close a'])
  })

  test('that never close are waited for no longer than a while, the answer stands, and that is told', async () => {
    const over = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
    const agent = room([answer('x')], () => [{ close: () => new Promise<never>(() => {}) }])
    const events: AgentEvent[] = []
    const { answer: given } = await agent.run('What?', { onEvent: event => events.push(event) })
    over.mockRestore()
    const notice = events.find(({ type }) => type === 'notice')
    expect([given, notice]).toEqual([
      'x',
      { type: 'notice', code: 'CLOSE_FAILED', message: expect.stringContaining('did not close within 10 s') },
    ])
  })

  test('are closed by an agent that was never run, since some are open before', async () => {
    const agent = room([], log => [named(log, 'a')])
    await agent.close()
    expect(agent.log).toEqual(['close a'])
  })

  test('are all closed when one of them fails, and the answer stands', async () => {
    const broken = { close: () => Promise.reject(new Error('stuck door')) }
    const agent = room([answer('x')], log => [named(log, 'a'), broken, named(log, 'b')])
    const events: AgentEvent[] = []
    const result = await agent.run('What?', { onEvent: event => events.push(event) })
    expect([result.answer, toldIn(events), agent.log.slice(-2)]).toEqual(['x', ['CLOSE_FAILED'], ['close b', 'close a']])
  })

  test('that can’t be opened end the run with their error, and what was opened is closed', async () => {
    const broken = { open: () => Promise.reject(new Error('no key')), close: async () => {} }
    const agent = room([answer('x')], log => [named(log, 'a'), broken])
    await expect(agent.run('What?')).rejects.toThrow('no key')
    expect(agent.log).toEqual(['open a', 'close own', 'close a'])
  })

  test('must be things with a close function', () => {
    const resources = [{ open: async () => {} }] as unknown as AgentResource[]
    expect(() => new ToolCallAgent({ model: scriptedModel([]), resources })).toThrow(/resources cannot be/)
  })
})

describe('a world that is gone before a step', () => {
  const gone: RunEnd = { kind: 'end', stop: 'service_gone', message: 'the server is gone' }

  test('ends the run, and what is known by then is asked for', async () => {
    const agent = room([call('a'), answer('what I know')], () => [])
    agent.looks = ['a server', gone]
    expect(await agent.run('What?')).toMatchObject({
      stop: 'best_effort',
      reason: 'service_gone',
      message: 'the server is gone',
      answer: 'what I know',
    })
  })

  test('ends it without an answer where that is wanted', async () => {
    const agent = new Room({ model: scriptedModel([]), onMaxSteps: 'return' })
    agent.looks = [gone]
    expect(await agent.run('What?')).toMatchObject({ stop: 'service_gone', message: 'the server is gone' })
  })
})

test('a run that goes on opens its resource before it says which tools are missing, and writes nothing', async () => {
  const first: AgentEvent[] = []
  const early = new ToolCallAgent({ model: scriptedModel([call('a'), answer('x')]), tools: [searchTool()] })
  await early.run('What?', { onEvent: event => first.push(event) })
  const cut = first.slice(0, first.findIndex(({ type }) => type === 'call_end') + 1)
  class Late extends ToolCallAgent {
    protected override async onOpen() {
      if (!this.registry.has('search')) this.registry.register(searchTool())
    }
  }
  const late = await new Late({ model: scriptedModel([answer('y')]) }).run(undefined, { resume: cut })
  expect(late.answer).toBe('y')
  const told: AgentEvent[] = []
  const never = new Room({ model: scriptedModel([]) })
  const resumed = never.run(undefined, { resume: cut, onEvent: event => told.push(event) })
  await expect(resumed).rejects.toThrow(/had tools that are not there: search/)
  expect([never.log, never.state, told]).toEqual([['open own', 'close own'], 'IDLE', []])
})
