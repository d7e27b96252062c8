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

const nameOf = (one: Step) => `${one.index}.${one.attempt}`

function filled(steps: readonly Step[], task = 'task'): Scratchpad {
  const scratchpad = new Scratchpad()
  scratchpad.begin(task)
  for (const one of steps) scratchpad.add(one)
  return scratchpad
}

/** What is shown of each task, and how much of it is not. */
function shown(scratchpad: Scratchpad) {
  return scratchpad.view().turns.map(({ task, steps, omitted }) => `${task}: ${steps.map(nameOf).join(' ')} (-${omitted})`)
}

describe('a view', () => {
  test.each([
    ['shows every readable step', [step(1), step(2)], 'task: 1.1 2.1 (-0)'],
    ['shows an unclear reply while it is the newest', [step(1), step(2, 1, false)], 'task: 1.1 2.1 (-0)'],
    ['shows only the newest of several unclear replies', [step(1), step(2, 1, false), step(2, 2, false)], 'task: 1.1 2.2 (-0)'],
    ['leaves an unclear reply out after a readable one', [step(1, 1, false), step(1, 2)], 'task: 1.2 (-0)'],
    ['leaves an answer that was refused out after a readable step', [{ ...step(1), nudge: 'no' }, step(1, 2)], 'task: 1.2 (-0)'],
    ['is empty at the start', [], 'task:  (-0)'],
  ])('%s', (_, steps, expected) => {
    expect(shown(filled(steps))).toEqual([expected])
  })

  test('of a memory without a task is empty', () => {
    expect(new Scratchpad().view()).toEqual({ turns: [{ task: '', steps: [], omitted: 0 }], omitted: 0 })
  })
})

describe('a further task', () => {
  test('follows the earlier ones, and has an empty page of its own', () => {
    const scratchpad = filled([step(1)], 'one')
    scratchpad.begin('two')
    expect([scratchpad.task, scratchpad.steps]).toEqual(['two', []])
    scratchpad.add(step(1, 2))
    expect(shown(scratchpad)).toEqual(['one: 1.1 (-0)', 'two: 1.2 (-0)'])
  })

  test('takes the place of one that nothing was done about', () => {
    const scratchpad = filled([step(1, 1, false)], 'one')
    scratchpad.begin('two')
    expect(shown(scratchpad)).toEqual(['two:  (-0)'])
  })

  test('leaves unclear replies of the earlier ones out', () => {
    const scratchpad = filled([step(1), step(2, 1, false)], 'one')
    scratchpad.begin('two')
    expect(shown(scratchpad)).toEqual(['one: 1.1 (-0)', 'two:  (-0)'])
  })
})

test('a run that goes on with a task counts its own steps', () => {
  const scratchpad = filled([step(1), step(2)])
  scratchpad.resume()
  scratchpad.add(step(1))
  expect(scratchpad.steps).toHaveLength(1)
  expect(shown(scratchpad)).toEqual(['task: 1.1 2.1 1.1 (-0)'])
})

describe('what does not fit', () => {
  test('leaves by halves: earlier tasks first, then steps, never the last', () => {
    const scratchpad = filled([step(1)], 'one')
    for (const task of ['two', 'three']) {
      scratchpad.begin(task)
      for (const index of [1, 2, 3, 4]) scratchpad.add(step(index))
    }
    const seen: string[][] = []
    while (scratchpad.trim()) seen.push(shown(scratchpad))
    expect(seen).toEqual([
      ['two: 1.1 2.1 3.1 4.1 (-0)', 'three: 1.1 2.1 3.1 4.1 (-0)'],
      ['three: 1.1 2.1 3.1 4.1 (-0)'],
      ['three: 3.1 4.1 (-2)'],
      ['three: 4.1 (-3)'],
    ])
    expect(scratchpad.view().omitted).toBe(2)
  })

  test('is counted with its task when another follows', () => {
    const scratchpad = filled([step(1), step(2), step(3)], 'one')
    scratchpad.trim()
    scratchpad.begin('two')
    expect(shown(scratchpad)).toEqual(['one: 3.1 (-2)', 'two:  (-0)'])
  })

  test('of a single step is nothing', () => {
    expect([filled([step(1)]).trim(), filled([]).trim(), new Scratchpad().trim()]).toEqual([false, false, false])
  })
})

test('a memory that was reset knows nothing', () => {
  const scratchpad = filled([step(1)])
  scratchpad.reset()
  expect([scratchpad.task, scratchpad.steps, scratchpad.isOpen]).toEqual(['', [], false])
})
