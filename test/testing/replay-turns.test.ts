// What `replay` tells a test runner of, in whatever order that runs it.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { replay } from '../../src/testing/replay.js'

type Body = () => Promise<void>

const told = vi.hoisted(() => new Map<string, Body>())

vi.mock('../../src/testing/test-runner.js', () => ({
  testRunner: async () => ({
    describe: (_: string, body: () => void) => body(),
    test: (name: string, body: Body) => told.set(name, body),
    updates: () => false,
  }),
}))

const TURNS = ['one', 'two', 'three']

/** A fixture of three turns, in which that one has another answer than it says. */
async function turnsWith(wrong: string): Promise<(name: string) => Promise<string>> {
  const file = join(mkdtempSync(join(tmpdir(), 'saydo-turns-')), 'run.saydo.yaml')
  const turns = TURNS.map(
    user =>
      `  - user: ${user}\n    steps:\n      - model: "Final Answer: ${user}"\n    answer: ${user === wrong ? 'other' : user}\n`,
  )
  writeFileSync(file, `fixture: 1\nturns:\n${turns.join('')}`)
  await replay(file, { env: {} })
  return name =>
    told
      .get(name)?.()
      .then(
        () => 'passes',
        (error: Error) => error.message.split('\n').slice(1, 3).join(' '),
      ) ?? expect.fail(`no test ${name}`)
}

beforeEach(() => told.clear())

describe('each turn of a fixture is a test', () => {
  test.each([TURNS, TURNS.toReversed()])('that passes, in the order %s %s %s', async (...order) => {
    const run = await turnsWith('none')
    for (const name of order) expect(await run(name)).toBe('passes')
  })

  test('that is about its own turn, also when it is the only one that runs', async () => {
    expect(await (await turnsWith('two'))('two')).toBe('- "other" + "two"')
    expect(await (await turnsWith('three'))('two')).toBe('passes')
  })

  test('that fails when a turn before it does, and not otherwise', async () => {
    const run = await turnsWith('two')
    expect(await Promise.all(TURNS.map(run))).toEqual(['passes', '- "other" + "two"', '- "other" + "two"'])
    expect(await run('two')).toBe('- "other" + "two"')
  })
})
