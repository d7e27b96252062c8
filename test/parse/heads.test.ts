// The first letters of a text only ever save a look: with and without them the same texts are placeholders, in every language.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rulesOf } from '../../src/dialect/define-dialect.js'
import { react } from '../../src/dialect/react.js'
import type { Grammar } from '../../src/parse/grammar.js'
import { isPlaceholder } from '../../src/parse/read-answer.js'
import { runs } from '../support/property-runs.js'

const NOISE = [
  ...'<>[](){}.,"“”\' -_\u3000',
  '\u0301',
  '\u0308',
  'a',
  'T',
  '1',
  'é',
  'İ',
  '中',
  'な',
  '한',
  'the ',
  'Your ',
  'It is 42',
]

describe('the head of a text', () => {
  it.each([undefined, 'de', 'fr', 'es', 'pt', 'it', 'ru', 'ja', 'ko'])('hides no placeholder (%s)', language => {
    const grammar = rulesOf(react, language ? { labels: language } : {})?.grammar as Grammar
    const words = [...grammar.placeholders, ...grammar.roles.keys(), ...grammar.blanks]
    const text = fc
      .array(fc.oneof(fc.constantFrom(...words), fc.constantFrom(...NOISE)), { minLength: 1, maxLength: 5 })
      .map(parts => parts.join(''))
    const cut = fc
      .tuple(text, fc.nat(20), fc.constantFrom('', ...NOISE))
      .map(([whole, at, put]) => whole.slice(0, at) + put + whole.slice(at))
    const without: Grammar = { ...grammar, heads: { has: () => true } as never }
    fc.assert(
      fc.property(cut, text => {
        expect(isPlaceholder(text, grammar)).toBe(isPlaceholder(text, without))
      }),
      runs(1000, 1),
    )
  })
})
