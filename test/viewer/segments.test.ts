import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountFor } from '../../src/catalogue/account.js'
import { parseReply } from '../../src/dialect/read.js'
import { fieldsIn } from '../../src/viewer/fields.js'
import { type Segment, segmentsOf } from '../../src/viewer/segments.js'

function read(reply: string): readonly Segment[] {
  const parsed = parseReply(reply)
  return segmentsOf(reply, accountFor(reply, parsed), fieldsIn(reply, parsed), parsed.problems)
}

describe('the pieces of a reply', () => {
  test('are each one thing: kept or struck, of one field, under the same problems', () => {
    const reply = 'Thought: a\naction: search\nAction Input: b\nObservation: c'
    expect(read(reply).map(({ text, fate, field, begins }) => [text, fate, field ?? '', begins])).toEqual([
      ['Thought: ', 'kept', '', []],
      ['a', 'kept', 'thought', []],
      ['\n', 'kept', '', []],
      ['action:', 'kept', '', [0]],
      [' ', 'kept', '', []],
      ['search', 'kept', 'tool 1', []],
      ['\nAction Input: ', 'kept', '', []],
      ['b', 'kept', 'input 1 input', []],
      ['\n', 'kept', '', []],
      ['Observation: c', 'struck', '', [1]],
    ])
  })

  test('of any reply join to it, and each problem begins once', () => {
    const piece = fc.constantFrom(
      'Thought: ',
      '\nAction: search',
      '\naction input: ',
      '\nObservation: ',
      '\nFINAL ANSWER: ',
      '</s>',
      '```\n',
      '{"a": 1,}',
      'x',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), pieces => {
        const reply = pieces.join('')
        const segments = read(reply)
        expect(segments.map(({ text }) => text).join('')).toBe(reply)
        const begun = segments.flatMap(({ begins }) => begins).sort((a, b) => a - b)
        expect(begun).toEqual(parseReply(reply).problems.map((_, at) => at))
      }),
    )
  })
})
