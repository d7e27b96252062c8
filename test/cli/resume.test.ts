import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { openJournal } from '../../src/transcript/journal.js'
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
    const { code, stderr, verdict } = await saydo(
      ['resume', FILE, '--url', url, '--tool', 'clock', ...(cut === '"run_end"' ? ['--tool', 'calculator'] : [])],
      { cwd },
    )
    expect([code, verdict, stderr]).toEqual([2, expect.stringMatching(message), expect.not.stringContaining('recorded: ')])
    expect(readFileSync(join(cwd, FILE), 'utf8')).toBe(before)
  })

  test('says when there is no such run', async () => {
    expect(await saydo(['resume', 'm5x', '--url', 'http://localhost:1'])).toMatchObject({
      code: 2,
      verdict: expect.stringMatching(/there is no run 'm5x'/),
    })
  })
})

describe('saydo resume --from', () => {
  const OTHER = 'Thought: I calculate something else.\nAction: calculator\nAction Input: {"expression": "2 + 2"}'

  async function wholeRun(): Promise<string> {
    const cwd = emptyFolder()
    const { url } = await endpointOf(CALL, ANSWER)
    await saydo(['What is 17 * 23?', '--url', url, '--tool', 'calculator', '--record', FILE], { cwd })
    return cwd
  }

  test('makes a new run that takes over what stands before the step, and leaves the record as it is', async () => {
    const cwd = await wholeRun()
    const before = readFileSync(join(cwd, FILE), 'utf8')
    const endpoint = await endpointOf('Final Answer: about 400')
    const { code, stdout } = await saydo(['resume', FILE, '--url', endpoint.url, '--from', '2', '--record', 'new.jsonl'], { cwd })
    expect([code, stdout, endpoint.asked.length, readFileSync(join(cwd, FILE), 'utf8')]).toEqual([0, 'about 400\n', 1, before])
    const [parent, child] = [FILE, 'new.jsonl'].map(file => transcriptOf(readJournal(join(cwd, file)).events))
    expect(child).toMatchObject({ forked: { run: parent?.run, step: 2 }, result: { answer: 'about 400' }, turns: [{}, {}] })
    expect(child?.turns[0]?.reply).toEqual(parent?.turns[0]?.reply)
    expect(child?.run).not.toBe(parent?.run)
  })

  test('with another reply for that step reads it, and goes on from what it says', async () => {
    const cwd = await wholeRun()
    writeFileSync(join(cwd, 'reply.txt'), OTHER)
    const { url, asked } = await endpointOf('Final Answer: 4')
    const { stdout } = await saydo(['resume', FILE, '--url', url, '--from', '1', '--reply', 'reply.txt'], { cwd })
    expect([stdout, asked.length, asked[0]?.text.includes('2 + 2')]).toEqual(['4\n', 1, true])
  })

  test('is listed, traced and made a fixture of like any other run', async () => {
    const cwd = await wholeRun()
    const { url } = await endpointOf('Final Answer: about 400')
    await saydo(['resume', FILE, '--url', url, '--from', '2'], { cwd })
    const [{ id, steps }] = JSON.parse((await saydo(['runs', '--json'], { cwd })).stdout)
    expect(steps).toBe(2)
    expect((await saydo(['fixtures', 'from', id], { cwd })).code).toBe(0)
    expect((await saydo(['trace', id], { cwd })).stdout).toContain('about 400')
  })

  test.each([
    [['--from', '7'], /no step 7 — it has steps 1 to 2/],
    [['--from', 'two'], /whole number/],
    [['--reply', 'x.txt'], /--reply is of a new run/],
    [['--record', 'x.jsonl'], /--record is of a new run/],
    [['--no-record'], /--no-record is of a new run/],
    [['--from', '1', '--reply', 'x.txt'], /cannot read x\.txt: there is no such file/],
    [['--from', '1', '--reply', 'latin1.txt'], /CONFIG: latin1\.txt:2: this is no UTF-8/],
    [['--from', '2', '--tools', 'none.mjs'], /CONFIG: .*none\.mjs/],
    [['--from', '2', '--tool', 'clock'], /had tools that are not there: calculator/],
  ])('%j exits 2, says why, and leaves no record', async (argv, message) => {
    const cwd = await wholeRun()
    writeFileSync(join(cwd, 'latin1.txt'), Buffer.from('Final Answer:\ncaf\xe9', 'latin1'))
    const { code, stderr } = await saydo(['resume', FILE, '--url', 'http://127.0.0.1:1', ...argv], { cwd })
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
    expect((await saydo(['runs', '--json'], { cwd })).stdout.trim()).toBe('[]')
  })
})

describe('a record of a conversation', () => {
  async function conversation(): Promise<string> {
    const cwd = emptyFolder()
    const { url } = await endpointOf(CALL, ANSWER, 'Final Answer: 17 and 23')
    await saydo(['What is 17 * 23?', '--url', url, '--tool', 'calculator', '--record', FILE], { cwd })
    const journal = openJournal(join(cwd, FILE), { append: true, env: {} })
    const agent = new ToolCallAgent({ model: scriptedModel(['Final Answer: 17 and 23']) })
    agent.recall(readJournal(join(cwd, FILE)).events)
    await agent.run('Of which numbers?', { onEvent: journal.onEvent })
    journal.close()
    return cwd
  }

  test('is shown whole, or by turn', async () => {
    const cwd = await conversation()
    const all = await saydo(['trace', FILE], { cwd })
    expect(all.stdout).toMatch(/Task: What is 17[\s\S]*Task: Of which/)
    expect(all.verdict).toMatch(/of 2 in this conversation$/)
    expect((await saydo(['trace', FILE, '--turn', '1'], { cwd })).stdout).not.toContain('Of which')
    expect((await saydo(['trace', FILE, '--turn', '1', '--step', '1', '--raw'], { cwd })).stdout).toBe(CALL)
    expect((await saydo(['trace', FILE, '--turn', '3'], { cwd })).verdict).toMatch(/no turn 3 — it has 2 turns/)
    expect(JSON.parse((await saydo(['trace', FILE, '--json'], { cwd })).stdout)).toMatchObject({
      task: 'Of which numbers?',
      earlier: [{ task: 'What is 17 * 23?' }],
    })
  })

  test('is a fixture of as many turns, which replays', async () => {
    const cwd = await conversation()
    const { code, stderr } = await saydo(['fixtures', 'from', FILE, '--name', 'talk'], { cwd })
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 turns, 3 replies, final_answer')])
    expect((await saydo(['fixtures', 'check'], { cwd })).code).toBe(0)
  })

  test('whose last turn was cut short goes on there', async () => {
    const cwd = await conversation()
    const text = readFileSync(join(cwd, FILE), 'utf8')
    writeFileSync(join(cwd, FILE), text.slice(0, text.lastIndexOf('\n', text.lastIndexOf('"reply_start"')) + 1))
    const { url, asked } = await endpointOf('Final Answer: the same')
    const { stdout } = await saydo(['resume', FILE, '--url', url], { cwd })
    expect(stdout).toBe('the same\n')
    expect(asked[0]?.text).toMatch(/17 \* 23[\s\S]*Of which numbers/)
  })
})
