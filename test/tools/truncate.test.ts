import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireMaxObserve, truncate } from '../../src/tools/truncate.js'
import { say } from './say.js'

const length = (text: string) => [...text].length

describe('truncate', () => {
  it('keeps 60 % from the beginning and 40 % from the end', () => {
    expect(truncate('0123456789abcdefghij', 10, say)).toEqual({
      text: '012345\ntruncated {"omitted":10,"total":20}\nghij',
      omitted: 10,
    })
  })

  it.each([0, false, null, undefined] as const)('%s switches it off', most => {
    expect(truncate('x'.repeat(9999), most, say).omitted).toBe(0)
  })

  it('leaves a text alone that fits, counted in code points', () => {
    expect(truncate('😀😀😀', 3, say)).toEqual({ text: '😀😀😀', omitted: 0 })
  })

  it.each([true, -1, 1.5, Number.NaN, '10'])('refuses %j', value => {
    expect(() => requireMaxObserve(value)).toThrow(/maxObserve/)
    expect(() => truncate('', value as number, say)).toThrow(/maxObserve/)
  })

  it('never cuts a surrogate pair, and counts what it left out', () => {
    const marker = () => '#'
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '👩‍👩‍👧') }),
        fc.integer({ min: 1, max: 40 }),
        (text, most) => {
          const { text: kept, omitted } = truncate(text, most, marker)
          expect(kept).not.toMatch(/\p{Surrogate}/u)
          expect(omitted).toBe(Math.max(0, length(text) - most))
          if (omitted === 0) {
            expect(kept).toBe(text)
            return
          }
          const [head = '', tail = ''] = kept.split('\n#\n')
          expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
          expect(length(head) + length(tail)).toBe(most)
        },
      ),
      { seed: 11 },
    )
  })
})
