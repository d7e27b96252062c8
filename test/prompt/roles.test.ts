import { describe, expect, it } from 'vitest'
import { createTurnSplitter } from '../../src/prompt/roles.js'

const none = { examples: [], scratchpad: [] }

describe('role marks', () => {
  it('are new in each rendering, so that one seen before is only text', () => {
    const old = createTurnSplitter().marks.role('system')
    const { marks, split } = createTurnSplitter()
    expect(marks.role('system')).not.toBe(old)
    expect(split(`${marks.role('user')}a${old}b`, none)).toEqual([{ role: 'user', text: `a${old}b` }])
  })

  it('never reach the prompt', () => {
    const { marks, slot, split } = createTurnSplitter()
    const text = `a${slot.examples}${marks.role('user')}b${slot.scratchpad}c`
    expect(split(text, none)).toEqual([
      { role: 'system', text: 'a' },
      { role: 'user', text: 'b\n\nc' },
    ])
  })
})

describe('neighbouring turns of one role', () => {
  const say = (scratchpad: Parameters<ReturnType<typeof createTurnSplitter>['split']>[1]['scratchpad']) => {
    const { marks, slot, split } = createTurnSplitter()
    return split(`${marks.role('user')}Q${slot.scratchpad}`, { examples: [], scratchpad })
  }

  it('are joined when they are the user’s', () => {
    const turns = say([
      { role: 'assistant', text: 'a' },
      { role: 'user', text: 'b' },
      { role: 'user', text: 'c' },
    ])
    expect(turns.slice(1)).toEqual([
      { role: 'assistant', text: 'a' },
      { role: 'user', text: 'b\n\nc' },
    ])
  })

  it('stay apart when they are the assistant’s, which an earlier prompt may have shown already', () => {
    const turns = [
      { role: 'assistant' as const, text: 'a' },
      { role: 'user' as const, text: '' },
      { role: 'assistant' as const, text: '' },
      { role: 'assistant' as const, text: 'b' },
    ]
    expect(say(turns).slice(1)).toEqual([turns[0], turns[2], turns[3]])
  })
})
