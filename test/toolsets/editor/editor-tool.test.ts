// The tool str_replace_editor on real files: what it touches, byte by byte, what it refuses, and where no path leads.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../src/core/sandbox.js'
import { Editor } from '../../../src/toolsets/editor/editor.js'
import { editorTool } from '../../../src/toolsets/editor/editor-tool.js'
import { openSandbox } from '../../../src/toolsets/sandbox/open-sandbox.js'

const outer = mkdtempSync(join(tmpdir(), 'saydo-edit-'))
const workspace = join(outer, 'ws')
let sandbox: Sandbox
let editor: Editor

beforeAll(async () => {
  mkdirSync(workspace)
  // the compiler that the workspace has
  mkdirSync(join(workspace, 'node_modules'))
  symlinkSync(resolve('node_modules/typescript'), join(workspace, 'node_modules/typescript'))
  sandbox = await openSandbox({ workspace, backend: 'local' })
})

beforeEach(() => {
  editor = new Editor(sandbox)
})

afterAll(async () => {
  await sandbox.destroy()
  rmSync(outer, { recursive: true, force: true })
})

async function edit(input: object): Promise<string> {
  const tool = editorTool(async () => ({ editor, sandbox, folder: sandbox.workspace }))
  return (await tool.run(input as never, { signal: new AbortController().signal, callId: '1.1' })) as string
}

const at = (name: string) => join(workspace, name)
const put = (name: string, text: string | Uint8Array) => writeFileSync(at(name), text)
const get = (name: string) => readFileSync(at(name), 'latin1')

describe('an edit', () => {
  test.each([
    ['tabs', 'all:\n\tcc a.c\n\tcc b.c\n', 'cc a.c', 'cc c.c', 'all:\n\tcc c.c\n\tcc b.c\n'],
    ['Windows line ends', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', 'x\r\ny\r\nc\r\n'],
    ['mixed line ends', 'a\r\nb\nc\n', 'c', 'd', 'a\r\nb\nd\n'],
    ['a byte order mark', '\xef\xbb\xbfa\n', 'a', 'b', '\xef\xbb\xbfb\n'],
    ['no end of the last line', 'a\nb', 'b', 'c', 'a\nc'],
    ['bytes that are no UTF-8', 'a\xff\xfeb\n', 'b', 'c', 'a\xff\xfec\n'],
    ['trailing blanks', 'a  \nb \n', 'b', 'c', 'a  \nc \n'],
    ['line ends of both kinds', 'a\r\nb\nc\r\n', 'a\nb\nc', 'A\nB\nC', 'A\r\nB\nC\r\n'],
    ['more lines than there were', 'a\r\nb\n', 'a\nb', 'a\nx\nb', 'a\r\nx\r\nb\n'],
    ['signs of a pattern', 'f(x) [*] $1 \\d\n', 'f(x) [*] $1 \\d', '$& $1', '$& $1\n'],
  ])('touches nothing outside of its place: %s', async (_, before, old_str, new_str, after) => {
    put('f.txt', Buffer.from(before, 'latin1'))
    await edit({ command: 'str_replace', path: 'f.txt', old_str, new_str })
    expect(get('f.txt')).toBe(after)
    await edit({ command: 'undo_edit', path: 'f.txt' })
    expect(get('f.txt')).toBe(before)
  })

  test.each([
    [0, 'x', 'x\na\nb\n'],
    [1, 'x\n', 'a\nx\nb\n'],
    [2, 'x', 'a\nb\nx\n'],
  ])('inserts whole lines behind line %i', async (insert_line, new_str, after) => {
    put('f.txt', 'a\nb\n')
    await edit({ command: 'insert', path: 'f.txt', insert_line, new_str })
    expect(get('f.txt')).toBe(after)
  })

  test('behind a last line without an end leaves the end as it was', async () => {
    put('f.txt', 'a')
    await edit({ command: 'insert', path: 'f.txt', insert_line: 1, new_str: 'b' })
    expect(get('f.txt')).toBe('a\nb')
  })

  test('keeps the mode of the file', async () => {
    put('run.sh', 'echo a\n')
    chmodSync(at('run.sh'), 0o755)
    await edit({ command: 'str_replace', path: 'run.sh', old_str: 'a', new_str: 'b' })
    expect(statSync(at('run.sh')).mode & 0o777).toBe(0o755)
  })

  test('tells its diff and the lines around it', async () => {
    put('f.txt', '1\n2\n3\n4\n5\n6\n7\n8\n9\n')
    const told = await edit({ command: 'str_replace', path: 'f.txt', old_str: '5', new_str: 'five' })
    expect(told).toContain('-5\n+five')
    expect(told).toMatch(/ {5}1\t1\n[\s\S]* {5}5\tfive\n[\s\S]* {5}9\t9/)
  })

  test('by line numbers tells the lines around it, too', async () => {
    put('f.txt', '1\n2\n')
    expect(await edit({ command: 'insert', path: 'f.txt', insert_line: 1, new_str: 'x' })).toMatch(
      /\+x[\s\S]* {5}1\t1\n {5}2\tx\n {5}3\t2/,
    )
  })

  test.each([
    ['as one character, the file as two', 'caf\u00e9.txt', 'cafe\u0301.txt'],
    ['as two characters, the file as one', 'na\u0069\u0308f.txt', 'na\u00eff.txt'],
  ])('finds a file whose name is written %s', async (_, written, name) => {
    put(name, 'old\n')
    await edit({ command: 'str_replace', path: written, old_str: 'old', new_str: 'new' })
    expect(get(name)).toBe('new\n')
    await expect(edit({ command: 'create', path: written, file_text: 'x' })).rejects.toThrow('exists already')
  })

  test('is taken back one by one, by whatever path the file is called, the last hundred of them', async () => {
    put('f.txt', '0\n')
    for (let at = 0; at < 102; at++)
      await edit({ command: 'str_replace', path: 'f.txt', old_str: `${at}\n`, new_str: `${at + 1}\n` })
    for (let at = 0; at < 100; at++)
      await edit({ command: 'undo_edit', path: at % 2 === 0 ? './f.txt' : `${sandbox.workspace}/f.txt` })
    expect(get('f.txt')).toBe('2\n')
    await expect(edit({ command: 'undo_edit', path: 'f.txt' })).rejects.toThrow('No edit history found')
  })

  test('of a new file is taken back by its removal', async () => {
    await edit({ command: 'create', path: 'deep/new.txt', file_text: 'a' })
    expect(get('deep/new.txt')).toBe('a')
    await edit({ command: 'undo_edit', path: 'deep/new.txt' })
    expect(await sandbox.stat('deep/new.txt')).toBeUndefined()
  })

  test('is not taken back when something else has changed the file since', async () => {
    put('f.txt', 'a\n')
    await edit({ command: 'str_replace', path: 'f.txt', old_str: 'a', new_str: 'b' })
    put('f.txt', 'other\n')
    await expect(edit({ command: 'undo_edit', path: 'f.txt' })).rejects.toThrow('changed by something else')
    expect(get('f.txt')).toBe('other\n')
  })

  test('by line numbers is refused when the file has changed since it was viewed', async () => {
    put('f.txt', 'a\n')
    await edit({ command: 'view', path: 'f.txt' })
    put('f.txt', 'z\na\n')
    await expect(edit({ command: 'insert', path: 'f.txt', insert_line: 1, new_str: 'b' })).rejects.toThrow('view it again')
  })

  test.each([
    ['bad.json', '{"a": 1}', '1', '1,,', /syntax error now[\s\S]*JSON/],
    ['bad.js', 'let a = 1\n', '1', '(', /syntax error now(?![\s\S]*node:)[\s\S]*SyntaxError/],
    ['bad.sh', 'echo a\n', 'a', "'", /syntax error now[\s\S]*unexpected EOF/],
    ['bad.py', 'a = 1\n', '1', '(', /syntax error now(?![\s\S]*Traceback)[\s\S]*SyntaxError|^(?![\s\S]*syntax error)/],
    ['bad.ts', 'let a: number = 1\n', '1', '(', /syntax error now[\s\S]*bad\.ts:\d: /],
    ['bad.jsx', 'let a = <b>1</b>\n', '</b>', '</c>', /syntax error now[\s\S]*bad\.jsx:1: /],
    ['good.tsx', 'let a: object = <b>1</b>\n', '1', '2', /^(?![\s\S]*syntax error)/],
    ['good.js', 'let a = 1\n', '1', '2', /^(?![\s\S]*syntax error)/],
  ])('is looked at by its language: %s', async (path, text, old_str, new_str, told) => {
    put(path, text)
    expect(await edit({ command: 'str_replace', path, old_str, new_str })).toMatch(told)
  })
})

test('a file that is there already, with the text it is to be made with, needs nothing', async () => {
  expect(await edit({ command: 'create', path: 'twice.txt', file_text: 'good morning' })).toBe(
    `The file ${sandbox.workspace}/twice.txt was made, with 1 line.`,
  )
  expect(await edit({ command: 'create', path: 'twice.txt', file_text: 'good morning' })).toMatch(/nothing is left to do\.$/)
  await expect(edit({ command: 'undo_edit', path: 'twice.txt' })).resolves.toMatch(/is gone again\.$/)
})

describe('a view', () => {
  const view = (path: string, view_range?: readonly number[]) =>
    edit({ command: 'view', path, ...(view_range && { view_range }) })

  test.each([
    [undefined, '     1\ta\n     2\tb\n     3\tc'],
    [[2, 2], '     2\tb'],
    [[2, -1], '     2\tb\n     3\tc'],
    [[3, 99], '     3\tc\n[the file ends at line 3]'],
  ])('of the lines %j has their numbers', async (range, text) => {
    put('abc.txt', 'a\r\nb\r\nc')
    expect(await view('abc.txt', range)).toBe(text)
  })

  test('of an empty file says so', async () => {
    put('empty.txt', '')
    expect(await view('empty.txt')).toBe('(the file is empty)')
  })

  test('of a long file is cut at a line, says how to find the rest, and what is defined where', async () => {
    put('long.py', `${'# filler\n'.repeat(3_000)}def late():\n    pass\n`)
    const text = await view('long.py')
    expect(text).toMatch(
      /\t# filler\n\[… cut here: the file has 3002 lines; find the place with grep -n.*\]\nDefinitions:\n3001: def late\(\):$/,
    )
    expect(text.length).toBeLessThan(17_000)
    put('long.md', `# First\n${'text def x\n'.repeat(3_000)}## Last\n`)
    expect(await view('long.md')).toMatch(/\nDefinitions:\n1: # First\n3002: ## Last$/)
  })

  test('of a folder goes two levels down, past what is hidden, and no further than there is room', async () => {
    mkdirSync(at('tree/one/two/three'), { recursive: true })
    mkdirSync(at('tree/.hidden'))
    for (const name of ['top.txt', 'one/deep.txt', 'one/two/deeper.txt', '.hidden/x', '.dot']) put(`tree/${name}`, '')
    symlinkSync('top.txt', at('tree/way'))
    const [, ...lines] = (await view('tree')).split('\n')
    expect(lines).toEqual(['one/', 'one/deep.txt', 'one/two/', 'top.txt', 'way (link)'])
    mkdirSync(at('many'))
    for (let count = 0; count < 310; count++) put(`many/${count}`, '')
    expect((await view('many')).split('\n').at(-1)).toBe('[more than 300 entries: view a folder below]')
  })
})

describe('what cannot be is refused:', () => {
  test.each([
    [{ command: 'view', path: 'none.txt' }, 'does not exist'],
    [{ command: 'str_replace', path: 'none/below.txt', old_str: 'a', new_str: 'b' }, 'does not exist'],
    [{ command: 'create', path: 'three.txt/below', file_text: 'x' }, 'no folder'],
    [{ command: 'view', path: '.', view_range: [1, 2] }, 'is a folder'],
    [{ command: 'view', path: 'three.txt', view_range: [1] }, 'two numbers'],
    [{ command: 'view', path: 'three.txt', view_range: [4, 5] }, 'lines 1 to 3'],
    [{ command: 'view', path: 'three.txt', view_range: [2, 1] }, 'before it begins'],
    [{ command: 'view', path: 'binary.bin' }, 'binary data'],
    [{ command: 'create', path: 'three.txt', file_text: 'x' }, 'exists already'],
    [{ command: 'create', path: 'new.txt' }, 'needs file_text'],
    [{ command: 'str_replace', path: 'three.txt', new_str: 'x' }, 'needs old_str'],
    [{ command: 'str_replace', path: 'three.txt', old_str: '', new_str: 'x' }, 'the old text is empty'],
    [{ command: 'str_replace', path: 'three.txt', old_str: 'zzz', new_str: 'x' }, 'not in the file'],
    [{ command: 'str_replace', path: 'three.txt', old_str: 'same', new_str: 'x' }, 'in lines 1, 3:'],
    [{ command: 'str_replace', path: 'twice.txt', old_str: 'a\nb', new_str: 'x' }, '2 times, beginning in lines 1, 4:'],
    [{ command: 'str_replace', path: 'same.txt', old_str: 'aa', new_str: 'x' }, '3 times, beginning in lines 1: add'],
    [{ command: 'str_replace', path: 'latin.txt', old_str: 'caf\uFFFD', new_str: 'x' }, 'bytes that are no UTF-8'],
    [{ command: 'view', path: 'big.txt' }, 'too long for the editor: look at parts of it in bash'],
    [{ command: 'str_replace', path: 'three.txt', old_str: 'in   dent', new_str: 'x' }, 'differ from it in white space alone'],
    [{ command: 'str_replace', path: '.', old_str: 'a', new_str: 'x' }, 'no regular file'],
    [{ command: 'insert', path: 'three.txt', insert_line: 4, new_str: 'x' }, 'give 0 to 3'],
    [{ command: 'insert', path: 'three.txt', new_str: 'x' }, 'needs insert_line'],
    [{ command: 'insert', path: 'three.txt', insert_line: 1 }, 'needs new_str'],
    [{ command: 'undo_edit', path: 'three.txt' }, 'No edit history found'],
    [{ command: 'erase', path: 'three.txt' }, 'command is one of'],
  ])('%j', async (input, message) => {
    put('three.txt', 'same\nin dent\nsame\n')
    put('twice.txt', 'a\nb\nc\na\nb\n')
    put('same.txt', 'aaaa\n')
    put('latin.txt', Buffer.from('caf\xe9\n', 'latin1'))
    put('big.txt', Buffer.alloc(5 * 1024 * 1024, 'line\n'))
    put('binary.bin', new Uint8Array([1, 0, 2]))
    await expect(edit(input)).rejects.toThrow(message)
    expect(get('three.txt')).toBe('same\nin dent\nsame\n')
  })
})

describe('no path leads out of the workspace:', () => {
  const secret = join(outer, 'secret.txt')
  beforeAll(() => {
    mkdirSync(join(outer, 'ws-evil'))
    writeFileSync(join(outer, 'ws-evil', 's'), 'secret')
    writeFileSync(secret, 'secret')
    symlinkSync(secret, at('link.txt'))
    symlinkSync(outer, at('up'))
    symlinkSync('/', at('root'))
    symlinkSync('..', at('dots'))
    symlinkSync('dots', at('twice'))
    symlinkSync(join(outer, 'not-there'), at('dangling'))
    symlinkSync('/proc/self/root', at('proc'))
    symlinkSync('loop', at('loop'))
    mkdirSync(at('inner'))
    symlinkSync('../../secret.txt', at('inner/link'))
  })

  const ways = [
    '../secret.txt',
    './../secret.txt',
    'inner/../../secret.txt',
    '../ws-evil/s',
    '../ws/../secret.txt',
    'inner//..//..//secret.txt',
    '/etc/passwd',
    '//etc/passwd',
    '/etc/../etc/passwd',
    '/proc/self/environ',
    '/proc/self/root/etc/passwd',
    '/proc/self/cwd/package.json',
    '/dev/zero',
    '/dev/stdin',
    '/dev/fd/0',
    '/',
    '..',
    '../',
    '../..',
    '/tmp',
    '/root/.ssh/id_rsa',
    'link.txt',
    './link.txt',
    'up/secret.txt',
    'up/ws-evil/s',
    'root/etc/passwd',
    'root',
    'dots/secret.txt',
    'twice/secret.txt',
    'dangling',
    'proc/etc/passwd',
    'loop',
    'loop/x',
    'inner/link',
    'up/ws/../secret.txt',
    `${secret}`,
    `${outer}/ws-evil/s`,
    `${outer}/ws/../secret.txt`,
    `${outer}/ws-evil/../secret.txt`,
    'secret.txt\0',
    '\0/etc/passwd',
    '../secret.txt\0.txt',
    `${'a/../'.repeat(100)}../secret.txt`,
    '../../../../../../../../etc/passwd',
    '.git/../../secret.txt',
  ]

  test('a folder that becomes a link between two edits', async () => {
    mkdirSync(at('swap'))
    mkdirSync(join(outer, 'swapped'))
    for (const folder of [at('swap'), join(outer, 'swapped')]) writeFileSync(join(folder, 'f.txt'), 'a\n')
    await edit({ command: 'view', path: 'swap/f.txt' })
    rmSync(at('swap'), { recursive: true })
    symlinkSync(join(outer, 'swapped'), at('swap'))
    for (const input of [
      { command: 'str_replace', old_str: 'a', new_str: 'b' },
      { command: 'insert', insert_line: 1, new_str: 'b' },
      { command: 'undo_edit' },
    ])
      await expect(edit({ ...input, path: 'swap/f.txt' })).rejects.toThrow()
    await expect(edit({ command: 'create', path: 'swap/new.txt', file_text: 'x' })).rejects.toThrow()
    expect(readFileSync(join(outer, 'swapped', 'f.txt'), 'utf8')).toBe('a\n')
    expect(readdirSync(join(outer, 'swapped'))).toEqual(['f.txt'])
  })

  test('there are 45 ways', () => expect(new Set(ways).size).toBe(45))

  test.each(ways)('%j', async path => {
    await expect(edit({ command: 'view', path })).rejects.toThrow()
    await expect(edit({ command: 'create', path, file_text: 'pwned' })).rejects.toThrow()
    await expect(edit({ command: 'str_replace', path, old_str: 'secret', new_str: 'pwned' })).rejects.toThrow()
    expect(readFileSync(secret, 'utf8')).toBe('secret')
  })

  test.each(['~/x', '$HOME/x', '%2e%2e/x', '$(pwd)', '\u2024\u2024/x', '..\\x'])('%j is a name like any other', async path => {
    await edit({ command: 'create', path, file_text: 'x' })
    expect(await sandbox.stat(path)).toMatchObject({ kind: 'file' })
  })
})
