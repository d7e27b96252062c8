import { describe, expect, test } from 'vitest'
import { expectRun, matchers } from '../../src/testing/matchers.js'
import { playRun } from '../support/recorded-runs.js'

const { result } = await playRun({
  replies: ['Action: capital\nAction Input: {"country": "Veltria"}', 'final answer: Ostrava Bay'],
})
const run = result ?? expect.fail('no result')

describe('matchers', () => {
  test.each([
    ['toHaveCalled', ['capital'], true],
    ['toHaveCalled', ['capital', { country: 'Veltria' }], true],
    ['toHaveCalled', ['capital', { country: 'Morn' }], false],
    ['toHaveCalled', ['search'], false],
    ['toEndWith', ['final_answer'], true],
    ['toEndWith', ['max_steps'], false],
    ['toHaveNoRepairs', [], false],
  ] as const)('%s(%j) is %s', (name, wanted, pass) => {
    const matcher = matchers[name] as (
      run: typeof result,
      ...wanted: readonly unknown[]
    ) => { readonly pass: boolean; message(): string }
    expect(matcher(run, ...wanted).pass).toBe(pass)
    const plain = expectRun(run)[name] as (...wanted: readonly unknown[]) => void
    if (pass) plain(...wanted)
    else expect(() => plain(...wanted)).toThrow(/^expected the run to /)
  })

  test('what was done stands below what was wanted', () => {
    expect(matchers.toHaveCalled(run, 'search').message()).toBe(
      'expected the run to call search\ncalls:\n  capital {"country":"Veltria"}',
    )
    expect(matchers.toHaveNoRepairs(run).message()).toContain('step 2: LABEL_CASE')
  })
})
