import { describe, expect, test } from 'vitest'
import type { SaydoError } from '../../src/core/errors.js'
import { answer, call, play } from '../support/agents.js'

const calls = (count: number) => Array.from({ length: count }, (_, i) => call(`${i}`))

describe('the last turn', () => {
  test('comes after exactly as many model calls as the limit allows', async () => {
    const { result, prompts } = await play([...calls(3), answer('so far')], { maxSteps: 3 })
    expect([result.stop, result.reason, result.answer, prompts.length]).toEqual(['best_effort', 'max_steps', 'so far', 4])
  })

  test('runs no action, and is not repeated', async () => {
    const { result, prompts, made } = await play(calls(9), { maxSteps: 3 })
    expect([result.stop, result.answer, prompts.length, made.length]).toEqual(['max_steps', undefined, 4, 3])
  })

  test.each([
    ['empty', ''],
    ['only a thought', 'Thought: I am not sure.'],
    ['unreadable', '```'],
  ])('that is %s is never taken for an answer', async (_, reply) => {
    const { result, prompts } = await play([...calls(2), reply], { maxSteps: 2 })
    expect([result.stop, result.answer, prompts.length]).toEqual(['max_steps', undefined, 3])
  })

  test('that gives nothing falls back on an answer that came too early', async () => {
    const script = [answer('the early one'), call('a'), '']
    const failing = { toolChoice: 'required', maxSteps: 1 } as const
    const { result } = await play(script, failing)
    expect(result).toMatchObject({ stop: 'best_effort', reason: 'max_steps', answer: 'the early one' })
    expect(result.message).toContain('before any tool had been called')
  })

  test('is asked for after replies that stay unreadable', async () => {
    const { result, prompts } = await play(['```', '```', '```', answer('x')])
    expect([result.stop, result.reason, prompts.length]).toEqual(['best_effort', 'unclear', 4])
    expect(result.message).toMatch(/^3 replies in a row gave no decision: /)
  })
})

describe('onMaxSteps', () => {
  test.each([
    ['max_steps', calls(1), { maxSteps: 1 }],
    ['unclear', Array(3).fill('```'), {}],
    ['stuck', Array(9).fill(call('a')), {}],
    ['budget', calls(1), { maxRunTokens: 1 }],
  ])('return ends without an answer: %s', async (stop, script, options) => {
    const { result, prompts } = await play(script, { ...options, onMaxSteps: 'return' })
    expect([result.stop, result.answer]).toEqual([stop, undefined])
    expect(prompts.length).toBeLessThanOrEqual(script.length)
  })

  test('throw rejects, with the result so far', async () => {
    const failed = await play(calls(2), { maxSteps: 2, onMaxSteps: 'throw' }).catch((error: SaydoError) => error)
    expect(failed).toMatchObject({ code: 'STATE', message: 'the limit of 2 steps was reached', cause: { stop: 'max_steps' } })
    expect((failed as { cause: { steps: unknown[] } }).cause.steps).toHaveLength(2)
  })
})
