import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { LANGUAGES as CODES } from '../../src/cli/agent-options.js'
import type { Decision } from '../../src/core/reply.js'
import { DIALECTS } from '../../src/dialect/index.js'
import { LANGUAGES } from '../../src/prompt/index.js'
import { builtinNames } from '../../src/toolsets/index.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { type EndpointOptions, rateLimited, resetAtByte, startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

async function endpointWith(options: EndpointOptions): Promise<TestEndpoint> {
  const endpoint = await startEndpoint(options)
  open.push(endpoint)
  return endpoint
}

const CALL = 'Thought: I calculate it.\nAction: calculator\nAction Input: {"expression": "17 * 23"}'
const ANSWER = 'Thought: I know it now.\nFinal Answer: 391'

describe('saydo run', () => {
  test('prints the answer alone on stdout, and how it came about on stderr', async () => {
    const endpoint = await endpointWith({ replies: [CALL, ANSWER] })
    const { code, stdout, stderr, verdict } = await saydo([
      'run',
      'What is 17 * 23?',
      '--url',
      endpoint.url,
      '--tool',
      'calculator',
    ])
    expect([code, stdout]).toEqual([0, '391\n'])
    expect(stderr).toContain('Thought: I calculate it.')
    expect(stderr).toContain('Action: calculator {"expression":"17 * 23"}')
    expect(stderr).toContain('Observation: 391')
    expect(verdict).toMatch(/^answered: 2 steps, 1 call/)
    expect(endpoint.asked).toHaveLength(2)
  })

  test('is what a bare task means, wherever the options stand', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    expect((await saydo(['What is 17 * 23?', '--url', endpoint.url])).stdout).toBe('391\n')
    expect((await saydo(['--url', endpoint.url, 'What is 17 * 23?'])).stdout).toBe('391\n')
  })

  test('with --strict asks about what it would forgive, and takes what is then written exactly', async () => {
    const sloppy = "Action: calculator\nAction Input: {expression: '17 * 23'}"
    const endpoint = await endpointWith({ replies: [sloppy, CALL, ANSWER] })
    const { code, stdout, stderr } = await saydo(['x', '--url', endpoint.url, '--tool', 'calculator', '--strict', 'input_json5'])
    expect([code, stdout]).toEqual([0, '391\n'])
    expect(stderr).toContain('Action Input: {"expression":"17 * 23"}')
    expect(endpoint.asked).toHaveLength(3)
  })

  test('never sends tools, always sends stop strings', async () => {
    const endpoint = await endpointWith({ replies: [CALL, ANSWER] })
    await saydo(['x', '--url', endpoint.url, '--tool', 'calculator'])
    for (const { body } of endpoint.asked) {
      expect(body).not.toHaveProperty('tools')
      expect(body.stop).toContain('\nObservation:')
    }
  })

  test('speaks a language and reads its labels, or those of another', async () => {
    expect(CODES).toEqual(LANGUAGES)
    const spanish = 'Pensamiento: Ya lo sé.\nRespuesta final: 391'
    for (const flags of [
      ['--lang', 'es'],
      ['--labels', 'es'],
    ]) {
      const endpoint = await endpointWith({ replies: [spanish] })
      const { stdout } = await saydo(['What is 17 * 23?', '--url', endpoint.url, '--tool', 'calculator', ...flags])
      expect(stdout).toBe('391\n')
      expect(JSON.stringify(endpoint.asked[0]?.body).includes('Herramientas:')).toBe(flags[0] === '--lang')
    }
  })

  test.each([...DIALECTS.values()].map(dialect => [dialect.name, dialect] as const))(
    'asks in the %s dialect and reads it back',
    async (name, dialect) => {
      const write = (decision: Decision): string =>
        dialect.formatStep({ parsed: { thought: 'I see.', decision, problems: [], kept: [0, 0] }, observations: [] }).reply
      const call = write({ kind: 'act', calls: [{ id: '1', tool: 'calculator', input: { expression: '17 * 23' } }] })
      const endpoint = await endpointWith({ replies: [call, write({ kind: 'answer', text: '391' })] })
      const { code, stdout, stderr } = await saydo(['x', '--url', endpoint.url, '--tool', 'calculator', '--dialect', name])
      expect([code, stdout]).toEqual([0, '391\n'])
      expect(stderr).toContain('Action: calculator {"expression":"17 * 23"}')
      const [first, second] = endpoint.asked
      expect(first?.body.stop).toEqual(dialect.stop)
      const turns = second?.body.messages as readonly { role: string; content: string }[]
      expect(turns.at(-2)?.content).toBe(call)
      expect(turns.at(-1)?.content).toBe(dialect.formatNote('391'))
    },
  )

  test('its help names every dialect and every built-in tool', async () => {
    const { stdout } = await saydo(['run', '--help'])
    for (const name of [...DIALECTS.keys(), ...builtinNames]) expect(stdout).toMatch(new RegExp(`\\b${name}\\b`))
  })

  test('reads no more from stdin than a model could read, and does not run on a part of it', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    const { code, stderr } = await saydo(['Summarise this.', '--url', endpoint.url], { stdin: 'a line\n'.repeat(2_500_000) })
    expect([code, endpoint.requests]).toEqual([2, []])
    expect(stderr).toContain('longer than 16 MiB')
  })

  test('takes the task from stdin, and appends stdin to the task of the command line', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    await saydo([], { stdin: 'What is 17 * 23?\n', env: { SAYDO_URL: endpoint.url } })
    await saydo(['Summarise this.'], { stdin: 'a long report', env: { SAYDO_URL: endpoint.url } })
    const tasks = endpoint.asked.map(({ body }) => JSON.stringify((body.messages as { content: string }[]).at(-1)))
    expect(tasks[0]).toContain('What is 17 * 23?')
    expect(tasks[1]).toContain('Summarise this.\\n\\na long report')
  })

  test.each([
    [['What', 'is', '17', '-', '4?'], 'What is 17 - 4?'],
    [['Summarise', 'this.', '-'], 'Summarise this.\\n\\na report'],
    [['-'], 'a report'],
  ])('takes a dash for stdin only where it ends the task: %j', async (words, task) => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    await saydo([...words, '--url', endpoint.url], { stdin: 'a report' })
    expect(JSON.stringify(endpoint.asked[0]?.body.messages)).toContain(task)
  })

  test('uses the only model a server lists, and says so', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER], models: ['tiny-1b'] })
    const { stderr } = await saydo(['x', '--url', endpoint.url])
    expect(stderr).toContain('using tiny-1b')
    expect(endpoint.asked[0]?.body.model).toBe('tiny-1b')
  })

  test('lists several models and exits 2', async () => {
    const endpoint = await endpointWith({ models: ['a-1b', 'b-7b'] })
    const { code, verdict } = await saydo(['x', '--url', endpoint.url])
    expect(code).toBe(2)
    expect(verdict).toMatch(/CONFIG.*a-1b, b-7b.*--model/)
  })

  test('--json prints one object with the whole run, --jsonl one event in each line', async () => {
    const endpoint = await endpointWith({ replies: [CALL, ANSWER, CALL, ANSWER] })
    const whole = JSON.parse((await saydo(['x', '--url', endpoint.url, '--tool', 'calculator', '--json'])).stdout)
    expect(whole).toMatchObject({ answer: '391', stop: 'final_answer', model: 'stub' })
    expect(whole.steps).toHaveLength(2)
    const lines = (await saydo(['x', '--url', endpoint.url, '--tool', 'calculator', '--jsonl'])).stdout.trimEnd().split('\n')
    const types = lines.map(line => JSON.parse(line).type)
    expect([types[0], types.at(-1)]).toEqual(['run_start', 'run_end'])
  })

  test('takes every option from the config file too, and flags win over it', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    const folder = emptyFolder()
    const config = `{url: '${endpoint.url}', stream: false, examples: false, quiet: true, header: ['X-A: 1'], temperature: 0.5, seed: '7'}`
    writeFileSync(join(folder, 'saydo.config.json5'), config)
    const { code, stderr } = await saydo(['x', '--seed', '8'], { cwd: folder })
    expect([code, stderr]).toEqual([0, ''])
    expect(endpoint.asked[0]?.body).toMatchObject({ stream: false, temperature: 0.5, seed: 8 })
    expect(endpoint.asked[0]?.body.messages).toHaveLength(2)
    expect(endpoint.asked[0]?.headers['x-a']).toBe('1')
  })

  test('takes a URL without a scheme', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    expect((await saydo(['x', '--url', endpoint.url.replace('http://', '')])).code).toBe(0)
  })

  test('reads a .env with a byte order mark and Windows line ends, and leaves a folder of that name alone', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    const [file, virtual] = [emptyFolder(), emptyFolder()]
    writeFileSync(join(file, '.env'), `\uFEFFSAYDO_URL=${endpoint.url}\r\nSAYDO_MODEL=from-env\r\n`)
    mkdirSync(join(virtual, '.env'))
    expect((await saydo(['x'], { cwd: file })).code).toBe(0)
    expect(endpoint.asked[0]?.body.model).toBe('from-env')
    expect((await saydo(['x', '--url', endpoint.url], { cwd: virtual })).code).toBe(0)
  })

  test('reads its config file and the task from stdin with a byte order mark, in UTF-8', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'saydo.config.json5'), `\uFEFF{url: '${endpoint.url}', model: '模型'}`)
    const { code } = await saydo([], { cwd, stdin: '\uFEFF天气怎么样？' })
    expect(code).toBe(0)
    expect(endpoint.asked[0]?.body.model).toBe('模型')
    expect(JSON.stringify(endpoint.asked[0]?.body)).toContain('天气怎么样？')
    expect(JSON.stringify(endpoint.asked[0]?.body)).not.toContain('\uFEFF')
  })

  test('-q keeps stderr empty when all went well', async () => {
    const endpoint = await endpointWith({ replies: [CALL, ANSWER] })
    expect((await saydo(['x', '--url', endpoint.url, '--tool', 'calculator', '-q'])).stderr).toBe('')
  })

  test('exits 1 with a best effort at the step limit', async () => {
    const endpoint = await endpointWith({ replies: [CALL, 'Final Answer: about 400'] })
    const { code, stdout, verdict } = await saydo(['x', '--url', endpoint.url, '--tool', 'calculator', '--max-steps', '1'])
    expect([code, stdout]).toEqual([1, 'about 400\n'])
    expect(verdict).toMatch(/^best effort only/)
  })

  test('an abort ends it with 130', async () => {
    const endpoint = await endpointWith({ moods: ['silent'] })
    const abort = new AbortController()
    const running = saydo(['x', '--url', endpoint.url], { signal: abort.signal })
    await expect.poll(() => endpoint.asked.length).toBe(1)
    abort.abort()
    expect((await running).code).toBe(130)
  })

  test('no escape sequence of a model reaches the terminal', async () => {
    const endpoint = await endpointWith({
      replies: ['Thought: \u001b]52;c;aGk=\u0007 look\nAction: calculator\nAction Input: \u001b[2J', ANSWER],
    })
    const { stderr } = await saydo(['x', '--url', endpoint.url, '--tool', 'calculator'])
    expect(stderr).not.toContain('\u001b')
    expect(stderr).toContain('\\u{1b}]52')
  })
})

test('neither a model name of the server nor JSON can steer a terminal', async () => {
  const endpoint = await endpointWith({ replies: ['Final Answer: a\u009b31m\u202eb'], models: ['evil\u001b]0;x\u0007\u009b2J'] })
  const { stdout, stderr } = await saydo(['x', '--url', endpoint.url, '--json'])
  expect(stderr).toContain('evil\\u{1b}')
  expect(stdout + stderr).not.toMatch(/[\u001b\u0007\u0080-\u009f\u202e]/)
  expect(JSON.parse(stdout).answer).toBe('a\u009b31m\u202eb')
  const several = await endpointWith({ models: ['a\u001b[2J', 'b'] })
  expect((await saydo(['x', '--url', several.url])).stderr).not.toContain('\u001b')
})

describe('tools', () => {
  test('a file that stands without its option is told where it belongs', async () => {
    const { code, stderr } = await saydo(['tools', 'my-tools.mjs'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--tools FILE')])
    expect((await saydo(['explain', 'LABEL_CASE', 'LABEL_COLON'])).stderr).not.toContain('--tools')
  })

  test('of a file are loaded and called', async () => {
    const folder = emptyFolder()
    writeFileSync(
      join(folder, 'tools.mjs'),
      `export const twice = { name: 'twice', description: 'Doubles.', parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, run: ({ n }) => n * 2 }`,
    )
    const endpoint = await endpointWith({ replies: ['Action: twice\nAction Input: {"n": 21}', 'Final Answer: 42'] })
    const { stdout, stderr } = await saydo(['x', '--url', endpoint.url, '--tools', 'tools.mjs'], { cwd: folder })
    expect([stdout, stderr.includes('Observation: 42')]).toEqual(['42\n', true])
  })

  test.each([
    ['a file that is not there', '', 'missing.mjs'],
    ['a file with a syntax error', 'export const = ', 'tools.mjs'],
    ['a file without tools', 'export const x = 1', 'tools.mjs'],
    ['a file that throws', 'throw new Error("no luck")', 'tools.mjs'],
  ])('%s exits 2 and names it', async (_, source, file) => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'tools.mjs'), source)
    const { code, stderr } = await saydo(['x', '--url', 'http://127.0.0.1:9', '--model', 'm', '--tools', file], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toContain(file)
    expect(stderr).not.toMatch(/^ {4}at /m)
  })
})

describe('settings', () => {
  test.each([
    ['a flag before the environment', ['--model', 'flag'], { SAYDO_MODEL: 'env' }, '', 'flag'],
    ['SAYDO_MODEL before OPENAI_MODEL', [], { SAYDO_MODEL: 'ours', OPENAI_MODEL: 'theirs' }, '', 'ours'],
    ['the environment before .env', [], { OPENAI_MODEL: 'theirs' }, 'SAYDO_MODEL=file', 'theirs'],
    ['.env before the config file', [], {}, 'OPENAI_MODEL=file', 'file'],
    ['the config file at last', [], {}, '', 'config'],
  ] as const)('%s', async (_, flags, env, dotenv, expected) => {
    const folder = emptyFolder()
    const endpoint = await endpointWith({ replies: [ANSWER] })
    writeFileSync(join(folder, 'saydo.config.json5'), `{ url: '${endpoint.url}', model: 'config', /* of this test */ }`)
    if (dotenv !== '') writeFileSync(join(folder, '.env'), dotenv)
    await saydo(['x', ...flags], { cwd: folder, env })
    expect(endpoint.asked[0]?.body.model).toBe(expected)
  })

  test('headers, temperature, seed and token limit are sent', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    const argv = ['--header', 'X-Team: birds', '--temperature', '0', '--seed', '7', '--max-tokens', '99', '--no-stream']
    await saydo(['x', '--url', endpoint.url, ...argv])
    expect(endpoint.asked[0]?.headers['x-team']).toBe('birds')
    expect(endpoint.asked[0]?.body).toMatchObject({ temperature: 0, seed: 7, max_tokens: 99 })
    expect(endpoint.asked[0]?.body.stream).not.toBe(true)
  })

  test('the key comes from the variable that --api-key-env names, and is never printed', async () => {
    const endpoint = await endpointWith({ moods: ['unauthorized'] })
    const { code, stderr } = await saydo(['x', '--url', endpoint.url, '--model', 'm', '--api-key-env', 'BIRD_KEY'], {
      env: { BIRD_KEY: 'sk-secret-42' },
    })
    expect(code).toBe(3)
    expect(endpoint.asked[0]?.headers.authorization).toBe('Bearer sk-secret-42')
    expect(stderr).not.toContain('sk-secret-42')
  })
})

describe('bad input: one clear message, its fix, the right exit code, no stack trace', () => {
  const url = ['--url', 'http://127.0.0.1:9/v1', '--model', 'm']
  test.each([
    ['an unknown option', ['x', '--modle', 'm'], 2, /--model/],
    ['half of an option', ['x', '--temp', '1'], 2, /did you mean .*--temperature/],
    ['an option that is near none', ['x', '--zzz'], 2, /saydo run --help/],
    ['a task that begins with a dash', ['-5 plus 3?'], 2, /behind --/],
    ['an empty task', ['  ', ...url], 2, /CONFIG.*task is empty/],
    ['no endpoint', ['x'], 2, /CONFIG.*--url/],
    ['a URL that is none', ['x', '--url', 'ftp://localhost', '--model', 'm'], 2, /CONFIG.*http:\/\//],
    ['a header name with a blank', ['x', '--header', 'X Y: z', ...url], 2, /CONFIG.*"X Y"/],
    ['a header value with a line break', ['x', '--header', 'X: a\nb', ...url], 2, /CONFIG.*"X"/],
    ['a number that is none', ['x', '--max-steps', 'many', ...url], 2, /whole number/],
    ['an unknown built-in tool', ['x', '--tool', 'calculater', ...url], 2, /calculator/],
    ['an unknown dialect', ['x', '--dialect', 'raect', ...url], 2, /react/],
    ['a template that is not there', ['x', '--prompt', 'no.hbs', ...url], 2, /no\.hbs/],
    ['a key variable that is not set', ['x', '--api-key-env', 'NOPE', ...url], 2, /NOPE/],
    ['a server that is down', ['x', ...url], 3, /MODEL_UNREACHABLE.*127\.0\.0\.1:9/],
  ] as const)('%s', async (_, argv, code, message) => {
    const result = await saydo(argv)
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(message)
    expect(result.stderr).not.toMatch(/^ {4}at /m)
    expect(result.stdout).toBe('')
  })

  test('a misspelt variable in a template names the nearest one', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'mine.hbs'), 'Answer.\n{{role "user"}}\n{{taks}}\n{{scratchpad}}')
    const { code, verdict } = await saydo(['x', '--prompt', 'mine.hbs', ...url], { cwd: folder })
    expect(code).toBe(2)
    expect(verdict).toMatch(/TEMPLATE.*taks.*task/)
  })

  test.each([
    ['a key with a line break', ['--url', 'http://127.0.0.1:9'], { OPENAI_API_KEY: 'sk-secret\n-part2' }],
    ['a password in a URL of another kind', ['--url', 'ftp://user:sk-secret@h/-part2'], {}],
  ])('%s is refused without being shown', async (_, argv, env) => {
    const { code, stderr } = await saydo(['x', '--model', 'm', ...argv], { env: env as Record<string, string> })
    expect([code, stderr.includes('CONFIG'), stderr.includes('sk-secret')]).toEqual([2, true, false])
  })

  test('an unknown key in the config file names the nearest one', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'saydo.config.json5'), '{ modle: "x" }')
    const { code, verdict } = await saydo(['x', ...url], { cwd: folder })
    expect(code).toBe(2)
    expect(verdict).toMatch(/modle.*model/)
  })

  test.each([
    ['{maxSteps: 0}', /maxSteps is 0, but a whole number from 1/],
    ['{api: "foo"}', /api is "foo", but one of auto, chat, completions/],
    ['{stream: "no"}', /stream is "no", but true or false/],
    ['{header: ["no colon"]}', /header is .*Name: value/],
    ['{url: 5}', /url is 5, but a text/],
  ])('a wrong value in the config file says what is wanted: %s', async (text, message) => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'saydo.config.json5'), text)
    const { code, verdict } = await saydo(['x', ...url], { cwd: folder })
    expect(code).toBe(2)
    expect(verdict).toMatch(message)
  })

  test('-v adds the stack trace', async () => {
    expect((await saydo(['x', '-v', ...url])).stderr).toMatch(/^ {4}at /m)
  })

  test.each(['dmeo', 'Demo'])('one bare word that is nearly a command is not run: %s', async word => {
    const { code, stderr } = await saydo([word])
    expect(code).toBe(2)
    expect(stderr).toContain('saydo demo')
  })

  test('without a task on a terminal the usage is shown', async () => {
    const { code, stderr } = await saydo(['run'], { terminal: true })
    expect(code).toBe(2)
    expect(stderr).toContain('usage: saydo "task"')
  })
})

describe('an endpoint in its moods', () => {
  const ok = [CALL, ANSWER]
  test.each([
    ['good', { replies: ok }, 0, 2],
    ['byte by byte', { replies: ok, moods: ['byte_by_byte'] }, 0, 2],
    ['slow', { replies: ok, moods: ['slow'] }, 0, 2],
    ['stop ignored', { replies: ok, moods: ['stop_ignored', 'good'] }, 0, 2],
    ['stop rejected', { replies: ok, moods: ['stop_rejected'] }, 0, 3],
    ['chat missing', { replies: ok, moods: ['chat_missing'] }, 0, 3],
    ['streaming refused', { replies: ok, moods: ['streaming_refused'] }, 0, 3],
    ['no [DONE]', { replies: ok, moods: ['no_done'] }, 0, 2],
    ['CRLF and keep-alives', { replies: ok, moods: ['crlf'] }, 0, 2],
    ['truncated once, then good', { replies: [CALL, ...ok], moods: ['truncated', 'good'] }, 0, 3],
    ['reset once, then good', { replies: [CALL, ...ok], moods: [resetAtByte(300), 'good'] }, 0, 3],
    ['rate limited once, then good', { replies: ok, moods: [rateLimited('0'), 'good'] }, 0, 3],
    ['rate limited for a day', { moods: [rateLimited('86400')] }, 3, 1],
    ['HTML', { moods: ['html'] }, 3, 1],
    ['an error in a 200', { moods: ['error_in_200'] }, 3, undefined],
    ['401', { moods: ['unauthorized'] }, 3, 1],
    ['unknown model', { moods: ['unknown_model'] }, 3, 1],
    ['empty content', { moods: ['empty_content'] }, 1, 4],
    ['reasoning only', { moods: ['reasoning_only'] }, 1, 4],
  ] as const)('%s', async (_, options, code, requests) => {
    const endpoint = await endpointWith(options as EndpointOptions)
    const result = await saydo(['x', '--url', endpoint.url, '--model', 'stub', '--tool', 'calculator'])
    expect(result.code).toBe(code)
    expect(result.stdout).toBe(code === 0 ? '391\n' : '')
    if (requests !== undefined) expect(endpoint.asked).toHaveLength(requests)
    // an invented observation is never asked about
    expect(JSON.stringify(endpoint.asked.map(({ body }) => body))).not.toContain('Observation: 42')
  })
})

describe('what a newcomer runs into', () => {
  test('a task that begins with a dash is told where to stand, and runs there', async () => {
    const endpoint = await endpointWith({ replies: ['Final Answer: -2'] })
    const wrong = await saydo(['-5 plus 3?', '--url', endpoint.url])
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('behind --')])
    expect((await saydo(['--url', endpoint.url, '--', '-5 plus 3?'])).stdout).toBe('-2\n')
  })

  test('--json and --jsonl exclude each other', async () => {
    const { code, verdict } = await saydo(['x', '--url', 'http://127.0.0.1:9', '--model', 'm', '--json', '--jsonl'])
    expect([code, verdict]).toEqual([2, expect.stringContaining('--jsonl')])
  })

  test('an error that ends the run is told once', async () => {
    const endpoint = await endpointWith({ moods: ['unknown_model'] })
    const { stderr } = await saydo(['x', '--url', endpoint.url, '--model', 'nope'])
    expect(stderr.match(/MODEL_NOT_FOUND/g)).toHaveLength(1)
    expect(stderr.match(/does not exist/g)).toHaveLength(1)
  })

  test.each([
    ['a limit', [CALL], /limit of 1 step was reached; 2 steps, 1 call,/],
    ['replies without a decision', ['Thought: hm.'], /gave no decision: .*; 2 steps, 0 calls,/],
  ])('the summary counts the steps that its record has, the last turn behind %s too', async (_, replies, summary) => {
    const endpoint = await endpointWith({ replies })
    const cwd = emptyFolder()
    const { verdict } = await saydo(['x', '--url', endpoint.url, '--tool', 'calculator', '--max-steps', '1'], { cwd })
    expect(verdict).toMatch(summary)
    expect((await saydo(['runs'], { cwd })).stdout).toContain('  2 steps  ')
    expect((await saydo(['trace'], { cwd })).verdict).toMatch(/, 2 steps$/)
  })
})
