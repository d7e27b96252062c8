// Tools in a process of their own: what comes through unchanged, what a tool can do to its process, and that the next call finds a fresh one.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Tool } from '../../src/core/tool.js'
import { type BatchOptions, callTools } from '../../src/tools/batch.js'
import { ToolRegistry } from '../../src/tools/registry.js'
import { type HostedTools, hostTools } from '../../src/toolsets/tool-host.js'
import { isAlive } from '../support/process.js'
import { callNamed } from '../tools/call-one.js'
import { say } from '../tools/say.js'

const open: HostedTools[] = []
afterEach(() => vi.unstubAllEnvs())
afterEach(() => Promise.all(open.splice(0).map(hosted => hosted.close())))

const folder = mkdtempSync(join(tmpdir(), 'saydo-host-'))
let files = 0

interface Host {
  readonly tools: readonly Tool[]
  readonly printed: string[]
  readonly notices: string[]
  readonly call: (name: string, input?: object, options?: Partial<BatchOptions>) => ReturnType<typeof callNamed>
}

/** Hosts tools given as the texts of their fields; each may use `here`, a file path of its own. */
async function host(tools: Readonly<Record<string, string>>, prelude = ''): Promise<Host> {
  const file = join(folder, `${++files}.mjs`)
  const exports = Object.entries(tools).map(
    ([name, fields]) =>
      `export const ${name} = { name: '${name}', description: 'd', parameters: { type: 'object', properties: {} }, ${fields} }`,
  )
  writeFileSync(file, `const here = ${JSON.stringify(`${file}.log`)}\n${prelude}\n${exports.join('\n')}`)
  const printed: string[] = []
  const notices: string[] = []
  const hosted = await hostTools(file, {
    onOutput: text => printed.push(text),
    onNotice: notice => notices.push(notice),
    graceMs: 100,
  })
  open.push(hosted)
  const registry = new ToolRegistry(hosted.tools)
  return {
    tools: hosted.tools,
    printed,
    notices,
    call: (name, input = {}, options = {}) => callNamed(name, input, { registry, ...options }),
  }
}

describe('what comes through', () => {
  test('is all that a tool says of itself', async () => {
    const { tools } = await host({
      a: `returns: 'r', effect: 'changes', doubt: 1, finishes: true, idempotent: true, repeatable: true, exclusive: true,
        timeoutMs: Infinity, maxCallsPerRun: 1, maxCallsPerMinute: 2, maxCallsPerStep: 3, confirm: true,
        check: () => ({ ok: true }), ending: () => undefined, run: () => 1`,
    })
    expect(tools).toEqual([
      {
        ...{
          name: 'a',
          description: 'd',
          parameters: { type: 'object', properties: {} },
          returns: 'r',
          effect: 'changes',
          doubt: 1,
        },
        ...{ finishes: true, idempotent: true, repeatable: true, exclusive: true, timeoutMs: Infinity, confirm: true },
        ...{ maxCallsPerRun: 1, maxCallsPerMinute: 2, maxCallsPerStep: 3 },
        ...{ check: expect.any(Function), ending: expect.any(Function), run: expect.any(Function) },
      },
    ])
  })

  test.each<[string, string, object]>([
    ['text', `() => 'héllo 漢😀'`, { text: 'héllo 漢😀' }],
    ['data', `() => ({ a: [1, null, true] })`, { text: '{"a":[1,null,true]}', data: { a: [1, null, true] } }],
    ['nothing', '() => undefined', { text: 'no_output {}' }],
    ['a value that no message could carry', '() => ({ n: 1n, f() {} })', { text: '{"n":"1","f":"[function]"}' }],
    ['a stream', 'async function* () { yield "a"; yield "b" }', { text: 'ab' }],
    ['a proxy', '() => new Proxy({}, { ownKeys() { throw 1 } })', { text: '[unreadable]' }],
    ['an error', `() => { throw new Error('401') }`, { failure: { code: 'threw', message: 'a failed: 401' } }],
    ['a symbol', '() => { throw Symbol("x") }', { failure: { code: 'threw', message: 'a failed: it threw Symbol(x)' } }],
    [
      'a lost world',
      `() => { throw Object.assign(new Error('gone'), { name: 'ToolUnavailableError' }) }`,
      { failure: { code: 'unavailable', message: 'a is not available: gone' } },
    ],
    [
      'a time that was up',
      `() => { throw new DOMException('nobody came', 'TimeoutError') }`,
      { failure: { code: 'timeout', message: 'a failed: nobody came' } },
    ],
    ['its input and its id', '(input, { callId }) => ({ input, callId })', { data: { input: { n: 1 }, callId: '1.1' } }],
  ])('%s', async (_, run, wanted) => {
    const { call } = await host({ a: `run: ${run}` })
    expect(await call('a', { n: 1 })).toMatchObject(wanted)
  })

  test('a check, with what it made of the input; a condition; an ending', async () => {
    const { tools, call } = await host({
      a: `check: ({ day }) => day ? { ok: true, input: { day: new Date(day) } } : { ok: false, issues: [{ path: '/day', message: 'is missing' }] },
        confirm: ({ day }) => day === '2026-01-02', run: ({ day }) => day.getUTCFullYear()`,
      b: `finishes: true, ending: (input, { text }) => ({ success: false, answer: text + input.n }), run: () => 'x'`,
    })
    expect((await call('a', {})).failure?.message).toContain('/day: is missing')
    expect((await call('a', { day: '2026-01-01' })).data).toBe(2026)
    expect((await call('a', { day: '2026-01-02' })).failure?.code).toBe('denied')
    const calls = [{ id: '1', tool: 'b', input: { n: 1 } }]
    const { ending } = await callTools(calls, { registry: new ToolRegistry(tools), say, step: 1 })
    expect(ending).toEqual({ success: false, answer: 'x1' })
  })

  test.each(['() => () => 1', '() => ({ success: true, answer: Symbol("x") })', '() => { throw new Error("no") }'])(
    'an ending that is none, %s, fails the call',
    async ending => {
      const { call } = await host({ a: `finishes: true, ending: ${ending}, run: () => 'x'` })
      expect((await call('a')).failure?.code).toBe('threw')
    },
  )

  test('what tools remember from call to call', async () => {
    const { call } = await host({ a: 'run: () => ++count' }, 'let count = 0')
    expect([(await call('a')).data, (await call('a')).data]).toEqual([1, 2])
  })

  test('what they print, up to a bound, and never as a result', async () => {
    const { call, printed } = await host({
      a: `run: () => { console.log('a remark'); return 'fine' }`,
      b: `run: () => new Promise(done => process.stdout.write('x'.repeat(3_000_000), () => done('fine')))`,
    })
    expect((await call('a')).text).toBe('fine')
    await expect.poll(() => printed.join('')).toBe('a remark\n')
    await call('b')
    await expect.poll(() => printed.join('')).toContain('more was printed')
    expect(printed.join('').length).toBeLessThan(1_100_000)
  })

  test('a text of 50 MB as its beginning and its end', async () => {
    const { call } = await host({ a: `run: () => 'x'.repeat(50_000_000) + 'end'` })
    const { text } = await call('a')
    expect(text.length).toBeLessThan(1_100_000)
    expect(text).toMatch(/characters left out[\s\S]*end$/)
  })

  test('stdin is at its end', async () => {
    const { call } = await host({
      a: `run: async () => { let text = ''; for await (const part of process.stdin) text += part; return { text } }`,
    })
    expect((await call('a')).data).toEqual({ text: '' })
  })
})

describe('a tool that ends its process gives one observation, and the next call finds a fresh one', () => {
  test.each([
    ['exits', 'process.exit(3)', 'it ended with exit code 3'],
    ['exits well', 'process.exit(0)', 'it ended with exit code 0'],
    ['aborts', 'process.abort()', 'it was ended by SIGABRT'],
    ['kills itself', `process.kill(process.pid, 'SIGKILL')`, 'it was ended by SIGKILL'],
    ['hangs up', 'process.disconnect(), new Promise(() => {})', 'it was ended by SIGKILL'],
    ['runs out of memory', 'fill()', 'it was ended by SIGABRT'],
  ])('when it %s', async (_, body, how) => {
    vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=40')
    const fill = 'function fill() { const all = []; for (;;) all.push(new Array(1000).fill({})) }'
    const { call } = await host({ bad: `run: () => (${body})`, good: `run: () => 'fine'` }, fill)
    expect((await call('bad')).failure).toEqual({ code: 'threw', message: `bad failed: the process it ran in is gone: ${how}` })
    expect((await call('good')).text).toBe('fine')
  })
})

describe('a tool that does not stop is ended soon after its time', () => {
  test.each([
    ['computes for ever', 'for (;;);'],
    ['keeps the microtasks going', 'const again = () => Promise.resolve().then(again); return again()'],
    ['waits in a lock', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
    ['is caught in an expression', `return /^(a+)+$/.test('a'.repeat(60) + '!')`],
    ['never answers', 'return new Promise(() => {})'],
  ])('when it %s', async (_, body) => {
    const { call } = await host({ bad: `timeoutMs: 50, run: () => { ${body} }`, good: 'run: () => process.pid' })
    const before = (await call('good')).data
    expect((await call('bad')).failure?.code).toBe('timeout')
    const after = (await call('good')).data
    expect(after).not.toBe(before)
    expect(isAlive(Number(before))).toBe(false)
  })

  test('and what it started ends with it', async () => {
    const { call } = await host(
      {
        bad: `timeoutMs: 500, run: () => { writeFileSync(here, String(spawn('sleep', ['600']).pid)); for (;;); }`,
        good: `run: () => here`,
      },
      `import { spawn } from 'node:child_process'\nimport { writeFileSync } from 'node:fs'`,
    )
    expect((await call('bad')).failure?.code).toBe('timeout')
    const started = Number(readFileSync((await call('good')).text, 'utf8'))
    expect(started).toBeGreaterThan(1)
    await expect.poll(() => isAlive(started)).toBe(false)
  })

  test('a child in the background holds nothing up, and ends when the tools are closed', async () => {
    const { call } = await host(
      { shell: `run: () => spawn('sleep', ['600'], { stdio: 'inherit' }).pid` },
      `import { spawn } from 'node:child_process'`,
    )
    const started = Number((await call('shell')).data)
    expect(isAlive(started)).toBe(true)
    await open[0]?.close()
    await expect.poll(() => isAlive(started)).toBe(false)
  })

  test('but one that stops when it is told keeps its process', async () => {
    const stop = `(_, { signal }) => new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)))`
    const { call } = await host({ slow: `timeoutMs: 50, run: ${stop}`, good: 'run: () => process.pid' })
    const before = (await call('good')).data
    expect((await call('slow')).failure?.code).toBe('timeout')
    expect((await call('good')).data).toBe(before)
  })

  test('a call that has to wait for that is not made when its own time is up', async () => {
    const { call } = await host({ bad: 'timeoutMs: 50, run: () => { for (;;); }', good: 'run: () => ++count' }, 'let count = 0')
    await call('bad')
    expect((await call('good', {}, { timeoutMs: 20 })).failure?.code).toBe('timeout')
    expect((await call('good')).data).toBe(1)
  })

  test('a check that computes for ever too', async () => {
    const { call } = await host({ bad: 'timeoutMs: 50, check: () => { for (;;); }, run: () => 1', good: `run: () => 'fine'` })
    expect((await call('bad')).failure?.code).toBe('timeout')
    expect((await call('good')).text).toBe('fine')
  })
})

describe('what a tool leaves behind', () => {
  test.each([
    ['a rejection', `() => { Promise.reject(new Error('left')); return 'fine' }`],
    ['an exception in a timer', `() => { setTimeout(() => { throw new Error('left') }, 5); return 'fine' }`],
    ['a rejection after its answer', `() => { setTimeout(() => Promise.reject(new Error('left')), 5); return 'fine' }`],
  ])('%s is told under its name, and ends nothing', async (_, run) => {
    const { call, notices } = await host({ odd: `run: ${run}`, pid: 'run: () => process.pid' })
    const before = (await call('pid')).data
    expect((await call('odd')).text).toBe('fine')
    await expect.poll(() => notices).toEqual(['something that odd left behind failed: left'])
    expect((await call('pid')).data).toBe(before)
  })
})

describe('a file that cannot be used', () => {
  const text = (name: string, content: string) => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }
  test.each<[string, () => string, string]>([
    ['is not there', () => join(folder, 'nowhere.mjs'), 'There is no file'],
    ['is broken', () => text('broken.mjs', 'export const a = {'), 'cannot be loaded: SyntaxError'],
    ['exports nothing', () => text('empty.mjs', 'export const a = 1'), 'exports no tools'],
    ['ends its process', () => text('exit.mjs', 'process.exit(0)'), 'ended its process while it was loaded'],
    [
      'has a tool with a broken schema',
      () =>
        text(
          'schema.mjs',
          `export const a = { name: 'a', description: '', parameters: { type: 'object', properties: { p: { $ref: '#/x' } } }, run() {} }`,
        ),
      'The parameters of the tool "a" are no valid JSON Schema',
    ],
  ])('because it %s is refused with CONFIG', async (_, file, message) => {
    await expect(hostTools(file())).rejects.toMatchObject({ code: 'CONFIG', message: expect.stringContaining(message) })
  })
})

test('closed tools leave no process behind, and a call after that starts one', async () => {
  const { call } = await host({ a: 'run: () => process.pid' })
  const before = Number((await call('a')).data)
  await open[0]?.close()
  await expect.poll(() => isAlive(before)).toBe(false)
  expect((await call('a')).data).not.toBe(before)
})
