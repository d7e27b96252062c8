// A recorded run becomes a test, and what changes since is named.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, saydo } from '../support/cli.js'
import { startEndpoint } from '../support/endpoint.js'

const FILE = join('fixtures', 'runs', 'town-botanist-born-first.saydo.yaml')

async function demoFixture(): Promise<string> {
  const cwd = emptyFolder()
  await saydo(['demo', '--record', 'demo.jsonl'], { cwd })
  const made = await saydo(['fixtures', 'from', 'demo.jsonl', '--test'], { cwd })
  expect([made.code, made.verdict]).toEqual([
    0,
    'wrote test/town-botanist-born-first.test.ts; run it: npx vitest run test/town-botanist-born-first.test.ts',
  ])
  return cwd
}

function change(cwd: string, from: string, to: string): void {
  const text = readFileSync(join(cwd, FILE), 'utf8')
  expect(text).toContain(from)
  writeFileSync(join(cwd, FILE), text.replace(from, to))
}

describe('saydo fixtures', () => {
  test('from makes a fixture and its test, and writes over no test', async () => {
    const cwd = await demoFixture()
    expect(readFileSync(join(cwd, 'test', 'town-botanist-born-first.test.ts'), 'utf8')).toBe(
      "import { replay } from 'saydo/testing'\n\nawait replay(new URL('../fixtures/runs/town-botanist-born-first.saydo.yaml', import.meta.url))\n",
    )
    expect((await saydo(['fixtures', 'from', 'demo.jsonl', '--test'], { cwd })).verdict).toMatch(/is there already$/)
    expect(await saydo(['fixtures', 'check'], { cwd })).toMatchObject({ code: 0, verdict: '1 fixture, all good' })
  })

  test.each(['../../evil', 'a/b', '/tmp/x', '', '..', '.x', 'a\nb', 'x'.repeat(400)])(
    'from takes no --name %j that is a path, or none at all',
    async name => {
      const cwd = emptyFolder()
      await saydo(['demo', '--record', 'demo.jsonl'], { cwd })
      const { code, verdict } = await saydo(['fixtures', 'from', 'demo.jsonl', '--name', name], { cwd })
      expect([code, verdict]).toEqual([2, expect.stringMatching(/can't be the name of a file/)])
      expect(existsSync(join(cwd, 'fixtures'))).toBe(false)
    },
  )

  test.each(['check', 'update'])('%s of no fixture at all is no success', async command => {
    const cwd = emptyFolder()
    expect(await saydo(['fixtures', command], { cwd })).toMatchObject({
      code: 2,
      verdict: expect.stringMatching(/there is no fixture/),
    })
    expect((await saydo(['fixtures', command, '.'], { cwd })).code).toBe(2)
  })

  test('from takes the newest run when none is named', async () => {
    const cwd = emptyFolder()
    expect((await saydo(['fixtures', 'from'], { cwd })).verdict).toContain('saydo demo records one')
    await saydo(['demo'], { cwd })
    expect((await saydo(['fixtures', 'from'], { cwd })).code).toBe(0)
    expect(existsSync(join(cwd, FILE))).toBe(true)
  })

  test('from says it when its folder cannot be made', async () => {
    const cwd = emptyFolder()
    await saydo(['demo', '--record', 'demo.jsonl'], { cwd })
    writeFileSync(join(cwd, 'fixtures'), 'a file')
    const { code, verdict } = await saydo(['fixtures', 'from', 'demo.jsonl'], { cwd })
    expect([code, verdict]).toEqual([2, expect.stringContaining('cannot make the folder fixtures/runs')])
  })

  test('from writes to where the file is, not to where a link leads', async () => {
    const cwd = emptyFolder()
    await saydo(['demo', '--record', 'demo.jsonl'], { cwd })
    writeFileSync(join(cwd, 'mine.txt'), 'mine')
    mkdirSync(join(cwd, 'fixtures', 'runs'), { recursive: true })
    symlinkSync(join(cwd, 'mine.txt'), join(cwd, 'fixtures', 'runs', 'demo.saydo.yaml'))
    expect((await saydo(['fixtures', 'from', 'demo.jsonl', '--name', 'demo'], { cwd })).code).toBe(0)
    expect(readFileSync(join(cwd, 'mine.txt'), 'utf8')).toBe('mine')
  })

  test('check names the part of the prompt that changed, the line, and what to do, and exits 4', async () => {
    const cwd = await demoFixture()
    const template = readFileSync(join(import.meta.dirname, '..', '..', 'prompts', 'react.hbs'), 'utf8')
    writeFileSync(join(cwd, 'mine.hbs'), template.replace('Answer the user.', 'Answer the person.'))
    const { code, stdout, verdict } = await saydo(['fixtures', 'check', '--prompt', 'mine.hbs'], { cwd })
    expect([code, verdict]).toEqual([4, '1 fixture, 1 with faults'])
    expect(stdout).toMatch(
      /FIXTURE_STALE: fixtures\/runs\/town-botanist-born-first\.saydo\.yaml: template \w{8} → \w{8}; question, parameters, tools, examples unchanged/,
    )
    expect(stdout).toMatch(/line 1 of the prompt:\n\s+\+ Answer the person\./)
    expect(stdout).toContain(`saydo fixtures update ${FILE}`)
    await saydo(['fixtures', 'update', '--prompt', 'mine.hbs'], { cwd })
    expect((await saydo(['fixtures', 'check', '--prompt', 'mine.hbs'], { cwd })).code).toBe(0)
  })

  test('a run with a template of its own is held to that file; while its record is there, both lines are shown', async () => {
    const cwd = emptyFolder()
    const template = readFileSync(join(import.meta.dirname, '..', '..', 'prompts', 'react.hbs'), 'utf8')
    writeFileSync(join(cwd, 'mine.hbs'), template.replace('Answer the user.', 'Answer the person.'))
    const { url, close } = await startEndpoint({ replies: ['Final Answer: 4'] })
    await saydo(['What is 2 + 2?', '--url', url, '--tool', 'calculator', '--prompt', 'mine.hbs'], { cwd })
    await close()
    const [{ id }] = JSON.parse((await saydo(['runs', '--json'], { cwd })).stdout)
    expect((await saydo(['fixtures', 'from', id, '--name', 'sum', '--test'], { cwd })).code).toBe(0)
    expect(readFileSync(join(cwd, 'test', 'sum.test.ts'), 'utf8')).not.toContain('ignore')
    expect(readFileSync(join(cwd, 'fixtures', 'runs', 'sum.saydo.yaml'), 'utf8')).toContain('template: mine.hbs')
    expect((await saydo(['fixtures', 'check'], { cwd })).code).toBe(0)
    writeFileSync(join(cwd, 'mine.hbs'), template.replace('Answer the user.', 'Answer the child.'))
    const { code, stdout } = await saydo(['fixtures', 'check'], { cwd })
    expect([code, stdout]).toEqual([
      4,
      expect.stringMatching(/FIXTURE_STALE: [^:]+: template \w{8} → \w{8}; question, parameters, tools, examples unchanged/),
    ])
    expect(stdout).toMatch(/line 1 of the prompt:\n\s+- Answer the person\..*\n\s+\+ Answer the child\./)
  })

  test.each([
    ['another reading', 'parsed: {unclear: ONLY_THOUGHT}', 'parsed: {unclear: MISSING_TOOL}', /FIXTURE_MISMATCH.*step 4, parsed/],
    ['a key', 'First', 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD', /SECRET: line \d+ holds what looks like a key/],
    ['a slip in the file', 'ends: final_answer', 'end: final_answer', /FIXTURE_INVALID.*unknown key "end"/],
  ])('check finds %s', async (_, before, after, message) => {
    const cwd = await demoFixture()
    const text = readFileSync(join(cwd, FILE), 'utf8')
    const from = text.includes(before) ? before : 'The page about the region'
    change(cwd, from, after)
    const { code, stdout } = await saydo(['fixtures', 'check'], { cwd })
    expect([code, stdout]).toEqual([4, expect.stringMatching(message)])
  })

  test('update takes what is concluded today, and nothing else', async () => {
    const cwd = await demoFixture()
    const before = readFileSync(join(cwd, FILE), 'utf8')
    change(cwd, 'parsed: {unclear: ONLY_THOUGHT}', 'parsed: {unclear: MISSING_TOOL}')
    expect((await saydo(['fixtures', 'update', 'town-botanist-born-first'], { cwd })).verdict).toMatch(
      /^changed: 1 of 1 fixture;/,
    )
    expect(readFileSync(join(cwd, FILE), 'utf8')).toBe(before)
  })

  test('diff tells by cause what changed between two revisions; review and accept take what waits', async () => {
    const cwd = await demoFixture()
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd, stdio: 'pipe' })
    git('init', '-q')
    git('add', 'fixtures')
    git('commit', '-qm', 'one')
    change(cwd, 'parsed: {unclear: ONLY_THOUGHT}', 'parsed: {unclear: MISSING_TOOL}')
    git('commit', '-qam', 'two')
    expect(await saydo(['fixtures', 'diff', 'HEAD~1..HEAD'], { cwd })).toMatchObject({
      code: 0,
      stdout: `parser changed: ${FILE}, turn 1, step 4\n`,
      verdict: '1 parser changed',
    })
    writeFileSync(
      join(cwd, `${FILE}.new`),
      readFileSync(join(cwd, FILE), 'utf8').replace('FINAL ANSWER: The botanist', 'FINAL ANSWER: The woman'),
    )
    expect(await saydo(['fixtures', 'review'], { cwd })).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('model changed (turn 1, step'),
    })
    expect(await saydo(['fixtures', 'accept', 'town-botanist-born-first'], { cwd })).toMatchObject({
      code: 0,
      verdict: 'accepted 1',
    })
    expect([existsSync(join(cwd, `${FILE}.new`)), readFileSync(join(cwd, FILE), 'utf8').includes('The woman')]).toEqual([
      false,
      true,
    ])
  })
})
