// The catalogue of codes, held against the reader: every example really raises its code, and so does the fixture that is named for it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isForgiven, PROBLEM_GROUPS, PROBLEMS } from '../../src/catalogue/index.js'
import { ERRORS, FAILURES, STOPS } from '../../src/catalogue/names.js'
import { NOTICES } from '../../src/catalogue/notices.js'
import { readExample } from '../../src/catalogue/read-example.js'
import { PROBLEM_CODES } from '../../src/core/reply.js'

const FIXTURES = join(import.meta.dirname, '../../fixtures/replies')

describe('the catalogue', () => {
  test.each(PROBLEM_CODES)('has an example that raises %s, and decides as the code says', code => {
    const { decision, problems } = readExample(PROBLEMS[code])
    expect(problems.map(problem => problem.code)).toContain(code)
    if (isForgiven(code)) expect(decision.kind).not.toBe('unclear')
    else expect(decision).toMatchObject({ kind: 'unclear', problem: { code } })
  })

  test.each(PROBLEM_CODES.filter(code => code !== 'NOT_EXACT'))('names a fixture that raises %s', code => {
    const { fixture } = PROBLEMS[code]
    const { reading } = JSON.parse(readFileSync(join(FIXTURES, `${fixture}.json`), 'utf8'))
    expect(reading.problems.map((problem: { code: string }) => problem.code)).toContain(code)
  })

  test('lists every code in exactly one group', () => {
    expect(PROBLEM_GROUPS.flatMap(({ codes }) => codes).sort()).toEqual([...PROBLEM_CODES].sort())
  })

  test('says for every code that leaves no decision what to do, and for no other', () => {
    const odd = PROBLEM_CODES.filter(code => isForgiven(code) === (PROBLEMS[code].remedy !== undefined))
    expect(odd).toEqual([])
  })

  test('is written in whole sentences under short titles', () => {
    for (const { title, why } of [
      ...Object.values(PROBLEMS),
      ...[ERRORS, FAILURES, STOPS, NOTICES].flatMap(names => Object.values(names)),
    ]) {
      expect(title).toMatch(/^[\p{L}_<][^\n]{0,78}[^.\n]$/u)
      expect(why).toMatch(/^["\p{Lu}][^\n]*\.$/u)
    }
  })
})
