import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chatCommand, commandIn } from '../../src/cli/chat/chat-commands.js'
import { EntryReader } from '../../src/cli/chat/entry-reader.js'
import { History } from '../../src/cli/chat/history.js'
import { Pasted, pictured } from '../../src/cli/chat/pasted.js'
import { emptyFolder } from '../support/cli.js'

describe('an entry', () => {
  const read = (lines: readonly string[], joins = true) => {
    const reader = new EntryReader({ joins })
    const entries = lines.flatMap(line => reader.push(line) ?? [])
    return { entries, isOpen: reader.isOpen }
  }

  test.each<[string, readonly string[], readonly string[]]>([
    ['is a line', ['a', 'b'], ['a', 'b']],
    ['goes on behind a backslash', ['a\\', 'b\\', 'c', 'd'], ['a\nb\nc', 'd']],
    ['ends in a backslash where there are two', ['a\\\\', 'b'], ['a\\', 'b']],
    ['is a block', ['"""', 'a', '', ' b\\', '"""', 'c'], ['a\n\n b\\', 'c']],
    ['is a block that begins and ends beside its quotes', ['"""a', 'b"""', 'c'], ['a\nb', 'c']],
    ['is a block on one line', ['  """a b"""  ', '""""""'], ['a b', '']],
    ['has quotes in the middle as they are', ['say """x""" twice'], ['say """x""" twice']],
  ])('%s', (_, lines, entries) => {
    expect(read(lines)).toEqual({ entries, isOpen: false })
  })

  test.each([[['a\\']], [['"""', 'a']], [['"""']]])('%j is not at its end', lines => {
    expect(read(lines)).toEqual({ entries: [], isOpen: true })
  })

  test('ends in a backslash where lines are not joined', () => {
    expect(read(['C:\\', 'b'], false).entries).toEqual(['C:\\', 'b'])
  })
})

describe('a paste', () => {
  const paste = (text: string) => `\u001b[200~${text}\u001b[201~`

  test('comes back as it was, however it is cut, and holds no key', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 60 }).filter(text => !/[\u2400-\u2421\r]|\u001b\[20/.test(text))
    // an escape that comes alone is a key
    const cutsOf = fc.array(
      fc.nat(80).filter(cut => cut !== 2),
      { maxLength: 5 },
    )
    fc.assert(
      fc.property(texts, cutsOf, (text, cuts) => {
        const pasted = new Pasted()
        const keys = `a${paste(text)}b`
        const places = [0, ...cuts.map(cut => Math.min(cut, keys.length)).sort((a, b) => a - b), keys.length]
        const shown = places
          .slice(1)
          .map((end, at) => pasted.keys(keys.slice(places[at], end)))
          .join('')
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f]/)
        expect(pasted.textOf(shown)).toBe(`a${text}b`)
      }),
    )
  })

  test('has line feeds for line breaks of every kind', () => {
    const pasted = new Pasted()
    expect(pasted.textOf(pasted.keys(paste('a\r\nb\rc\nd')))).toBe('a\nb\nc\nd')
  })

  test('that is long is shown by its name, and each has its own', () => {
    const pasted = new Pasted()
    const [one, two] = ['1\n'.repeat(1_000), '␊'.repeat(2_000)]
    const shown = pasted.keys(paste(one)) + pasted.keys(paste(two))
    expect(shown).toBe('[paste 1: 2000 characters][paste 2: 2000 characters]')
    expect(pasted.textOf(`${shown}[paste 3: 5 characters]`)).toBe(`${one}${two}[paste 3: 5 characters]`)
  })

  test('whose end was lost is given up at Ctrl-C', () => {
    const pasted = new Pasted()
    expect(pasted.keys('\u001b[200~abc')).toBe('')
    expect(pasted.keys('\u0003')).toBe('\u0003')
    expect(pasted.keys('d')).toBe('d')
  })

  test('keys outside of it stay what they are', () => {
    const pasted = new Pasted()
    expect(['\u001b[A', '\u001b', 'x\r'].map(keys => pasted.keys(keys))).toEqual(['\u001b[A', '\u001b', 'x\r'])
  })
})

describe('the history', () => {
  const said: string[] = []
  const open = (file: string | undefined, mask = (text: string) => text) => new History(file, mask, line => said.push(line))

  test('keeps the newest thousand, of which each is one line', () => {
    const file = join(emptyFolder(), '.saydo', 'history')
    const history = open(file)
    for (let n = 0; n < 2_001; n++) history.add(`entry ${n}\nof two lines`)
    expect(open(file).lines).toHaveLength(1_000)
    expect(open(file).lines.at(-1)).toBe(pictured('entry 2000\nof two lines'))
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1_001)
  })

  test('leaves out what is too long, and masks the rest', () => {
    const file = join(emptyFolder(), '.saydo', 'history')
    const history = open(file, text => text.replace('key', '…'))
    history.add('x'.repeat(4_001))
    history.add('my key')
    expect(open(file).lines).toEqual(['my …'])
  })

  test('that cannot be read or written is told of once, and does without', () => {
    said.length = 0
    const folder = emptyFolder()
    mkdirSync(join(folder, 'history'))
    const history = open(join(folder, 'history'))
    history.add('a')
    expect([history.lines, said.length]).toEqual([[], 1])
    expect(said[0]).toMatch(/^no history is kept: EISDIR/)
  })

  test('without a file is none', () => {
    const history = open(undefined)
    history.add('a')
    expect(history.lines).toEqual([])
  })

  test('reads whatever stands in the file', () => {
    const file = join(emptyFolder(), 'history')
    writeFileSync(file, Buffer.from([0x61, 0xff, 0x0a, 0x0a, 0x00, 0x62]))
    expect(open(file).lines).toEqual(['a\uFFFD', '\u0000b'])
  })
})

describe('a command', () => {
  test.each<[string, ReturnType<typeof commandIn>]>([
    ['/undo', { name: 'undo', argument: '' }],
    [' /Edit  2 ', { name: 'edit', argument: '2' }],
    ['/', { name: '', argument: '' }],
    ['//undo', undefined],
    ['/etc/hosts', undefined],
    ['a /undo', undefined],
    ['/2 of 3', undefined],
  ])('%j → %j', (text, command) => {
    expect(commandIn(text)).toEqual(command)
  })

  test.each([
    ['', 'help'],
    ['?', 'help'],
    ['exit', 'quit'],
    ['q', 'quit'],
  ])('/%s is /%s', (name, meant) => {
    expect(chatCommand(name).name).toBe(meant)
  })

  test.each([
    ['udno', 'did you mean /undo?'],
    ['s', 'did you mean /step or /set or /save?'],
    ['frobnicate', '/help lists them'],
  ])('/%s is none, and is never a task', (name, hint) => {
    expect(() => chatCommand(name)).toThrow(expect.objectContaining({ code: 'CONFIG', hint: expect.stringContaining(hint) }))
  })
})
