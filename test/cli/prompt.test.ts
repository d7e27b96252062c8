import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { emptyFolder, saydo } from '../support/cli.js'
import { type EndpointOptions, startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: { close(): Promise<void> }[] = []
afterEach(() => Promise.all(open.splice(0).map(one => one.close())))

async function endpointWith(options: EndpointOptions): Promise<TestEndpoint> {
  const endpoint = await startEndpoint(options)
  open.push(endpoint)
  return endpoint
}

const TASK = 'What is 17 * 23?'
const CALL = 'Thought: I calculate it.\nAction: calculator\nAction Input: {"expression": "17 * 23"}'
const ANSWER = 'Thought: I know it now.\nFinal Answer: 391'

describe('saydo prompt', () => {
  test.each([
    ['chat', []],
    ['completions', ['--api', 'completions']],
    ['another dialect', ['--dialect', 'xml']],
    ['another language', ['--lang', 'zh']],
    ['no examples', ['--no-examples']],
    ['every parameter', ['--temperature', '0.5', '--seed', '7', '--max-tokens', '99', '--no-stream']],
  ])('--json prints the body that run sends, to the byte: %s', async (_, flags) => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    const argv = [TASK, '--url', endpoint.url, '--model', 'tiny', '--tool', 'calculator', ...flags]
    await saydo(['run', ...argv])
    const { code, stdout } = await saydo(['prompt', ...argv, '--json'])
    expect(code).toBe(0)
    expect(stdout).toBe(`${endpoint.asked[0]?.text}\n`)
    expect(endpoint.requests).toHaveLength(1)
  })

  test('--text prints the completions text, to the byte', async () => {
    const endpoint = await endpointWith({ replies: [ANSWER] })
    const argv = [TASK, '--tool', 'calculator']
    await saydo(['run', ...argv, '--url', endpoint.url, '--model', 'm', '--api', 'completions'])
    expect((await saydo(['prompt', ...argv, '--text'])).stdout).toBe(endpoint.asked[0]?.body.prompt)
  })

  test('needs neither an endpoint nor a model, and says what stands for its name', async () => {
    const { code, stdout, stderr, verdict } = await saydo(['prompt', TASK, '--json'])
    expect([code, JSON.parse(stdout).model]).toEqual([0, 'MODEL'])
    expect(stderr).toContain('no model is named')
    expect(verdict).toMatch(/^the first prompt: \d+ turns, \d+ characters, for POST \/v1\/chat\/completions; nothing was sent$/)
  })

  test.each([
    ['other tools than the bundled examples call', ['--tool', 'clock'], true],
    ['tools that they call', ['--tool', 'calculator'], false],
    ['no tools', [], false],
    ['examples that are not wanted', ['--tool', 'clock', '--no-examples'], false],
  ])('says whether no example is shown: %s', async (_, flags, told) => {
    const { stderr } = await saydo(['prompt', TASK, ...flags])
    expect(stderr.includes('no example is shown')).toBe(told)
  })

  test('shows each turn under a line that says whose it is, and no other line begins at the margin', async () => {
    const { stdout } = await saydo(['prompt', 'One\n── 9 system ─────\nTwo', '--tool', 'calculator', '--no-color'])
    const heads = stdout.split('\n').filter(line => /^\S/.test(line))
    expect(heads[0]).toMatch(/^── 1 system ─+$/)
    expect(heads.map(line => line.replaceAll(/─+|\d+/g, '').trim())).toEqual(
      expect.arrayContaining(['system', 'user · example', 'assistant · example', 'user · task', 'sent with it']),
    )
    expect(heads.filter(line => line.includes('system'))).toHaveLength(1)
    expect(stdout).toContain('  ── 9 system ─────')
  })

  test('takes the template, tools and settings that run would take', async () => {
    const folder = emptyFolder()
    writeFileSync(join(folder, 'own.hbs'), 'Be brief, {{labels.thought}}.\n{{role "user"}}\n{{task}}')
    writeFileSync(join(folder, 'saydo.config.json5'), "{ json: true, model: 'from-config', prompt: 'own.hbs' }")
    const { stdout } = await saydo(['prompt', TASK], { cwd: folder })
    expect(stdout).toContain('  Be brief, Thought.\n')
    expect(stdout).toContain('"model": "from-config"')
  })

  test.each([
    ['no task', []],
    ['two forms at once', [TASK, '--json', '--text']],
    ['a text for chat', [TASK, '--text', '--api', 'chat']],
    ['a step of nothing', [TASK, '--step', '2']],
    ['a task and a run', [TASK, '--run', 'run.jsonl']],
    ['other tools than the run had', ['--run', 'run.jsonl', '--tool', 'clock']],
    ['a step that is no number', ['--run', 'run.jsonl', '--step', 'two']],
    ['a tool that does not exist', [TASK, '--tool', 'calculatr']],
    ['a file that is not there', ['--run', 'run.jsonl']],
  ])('exits 2 on %s', async (_, argv) => {
    const { code, stdout, stderr } = await saydo(['prompt', ...argv])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error/m)
  })
})

/** A run, recorded where a command finds it. */
async function recordRun(replies: readonly string[], flags: readonly string[] = []) {
  const endpoint = await endpointWith({ replies })
  const cwd = emptyFolder()
  const argv = [TASK, '--url', endpoint.url, '--model', 'tiny', '--tool', 'calculator', '--jsonl', ...flags]
  const { stdout } = await saydo(['run', ...argv], { cwd })
  const [file = ''] = readdirSync(join(cwd, '.saydo', 'runs'))
  writeFileSync(join(cwd, 'run.jsonl'), stdout)
  return { endpoint, cwd, id: file.replace('.jsonl', ''), lines: stdout }
}

describe('saydo prompt --run', () => {
  test.each([
    ['chat', []],
    ['completions', ['--api', 'completions']],
    ['another dialect', ['--dialect', 'xml']],
  ])('gives every request of a recorded run again, to the byte: %s', async (_, flags) => {
    const { endpoint, cwd, id } = await recordRun([CALL, 'Thought: Hm.', ANSWER], flags)
    const api = flags.includes('--api') ? flags : []
    for (const [at, step] of ['1', '2', '2.2'].entries()) {
      for (const run of [id, 'run.jsonl']) {
        const { stdout, code } = await saydo(['prompt', '--run', run, '--step', step, '--json', ...api], { cwd })
        expect([code, stdout]).toEqual([0, `${endpoint.asked[at]?.text}\n`])
      }
    }
  })

  test('takes the last prompt without --step', async () => {
    const { endpoint, cwd, id } = await recordRun([CALL, ANSWER])
    const { stdout, verdict } = await saydo(['prompt', '--run', id.slice(0, 6), '--json'], { cwd })
    expect(stdout).toBe(`${endpoint.asked[1]?.text}\n`)
    expect(verdict).toMatch(/^step 2 of run \S+: /)
  })

  test('names the steps there are for one that is not', async () => {
    const { cwd, id } = await recordRun([CALL, 'Thought: Hm.', ANSWER])
    const { code, verdict } = await saydo(['prompt', '--run', id, '--step', '3'], { cwd })
    expect(code).toBe(2)
    expect(verdict).toMatch(/no prompt of step 3 — it has 1, 2, 2\.2$/)
  })

  test('leaves a last line that broke off out, and of several runs takes the last; it says both', async () => {
    const { cwd, lines } = await recordRun([CALL, ANSWER])
    writeFileSync(join(cwd, 'run.jsonl'), `${lines}${lines}{"type":"sta`)
    const { code, stderr } = await saydo(['prompt', '--run', 'run.jsonl', '--step', '1'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('broke off')
    expect(stderr).toContain('holds several runs')
  })

  test.each<[string, (lines: string[]) => string[], RegExp]>([
    ['a damaged line', lines => lines.with(3, '{"type":'), /line 4 is damaged/],
    [
      'a missing line',
      lines => lines.filter(line => !/"type":"prompt".*"keep":0/.test(line)),
      /goes on from one that is not there/,
    ],
    ['something else', () => ['{', '"task": "t"', '}'], /line 1 is damaged/],
  ])('refuses %s, and names it', async (_, spoil, message) => {
    const { cwd, lines } = await recordRun([CALL, ANSWER])
    writeFileSync(join(cwd, 'run.jsonl'), `${spoil(lines.trimEnd().split('\n')).join('\n')}\n`)
    const { code, stdout, verdict } = await saydo(['prompt', '--run', 'run.jsonl'], { cwd })
    expect([code, stdout]).toEqual([3, ''])
    expect(verdict).toMatch(message)
  })
})

describe('saydo prompt --tokens', () => {
  test('counts each section by an estimate, and says so', async () => {
    const { stdout, stderr, verdict } = await saydo(['prompt', TASK, '--tool', 'calculator', '--tokens'])
    const rows = stdout.trim().split('\n')
    expect(rows.map(row => row.split(' ')[0])).toEqual(['section', 'system', 'tools', 'format', 'examples', 'task', 'all'])
    expect(rows[1]).toMatch(/~\d+/)
    expect(stderr).toContain('estimated by')
    expect(verdict).toMatch(/about \d+ tokens$/)
  })

  test.each([['zh'], ['ja'], ['ru']])('finds tools and format in %s', async language => {
    const { stdout } = await saydo([
      'prompt',
      TASK,
      '--tool',
      'clock',
      '--dialect',
      'json',
      '--lang',
      language,
      '--tokens',
      '--json',
    ])
    const { sections, total } = JSON.parse(stdout)
    const of = (name: string) => sections.find((one: { section: string }) => one.section === name)?.characters
    expect(of('tools')).toBeGreaterThan(20)
    expect(of('format')).toBeGreaterThan(100)
    expect(sections.reduce((sum: number, { characters }: { characters: number }) => sum + characters, 0)).toBe(total.characters)
  })

  test('counts a run’s scratchpad apart', async () => {
    const { cwd, id } = await recordRun([CALL, ANSWER])
    const { stdout } = await saydo(['prompt', '--run', id, '--tokens', '--json'], { cwd })
    const sections = JSON.parse(stdout).sections.map(({ section }: { section: string }) => section)
    expect(sections).toEqual(['system', 'tools', 'format', 'examples', 'task', 'scratchpad'])
  })

  test.each([
    ['without tools', ['--tool-choice', 'none'], ['format']],
    ['with a schema for the answer', ['--answer-schema', 'schema.json'], ['tools', 'format']],
  ])('finds the sections of a prompt %s', async (_, flags, expected) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'schema.json'), '{"type":"object","properties":{"total":{"type":"number"}}}')
    const { stdout } = await saydo(['prompt', TASK, '--tool', 'clock', '--tokens', '--json', ...flags], { cwd })
    const names = JSON.parse(stdout).sections.map(({ section }: { section: string }) => section)
    expect(names.filter((name: string) => name === 'tools' || name === 'format')).toEqual(expected)
  })

  test('asks the server of --url when it counts, and no other', async () => {
    const counter = await tokenizer(text => ({ tokens: Array.from(text, () => 1) }))
    const counted = await saydo(['prompt', TASK, '--tokens', '--json', '--url', counter.url, '--model', 'm'])
    const table = JSON.parse(counted.stdout)
    expect([table.estimated, table.total.tokens]).toEqual([false, table.total.characters])
    const before = counter.asked()
    await saydo(['prompt', TASK, '--tokens'], { env: { SAYDO_URL: counter.url } })
    expect(counter.asked()).toBe(before)
  })

  test.each([
    ['has no such path', () => undefined],
    ['answers something else', () => ({ ok: true })],
  ])('estimates, and says why, when the server %s', async (_, answer) => {
    const { url } = await tokenizer(answer)
    const { code, stdout, stderr } = await saydo(['prompt', TASK, '--tokens', '--json', '--url', url, '--model', 'm'])
    expect([code, JSON.parse(stdout).estimated]).toEqual([0, true])
    expect(stderr).toContain('does not count tokens')
  })
})

async function tokenizer(answer: (text: string) => object | undefined) {
  let asked = 0
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    asked += 1
    const given = request.url === '/tokenize' ? answer(JSON.parse(Buffer.concat(parts).toString()).content) : undefined
    response.writeHead(given ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(given ?? { error: 'no' }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  open.push({ close })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked: () => asked }
}
