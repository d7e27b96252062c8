// The tools of a sandbox as a model meets them: a shell with sessions, files, JavaScript.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../src/core/sandbox.js'
import type { Tool } from '../../../src/core/tool.js'
import { fileTools } from '../../../src/toolsets/sandbox/file-tools.js'
import { openSandbox } from '../../../src/toolsets/sandbox/open-sandbox.js'
import { runScript } from '../../../src/toolsets/sandbox/quickjs.js'
import { scriptTool } from '../../../src/toolsets/sandbox/script-tool.js'
import { Sessions } from '../../../src/toolsets/sandbox/sessions.js'
import { shellTools } from '../../../src/toolsets/sandbox/shell-tools.js'
import { HAS_BWRAP, makeWorkspace } from '../../support/bwrap.js'

let sandbox: Sandbox
let tools: Map<string, Tool>
const workspace = makeWorkspace()
beforeAll(async () => {
  sandbox = await openSandbox({ workspace, backend: HAS_BWRAP ? 'bwrap' : 'local' })
  const all = [...shellTools(new Sessions(sandbox)), ...fileTools(sandbox), scriptTool()]
  tools = new Map(all.map(tool => [tool.name, tool]))
}, 60_000)
afterAll(() => sandbox.destroy())

async function call(name: string, input: object): Promise<string> {
  const context = { signal: new AbortController().signal, callId: '1.1' }
  return String(await tools.get(name)?.run(input as never, context))
}

describe('shell', { timeout: 60_000 }, () => {
  test.each([
    ['echo hi', 'hi\n[exit code 0]'],
    ['printf hi', 'hi\n[exit code 0]'],
    ['false', '[exit code 1]'],
    ['exit 7', '[exit code 7]'],
    ['echo out; echo err >&2; ls missing-thing 2>/dev/null', 'out\nerr\n[exit code 2]'],
    ['# only a comment', '[exit code 0]'],
    ['', '[exit code 0]'],
    ['cat <<END\nin a heredoc\nEND', 'in a heredoc\n[exit code 0]'],
    ['sleep 50 & echo started', 'started\n[exit code 0]'],
    ['read answer; echo "got <$answer>"', 'got <>\n[exit code 0]'],
    ["printf '1\\n\\n\\n22\\n'", '1\n\n\n22\n[exit code 0]'],
    ['python3; node', '[exit code 0]'],
    ['echo "$GIT_EDITOR $PAGER"', 'true cat\n[exit code 0]'],
    ['sudo_that_is_missing', /command not found\n\[exit code 127\]$/],
    ['echo "not closed', /unexpected EOF.*\n.*\[exit code [12]\]$/s],
  ])('%j gives %j', async (command, expected) => {
    const text = await call('shell', { command })
    if (typeof expected === 'string') expect(text).toBe(expected)
    else expect(text).toMatch(expected)
  })

  test('keeps the folder of its session, and no other', async () => {
    await call('shell', { command: 'mkdir -p deep/er; cd deep/er' })
    expect(await call('shell', { command: 'pwd' })).toBe(`${sandbox.workspace}/deep/er\n[exit code 0]`)
    expect(await call('shell', { command: 'pwd', session: 'other' })).toBe(`${sandbox.workspace}\n[exit code 0]`)
    await call('shell', { command: 'cd /tmp; exit 3' })
    expect(await call('shell', { command: 'pwd' })).toBe('/tmp\n[exit code 0]')
    await call('shell', { command: `cd ${sandbox.workspace}/deep/er` })
    await call('shell', { command: 'rm -r deep', session: 'other' })
    expect(await call('shell', { command: 'true' })).toContain('deep/er is gone')
    await call('shell', { command: `cd ${sandbox.workspace}` })
  })

  test('ends a command for its time, and tells what to do', async () => {
    const text = await call('shell', { command: 'echo first; sleep 50', timeout: 1.5 })
    expect(text).toMatch(/^first\n\[ended after 1.5 seconds, before it was done; .*background\]$/)
  })

  test('reads, and ends, what runs in the background of a session', async () => {
    const command = 'echo one; sleep 0.2; echo two; sleep 50'
    expect(await call('shell', { command, session: 'job', background: true })).toContain('Started in session job')
    await expect(call('shell', { command: 'pwd', session: 'job' })).rejects.toThrow('session job runs')
    let text = ''
    while (!text.includes('two')) text += await call('read_session', { session: 'job', wait: 0.3 })
    expect(text.replaceAll('[still running]', '').replaceAll('\n\n', '\n')).toBe('one\ntwo\n')
    expect(await call('kill_session', { session: 'job' })).toBe(`ended: ${command}`)
    expect(await call('read_session', { session: 'job' })).toBe('[ended by kill_session]')
    expect(await call('kill_session', { session: 'job' })).toContain('nothing runs')
    expect(await call('shell', { command: 'echo free', session: 'job' })).toBe('free\n[exit code 0]')
  })

  test('knows by its exit that a command is over', async () => {
    await call('shell', { command: 'echo "$ # > Done"; sleep 0.3; exit 4', session: 'prompt', background: true })
    expect(await call('read_session', { session: 'prompt', wait: 20 })).toBe('$ # > Done\n[exit code 4]')
  })

  test('names the sessions there are for one that is none', async () => {
    await expect(call('read_session', { session: 'nope' })).rejects.toThrow(/there is no session nope; there are main/)
  })
})

describe('files', () => {
  test('are made, read by lines, replaced, rewritten and deleted', async () => {
    await call('create_file', { path: 'notes/a.txt', content: 'one\ntwo\nthree\n' })
    expect(await call('read_file', { path: 'notes/a.txt', from_line: 2, lines: 1 })).toBe('two\n[lines 2 to 2 of 3]')
    expect(await call('str_replace', { path: 'notes/a.txt', old: 'two', new: '' })).toBe(
      'Replaced the text at line 2 of notes/a.txt.',
    )
    expect(await call('read_file', { path: `${sandbox.workspace}/notes/a.txt` })).toBe('one\n\nthree\n')
    await call('rewrite_file', { path: 'notes/a.txt', content: '' })
    expect(await call('read_file', { path: 'notes/a.txt' })).toBe('[the file is empty]')
    expect(await call('list_files', { path: 'notes' })).toBe('a.txt 0')
    await call('delete_file', { path: 'notes' })
    await expect(call('read_file', { path: 'notes/a.txt' })).rejects.toThrow('notes/a.txt does not exist')
  })

  test('may be empty from the beginning', async () => {
    expect(await call('create_file', { path: 'nothing', content: '' })).toBe('Created nothing: 0 bytes.')
    expect(await call('read_file', { path: 'nothing' })).toBe('[the file is empty]')
  })

  test.each([
    ['create_file', { path: 'there', content: 'x' }, 'exists already'],
    ['rewrite_file', { path: 'not-there', content: 'x' }, 'use create_file'],
    ['str_replace', { path: 'there', old: 'nowhere', new: 'x' }, 'not in the file'],
    ['str_replace', { path: 'there', old: 'twice', new: 'x' }, '2 times, beginning in lines 1, 3'],
    ['read_file', { path: 'there', from_line: 9 }, 'there has 3 lines'],
    ['read_file', { path: 'There.txt' }, 'does not exist; in its folder there is "there"'],
    ['delete_file', { path: 'empty/zzz' }, 'does not exist; in its folder there is nothing else either'],
    ['read_file', { path: '../there' }, 'outside the workspace'],
    ['create_file', { path: '.git/hooks/pre-commit', content: 'x' }, '.git is protected'],
    ['delete_file', { path: '.' }, 'cannot be removed'],
  ])('%s of %j says why not', async (tool, input, why) => {
    writeFileSync(join(workspace, 'there'), 'twice\n\ntwice\n')
    mkdirSync(join(workspace, 'empty'), { recursive: true })
    await expect(call(tool, input)).rejects.toThrow(why)
  })

  test('keep every byte outside of a replacement', async () => {
    const before = Buffer.from('\uFEFFa\tb\r\nold\r\nline\r\n\xff', 'latin1')
    writeFileSync(join(workspace, 'odd'), before)
    await call('str_replace', { path: 'odd', old: 'old\nline', new: 'new\nlines' })
    expect(readFileSync(join(workspace, 'odd')).toString('latin1')).toBe(
      before.toString('latin1').replace('old\r\nline', 'new\r\nlines'),
    )
  })
})

describe('JavaScript', () => {
  test.each([
    ['1 + 1', { value: '2' }],
    ['console.log("a", {b: 1}); [1, 2]', { printed: 'a {"b":1}\n', value: '[1,2]' }],
    ['undefined', {}],
    ['10n ** 20n', { value: '100000000000000000000' }],
    ['async function f() { return 3 }; f()', { value: '3' }],
    ['const a = 6 // six\nif (a > 5) return a * 7', { value: '42' }],
    ['return await 1', { error: expect.stringContaining('SyntaxError') }],
    ['class A { static { return } }', { error: expect.stringContaining('SyntaxError') }],
    ['throw new SyntaxError("return not in a function")', { error: expect.stringContaining('not in a function') }],
    ['throw new TypeError("odd")', { error: 'TypeError: odd (line 1)' }],
    ['1 +', { error: expect.stringContaining('SyntaxError') }],
    [
      'typeof process + typeof require + typeof fetch + typeof Deno + typeof setTimeout',
      { value: '"undefinedundefinedundefinedundefinedundefined"' },
    ],
    ['new Promise(() => {})', { error: expect.stringContaining('never settled') }],
    ['const a = {}; a.a = a; a', { error: expect.stringContaining('no JSON') }],
    ['this.constructor.constructor("return typeof process")()', { value: '"undefined"' }],
    ['import("node:fs").then(() => 1)', { error: expect.any(String) }],
  ])('%s gives %j', async (code, expected) => {
    expect(await runScript(code)).toEqual({ printed: '', ...expected })
  })

  test.each(['for (;;);', '/(a+)+$/.test("a".repeat(40) + "b")', 'async function f() { for (;;) await 0 }; f()'])(
    '%s is ended for its time',
    async code => {
      expect((await runScript(code, { timeoutMs: 200 })).error).toBe('ended after 0.2 s')
    },
  )

  test.each(['let a = []; for (;;) a.push(new Uint8Array(1000000))', 'function f() { f() }; f()', 'new Array(2 ** 30).fill(1)'])(
    '%s is ended for its memory',
    async code => {
      expect((await runScript(code, { memoryMiB: 16, timeoutMs: 60_000 })).error).toMatch(/memory|overflow|stack|length/i)
      expect(await runScript('1 + 1')).toEqual({ printed: '', value: '2' })
    },
    80_000,
  )

  test('prints no more than has room', async () => {
    const { printed } = await runScript('for (let i = 0; i < 300000; i++) console.log("0123456789")', { timeoutMs: 20_000 })
    expect(printed.length).toBeLessThan(100_100)
    expect(printed).toContain('left out')
  })

  test('is a failure of the call where it throws, with what it printed', async () => {
    await expect(call('run_js', { code: 'console.log("before"); nope' })).rejects.toThrow(/nope.*\n?.*before/s)
    expect(await call('run_js', { code: 'console.log("x"); 2' })).toBe('x\nResult: 2')
  })
})
