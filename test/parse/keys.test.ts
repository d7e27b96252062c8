// Every key that the model wrote for an input survives or is reported, whatever was wrong with the JSON around it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../../src/core/tool.js'
import { parseReply } from '../../src/dialect/read.js'
import { runs } from '../support/property-runs.js'

const open: ToolSpec = {
  name: 'send',
  description: '',
  parameters: {
    type: 'object',
    properties: { to: { type: 'string' }, count: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
    required: ['to'],
  },
}
const closed: ToolSpec = { ...open, parameters: { ...open.parameters, additionalProperties: false } }

/** One pair as a sloppy model writes it; the key is what has to be found again. */
const key = fc.oneof(
  fc.constantFrom('to', 'count', 'tags', 'To', 'cOunt'),
  fc.string({ unit: fc.constantFrom(...'abcdefgh_'), minLength: 3, maxLength: 8 }),
  fc.constantFrom('ключ', '键', 'a b', 'x-y', 'a.b'),
)
const value = fc.constantFrom(
  '"a"',
  "'a'",
  '“a”',
  '3',
  '"3"',
  '-1.5',
  'True',
  'None',
  'null',
  'false',
  '["x", "y"]',
  "['x',]",
  '{"deep": [1, 2]}',
  '"C:\\dir"',
  '"a \\d b"',
  '"it\\\'s"',
  '"say "hi" now"',
  '"two\nlines"',
  '"a, b: c"',
  '"{"',
  '"}"',
  'word',
)
const quote = fc.constantFrom('"', "'", '', '“')
const pair = fc
  .record({ key, value, quote, colon: fc.constantFrom(': ', ':', ' : ', '：') })
  // two words without quotes are no key
  .filter(one => one.quote !== '' || !one.key.includes(' '))
  .map(one => ({ key: one.key, text: `${one.quote}${one.key}${one.quote === '“' ? '”' : one.quote}${one.colon}${one.value}` }))
const object = fc
  .record({
    pairs: fc.uniqueArray(pair, { minLength: 1, maxLength: 5, selector: one => one.key.toLowerCase().replace(/[^\p{L}]/gu, '') }),
    // words side by side, without a comma, are prose
    between: fc.constantFrom(', ', ',', ',\n  ', '\n', ', // so\n'),
    open: fc.constantFrom('{', '{\n  ', '｛', '{ '),
    close: fc.constantFrom('}', ',}', '\n}', '} and so on', '', '｝'),
    fence: fc.boolean(),
  })
  .map(({ pairs, between, open: opener, close, fence }) => {
    const text = `${opener}${pairs.map(one => one.text).join(between)}${close}`
    return { keys: pairs.map(one => one.key), text: fence ? `\`\`\`json\n${text}\n\`\`\`` : text }
  })

describe('the keys of an input', () => {
  it('survive or are reported', () => {
    fc.assert(
      fc.property(object, fc.constantFrom([open], [closed], undefined), ({ keys, text }, tools) => {
        const { decision, problems } = parseReply(`Action: send\nAction Input: ${text}`, tools ? { tools } : {})
        if (decision.kind === 'unclear') return
        expect(decision.kind).toBe('act')
        const input = JSON.stringify(decision.kind === 'act' ? decision.calls[0].input : null).toLowerCase()
        // plain text in braces is text, the whole of it
        const inner = JSON.stringify(text.replace(/^```json\n|\n```$/g, ''))
          .slice(1, -1)
          .toLowerCase()
        if (input.includes(inner)) return
        const remarks = JSON.stringify(problems.map(({ message, data }) => [message, data])).toLowerCase()
        for (const name of keys)
          expect(input.includes(JSON.stringify(name.toLowerCase())) || remarks.includes(name.toLowerCase())).toBe(true)
      }),
      runs(4000, 31),
    )
  })
})

describe('a word that every object of JavaScript knows', () => {
  it.each(['<constructor>', '<__proto__>x</__proto__>', 'Thought: hm\n<constructor>\nfoo'])('is no label in a tag: %j', text => {
    expect(parseReply(text, { tools: [] }).decision.kind).toMatch(/answer|unclear/)
  })

  it.each(['constructor', 'toString', 'valueOf'])('is a text as a value: %s', word => {
    expect(parseReply(`Action: f[x=${word}]`).decision).toMatchObject({ calls: [{ input: { x: word } }] })
  })

  it('is asked back as the name of an argument by which a prototype is reached', () => {
    expect(parseReply('Action: f(x="a", __proto__="b")').decision).toMatchObject({ problem: { code: 'FORBIDDEN_KEY' } })
  })
})
