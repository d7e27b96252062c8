// find_file and search_dir on a real folder: what they find, what they leave out, and where their end is.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '../../src/core/sandbox.js'
import { openSandbox } from '../../src/toolsets/sandbox/open-sandbox.js'
import { searchTools } from '../../src/toolsets/search-tools.js'

const workspace = mkdtempSync(join(tmpdir(), 'saydo-search-'))
let sandbox: Sandbox

beforeAll(async () => {
  const files = {
    'a.js': 'one $x*\ntwo\n',
    'lib/b.js': `two\n${'long '.repeat(100)}\n`,
    'lib/-c.txt': 'one\n',
    'node_modules/d/d.js': 'two\n',
    'bin.js': 'two\0',
    'many.log': 'many\n'.repeat(120),
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true })
    writeFileSync(join(workspace, name), text)
  }
  mkdirSync(join(workspace, 'lib/empty'))
  sandbox = await openSandbox({ workspace, backend: 'local' })
})

afterAll(async () => {
  await sandbox.destroy()
  rmSync(workspace, { recursive: true, force: true })
})

async function call(name: string, input: object): Promise<string> {
  const found = searchTools(async () => ({ sandbox, folder: sandbox.workspace })).find(each => each.name === name)
  return String(await found?.run(input as never, { signal: new AbortController().signal, callId: '1.1' }))
}

test.each([
  ['find_file', { name: '*.js' }, 'a.js\nbin.js\nlib/b.js'],
  ['find_file', { name: 'b.js', folder: 'lib' }, 'b.js'],
  ['find_file', { name: '-c.txt' }, 'lib/-c.txt'],
  ['find_file', { name: './lib/b.js' }, 'lib/b.js'],
  ['find_file', { name: 'lib/*.js' }, 'lib/b.js'],
  ['find_file', { name: '**/*.js' }, 'a.js\nbin.js\nlib/b.js'],
  [
    'find_file',
    { name: 'none', folder: 'lib' },
    'No file was found. Texts in files are found by search_dir. There are: -c.txt, b.js',
  ],
  [
    'find_file',
    { name: 'none', folder: 'lib/empty' },
    'No file was found. Texts in files are found by search_dir. There are no files.',
  ],
  ['search_dir', { text: 'two' }, 'a.js:2:two\nlib/b.js:1:two'],
  ['search_dir', { text: '$x*' }, 'a.js:1:one $x*'],
  ['search_dir', { text: '-r' }, 'No line was found.'],
])('%s %j', async (name, input, told) => expect(await call(name, input)).toBe(told))

test('long lines and long lists are cut, and the rest is told', async () => {
  expect((await call('search_dir', { text: 'long' })).length).toBeLessThan(300)
  const lines = (await call('search_dir', { text: 'many' })).split('\n')
  expect([lines.length, lines.at(-1)]).toEqual([101, '[20 more: look for something rarer, or in a folder below]'])
})

test.each([
  [{ text: 'a', folder: '..' }, 'outside'],
  [{ text: 'a', folder: '/etc' }, 'outside'],
  [{ text: 'a', folder: 'none' }, 'does not exist'],
  [{ text: 'a', folder: 'a.js' }, 'no folder'],
  [{ text: 'a\nb' }, 'one line'],
])('%j is refused', async (input, why) => expect(call('search_dir', input)).rejects.toThrow(why))
