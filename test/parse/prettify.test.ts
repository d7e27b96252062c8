import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columnsOf, showText } from '../../src/parse/columns.js'
import { prettify } from '../../src/parse/prettify.js'
import { runs } from '../support/property-runs.js'

function show(text: string, start: number, end: number): string {
  return prettify({ code: 'LABEL_CASE', message: 'Odd.', span: [start, end] }, text)
}

/** The excerpt for the place of `spot`, without the sentence. */
function shown(text: string, spot: string): string {
  const at = text.indexOf(spot)
  return show(text, at, at + spot.length)
    .split('\n')
    .slice(1)
    .join('\n')
}

describe('prettify', () => {
  test('says what it is, then the line with its number, then carets', () => {
    expect(show('Thought: hm\naction: x', 12, 19)).toBe('LABEL_CASE: Odd.\n2 | action: x\n  | ^^^^^^^')
  })

  test.each([
    ['wide characters', '日本語: café', 'café', '1 | 日本語: café\n  |         ^^^^'],
    ['marked wide characters', 'a 日本 b', '日本', '1 | a 日本 b\n  |   ^^^^'],
    ['emoji', '😀😀 x', 'x', '1 | 😀😀 x\n  |      ^'],
    ['combining marks', 'e\u0301e\u0301 x', 'x', '1 | e\u0301e\u0301 x\n  |    ^'],
    ['a tab', '\tx', 'x', '1 | →x\n  |  ^'],
    ['a control character', '\u001b[2Jx', 'x', '1 | \\u{1b}[2Jx\n  |          ^'],
    ['a zero-width character', 'a\u200bx', 'x', '1 | a\\u{200b}x\n  |          ^'],
    ['half a character', 'a\ud83dx', 'x', '1 | a\\u{d83d}x\n  |          ^'],
  ])('puts the carets under the spot behind %s', (_, text, spot, excerpt) => {
    expect(shown(text, spot)).toBe(excerpt)
  })

  test('shows a span over two lines line by line', () => {
    expect(shown('a\nbc\nde\nf', 'c\nde')).toBe('2 | bc\n  |  ^\n3 | de\n  | ^^')
  })

  test('shows the first and the last line of a longer span, and counts the others', () => {
    const text = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join('\n')
    expect(show(text, 0, text.length).split('\n').slice(1)).toEqual([
      ' 1 | line 1',
      '   | ^^^^^^',
      ' … | 10 more lines',
      '12 | line 12',
      '   | ^^^^^^^',
    ])
  })

  test('marks no empty line within a span, and no line break behind it', () => {
    expect(shown('a\n\nb\n\n', 'a\n\nb\n\n')).toBe('1 | a\n  | ^\n2 |\n3 | b\n  | ^')
  })

  test('marks an empty span by one caret, at the end of the text too', () => {
    expect(show('ab', 2, 2)).toBe('LABEL_CASE: Odd.\n1 | ab\n  |   ^')
    expect(show('', 0, 0)).toBe('LABEL_CASE: Odd.\n1 | \n  | ^')
  })

  test('shows no carriage return at the end of a line', () => {
    expect(shown('a: b\r\nc', 'b')).toBe('1 | a: b\n  |    ^')
    expect(shown('a: b\r\nc', 'b\r\nc')).toBe('1 | a: b\n  |    ^\n2 | c\n  | ^')
  })

  test('cuts a long line around the spot', () => {
    const text = `${'日'.repeat(500)}HERE${'x'.repeat(5000)}`
    const [line = '', carets = ''] = shown(text, 'HERE').split('\n')
    expect(line).toMatch(/^1 \| …日{15}HEREx{66}…$/)
    expect(carets).toBe(`  | ${' '.repeat(31)}^^^^`)
  })

  test('takes any span of any text, and never shows a line that is too wide or the carets beyond it', () => {
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 8 }),
        fc.constantFrom('\n', '\r\n', '\t', '日本', '😀', 'x'.repeat(150), '\ud83d'),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(text, fc.integer({ min: -5, max: 700 }), fc.integer({ min: -5, max: 700 }), (parts, start, end) => {
        const [sentence, ...lines] = show(parts.join(''), start, end).split('\n')
        expect(sentence).toBe('LABEL_CASE: Odd.')
        expect(lines.length).toBeGreaterThanOrEqual(2)
        expect(lines.length).toBeLessThanOrEqual(6)
        for (const line of lines) {
          expect(showText(line)).toBe(line)
          expect(columnsOf(line)).toBeLessThanOrEqual(120)
        }
        expect(lines[1]).toMatch(/^ +\| *\^+$/)
        expect(columnsOf(lines[1] ?? '')).toBeLessThanOrEqual(columnsOf(lines[0] ?? '') + 1)
      }),
      runs(3000, 1),
    )
  })
})
