import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { emptyFolder, saydo } from '../support/cli.js'
import { startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

const CALL = 'Thought: I calculate it.\nAction: calculator\nAction Input: {"expression": "17 * 23"}'
const OTHER = CALL.replace('17 * 23', '17 + 23')
const ANSWER = 'Thought: I know it now.\nFinal Answer: 391'
const FILE = join('fixtures', 'runs', 'product.saydo.yaml')
const TASK = 'What is 17 * 23?'

async function endpointOf(...replies: readonly string[]): Promise<TestEndpoint> {
  const endpoint = await startEndpoint({ replies: [...replies] })
  open.push(endpoint)
  return endpoint
}

/** A folder with the fixture of a run. */
async function folder(change: (text: string) => string = text => text): Promise<string> {
  const cwd = emptyFolder()
  const { url } = await endpointOf(CALL, ANSWER)
  await saydo([TASK, '--url', url, '--tool', 'calculator', '--record', 'run.jsonl'], { cwd })
  await saydo(['fixtures', 'from', 'run.jsonl', '--name', 'product'], { cwd })
  writeFileSync(join(cwd, FILE), change(textIn(cwd)))
  return cwd
}

const textIn = (cwd: string, file = FILE): string => readFileSync(join(cwd, file), 'utf8')

describe('saydo fixtures play', () => {
  test('replays, without a model, where no mode is given', async () => {
    const cwd = await folder()
    const before = textIn(cwd)
    const { code, stdout, verdict } = await saydo(['fixtures', 'play', 'product'], { cwd })
    expect([code, stdout, verdict]).toEqual([0, `${FILE}: final_answer, "391"\n`, 'played 1 fixture (replay)'])
    expect(textIn(cwd)).toBe(before)
  })

  test('exits with 4 when the run is another one than was recorded', async () => {
    const cwd = await folder(text => text.replace('parsed: {answer: "391"}', 'parsed: {answer: "392"}'))
    const { code, stderr } = await saydo(['fixtures', 'play', 'product'], { cwd })
    expect([code, stderr]).toEqual([4, expect.stringContaining(`error FIXTURE_MISMATCH: ${FILE}, step 2, parsed`)])
  })

  test('--mode rewrite asks a model and calls the tools, and writes beside the file', async () => {
    const cwd = await folder()
    const before = textIn(cwd)
    const { url } = await endpointOf(OTHER, 'Final Answer: 40')
    const { code, stdout, verdict } = await saydo(['fixtures', 'play', 'product', '--mode', 'rewrite', '--url', url], { cwd })
    expect([code, stdout, textIn(cwd)]).toEqual([0, `${FILE}: final_answer, "40"\n`, before])
    expect(verdict).toContain('saydo fixtures review')
    expect(textIn(cwd, `${FILE}.new`)).toContain('result: |-\n            40')
    expect((await saydo(['fixtures', 'accept', 'product'], { cwd })).code).toBe(0)
    expect((await saydo(['fixtures', 'check'], { cwd })).code).toBe(0)
  })

  test('--mode extend plays what is there and records the rest', async () => {
    const cwd = await folder(text => text.slice(0, text.lastIndexOf('      - model:')))
    const { url, asked } = await endpointOf(ANSWER)
    const { code } = await saydo(['fixtures', 'play', 'product', '--mode', 'extend', '--url', url], { cwd })
    expect([code, asked.length]).toEqual([0, 1])
    expect(textIn(cwd)).toContain('Final Answer: 391')
  })

  test('--mode auto makes a file that is missing, and plays one that is there', async () => {
    const cwd = emptyFolder()
    const { url, asked } = await endpointOf(CALL, ANSWER)
    const argv = ['fixtures', 'play', 'product', '--mode', 'auto', '--url', url, '--tool', 'calculator']
    expect((await saydo([...argv, '--task', TASK], { cwd })).code).toBe(0)
    expect((await saydo(argv, { cwd })).code).toBe(0)
    expect([asked.length, textIn(cwd)]).toEqual([2, expect.stringContaining('user: What is 17 * 23?')])
  })

  test('--mode live asks for all of it and writes nothing', async () => {
    const cwd = await folder()
    const before = textIn(cwd)
    const { url, asked } = await endpointOf('Final Answer: about 400')
    const { code, stdout } = await saydo(['fixtures', 'play', 'product', '--mode', 'live', '--url', url], { cwd })
    expect([code, stdout, asked.length]).toEqual([0, `${FILE}: final_answer, "about 400"\n`, 1])
    expect([textIn(cwd), existsSync(join(cwd, `${FILE}.new`))]).toEqual([before, false])
  })

  test('--mode continue plays the steps before --from', async () => {
    const cwd = await folder()
    const { url, asked } = await endpointOf('Final Answer: about 400')
    const argv = ['fixtures', 'play', 'product', '--mode', 'continue', '--url', url]
    expect((await saydo([...argv, '--from', '2'], { cwd })).code).toBe(0)
    expect([asked.length, textIn(cwd, `${FILE}.new`)]).toEqual([1, expect.stringContaining('about 400')])
    expect((await saydo(argv, { cwd })).verdict).toMatch(/needs the step/)
  })

  test('--mode model=live,tools=replay is another model in the same world', async () => {
    const cwd = await folder()
    const argv = ['fixtures', 'play', 'product', '--mode', 'model=live,tools=replay']
    const same = await endpointOf(CALL, 'Final Answer: it is 391')
    expect((await saydo([...argv, '--url', same.url], { cwd })).stdout).toBe(`${FILE}: final_answer, "it is 391"\n`)
    const other = await endpointOf(OTHER, ANSWER)
    const { code, stderr } = await saydo([...argv, '--url', other.url], { cwd })
    expect([code, stderr]).toEqual([4, expect.stringContaining('+ calculator {"expression":"17 + 23"}')])
  })

  test('--mode model=replay,tools=live holds what a tool gives today to what it gave', async () => {
    const argv = ['fixtures', 'play', 'product', '--mode', 'model=replay,tools=live']
    expect((await saydo(argv, { cwd: await folder() })).code).toBe(0)
    const cwd = await folder(text => text.replace(/(result: \|-\n\s+)391/, '$1392'))
    const { code, stderr } = await saydo(argv, { cwd })
    expect([code, stderr]).toEqual([4, expect.stringContaining('+ {"result":"391"}')])
  })

  test('SAYDO_MODE is the same as --mode, which wins over it', async () => {
    const cwd = await folder()
    const { url, asked } = await endpointOf('Final Answer: about 400')
    const env = { SAYDO_MODE: 'live', SAYDO_URL: url, SAYDO_MODEL: 'm' }
    expect((await saydo(['fixtures', 'play'], { cwd, env })).verdict).toBe('played 1 fixture (live)')
    expect((await saydo(['fixtures', 'play', '--mode', 'replay'], { cwd, env })).verdict).toBe('played 1 fixture (replay)')
    expect(asked.length).toBe(1)
  })

  test('in CI everything is played, whatever was wanted', async () => {
    const cwd = await folder()
    const { verdict } = await saydo(['fixtures', 'play', '--mode', 'rewrite'], { cwd, env: { CI: 'true' } })
    expect(verdict).toBe('played 1 fixture (replay)')
  })

  test.each([
    [['--mode', 'rewritten'], /there is no mode rewritten, did you mean "rewrite"/],
    [['--mode', 'tool=live'], /there is no channel tool/],
    [['--mode', 'live'], /no endpoint/],
    [['--from', '2'], /--from is of mode continue/],
    [['nothing'], /there is no fixture nothing/],
  ])('%j exits 2 and says why', async (argv, message) => {
    const { code, verdict } = await saydo(['fixtures', 'play', ...argv], { cwd: await folder() })
    expect([code, verdict]).toEqual([2, expect.stringMatching(message)])
  })

  test('what is made for real needs the tools themselves', async () => {
    const cwd = await folder(text =>
      text.replace('name: calculator', 'name: computer').replaceAll('Action: calculator', 'Action: computer'),
    )
    const { url } = await endpointOf(ANSWER)
    const { code, verdict } = await saydo(['fixtures', 'play', 'product', '--mode', 'rewrite', '--url', url], { cwd })
    expect([code, verdict]).toEqual([2, expect.stringMatching(/mode rewrite needs the tools themselves: computer/)])
  })
})
