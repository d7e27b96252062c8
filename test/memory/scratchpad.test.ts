import { describe, expect, test } from 'vitest'
import type { Step } from '../../src/core/step.js'
import { Scratchpad } from '../../src/memory/scratchpad.js'

const problem = { code: 'ONLY_THOUGHT', message: 'no decision', span: [0, 1], cost: 0 } as const

function step(index: number, attempt = 1, readable = true): Step {
  return {
    index,
    attempt,
    reply: { text: `reply ${index}.${attempt}`, finish: 'stop' },
    parsed: {
      thought: null,
      decision: readable ? { kind: 'answer', text: 'x' } : { kind: 'unclear', problem },
      problems: [],
      kept: [0, 0],
    },
    observations: [],
  }
}

function viewOf(steps: readonly Step[], last?: number): string[] {
  const scratchpad = new Scratchpad()
  scratchpad.begin('task')
  for (const one of steps) scratchpad.add(one)
  return scratchpad.view(last).steps.map(one => `${one.index}.${one.attempt}`)
}

describe('a view', () => {
  test.each([
    ['shows every readable step', [step(1), step(2)], undefined, ['1.1', '2.1']],
    ['shows an unclear reply while it is the newest', [step(1), step(2, 1, false)], undefined, ['1.1', '2.1']],
    [
      'shows only the newest of several unclear replies',
      [step(1), step(2, 1, false), step(2, 2, false)],
      undefined,
      ['1.1', '2.2'],
    ],
    ['leaves an unclear reply out after a readable one', [step(1, 1, false), step(1, 2)], undefined, ['1.2']],
    ['keeps the last steps of a budget', [step(1), step(2), step(3)], 2, ['2.1', '3.1']],
    ['never drops the last step', [step(1), step(2)], 0, ['2.1']],
    ['is empty at the start', [], undefined, []],
  ] as const)('%s', (_, steps, last, expected) => {
    expect(viewOf(steps, last)).toEqual(expected)
  })

  test('says how many steps it left out', () => {
    const scratchpad = new Scratchpad()
    for (const index of [1, 2, 3, 4]) scratchpad.add(step(index))
    expect(scratchpad.view(1).omitted).toBe(3)
  })
})

test('a new task begins with an empty page', () => {
  const scratchpad = new Scratchpad()
  scratchpad.begin('one')
  scratchpad.add(step(1))
  scratchpad.begin('two')
  expect([scratchpad.task, scratchpad.steps]).toEqual(['two', []])
})
