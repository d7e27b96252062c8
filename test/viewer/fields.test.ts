import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseReply } from '../../src/dialect/read.js'
import { fieldsIn } from '../../src/viewer/fields.js'

const TOOLS = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' }, count: { type: 'integer' } } },
  },
]

function found(reply: string): Record<string, string> {
  return Object.fromEntries(
    fieldsIn(reply, parseReply(reply, { tools: TOOLS })).map(({ name, span }) => [name, reply.slice(...span)]),
  )
}

describe('where the parts of a reading stand in the reply', () => {
  test.each([
    [
      'a call',
      'Thought: I search.\nAction: search\nAction Input: {"query": "the search", "count": 12}',
      { thought: 'I search.', 'tool 1': 'search', 'input 1 query': 'the search', 'input 1 count': '12' },
    ],
    [
      'two calls',
      'Action: search\nAction Input: {"query": "a"}\nAction: search\nAction Input: {"query": "b"}',
      { 'tool 1': 'search', 'input 1 query': 'a', 'tool 2': 'search', 'input 2 query': 'b' },
    ],
    ['an answer', 'Thought: So.\nFinal Answer: 42', { thought: 'So.', answer: '42' }],
    [
      'a value that is escaped',
      'Action: search\nAction Input: {"query": "a\\"b"}',
      { 'tool 1': 'search', 'input 1 query': 'a\\"b' },
    ],
    ['a tool name that was mended', 'Action: Search\nAction Input: {"query": "a"}', { 'tool 1': 'Search', 'input 1 query': 'a' }],
    [
      'a value within a longer word is none',
      'Action: search\nAction Input: {"count": 1}',
      { 'tool 1': 'search', 'input 1 count': '1' },
    ],
    ['nothing of a reply that leaves no decision but its thought', 'Thought: hm', { thought: 'hm' }],
  ])('%s', (_, reply, fields) => expect(found(reply)).toEqual(fields))

  test('they are inside any reply', () => {
    const piece = fc.constantFrom(
      'Thought: ',
      'Action: search\n',
      'Action Input: ',
      '{"query": "a"}',
      'Final Answer: ',
      'a',
      '\n',
      'x y',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), pieces => {
        const reply = pieces.join('')
        for (const { span } of fieldsIn(reply, parseReply(reply, { tools: TOOLS }))) {
          expect(span[0]).toBeLessThan(span[1])
          expect(span[1]).toBeLessThanOrEqual(reply.length)
        }
      }),
    )
  })
})
