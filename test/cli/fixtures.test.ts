import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { visibleJson } from '../../src/cli/visible.js'
import { openJournal } from '../../src/transcript/journal.js'
import { readJournal } from '../../src/transcript/read-journal.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { playRun, RUN_SCRIPTS } from '../support/recorded-runs.js'

async function recordIn(cwd: string, name: string): Promise<string> {
  const file = join(cwd, '.saydo', 'runs', 'm5x-1.jsonl')
  const journal = openJournal(file, { env: {} })
  for (const event of (await playRun(RUN_SCRIPTS[name] ?? { replies: [] })).events) journal.onEvent(event)
  journal.close()
  return file
}

describe('saydo fixtures convert', () => {
  test.each(Object.keys(RUN_SCRIPTS))('makes a file of %s, and a record of that again', async name => {
    const cwd = emptyFolder()
    const record = await recordIn(cwd, name)
    const there = await saydo(['fixtures', 'convert', 'm5', 'rivers.saydo.yaml'], { cwd })
    expect([there.code, there.verdict]).toEqual([0, expect.stringMatching(/^wrote rivers\.saydo\.yaml: \d+ repl(?:y|ies), \w+$/)])
    expect(readFileSync(join(cwd, 'rivers.saydo.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/node_modules\/saydo\/schema\/fixture\.schema\.json\nfixture: 1\nname: rivers\n/,
    )
    const back = await saydo(['fixtures', 'convert', 'rivers.saydo.yaml', 'back.jsonl'], { cwd })
    expect([back.code, back.verdict]).toEqual([0, expect.stringMatching(/^wrote back\.jsonl: \d+ events/)])
    const [before, after] = [record, join(cwd, 'back.jsonl')].map(file => transcriptOf(readJournal(file).events))
    expect(after?.steps).toEqual(before?.steps)
    expect(after?.result).toEqual(before?.result)
  })

  test('changes nothing when there is nothing new to say', async () => {
    const cwd = emptyFolder()
    await recordIn(cwd, 'a call and an answer')
    await saydo(['fixtures', 'convert', 'm5x-1', 'a.saydo.yaml'], { cwd })
    const text = readFileSync(join(cwd, 'a.saydo.yaml'), 'utf8').replace('ms: ', 'ms: 9')
    writeFileSync(join(cwd, 'a.saydo.yaml'), text)
    expect((await saydo(['fixtures', 'convert', 'm5x-1', 'a.saydo.yaml'], { cwd })).verdict).toBe(
      'a.saydo.yaml says all of that already',
    )
    expect(readFileSync(join(cwd, 'a.saydo.yaml'), 'utf8')).toBe(text)
  })

  test('takes secrets out of what --jsonl printed', async () => {
    const cwd = emptyFolder()
    const { events } = await playRun({ replies: ['Final Answer: word-of-the-house'] })
    writeFileSync(join(cwd, 'plain.jsonl'), events.map(event => `${visibleJson(event)}\n`).join(''))
    await saydo(['fixtures', 'convert', 'plain.jsonl', 'a.saydo.yaml'], { cwd, env: { MY_SECRET: 'word-of-the-house' } })
    expect(readFileSync(join(cwd, 'a.saydo.yaml'), 'utf8')).toContain('Final Answer: [secret MY_SECRET]')
  })

  test('shows where a file is wrong, and ends with 4 and the verdict as the last line', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'a.saydo.yaml'), 'fixture: 1\nturns:\n  - usr: x\n')
    const { code, stderr } = await saydo(['fixtures', 'convert', 'a.saydo.yaml', 'a.jsonl'], { cwd })
    expect(code).toBe(4)
    expect(stderr).toBe(
      [
        '3 |   - usr: x',
        '  |     ^^^',
        'error FIXTURE_INVALID: a.saydo.yaml:3:5: unknown key "usr", did you mean "user"? — an item of "turns" may have: user, start, notices, steps, ends, reason, answer, value, error, meta',
        '',
      ].join('\n'),
    )
    expect(existsSync(join(cwd, 'a.jsonl'))).toBe(false)
  })

  test.each([
    [[], /say what to do/],
    [['turn', 'a', 'b'], /does not know 'turn'/],
    [['convert', 'a.jsonl'], /a file to read and one to write/],
    [['convert', 'a.jsonl', 'b.jsonl'], /one of a\.jsonl and b\.jsonl must be a fixture/],
    [['convert', 'a.yaml', 'b.yaml'], /must be a fixture/],
    [['convert', 'm5', 'b.saydo.yaml'], /there is no run 'm5'/],
    [['convert', 'a.saydo.yaml', 'b.jsonl'], /cannot read a\.saydo\.yaml: there is no such file/],
  ])('%j exits 2', async (argv, message) => {
    const { code, verdict } = await saydo(['fixtures', ...argv])
    expect(code).toBe(2)
    expect(verdict).toMatch(message)
  })
})
