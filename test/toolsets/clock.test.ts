import { expect, it } from 'vitest'
import type { Tool } from '../../src/core/tool.js'
import { clockTool } from '../../src/toolsets/clock.js'

const read = (tool: Tool) => tool.run({} as never, { signal: new AbortController().signal, callId: '1.1' })
const now = () => new Date('2026-03-01T23:05:09Z')

it.each([
  ['UTC', { date: '2026-03-01', time: '23:05:09', weekday: 'Sunday', timeZone: 'UTC' }],
  ['Asia/Tokyo', { date: '2026-03-02', time: '08:05:09', weekday: 'Monday', timeZone: 'Asia/Tokyo' }],
  ['America/New_York', { date: '2026-03-01', time: '18:05:09', weekday: 'Sunday', timeZone: 'America/New_York' }],
])('clock tells date, time and weekday in %s', (timeZone, moment) => {
  expect(read(clockTool({ now, timeZone }))).toEqual(moment)
})

it('clock tells the real time by default', () => {
  const before = new Date().toISOString().slice(0, 10)
  const { date } = read(clockTool({ timeZone: 'UTC' })) as { date: string }
  expect([before, new Date().toISOString().slice(0, 10)]).toContain(date)
})
