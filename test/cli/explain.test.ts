import { describe, expect, test } from 'vitest'
import { PROBLEMS } from '../../src/catalogue/index.js'
import { allEntries } from '../../src/catalogue/look-up.js'
import { UNCLEAR_CODES } from '../../src/core/reply.js'
import { saydo } from '../support/cli.js'

describe('saydo explain', () => {
  test('lists every code once, in one line, under its group', async () => {
    const { code, stdout } = await saydo(['explain'])
    expect(code).toBe(0)
    const lines = stdout.split('\n').filter(line => line.startsWith('  '))
    expect(lines.map(line => line.trim().split(' ')[0])).toEqual(allEntries().map(({ name }) => name))
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(110)
    expect(stdout).toMatch(/^Labels and layout\n {2}LABEL_CASE {2,}a label in another case\n/)
  })

  test.each(allEntries().map(({ name }) => name))('explains %s', async name => {
    const { code, stdout, stderr } = await saydo(['explain', name])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^${name}  `, 'm'))
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(130)
  })

  test('shows what is read from the example, what is remarked, and how to switch it off', async () => {
    const { stdout } = await saydo(['explain', 'INPUT_JSON5'])
    expect(stdout).toContain("    Action: search\n    Action Input: {query: 'red kites'}\n")
    expect(stdout).toContain('    call     search {"query":"red kites"}\n')
    expect(stdout).toContain("    2 | Action Input: {query: 'red kites'}\n      |               ^^^^")
    expect(stdout).toContain("--strict INPUT_JSON5, or strict: ['INPUT_JSON5']")
  })

  test.each(UNCLEAR_CODES)('shows what a model is told about %s', async code => {
    const { stdout } = await saydo(['explain', code])
    expect(stdout).toMatch(
      new RegExp(` {2}the model is told\\n {4}\\S[\\s\\S]*${PROBLEMS[code].remedy?.slice(0, 20).replace(/[()$.*?]/g, '.')}`),
    )
  })

  test.each([
    ['max_steps', /^max_steps {2}the step limit/],
    ['max-steps', /^max_steps {2}/],
    ['Input_Json5', /^INPUT_JSON5 {2}/],
    ['aborted', /^aborted [\s\S]*\naborted [\s\S]*\nABORTED /],
  ])('finds %s in any case, whatever kind it is of', async (name, text) => {
    expect((await saydo(['explain', name])).stdout).toMatch(text)
  })

  test('names the nearest code for a slip, and exits 2', async () => {
    const { code, stdout, verdict } = await saydo(['explain', 'INPUT_REPARED'])
    expect([code, stdout]).toEqual([2, ''])
    expect(verdict).toMatch(/^error CONFIG: there is no code 'INPUT_REPARED' — did you mean INPUT_REPAIRED/)
  })

  test('writes JSON', async () => {
    const { stdout } = await saydo(['explain', 'denied', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([
      { code: 'denied', kind: 'failure' },
      { code: 'denied', kind: 'stop' },
    ])
  })
})
