// Where JSON ends, and what stands in it besides its value: the same for a scan that jumps over strings as by JSON's own rules.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspectJson, scanJson } from '../../src/parse/json-scan.js'
import { runs } from '../support/property-runs.js'

const value = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.dictionary(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"', '\\', '\\"', 'a\nb', '{', "it's", '// x', '/*', '“', 'C:\\d'),
  ),
)
const indent = fc.constantFrom(undefined, 1, '\t')

describe('JSON', () => {
  it('closes where it ends, whatever follows and whatever its strings hold', () => {
    fc.assert(
      fc.property(value, indent, fc.string(), (of, space, after) => {
        const text = JSON.stringify([of], null, space)
        expect(scanJson(text + after, 0, text.length + after.length)).toMatchObject({ end: text.length, closed: true })
      }),
      runs(1000, 1),
    )
  })

  it('has as many pairs and levels as its value', () => {
    fc.assert(
      fc.property(value, indent, (of, space) => {
        const { pairs, depth } = inspectJson(JSON.stringify(of, null, space))
        expect([pairs, depth]).toEqual(measure(of))
      }),
      runs(1000, 2),
    )
  })

  it.each([
    ['{"a": 1234567890123456}', true],
    ['[-1234567890123456]', true],
    ['{"a": 1e999}', true],
    ['{"a": 123456789012345, "b": 1.25, "c": 1e9}', false],
    ['{"a": "1234567890123456", "b": ": 1234567890123456", "c": "1e999"}', false],
  ])('%s holds a number beyond exactness: %s', (text, huge) => {
    expect(inspectJson(text).huge).toBe(huge)
  })

  it.each([
    ['{"a": "C:\\temp"}', true],
    ['{"a": "cd \\"D:\\new\\""}', true],
    ['{"a": "C:\\\\temp"}', false],
    ['{"a": "C:", "b": "\\n"}', false],
  ])('%s holds a path whose backslashes are lost: %s', (text, drive) => {
    expect(inspectJson(text).drive).toBe(drive)
  })

  it.each([
    ['{"a": 1\nAction: x', 7],
    ['{"a": "b\nAction: x', 8],
    ['{"a": "b\\\nAction: x', 19],
    ['{"a": "b", "c": "d\nAction: x", "e', 18],
  ])('%j ends before the label that shows it never closed', (text, end) => {
    const isLabelLine = (at: number) => text.startsWith('Action:', at)
    expect(scanJson(text, 0, text.length, isLabelLine)).toMatchObject({ end, closed: false })
  })
})

function measure(of: unknown): [number, number] {
  if (typeof of !== 'object' || of === null) return [0, 0]
  const inner = Object.values(of).map(measure)
  const pairs = inner.reduce((sum, [count]) => sum + count, Array.isArray(of) ? 0 : inner.length)
  return [pairs, 1 + Math.max(0, ...inner.map(([, depth]) => depth))]
}
