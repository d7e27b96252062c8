import { describe, expect, it } from 'vitest'
import type { Observation, Tool, ToolCall } from '../../src/core/tool.js'
import { type Batch, type BatchOptions, callTools } from '../../src/tools/batch.js'
import { tool } from '../../src/tools/define.js'
import { ToolRegistry } from '../../src/tools/registry.js'
import { say } from './say.js'

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

function world() {
  const log: string[] = []
  const make = (name: string, run: () => unknown, more: Partial<Tool> = {}) =>
    tool({
      name,
      description: '',
      ...more,
      run: async () => {
        log.push(`+${name}`)
        try {
          return await run()
        } finally {
          log.push(`-${name}`)
        }
      },
    })
  const registry = new ToolRegistry([
    make('slow', () => wait(20).then(() => 'slow')),
    make('fast', () => 'fast'),
    make('bad', () => {
      throw new Error('bad')
    }),
    make('end', () => 'ended', { finishes: true }),
    make(
      'badEnd',
      () => {
        throw new Error('no end')
      },
      { finishes: true },
    ),
  ])
  const run = (names: string[], more: Partial<BatchOptions> = {}) =>
    callTools(
      names.map((tool, i): ToolCall => ({ id: String(i + 1), tool, input: {} })),
      { registry, say, step: 3, ...more },
    )
  return { log, run, registry }
}

const brief = ({ observations }: Batch) => observations.map(o => o.failure?.code ?? o.text)

describe('callTools', () => {
  it('runs one call after the other by default', async () => {
    const { log, run } = world()
    expect(brief(await run(['slow', 'fast']))).toEqual(['slow', 'fast'])
    expect(log).toEqual(['+slow', '-slow', '+fast', '-fast'])
  })

  it('in parallel gives the observations in the order of the calls', async () => {
    const { log, run } = world()
    const { observations } = await run(['slow', 'fast'], { parallel: true })
    expect(observations.map(o => o.tool)).toEqual(['slow', 'fast'])
    expect(log).toEqual(['+slow', '+fast', '-fast', '-slow'])
  })

  it.each([false, true])('a failing call stops no other (parallel: %s)', async parallel => {
    const { run } = world()
    expect(brief(await run(['bad', 'nowhere', 'fast'], { parallel }))).toEqual(['threw', 'unknown_tool', 'fast'])
  })

  it.each([false, true])('calls after a finishing tool are skipped (parallel: %s)', async parallel => {
    const { log, run } = world()
    const batch = await run(['slow', 'end', 'fast', 'slow'], { parallel })
    expect(brief(batch)).toEqual(['slow', 'ended', 'skipped', 'skipped'])
    expect(batch.ending).toEqual({ success: true, answer: 'ended' })
    expect(batch.observations[2]?.text).toBe('tool_skipped {"tool":"fast","reason":"finished"}')
    expect(log).toEqual(['+slow', '-slow', '+end', '-end'])
  })

  it.each([false, true])('a finishing tool that threw does not finish (parallel: %s)', async parallel => {
    const { run } = world()
    expect(brief(await run(['badEnd', 'fast'], { parallel }))).toEqual(['threw', 'fast'])
  })

  it('runs at most `concurrency` at a time', async () => {
    let running = 0
    let most = 0
    const registry = new ToolRegistry([
      tool({
        name: 't',
        description: '',
        run: async () => {
          most = Math.max(most, ++running)
          await wait(2)
          running--
        },
      }),
    ])
    const calls = Array.from({ length: 12 }, (_, i): ToolCall => ({ id: String(i + 1), tool: 't', input: {} }))
    await callTools(calls, { registry, say, step: 1, parallel: true })
    expect(most).toBe(4)
    most = 0
    await callTools(calls, { registry, say, step: 1, parallel: true, concurrency: 2 })
    expect(most).toBe(2)
  })

  it('names each call by its step and its place', async () => {
    const registry = new ToolRegistry([tool({ name: 't', description: '', run: (_, { callId }) => callId })])
    const calls = ['1', '2'].map((id): ToolCall => ({ id, tool: 't', input: {} }))
    expect(brief(await callTools(calls, { registry, say, step: 3 }))).toEqual(['3.1', '3.2'])
  })

  it('tells start and end of every call that begins, the start before anything runs, and of the others the observation', async () => {
    const { log, run } = world()
    const onStart = async ({ id }: ToolCall) => {
      await wait(1)
      log.push(`start ${id}`)
    }
    const onEnd = ({ id }: ToolCall, o: Observation) => void log.push(`end ${id} ${o.failure?.code ?? 'ok'}`)
    const onRefused = ({ id }: ToolCall, o: Observation) => void log.push(`refused ${id} ${o.failure?.code}`)
    await run(['fast', 'nowhere', 'end', 'slow'], { onStart, onEnd, onRefused })
    expect(log).toEqual([
      ...['start 1', '+fast', '-fast', 'end 1 ok', 'refused 2 unknown_tool'],
      ...['start 3', '+end', '-end', 'end 3 ok', 'refused 4 skipped'],
    ])
  })

  it('after an abort every call still has its observation', async () => {
    const { run } = world()
    const controller = new AbortController()
    const onStart = ({ id }: ToolCall) => {
      if (id === '2') controller.abort()
    }
    expect(brief(await run(['fast', 'slow', 'fast'], { onStart, signal: controller.signal }))).toEqual([
      'fast',
      'aborted',
      'aborted',
    ])
  })

  it('makes no call whose start could not be told, and throws that after the running ones ended', async () => {
    const { log, run } = world()
    const onStart = ({ id }: ToolCall) => {
      if (id === '2') throw new Error('disk full')
    }
    await expect(run(['slow', 'fast', 'fast'], { onStart, parallel: true, concurrency: 2 })).rejects.toThrow('disk full')
    expect(log).toEqual(['+slow', '-slow'])
  })

  it('gives nothing for no calls', async () => {
    expect(await world().run([])).toEqual({ observations: [] })
  })
})
