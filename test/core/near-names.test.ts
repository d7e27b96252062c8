import { describe, expect, it } from 'vitest'
import { isSlip, nearNames } from '../../src/core/near-names.js'

describe('nearNames', () => {
  it.each<[string, string[], string[]]>([
    ['serach', ['search', 'lookup'], ['search']],
    ['web_serch', ['web_search', 'calculator'], ['web_search']],
    ['Search-Web', ['search_web', 'sleep'], ['search_web']],
    ['exec_bash', ['execute_bash', 'python'], ['execute_bash']],
    ['search', ['web_search', 'calculator'], ['web_search']],
    ['Café', ['cafe', 'care'], ['cafe', 'care']],
    ['weather', ['calculator', 'clock'], []],
    ['', ['a'], []],
    ['___', ['a'], []],
    ['abcd', ['abcx', 'abcy', 'abcz', 'abcw'], ['abcx', 'abcy', 'abcz']],
    ['x', [], []],
  ])('%j among %j → %j', (name, names, near) => {
    expect(nearNames(name, names)).toEqual(near)
  })

  it('puts the nearest first', () => {
    expect(nearNames('lookup', ['look_at', 'lookups', 'look_up'])[0]).toBe('look_up')
  })

  it('reads no more than the beginning of an endless name', () => {
    expect(nearNames('a'.repeat(1_000_000), ['b', 'a'.repeat(100)])).toEqual(['a'.repeat(100)])
  })
})

describe('isSlip', () => {
  it.each<[string, string, boolean]>([
    ['dmeo', 'demo', true],
    ['rum', 'run', true],
    ['tool', 'tools', true],
    ['parsse', 'parse', true],
    ['hello', 'help', false],
    ['demo', 'demo', false],
    ['a'.repeat(100_000), 'demo', false],
  ])('%j for %j: %s', (written, meant, slip) => {
    expect(isSlip(written, meant)).toBe(slip)
  })
})
