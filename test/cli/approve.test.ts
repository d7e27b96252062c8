import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { type CliOptions, emptyFolder, saydo } from '../support/cli.js'
import { startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

const QUESTION = 'say why not: '
const remove = (path: string) => `Action: remove\nAction Input: ${JSON.stringify({ path })}`
const CALL = remove('a.txt')
const ANSWER = 'Final Answer: done'

/** A run with a tool that wants to be confirmed; what it did stands in a file. */
async function play(argv: readonly string[], options: CliOptions = {}, replies: readonly string[] = [CALL, ANSWER]) {
  const cwd = emptyFolder()
  const log = join(cwd, 'log')
  const properties = `{ path: { type: 'string' }, force: { type: 'boolean' } }`
  const parameters = `{ type: 'object', properties: ${properties}, required: ['path'], additionalProperties: false }`
  const run = `input => { appendFileSync(${JSON.stringify(log)}, JSON.stringify(input) + '\\n'); return 'removed' }`
  writeFileSync(
    join(cwd, 'tools.mjs'),
    `import { appendFileSync } from 'node:fs'
     export const remove = { name: 'remove', description: 'Removes.', confirm: true, parameters: ${parameters}, run: ${run} }`,
  )
  writeFileSync(log, '')
  const endpoint = await startEndpoint({ replies })
  open.push(endpoint)
  const result = await saydo(['x', '--url', endpoint.url, '--model', 'm', '--tools', 'tools.mjs', ...argv], {
    cwd,
    env: { NO_COLOR: '1' },
    ...options,
  })
  const removed = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  const told = JSON.stringify(endpoint.asked.at(-1)?.body ?? '')
  return { ...result, removed, told, asked: endpoint.asked.length }
}

describe('a call that wants to be confirmed', () => {
  test('is shown with its input, and made when the person says yes', async () => {
    const { code, removed, stderr } = await play([], { person: [[QUESTION, 'y\n']] })
    expect([code, removed]).toEqual([0, [{ path: 'a.txt' }]])
    expect(stderr).toContain('remove wants to be confirmed:\n{\n  "path": "a.txt"\n}\n')
    expect(stderr).toContain('Allowed: remove')
  })

  test.each(['n\n', '\n', 'no\n'])('is denied by %j', async typed => {
    const { code, removed, told, verdict } = await play([], { person: [[QUESTION, typed]] })
    expect([code, removed, verdict]).toEqual([0, [], expect.stringContaining(' 0 calls,')])
    expect(told).toContain('The call of remove was not allowed.')
  })

  test('is denied by any other text, which the model reads as the reason', async () => {
    const { removed, told } = await play([], { person: [[QUESTION, 'keep that one\n']] })
    expect(removed).toEqual([])
    expect(told).toContain('not allowed: keep that one')
  })

  test('is not asked about again after "always this tool"', async () => {
    const { removed, stderr } = await play([], { person: [[QUESTION, 'a\n']] }, [CALL, remove('b.txt'), ANSWER])
    expect(removed).toEqual([{ path: 'a.txt' }, { path: 'b.txt' }])
    expect(stderr.split(QUESTION)).toHaveLength(2)
  })

  test('runs with the input that the person made of it, and the model is told', async () => {
    // Ctrl-U empties the line
    const person = [
      [QUESTION, 'e\n'],
      ['input: ', '\u0015{"path":"b.txt"}\n'],
    ] as const
    const { removed, told } = await play([], { person })
    expect(removed).toEqual([{ path: 'b.txt' }])
    expect(told).toContain('remove was called with another input')
  })

  test('is asked about again when what the person made of it is no JSON, or does not fit', async () => {
    const person = [
      [QUESTION, 'e\n'],
      ['input: ', '\u0015path b\n'],
      [QUESTION, 'e\n'],
      ['input: ', '\u0015{"path":7}\n'],
      [QUESTION, 'n\n'],
    ] as const
    const { removed, stderr } = await play([], { person })
    expect(removed).toEqual([])
    expect(stderr).toContain('That is not JSON')
    expect(stderr).toContain('/path: must be string, got 7')
  })

  test('ends the run with exit 1 when the person stops it', async () => {
    const { code, removed, verdict, asked } = await play([], { person: [[QUESTION, 'q\n']] })
    expect([code, removed, asked]).toEqual([1, [], 1])
    expect(verdict).toMatch(/^no answer \(denied\): the user stopped the run/)
  })

  test('is denied at the end of input, and so is the next, without a question', async () => {
    const { code, removed, stderr } = await play([], { person: [[QUESTION, null]] }, [CALL, remove('b'), ANSWER])
    expect([code, removed]).toEqual([0, []])
    expect(stderr.split(QUESTION)).toHaveLength(2)
    expect(stderr).toContain('nobody is at a terminal')
  })

  test('is denied without a terminal, with a line that says so and how to allow it', async () => {
    const { code, removed, stderr, told } = await play([])
    expect([code, removed]).toEqual([0, []])
    expect(stderr).toContain(
      'remove must be confirmed, and nobody is at a terminal to do it: denied (--approve all allows such calls)',
    )
    expect(told).toContain('Nobody is there to confirm it.')
  })

  test('shows what would steer the terminal instead of obeying it', async () => {
    const { stderr } = await play([], { person: [[QUESTION, 'n\n']] }, [remove('a\u001b]52;c;\u0007\u202etxt'), ANSWER])
    expect(stderr).toContain('"path": "a\\u001b]52;c;\\u0007\\u202etxt"')
    expect(stderr.replaceAll('\r\u001b[K', '')).not.toMatch(/[\u0007\u202e]|\u001b\]/)
  })

  test('is never answered by what was typed before the question was shown', async () => {
    const person = [
      ['m · 1 tool', 'y\ny\n'],
      [QUESTION, 'n\n'],
    ] as const
    expect((await play([], { person })).removed).toEqual([])
  })
})

describe('--approve', () => {
  test('all makes such calls without a question', async () => {
    expect((await play(['--approve', 'all'])).removed).toEqual([{ path: 'a.txt' }])
  })

  test('none denies them without a question', async () => {
    const { removed, told } = await play(['--approve', 'none'], { person: [[QUESTION, 'y\n']] })
    expect(removed).toEqual([])
    expect(told).toContain('Such calls are not allowed in this run.')
  })

  test('takes no other word', async () => {
    expect((await play(['--approve', 'some'])).code).toBe(2)
  })
})

describe('ask_human', () => {
  const ASK = 'Action: ask_human\nAction Input: {"question": "Which one?"}'

  test('asks the person at the terminal', async () => {
    const { stdout, stderr, told } = await play(['--tool', 'ask_human'], { person: [['> ', 'the red one\n']] }, [ASK, ANSWER])
    expect(stdout).toBe('done\n')
    expect(stderr).toContain('Which one?\n> ')
    expect(told).toContain('the red one')
  })

  test('is unavailable at once where stdin is at its end, and the run goes on', async () => {
    const { code, stdout, told } = await play(['--tool', 'ask_human'], { stdin: 'piped text' }, [ASK, ANSWER])
    expect([code, stdout]).toEqual([0, 'done\n'])
    expect(told).toContain('no user is there to answer')
  })
})

describe('terminate', () => {
  const end = (input: object) => `Action: terminate\nAction Input: ${JSON.stringify(input)}`

  test('with success prints its answer and exits with 0', async () => {
    const { code, stdout } = await play(['--tool', 'terminate'], {}, [end({ status: 'success', answer: '391' })])
    expect([code, stdout]).toEqual([0, '391\n'])
  })

  test('with failure prints no answer, says why, and exits with 1', async () => {
    const { code, stdout, verdict } = await play(['--tool', 'terminate'], {}, [
      end({ status: 'failure', answer: 'No such file.' }),
    ])
    expect([code, stdout]).toEqual([1, ''])
    expect(verdict).toMatch(/^no answer \(gave_up\): the model gave up: No such file\./)
  })
})
