import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readJournal } from '../../src/transcript/read-journal.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

const CALL = 'Thought: I calculate it.\nAction: calculator\nAction Input: {"expression": "17 * 23"}'
const ANSWER = 'Thought: I know it now.\nFinal Answer: 391'
const FILE = 'run.jsonl'

async function endpointOf(...replies: readonly string[]): Promise<TestEndpoint> {
  const endpoint = await startEndpoint({ replies: [...replies] })
  open.push(endpoint)
  return endpoint
}

/** A run with the calculator; its record is cut behind the first line that holds `cut`. */
async function cutRun(cut: string, argv: readonly string[] = []): Promise<string> {
  const cwd = emptyFolder()
  const { url } = await endpointOf(CALL, ANSWER)
  await saydo(['What is 17 * 23?', '--url', url, '--tool', 'calculator', '--record', FILE, ...argv], { cwd })
  const text = readFileSync(join(cwd, FILE), 'utf8')
  writeFileSync(join(cwd, FILE), text.slice(0, text.indexOf('\n', text.indexOf(cut)) + 1))
  return cwd
}

describe('saydo resume', () => {
  test('goes on where the record ends, into the same file, and asks only for what is missing', async () => {
    const cwd = await cutRun('"call_end"')
    const before = readFileSync(join(cwd, FILE), 'utf8')
    const endpoint = await endpointOf(ANSWER)
    const { code, stdout, verdict } = await saydo(['resume', FILE, '--url', endpoint.url], { cwd })
    expect([code, stdout, endpoint.requests.filter(({ body }) => body !== undefined).length > 0]).toEqual([0, '391\n', true])
    expect(verdict).toMatch(/^answered: 2 steps, 1 call/)
    expect(readFileSync(join(cwd, FILE), 'utf8').startsWith(before)).toBe(true)
    expect(transcriptOf(readJournal(join(cwd, FILE)).events)).toMatchObject({ result: { answer: '391' }, turns: [{}, {}] })
  })

  test('takes dialect, language and limits from the record', async () => {
    const cwd = await cutRun('"call_end"', ['--lang', 'de', '--max-steps', '7', '--dialect', 'json'])
    const { url } = await endpointOf(ANSWER)
    const { code, stdout } = await saydo(['resume', FILE, '--url', url, '--json'], { cwd })
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { dialect: 'json', answer: '391', steps: [{}, {}] }])
    const { prompts } = transcriptOf(readJournal(join(cwd, FILE)).events)
    expect(prompts[1]?.messages.slice(0, prompts[0]?.messages.length)).toEqual(prompts[0]?.messages)
  })

  test('drops what a crash tore off', async () => {
    const cwd = await cutRun('"call_end"')
    writeFileSync(join(cwd, FILE), `${readFileSync(join(cwd, FILE), 'utf8')}{"v":1,"seq":`)
    const { url } = await endpointOf(ANSWER)
    expect((await saydo(['resume', FILE, '--url', url], { cwd })).stdout).toBe('391\n')
  })

  test('makes a call again whose result is not on record, where it has no effect', async () => {
    const cwd = await cutRun('"call_start"')
    const { url } = await endpointOf(ANSWER)
    expect((await saydo(['resume', FILE, '--url', url], { cwd })).stderr).toContain('Observation: 391')
  })

  test.each([
    ['a run that came to its end', '"run_end"', /came to its end \(final_answer\)/],
    ['another tool than the run had', '"call_end"', /had tools that are not there: calculator/],
  ])('refuses %s, and leaves the record as it is', async (_, cut, message) => {
    const cwd = await cutRun(cut)
    const before = readFileSync(join(cwd, FILE), 'utf8')
    const { url } = await endpointOf(ANSWER)
    const { code, verdict } = await saydo(
      ['resume', FILE, '--url', url, '--tool', 'clock', ...(cut === '"run_end"' ? ['--tool', 'calculator'] : [])],
      { cwd },
    )
    expect([code, verdict]).toEqual([2, expect.stringMatching(message)])
    expect(readFileSync(join(cwd, FILE), 'utf8')).toBe(before)
  })

  test('says when there is no such run', async () => {
    expect(await saydo(['resume', 'm5x', '--url', 'http://localhost:1'])).toMatchObject({
      code: 2,
      verdict: expect.stringMatching(/there is no run 'm5x'/),
    })
  })
})
