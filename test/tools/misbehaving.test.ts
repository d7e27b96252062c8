// Tools that do what no tool should, one by one: each call gives one observation, as plain data, of a bounded length.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ToolRegistry } from '../../src/tools/registry.js'
import { Markers, misbehavingTools } from '../support/misbehaving-tools.js'
import { callNamed } from './call-one.js'

const markers = new Markers()
const registry = new ToolRegistry(
  misbehavingTools({ own: markers.own, extra: markers.extra, runAgain: () => Promise.reject(new Error('no agent')) }),
)
const strays: unknown[] = []
const note = (error: unknown) => void strays.push(error)
beforeAll(() => {
  process.on('unhandledRejection', note)
  process.on('uncaughtException', note)
})
afterAll(() => {
  process.off('unhandledRejection', note)
  process.off('uncaughtException', note)
})

it('there are at least fifty', () => {
  expect(registry.size).toBeGreaterThanOrEqual(50)
})

it.each(registry.list().map(({ name }) => name))('%s gives one observation', async name => {
  // what has to be read takes its time
  const timeoutMs = name === 'givesHugeText' ? 10_000 : undefined
  const tool = registry.get(name)
  if (tool) registry.register({ ...tool, timeoutMs: timeoutMs ?? tool.timeoutMs ?? 5 }, { override: true })
  const observation = await callNamed(name, {}, { registry, maxObserve: 2000 })
  expect(observation.tool).toBe(name)
  expect(observation.text).not.toBe('')
  expect(observation.text.length).toBeLessThan(2200)
  expect(observation.text).not.toContain('extra#')
  expect(JSON.parse(JSON.stringify(observation))).toEqual(observation)
})

it('nothing is left unhandled but what a tool let float by itself', async () => {
  await new Promise(resolve => setTimeout(resolve, 80))
  expect(strays.map(String).filter(stray => !stray.startsWith('Error: floating extra#'))).toEqual([])
  expect(strays).toHaveLength(3)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
