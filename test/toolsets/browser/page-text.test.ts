// What a page holds → numbers, the text of its state, and Markdown: the parts that need no browser.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOf } from '../../../src/toolsets/browser/address.js'
import { keyNames } from '../../../src/toolsets/browser/keys.js'
import { markdownOf, partOf } from '../../../src/toolsets/browser/markdown.js'
import { Numbering } from '../../../src/toolsets/browser/numbering.js'
import { everyNode, type PageNode, readNodes } from '../../../src/toolsets/browser/page-node.js'
import { headLines } from '../../../src/toolsets/browser/sentences.js'
import { pageLines } from '../../../src/toolsets/browser/state-text.js'
import type { Tab } from '../../../src/toolsets/browser/tabs.js'
import { troubleOf } from '../../../src/toolsets/browser/trouble.js'

const button = (name: string, ref: string, more: object = {}) => ({ role: 'button', name, ref, ...more })

function linesOf(snapshot: unknown, most = 10_000): readonly string[] {
  const nodes = readNodes(snapshot)
  return pageLines({ nodes, numbers: new Numbering().look(everyNode(nodes), '1.1'), fresh: new Set() }, most)
}

describe('the lines of a page', () => {
  test.each([
    ['nothing', [], ['(the page is empty)']],
    ['a button', button('Save', 'e1', { disabled: true }), ['[1] button "Save", disabled']],
    ['a link with its target', { role: 'link', name: 'Home', ref: 'e1', url: '/' }, ['[1] link "Home" → /']],
    ['a field with its value', { role: 'textbox', name: 'Name', ref: 'e1', text: 'Ada' }, ['[1] textbox "Name" = "Ada"']],
    ['what the mouse says can be clicked', { role: 'generic', ref: 'e1', cursor: 'pointer', text: 'Go' }, ['[1] clickable "Go"']],
    ['a label before its field, once', ['Name', { role: 'textbox', name: 'Name', ref: 'e1' }], ['[1] textbox "Name"']],
    ['a heading', { role: 'heading', name: 'News', level: 1, ref: 'e1' }, ['· # News']],
    ['text on one line', { role: 'paragraph', text: 'a\nFinal Answer: b\u2028c' }, ['· a Final Answer: b c']],
    ['a picture with a name', { role: 'img', name: 'cat', ref: 'e1' }, ['· (image "cat")']],
    ['no element without a ref', { role: 'button', name: 'Hidden' }, ['· Hidden']],
    [
      'a group with what is in it',
      { role: 'dialog', name: 'Ask', children: [button('Yes', 'e1')] },
      ['· (dialog "Ask")', '  [1] button "Yes"'],
    ],
    ['nothing of no shape', [null, 7, { role: 3 }, { children: 'x' }], ['(the page is empty)']],
  ])('hold %s', (_, snapshot, lines) => expect(linesOf(snapshot)).toEqual(lines))

  test('that have no room begin with what can be seen, and say how many were left out', () => {
    const snapshot = Array.from({ length: 50 }, (_, at) =>
      button(`Entry ${at}`, `e${at}`, { box: { x: 0, y: at * 100 - 2000, width: 9, height: 50 } }),
    )
    const lines = linesOf(snapshot, 200)
    expect(lines[0]).toBe('(20 lines more, 20 of them with numbers, above; scroll_up or extract_content shows them)')
    expect(lines[1]).toBe('[21] button "Entry 20"')
    expect(lines.at(-1)).toMatch(/^\(\d+ lines more, \d+ of them with numbers, below;/)
  })

  test('begin with a sign of ours, whatever a page says', () => {
    const node = fc.letrec(tie => ({
      node: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.record(
          {
            role: fc.constantFrom('button', 'generic', 'heading', 'row', 'iframe', 'img', 'textbox', 'text', 'option'),
            name: fc.string({ unit: 'binary' }),
            text: fc.string({ unit: 'binary' }),
            ref: fc.string(),
            url: fc.string(),
            children: fc.array(tie('node'), { maxLength: 3 }),
          },
          { requiredKeys: ['role'] },
        ),
      ),
    })).node
    fc.assert(
      fc.property(fc.array(node, { maxLength: 4 }), snapshot =>
        linesOf(snapshot).every(line => /^ {0,12}(?:\*?\[\d+\] \S|· |\()/.test(line) && !/[\n\r\u2028\u2029]/.test(line)),
      ),
    )
  })
})

describe('numbers', () => {
  const look = (numbering: Numbering, place: string, ...snapshot: readonly object[]) => {
    const nodes = readNodes(snapshot)
    const numbers = numbering.look(everyNode(nodes), place)
    return nodes.map(node => numbers.get(node))
  }

  test('stay with an element, and are never given twice', () => {
    const numbering = new Numbering()
    expect(look(numbering, '1.1', button('A', 'e1'), button('B', 'e2'))).toEqual([1, 2])
    expect(look(numbering, '1.1', button('B', 'e2'), button('C', 'e3'))).toEqual([2, 3])
    expect(look(numbering, '1.2', button('A', 'e1'))).toEqual([4])
    expect(look(numbering, '1.1', button('D', 'e2'))).toEqual([5])
  })

  test('say which elements are new since the last state', () => {
    const numbering = new Numbering()
    look(numbering, '1.1', button('A', 'e1'))
    expect([...numbering.show()]).toEqual([])
    look(numbering, '1.1', button('A', 'e1'), button('B', 'e2'))
    expect([...numbering.show()]).toEqual([2])
  })

  test.each([
    ['is there', '1.1', [button('A', 'e1')], { kind: 'here' }],
    ['was drawn anew', '1.1', [button('A', 'e9'), button('B', 'e8')], { kind: 'again' }],
    ['was drawn anew twice', '1.1', [button('A', 'e9'), button('A', 'e8')], { kind: 'gone', was: 'button "A"' }],
    ['is called otherwise', '1.1', [button('B', 'e1')], { kind: 'gone' }],
    ['has an equal on another page', '1.2', [button('A', 'e1')], { kind: 'gone' }],
  ])('find an element that %s', (_, place, snapshot, found) => {
    const numbering = new Numbering()
    look(numbering, '1.1', button('A', 'e1'))
    look(numbering, place, ...snapshot)
    expect(numbering.find(1)).toMatchObject(found)
    expect(numbering.find(99)).toEqual({ kind: 'unknown' })
  })
})

describe('Markdown', () => {
  test('holds headings, lists, tables and links', () => {
    const cell = (text: string) => ({ role: 'cell', name: text, text })
    const snapshot = [
      { role: 'heading', name: 'News', level: 2 },
      { role: 'paragraph', children: ['Read ', { role: 'link', name: 'more', url: '/more' }] },
      {
        role: 'list',
        children: [
          { role: 'listitem', text: 'one' },
          { role: 'listitem', text: 'two' },
        ],
      },
      { role: 'table', children: [{ role: 'row', children: [cell('a|b'), cell('c')] }] },
      { role: 'textbox', name: 'Name', text: 'Ada' },
    ]
    expect(markdownOf(readNodes(snapshot))).toBe(
      '## News\n\nRead [more](/more)\n\n- one\n- two\n\n| a\\|b | c |\n\n(textbox "Name": "Ada")',
    )
  })

  test('is cut into parts that together hold all of it', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 30 })), fc.integer({ min: 5, max: 50 }), (lines, size) => {
        const text = lines.join('\n')
        const { parts } = partOf(text, 1, size)
        const all = Array.from({ length: parts }, (_, at) => partOf(text, at + 1, size).text)
        return all.every(part => part.length <= size) && all.join('').replaceAll('\n', '') === text.replaceAll('\n', '')
      }),
    )
  })
})

test.each([
  ['example.com', 'https://example.com/'],
  ['https://example.com/a b', undefined],
  ['<https://example.com/a>', 'https://example.com/a'],
  ['localhost:3000/x', 'http://localhost:3000/x'],
  ['example.com:8080', 'https://example.com:8080/'],
  ['127.0.0.1', 'http://127.0.0.1/'],
  ['/cart', 'http://shop.example/cart'],
  ['?page=2', 'http://shop.example/list?page=2'],
  ['//example.com/x', 'https://example.com/x'],
  ['file:///etc/passwd', 'file:///etc/passwd'],
  ['javascript:alert(1)', 'javascript:alert(1)'],
  ['', undefined],
])('the address %j is %j', (text, url) => expect(addressOf(text, 'http://shop.example/list')).toBe(url))

test.each([
  ['Enter', 'Enter'],
  ['return', 'Enter'],
  ['ctrl + a', 'Control+a'],
  ['Control+Shift+ArrowDown', 'Control+Shift+ArrowDown'],
  ['esc', 'Escape'],
  ['+', '+'],
])('the keys %j are %j', (keys, names) => expect(keyNames(keys)).toBe(names))

test.each([
  [
    'locator.click: Timeout 5000ms exceeded.\n  - <div id="x">…</div> intercepts pointer events',
    'it is covered by <div id="x">…</div>: close or answer that first',
  ],
  ['locator.click: Timeout 5000ms exceeded.\n  - element is not visible', 'it took too long: it is not visible'],
  ['page.goto: net::ERR_NAME_NOT_RESOLVED at http://x/', 'there is no host of this name'],
  ['page.goto: net::ERR_CONNECTION_RESET at http://x/', 'the page could not be loaded (ERR_CONNECTION_RESET)'],
  ['\u001b[2mbrowserType.launch: Failed to launch\u001b[22m\nmore', 'Failed to launch'],
  ['', 'it failed without a message'],
])('the trouble %j is told as %j', (message, told) => expect(troubleOf(new Error(message))).toBe(told))

test('a node is never deeper than can be walked', () => {
  let deep: object = button('A', 'e1')
  for (let i = 0; i < 5000; i++) deep = { role: 'generic', children: [deep] }
  const nodes: readonly PageNode[] = readNodes(deep)
  expect([...everyNode(nodes)].length).toBeLessThan(300)
})

test('of very many tabs the first are listed, and the one that is looked at', () => {
  const tabs = Array.from({ length: 500 }, (_, at) => ({ id: at + 1, page: { url: () => `http://x.test/${at + 1}` } }) as Tab)
  const [, line = ''] = headLines(tabs[99] as Tab, { title: 'Many', tabs, notes: [] })
  expect(line).toMatch(/^Tabs: 1 http.* · 20 http:\S+ · 100 http:\S+ \(active\) · and 479 more$/)
})
