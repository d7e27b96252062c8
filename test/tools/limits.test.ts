import { describe, expect, it } from 'vitest'
import { CallLimits } from '../../src/tools/limits.js'

function at(start = 0) {
  const clock = { ms: start }
  return { clock, limits: new CallLimits(() => clock.ms) }
}

describe('CallLimits', () => {
  it('lets any number of calls through where there is no limit', () => {
    const { limits } = at()
    for (let i = 0; i < 1000; i++) expect(limits.take({ name: 'a' }, 1)).toBeUndefined()
  })

  it('stops after maxCallsPerRun, for each tool by itself', () => {
    const { limits, clock } = at()
    const tool = { name: 'a', maxCallsPerRun: 2 }
    limits.take(tool, 1)
    limits.take(tool, 1)
    clock.ms = 1e9
    expect(limits.take(tool, 1)).toEqual({ limit: 2, per: 'run' })
    expect(limits.take({ name: 'b', maxCallsPerRun: 2 }, 1)).toBeUndefined()
  })

  it('counts a sliding minute and says when it frees', () => {
    const { limits, clock } = at(500)
    const tool = { name: 'a', maxCallsPerMinute: 2 }
    limits.take(tool, 1)
    clock.ms = 20_500
    limits.take(tool, 1)
    clock.ms = 30_500
    expect(limits.take(tool, 1)).toEqual({ limit: 2, per: 'minute', seconds: 30 })
    clock.ms = 60_499
    expect(limits.take(tool, 1)).toMatchObject({ seconds: 1 })
    clock.ms = 60_500
    expect(limits.take(tool, 1)).toBeUndefined()
    expect(limits.take(tool, 1)).toEqual({ limit: 2, per: 'minute', seconds: 20 })
  })

  it('stops after maxCallsPerStep, and begins anew with each step', () => {
    const { limits } = at()
    const tool = { name: 'a', maxCallsPerStep: 1, maxCallsPerRun: 3 }
    expect(limits.take(tool, 1)).toBeUndefined()
    expect(limits.take(tool, 1)).toEqual({ limit: 1, per: 'step' })
    expect(limits.take(tool, 2)).toBeUndefined()
    expect(limits.take(tool, 3)).toBeUndefined()
    expect(limits.take(tool, 4)).toEqual({ limit: 3, per: 'run' })
  })

  it('a refused call counts for nothing, nor does one given back', () => {
    const { limits } = at()
    const tool = { name: 'a', maxCallsPerRun: 1 }
    limits.take(tool, 1)
    limits.take(tool, 1)
    limits.giveBack(tool)
    expect(limits.take(tool, 1)).toBeUndefined()
    expect(limits.take(tool, 1)).toBeDefined()
  })

  it('a tool named __proto__ is a name like any other', () => {
    const { limits } = at()
    expect(limits.take({ name: '__proto__', maxCallsPerRun: 1 }, 1)).toBeUndefined()
    expect(limits.take({ name: '__proto__', maxCallsPerRun: 1 }, 1)).toEqual({ limit: 1, per: 'run' })
  })
})
