import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { messageOf, readResult } from '../../src/tools/result.js'
import { WithImages } from '../../src/tools/with-images.js'

const cycle: Record<string, unknown> = { a: 1 }
cycle.self = cycle
const revoked = Proxy.revocable({}, {})
revoked.revoke()
const evil = new Proxy(
  {},
  {
    get: () => {
      throw new Error('no')
    },
    ownKeys: () => {
      throw new Error('no')
    },
  },
)
const getter = Object.defineProperty({ a: 1 }, 'b', {
  enumerable: true,
  get() {
    throw new Error('no')
  },
})
const listGetter = Object.defineProperty([1, 2], 1, {
  enumerable: true,
  get() {
    throw new Error('no')
  },
})
class Point {
  x = 1
}
class Empty {}
function deep(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = [value]
  return value
}

describe('readResult', () => {
  it.each([[undefined], [null], ['']])('%j is nothing', value => {
    expect(readResult(value)).toEqual({ text: null })
  })

  it.each<[string, unknown, string]>([
    ['a string as it is', 'a\n b', 'a\n b'],
    ['blanks', ' ', ' '],
    ['colours of a terminal', '\u001b[31mred\u001b[0m', '\u001b[31mred\u001b[0m'],
    ['names between NULs', 'some-file-name\0another-file\0', 'some-file-name\0another-file\0'],
    ['an image read as text', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString(), '[binary data, 16 characters]'],
    ['zero', 0, '0'],
    ['false', false, 'false'],
    ['an empty list', [], '[]'],
    ['an empty object', {}, '{}'],
    ['an object', { status: 'success', credit_score: 650 }, '{"status":"success","credit_score":650}'],
    [
      'what shows images, without them',
      new WithImages({ drawn: 'bars' }, [{ mime: 'image/png', base64: 'iVBORw0KGgo=', alt: 'bars' }]),
      '{"drawn":"bars"}',
    ],
    ['a BigInt', 123456789012345678901n, '123456789012345678901'],
    ['a BigInt inside', { n: 1n }, '{"n":"1"}'],
    ['NaN', Number.NaN, 'NaN'],
    ['a number that JSON lacks', [Number.POSITIVE_INFINITY], '["Infinity"]'],
    ['a cycle', cycle, '{"a":1,"self":"[circular]"}'],
    [
      'the same thing twice',
      (() => {
        const o = { a: 1 }
        return [o, o]
      })(),
      '[{"a":1},{"a":1}]',
    ],
    [
      'a throwing toJSON',
      {
        a: 1,
        toJSON() {
          throw new Error('no')
        },
      },
      '{"a":1,"toJSON":"[function]"}',
    ],
    ['a toJSON', { toJSON: () => ({ b: 2 }) }, '{"b":2}'],
    [
      'a toJSON that gives itself',
      (() => {
        const o = { toJSON: () => o as unknown }
        return o
      })(),
      '[circular]',
    ],
    ['a throwing getter', getter, '{"a":1,"b":"[unreadable]"}'],
    ['a throwing getter in a list', listGetter, '[1,"[unreadable]"]'],
    ['a hostile proxy', evil, '[unreadable]'],
    ['a revoked proxy', [revoked.proxy], '["[unreadable]"]'],
    ['a map', new Map([['a', 1]]), '{"a":1}'],
    ['a map with other keys', new Map([[1, 2]]), '[[1,2]]'],
    ['a set', new Set([1, 2]), '[1,2]'],
    ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
    ['an invalid date', new Date(Number.NaN), 'Invalid Date'],
    ['an error', new TypeError('no'), 'TypeError: no'],
    ['bytes', new Uint8Array(12), '[binary data, 12 bytes]'],
    ['a buffer inside', { png: Buffer.from('abc') }, '{"png":"[binary data, 3 bytes]"}'],
    ['other typed arrays', new Float32Array([1, 2]), '[1,2]'],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    ['a function', () => 1, '[function]'],
    ['a URL', new URL('https://a.example/'), 'https://a.example/'],
    ['a regular expression', /a/g, '/a/g'],
    ['an instance with fields', new Point(), '{"x":1}'],
    ['an instance without', new Empty(), '[Empty]'],
    ['a WeakMap', { w: new WeakMap() }, '{"w":"[WeakMap]"}'],
    ['undefined in an object', { a: undefined, b: 1 }, '{"b":1}'],
    ['undefined in a list', [undefined], '[null]'],
    ['halves of surrogate pairs', 'a\ud800b', 'a\uFFFDb'],
    ['a key called __proto__', JSON.parse('{"__proto__":{"admin":true}}'), '{"__proto__":{"admin":true}}'],
  ])('reads %s', (_, value, text) => {
    expect(readResult(value).text).toBe(text)
  })

  it('writes a long list or object with one line for each entry', () => {
    const rows = Array.from({ length: 30 }, (_, id) => ({ id, name: 'row' }))
    const { text } = readResult(rows)
    expect(text?.split('\n')).toHaveLength(32)
    expect(JSON.parse(text ?? '')).toEqual(rows)
    expect(readResult({ rows, n: 1 }).text?.split('\n')).toHaveLength(4)
  })

  it.each([0, false, [], { a: [1, null, 'x'] }, { nested: { n: 1.5 } }])('gives plain JSON %j as data too', value => {
    expect(readResult(value).data).toEqual(value)
  })

  it('gives data as a copy', () => {
    const value = { a: { b: 1 } }
    const { data } = readResult(value)
    value.a.b = 2
    expect(data).toEqual({ a: { b: 1 } })
  })

  it.each([
    ['text'],
    [cycle],
    [{ d: new Date(0) }],
    [[undefined]],
    [{ a: undefined }],
    [new Point()],
    [new Map()],
    ['x'.repeat(70_000)],
    [['x'.repeat(70_000)]],
  ])('%# gives no data for strings, what is no plain JSON, and what is large', value => {
    expect(readResult(value)).not.toHaveProperty('data')
  })

  it('survives any depth and says where it stopped', () => {
    expect(readResult(deep(100_000)).text).toContain('[nested too deep]')
  })

  it('stops at 100,000 values and says how many are missing', () => {
    const { text } = readResult(Array.from({ length: 150_000 }, () => 0))
    expect(text).toMatch(/"\[50000 more items\]"\s*\]$/)
  })

  it('gives every JSON value back unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), value => {
        const { text, data } = readResult(value)
        if (value === null || typeof value === 'string') return
        expect(JSON.parse(text ?? '')).toEqual(JSON.parse(JSON.stringify(value)))
        expect(data).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      { seed: 3 },
    )
  })

  it('never throws, whatever the value', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withSparseArray: true,
          withNullPrototype: true,
        }),
        value => {
          expect(typeof (readResult(value).text ?? '')).toBe('string')
        },
      ),
      { seed: 5, numRuns: 500 },
    )
  })
})

describe('messageOf', () => {
  it.each<[unknown, string]>([
    [new Error('401 from upstream'), '401 from upstream'],
    [new TypeError(''), 'TypeError'],
    ['plain', 'plain'],
    ['', 'it failed without a message'],
    [undefined, 'it threw undefined'],
    [null, 'it threw null'],
    [Symbol('s'), 'it threw Symbol(s)'],
    [7, 'it threw 7'],
    [{ message: 'own' }, 'own'],
    [{ status: 500 }, '{"status":500}'],
    [
      {
        get message() {
          throw new Error('no')
        },
      },
      'it failed without a message',
    ],
    [evil, 'it failed without a message'],
    [{ message: 5 }, '{"message":5}'],
  ])('%# says what was thrown', (thrown, message) => {
    expect(messageOf(thrown)).toBe(message)
  })

  it('is bounded', () => {
    expect(messageOf(new Error('😀'.repeat(9999))).length).toBeLessThan(1010)
  })
})
