// What holds for every text, however hostile: a value comes out, it does not depend on the chunking, and every span lies in the text.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROBLEM_CODES } from '../../src/core/reply.js'
import type { ToolSpec } from '../../src/core/tool.js'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'
import { runs } from '../support/property-runs.js'
import { chunkings, feed, joined } from './chunks.js'

const tools: readonly ToolSpec[] = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  { name: 'now', description: '', parameters: { type: 'object', properties: {} } },
  {
    name: 'forecast',
    description: '',
    effect: 'changes',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
    },
  },
]

const root = join(import.meta.dirname, '../../fixtures/replies')
const fixtures = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.txt'))
  .map(file => readFileSync(join(root, file), 'utf8'))

const SHARDS = [
  ...[
    'Thought: ',
    'Action: ',
    'Action Input: ',
    'Observation: ',
    'Final Answer: ',
    'Question: ',
    'AI: ',
    'Tool: ',
    'Input: ',
    'Result: ',
    'Finish[',
  ],
  ...[
    'search',
    'now',
    'forecast',
    'None',
    '{"query": "cats"}',
    '{"query": "ca',
    "{'city': 'Graz', 'days': 3}",
    'search[a]',
    'search("a")',
    ' and ',
  ],
  ...[
    '{"action": "search", "action_input": "x"}',
    '<tool_call>',
    '</tool_call>',
    '<thought>',
    '</thought>',
    '<answer>',
    '</answer>',
    '<tool_response>',
    '</tool_response>',
    '[search(query="a")]',
    '<function=search>',
    '<parameter=query>',
    '</parameter>',
    '</function>',
  ],
  ...[
    '<think>',
    '</think>',
    '<|im_end|>',
    '<|im_start|>user',
    '```',
    '```json\n',
    '<!--',
    '-->',
    '**',
    '## ',
    '- ',
    '1. ',
    '> ',
    '`',
    '"',
    "'",
    '\\',
  ],
  ...[
    '\n',
    '\n',
    '\n',
    '\n\n',
    '\r\n',
    '\u2028',
    '\u0000',
    '\u200b',
    'О',
    '：',
    '😀',
    '\ud800',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    ',',
    ':',
    ' ',
    'Obs',
  ],
  ...['It is 42.', 'I will look.', 'Do I need to use a tool? No'],
]

const slice = fc
  .tuple(fc.constantFrom(...fixtures), fc.nat(200), fc.nat(200))
  .map(([text, from, length]) => text.slice(from % (text.length + 1), (from % (text.length + 1)) + length))
const hostile = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...SHARDS) }, slice, fc.string({ unit: 'binary', maxLength: 12 })), {
    maxLength: 18,
  })
  .map(parts => parts.join(''))
const toolList = fc.constantFrom(tools, tools, tools, undefined, [])
const finish = fc.constantFrom('stop', 'length', 'filter', 'unknown' as const)

const ENDS_REASONING = /<\/th(?:ink|ought)>/i

describe('any text', () => {
  it('gives a reading whose spans lie in it and whose codes are known', () => {
    fc.assert(
      fc.property(hostile, toolList, finish, (text, list, end) => {
        const read = parseReply(text, { ...(list ? { tools: list } : {}), finish: end })
        for (const { span, code, cost } of read.problems) {
          expect(span[0]).toBeGreaterThanOrEqual(0)
          expect(span[1]).toBeGreaterThanOrEqual(span[0])
          expect(span[1]).toBeLessThanOrEqual(text.length)
          expect(PROBLEM_CODES).toContain(code)
          expect(cost).toBeGreaterThanOrEqual(0)
        }
        expect(read.kept[0]).toBeLessThanOrEqual(read.kept[1])
        expect(read.kept[1]).toBeLessThanOrEqual(text.length)
        if (read.decision.kind === 'unclear') expect(read.problems).toContain(read.decision.problem)
        if (read.decision.kind === 'answer') expect(read.decision.text).toBe(read.decision.text.trim())
        if (read.decision.kind === 'act' && list)
          for (const call of read.decision.calls) expect(list.map(tool => tool.name)).toContain(call.tool)
      }),
      runs(1500, 1),
    )
  })

  it('reads the same in any chunking, and so do its deltas', () => {
    fc.assert(
      fc.property(hostile, toolList, (text, list) => {
        const options = list ? { tools: list } : {}
        const { deltas, ...whole } = parseReply(text, options)
        for (const chunks of chunkings(text).values()) {
          const fed = feed(createReplyParser(options), chunks)
          const { deltas: _, ...reading } = fed.read
          expect(reading).toEqual(whole)
          expect(fed.deltas).toEqual(joined(deltas))
        }
      }),
      runs(700, 2),
    )
  })

  it('streams exactly the answer, unless a stray end of reasoning takes back what came before it', () => {
    fc.assert(
      fc.property(hostile, text => {
        fc.pre(!ENDS_REASONING.test(text))
        const read = parseReply(text, { tools })
        const fed = feed(createReplyParser({ tools }), [...text])
        if (read.decision.kind === 'answer') expect(fed.deltas.answer).toBe(read.decision.text)
      }),
      runs(1000, 3),
    )
  })

  it('gives inputs without a prototype and without keys that reach one', () => {
    fc.assert(
      fc.property(fc.constantFrom('__proto__', 'constructor', 'prototype', 'query', 'x'), fc.string(), (key, value) => {
        const read = parseReply(
          `Action: search\nAction Input: {"query": "a", ${JSON.stringify(key)}: ${JSON.stringify(value)}}`,
          { tools },
        )
        if (read.decision.kind !== 'act') return
        expect(Object.getPrototypeOf(read.decision.calls[0].input)).toBeNull()
        expect(['query', 'x']).toContain(key)
      }),
      { seed: 5 },
    )
  })
})
