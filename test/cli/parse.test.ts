import { PassThrough, Readable, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Io } from '../../src/cli/command.js'
import { parse } from '../../src/cli/commands/parse.js'
import { DIALECTS } from '../../src/dialect/index.js'

async function run(stdin: string | readonly Buffer[], options: Readonly<Record<string, unknown>> = {}, stdout?: Writable) {
  let out = ''
  const io: Io = {
    stdin: Readable.from(typeof stdin === 'string' ? [Buffer.from(stdin)] : stdin),
    stdout:
      stdout ??
      new Writable({
        write(chunk, _, done) {
          out += chunk
          done()
        },
      }),
    stderr: new PassThrough(),
    env: {},
    cwd: process.cwd(),
    signal: new AbortController().signal,
  }
  const verdict = await parse.run({ args: [], options, io })
  return { verdict, out, lines: out.split('\n').filter(Boolean) }
}

const tools = [{ name: 'search', parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } }]
const line = (value: object) => `${JSON.stringify(value)}\n`

it.each([
  ['--json', { json: true }, 'Final Answer: a\u009b31m\u202eb'],
  ['--jsonl', { jsonl: true }, line({ id: 1, reply: 'Final Answer: a\u009b31m\u202eb' })],
])('nothing that steers a terminal leaves saydo parse %s, and it reads back as the same', async (_, options, stdin) => {
  const { lines } = await run(stdin, options)
  expect(lines.join()).not.toMatch(/[\u0080-\u009f\u202e]/)
  expect(JSON.parse(lines[0] ?? '').decision.text).toBe('a\u009b31m\u202eb')
})

describe('saydo parse --jsonl', () => {
  it.each([...DIALECTS.keys()])('reads a line in the %s dialect, and any other in it', async dialect => {
    const calls = [
      '{"thought": "hm", "action": "search", "action_input": {"query": "cats"}}',
      '<thought>hm</thought>\n<tool_call>\n{"name": "search", "arguments": {"query": "cats"}}\n</tool_call>',
      'Thought: hm\n[search(query="cats")]',
      'Thought: hm\nAction: search[cats]',
      'Thought: hm\nFunction Name: search\nFunction Input: {"query": "cats"}',
    ]
    const { lines } = await run(calls.map((reply, id) => line({ id, reply, tools, dialect })).join(''), { jsonl: true })
    const decision = { kind: 'act', calls: [{ tool: 'search', input: { query: 'cats' } }] }
    expect(lines.map(text => JSON.parse(text))).toMatchObject(calls.map((_, id) => ({ id, decision, thought: 'hm' })))
  })

  it('answers each line in order', async () => {
    const { lines, verdict } = await run(
      line({ id: 1, reply: 'Action: search\nAction Input: cats', tools }) +
        line({ id: 'b', reply: 'Final Answer: 4' }) +
        line({ id: 'c', reply: 'Thought: hm', tools: [] }),
      { jsonl: true },
    )
    expect(verdict).toEqual({ code: 0 })
    expect(lines.map(text => JSON.parse(text))).toMatchObject([
      { id: 1, decision: { kind: 'act', calls: [{ tool: 'search', input: { query: 'cats' } }] }, thought: null },
      { id: 'b', decision: { kind: 'answer', text: '4' } },
      { id: 'c', decision: { kind: 'unclear' }, thought: 'hm' },
    ])
  })

  it('gives deltas when the line has chunks', async () => {
    const { lines } = await run(line({ id: 1, reply: 'Final Answer: 42 km', chunks: ['Final Ans', 'wer: 42', ' km'] }), {
      jsonl: true,
    })
    const { deltas } = JSON.parse(lines[0] as string)
    expect(deltas.map(({ text }: { text: string }) => text).join('')).toBe('42 km')
  })

  it.each([
    ['no JSON', '{oops\n'],
    ['no reply', line({ id: 7 })],
    ['a list', '[1]\n'],
  ])('puts an error in the place of a line that is %s, and goes on', async (_, bad) => {
    const { lines, verdict } = await run(bad + line({ id: 2, reply: 'Hello.' }), { jsonl: true })
    expect(verdict.code).toBe(2)
    expect(JSON.parse(lines[0] as string)).toMatchObject({ id: null, error: expect.any(String), line: 1 })
    expect(JSON.parse(lines[1] as string)).toMatchObject({ id: 2, decision: { kind: 'answer', text: 'Hello.' } })
  })

  it('refuses chunks that do not join to the reply', async () => {
    const { lines, verdict } = await run(line({ id: 1, reply: 'ab', chunks: ['a'] }), { jsonl: true })
    expect(verdict.code).toBe(2)
    expect(JSON.parse(lines[0] as string)).toMatchObject({ id: 1, line: 1 })
  })

  it('takes names as written without tools, and knows none with an empty list', async () => {
    const reply = 'Action: anything\nAction Input: x'
    const { lines } = await run(line({ id: 1, reply }) + line({ id: 2, reply, tools: [] }), { jsonl: true })
    expect(JSON.parse(lines[0] as string).decision).toEqual({ kind: 'act', calls: [{ tool: 'anything', input: { input: 'x' } }] })
    expect(JSON.parse(lines[1] as string).decision).toEqual({ kind: 'unclear' })
  })

  it('reads lines that arrive in pieces, within a character too', async () => {
    const bytes = Buffer.from(line({ id: 1, reply: 'Final Answer: 😀' }))
    const { lines } = await run(
      [...bytes].map(byte => Buffer.from([byte])),
      { jsonl: true },
    )
    expect(JSON.parse(lines[0] as string).decision).toEqual({ kind: 'answer', text: '😀' })
  })

  it('waits for a slow reader', async () => {
    const got: string[] = []
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk, _, done) {
        got.push(String(chunk))
        setImmediate(done)
      },
    })
    await run(line({ id: 1, reply: 'a' }).repeat(50), { jsonl: true }, slow)
    expect(got).toHaveLength(50)
  })
})

describe('saydo parse', () => {
  it.each([
    ['Final Answer: 4', 0],
    ['Action: search\nAction Input: x', 0],
    ['Thought: hm', 1],
  ])('exits with 0 for a decision and 1 for none: %j', async (reply, code) => {
    expect((await run(reply)).verdict.code).toBe(code)
  })

  it('shows each problem under its place in the reply', async () => {
    const { out } = await run('Thought: hm\nAction: searhc', { json: false })
    expect(out).toContain('thought  hm')
    expect(out).toMatch(/call {5}searhc \{\}/)
  })

  it('draws carets under what is odd', async () => {
    const { out } = await run('final answer: 42')
    expect(out).toContain('LABEL_CASE')
    expect(out).toContain('| ^^^^^^^^^^^^')
  })

  it('writes one JSON object with --json', async () => {
    const { out } = await run('Final Answer: 4', { json: true })
    expect(JSON.parse(out)).toMatchObject({ decision: { kind: 'answer', text: '4' } })
  })

  it('names the nearest language for unknown labels', async () => {
    await expect(run('x', { labels: 'dee' })).rejects.toMatchObject({ code: 'CONFIG', hint: 'Did you mean "de"?' })
  })
})
