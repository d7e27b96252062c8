import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readJournal } from '../../src/transcript/read-journal.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { type EndpointOptions, startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

const CALL = 'Thought: I calculate it.\nAction: calculator\nAction Input: {"expression": "17 * 23"}'
const ANSWER = 'Thought: I know it now.\nFinal Answer: 391'

async function runIn(cwd: string, argv: readonly string[] = [], options: EndpointOptions = {}, env = {}) {
  const endpoint = await startEndpoint({ replies: [CALL, ANSWER], ...options })
  open.push(endpoint)
  return saydo(['What is 17 * 23?', '--url', endpoint.url, '--tool', 'calculator', ...argv], { cwd, env })
}

function recordsIn(cwd: string): string[] {
  const folder = join(cwd, '.saydo', 'runs')
  return existsSync(folder) ? readdirSync(folder).map(name => join(folder, name)) : []
}

describe('a run', () => {
  test('is recorded under its id, and the line before the verdict names the record', async () => {
    const cwd = emptyFolder()
    const { stderr, stdout } = await runIn(cwd)
    const [file = '', ...others] = recordsIn(cwd)
    const { run, result, steps } = transcriptOf(readJournal(file).events)
    expect(others).toEqual([])
    expect(file).toBe(join(cwd, '.saydo', 'runs', `${run}.jsonl`))
    expect(result).toMatchObject({ answer: '391', stop: 'final_answer' })
    expect(steps).toHaveLength(2)
    expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
      `recorded: ${join('.saydo', 'runs', `${run}.jsonl`)}`,
      expect.stringMatching(/^answered/),
    ])
    expect(stdout).toBe('391\n')
  })

  test('is recorded where git does not look; a .gitignore that is there stays', async () => {
    const cwd = emptyFolder()
    await runIn(cwd)
    expect(readFileSync(join(cwd, '.saydo', '.gitignore'), 'utf8')).toBe('*\n')
    writeFileSync(join(cwd, '.saydo', '.gitignore'), 'runs\n')
    await runIn(cwd)
    expect(readFileSync(join(cwd, '.saydo', '.gitignore'), 'utf8')).toBe('runs\n')
    expect(recordsIn(cwd)).toHaveLength(2)
  })

  test('says where its chunks ended, so that it can be played in the same ones', async () => {
    const cwd = emptyFolder()
    await runIn(cwd)
    const { turns } = transcriptOf(readJournal(recordsIn(cwd)[0] ?? '').events)
    expect(turns[0]?.cuts?.length).toBeGreaterThan(0)
  })

  test.each(['flag', 'config file'])('leaves no record when the %s says so', async where => {
    const cwd = emptyFolder()
    if (where !== 'flag') writeFileSync(join(cwd, 'saydo.config.json5'), '{record: false}')
    const { stderr } = await runIn(cwd, where === 'flag' ? ['--no-record'] : [])
    expect(existsSync(join(cwd, '.saydo'))).toBe(false)
    expect(stderr).not.toContain('recorded')
  })

  test('is recorded without a word when it is quiet', async () => {
    const cwd = emptyFolder()
    expect((await runIn(cwd, ['--quiet'])).stderr).toBe('')
    expect(recordsIn(cwd)).toHaveLength(1)
  })

  test('goes on, and says so, where nothing can be recorded', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, '.saydo'), 'a file')
    const { code, stdout, stderr } = await runIn(cwd)
    expect([code, stdout]).toEqual([0, '391\n'])
    expect(stderr).toMatch(/^! this run is not recorded: /m)
    expect(stderr).not.toMatch(/^recorded/m)
  })

  test('is recorded in a file of its own with --record, folders included', async () => {
    const cwd = emptyFolder()
    const { stderr } = await runIn(cwd, ['--record', 'kept/one.jsonl'])
    expect(stderr).toContain(`recorded: ${join('kept', 'one.jsonl')}`)
    expect(readJournal(join(cwd, 'kept', 'one.jsonl')).checked).toBe(true)
    expect(existsSync(join(cwd, '.saydo'))).toBe(false)
  })

  test.each([
    ['is there already', (cwd: string) => writeFileSync(join(cwd, 'one.jsonl'), ''), /is there already/],
    ['cannot be made', (cwd: string) => mkdirSync(join(cwd, 'one.jsonl')), /error CONFIG.*one\.jsonl/],
  ])('exits 2 before anything is asked when the file of --record %s', async (_, prepare, verdict) => {
    const cwd = emptyFolder()
    prepare(cwd)
    const result = await runIn(cwd, ['--record', 'one.jsonl'])
    expect(result.code).toBe(2)
    expect(result.verdict).toMatch(verdict)
    expect(open.at(-1)?.asked).toEqual([])
  })

  test('that never began leaves no record', async () => {
    const cwd = emptyFolder()
    const { code, stderr } = await runIn(cwd, ['--tool', 'no-such-tool'])
    expect(code).toBe(2)
    expect(recordsIn(cwd)).toEqual([])
    expect(stderr).not.toContain('recorded')
  })

  test('that an error ended is recorded with it', async () => {
    const cwd = emptyFolder()
    const { code, stderr } = await runIn(cwd, [], { moods: ['unauthorized'] })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^recorded: .*\nerror MODEL_AUTH/m)
    expect(transcriptOf(readJournal(recordsIn(cwd)[0] ?? '').events).error?.code).toBe('MODEL_AUTH')
  })

  test('keeps key, headers and what the environment and .env call secret to itself', async () => {
    const cwd = emptyFolder()
    const secrets = ['key-of-the-model', 'token-in-a-header', 'word-of-the-environment', 'word-of-the-file', 'behind-a-scheme']
    writeFileSync(join(cwd, '.env'), `OTHER_PASSWORD=${secrets[3]}\n`)
    const replies = [
      `Thought: ${secrets.join(' ')}\nFinal Answer: ${secrets.map(secret => Buffer.from(secret).toString('hex')).join(' ')}`,
    ]
    const env = { OPENAI_API_KEY: secrets[0] ?? '', MY_SECRET: secrets[2] ?? '' }
    const { stdout } = await runIn(
      cwd,
      ['--header', `X-Mine: ${secrets[1]}`, '--header', `Authorization: Bearer ${secrets[4]}`],
      { replies },
      env,
    )
    expect(stdout).toContain(Buffer.from(secrets[0] ?? '').toString('hex'))
    const text = readFileSync(recordsIn(cwd)[0] ?? '', 'utf8')
    for (const secret of secrets)
      for (const spelt of [secret, Buffer.from(secret).toString('hex')]) expect(text).not.toContain(spelt)
    for (const name of ['OPENAI_API_KEY', 'header X-Mine', 'header Authorization', 'MY_SECRET', 'OTHER_PASSWORD of .env'])
      expect(text).toContain(`[secret ${name}]`)
  })
})

test('a demo leaves a record too', async () => {
  const cwd = emptyFolder()
  const { code, stderr } = await saydo(['demo'], { cwd })
  expect(code).toBe(0)
  expect(stderr).toContain('recorded: ')
  expect(transcriptOf(readJournal(recordsIn(cwd)[0] ?? '').events).result?.stop).toBe('final_answer')
  await saydo(['demo', '--no-record'], { cwd })
  expect(recordsIn(cwd)).toHaveLength(1)
})
