// What the fast reader reads, the general reader reads the same: the decision, the thought, the problems, what is kept, the input as written.
// The replies are clean ones, and clean ones into which anything was put that a label, a call, markup or a fence may be made of.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../../src/core/tool.js'
import { rulesOf } from '../../src/dialect/define-dialect.js'
import { labelDialect } from '../../src/dialect/index.js'
import { react } from '../../src/dialect/react.js'
import { assembleOdd } from '../../src/parse/assemble.js'
import type { Grammar } from '../../src/parse/grammar.js'
import { readPlainReply } from '../../src/parse/plain-reply.js'
import { skeleton } from '../../src/parse/skeleton.js'
import { toolbox } from '../../src/parse/tool-shape.js'
import { runs } from '../support/property-runs.js'

const of = (name: string, properties: object, required: readonly string[] = [], more: object = {}): ToolSpec => ({
  name,
  description: '',
  parameters: { type: 'object', properties, required, ...more } as ToolSpec['parameters'],
})
const text = { type: 'string' }
const lists: readonly (readonly ToolSpec[])[] = [
  [
    of('search', { query: text, limit: { type: 'integer' } }, ['query']),
    of('now', {}),
    { ...of('forecast', { city: text, days: { type: 'integer' } }, ['city', 'days']), effect: 'changes' },
    of('write_file', { path: text, text, mode: { enum: ['append', 'replace'] } }, ['path', 'text'], {
      additionalProperties: false,
    }),
    of('sum', { numbers: { type: 'array', items: { type: 'number' } }, exact: { type: ['boolean', 'null'] } }, ['numbers']),
    of('request', { url: text, body: { type: 'object' }, any: {} }, ['url']),
  ],
  [
    of('Finish', { answer: text }),
    of('None', { why: text }),
    of('Action', {}),
    of('call', { x: {} }),
    of('functions.find', { q: text }),
    of('suche', { frage: text }, ['frage']),
    of('查询', { 问题: text }),
    { ...of('delete', { path: text }, ['path']), doubt: -1 },
  ],
  [],
]
const grammars = [
  react,
  labelDialect({
    name: 'zh',
    thought: '思考',
    action: '行动',
    actionInput: '行动输入',
    observation: '观察',
    finalAnswer: '最终答案',
  }),
  labelDialect({
    name: 'own',
    thought: ['Plan', 'Thought'],
    action: 'Do',
    actionInput: 'With',
    observation: 'Seen',
    finalAnswer: 'Done',
    words: { turn: ['Boss'], finish: ['Stop'] },
  }),
].flatMap(dialect =>
  [undefined, 'de', 'fr'].map(language => rulesOf(dialect, language ? { labels: language } : {})?.grammar as Grammar),
)

const WORDS =
  'I need to look at the price of it first, then. | so (see below) | Note: | at 12:30 | https://x.test/a?b=1 | {x} | [1] | a < b | x <= 3 | <b>bold</b> | - item | 1. first: second | # Result | **Next step**: | `code` | 中文，句子。| 注意：| 结果 | é | — | "Action" | Final | Answer | Observation | Finish | search[x] | ?'.split(
    '|',
  )
const ODD = [
  ...['Thought:', 'Action:', 'Action Input:', 'Observation:', 'Final Answer:', 'Answer:', 'Question:', 'AI:', 'Tool:', 'Input:'],
  ...['Result:', 'Output:', 'Obs', 'Observation', 'Action', 'Action Input: {"query": "x"}', 'Action: search', 'None', 'Finish['],
  ...[
    'Finish(',
    'Final Answer[',
    'Stop[',
    'Fertig[',
    'Boss:',
    'Do:',
    'With:',
    'Done:',
    'Gedanke:',
    '行动：',
    '最终答案：',
    '观察：',
  ],
  ...[
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '`',
    '```',
    '~~~',
    '```json',
    '"',
    "'",
    '\\',
    '\\"',
    '\\n',
    '\\u0022',
    ':',
    '：',
    '﹕',
  ],
  ...[
    '∶',
    '꞉',
    '︓',
    ',',
    '.',
    '*',
    '**',
    '#',
    '## ',
    '- ',
    '1. ',
    '> ',
    '_',
    '|',
    ' ',
    '        ',
    '\t',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
  ],
  ...[
    '\v',
    '\f',
    '\u0085',
    '\u2028',
    '\u00a0',
    '\ufeff',
    '\u200b',
    '\u0000',
    'Аction:',
    'Ａction:',
    'Áction:',
    'Observatiоn:',
    '😀',
  ],
  ...['<think>', '</think>', '<|im_end|>', '</s>', '[INST]', '[/INST]', '[THINK]', '◁think▷', '<tool_call>', '<function=search>'],
  ...[
    '[TOOL_CALLS]',
    'search[ARGS]{',
    'functions.search(',
    'functools[',
    'to=functions.x',
    '>>>search',
    'call:search{',
    '<!--',
    '<answer>',
    '</answer>',
    '<final_answer>',
    '<tool_response>',
    '<observation>',
    '<thought>',
    '<execute_x>',
    '-->',
  ],
  ...[
    '✿FUNCTION✿',
    '<search>',
    '"query": "b"',
    '"__proto__": 1',
    '"C:\\d"',
    '12345678901234567',
    '1e999',
    'null',
    'true',
    '"<query>"',
  ],
  ...[
    '[search(query="x")]',
    '{"action": "search", "action_input": {"query": "x"}}',
    '...',
    'your answer',
    '<your answer>',
    'Step 1 - ',
  ],
]
const root = join(import.meta.dirname, '../../fixtures/replies')
const fixtures = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.txt'))
  .map(file => readFileSync(join(root, file), 'utf8'))

const pieces = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.constantFrom(' ', '\n', '\n\n', ', ') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
)
const prose = fc.array(pieces, { maxLength: 14 }).map(parts => parts.join(''))
const value = fc.oneof(
  prose,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
  fc.jsonValue({ maxDepth: 2 }),
)
const key = fc.constantFrom(
  'query',
  'limit',
  'city',
  'days',
  'path',
  'text',
  'mode',
  'numbers',
  'exact',
  'url',
  'body',
  'answer',
  'x',
)
const json = fc
  .tuple(fc.array(fc.tuple(key, value), { maxLength: 3 }), fc.constantFrom(undefined, 1, '\t'))
  .map(([pairs, indent]) => JSON.stringify(Object.fromEntries(pairs), null, indent))
const call = fc
  .tuple(
    fc.constantFrom(...lists.flat()),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      json,
      prose,
      fc.constantFrom('{}', '', 'None', '42', '"quoted"', 'cats and dogs'),
    ),
    fc.array(value, { minLength: 6, maxLength: 6 }),
  )
  .map(([tool, input, values]) => {
    const names = Object.keys(tool.parameters.properties as object)
    const fitting = names.map((name, i) => [name, typeof values[i] === 'string' || i > 1 ? values[i] : JSON.stringify(values[i])])
    return { tool: tool.name, input: input ?? JSON.stringify(Object.fromEntries(fitting)) }
  })

interface Clean {
  readonly grammar: Grammar
  readonly reply: string
}
const clean: fc.Arbitrary<Clean> = fc
  .tuple(fc.constantFrom(...grammars), fc.option(prose), fc.oneof(call, prose), fc.constantFrom(' ', ' ', ' ', '', '\n'))
  .map(([grammar, thought, step, blank]) => {
    const labels = grammar.written ?? { thought: 'Thought:', action: 'Action:', input: 'Action Input:', answer: 'Final Answer:' }
    const lines = thought === null ? [] : [`${labels.thought}${blank}${thought}`]
    if (typeof step === 'string') lines.push(`${labels.answer}${blank}${step}`)
    else lines.push(`${labels.action} ${step.tool}`, `${labels.input}${blank}${step.input}`)
    return { grammar, reply: lines.join('\n') }
  })
const change = fc.record({
  at: fc.nat(),
  length: fc.constantFrom(0, 0, 0, 1, 3),
  put: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ODD) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...fixtures), fc.nat(200), fc.nat(60))
        .map(([fixture, from, length]) => fixture.slice(from, from + length)),
    },
  ),
  ownLine: fc.boolean(),
})
const changed: fc.Arbitrary<Clean> = fc.tuple(clean, fc.array(change, { maxLength: 3 })).map(([{ grammar, reply }, changes]) => {
  let text = reply
  for (const { at, length, put, ownLine } of changes) {
    const place = at % (text.length + 1)
    const from = ownLine ? text.lastIndexOf('\n', place) + 1 : place
    text = text.slice(0, from) + put + text.slice(from + length)
  }
  return { grammar, reply: text }
})

describe('the fast reader', () => {
  it('reads nothing that the general reader would read in another way', () => {
    let fast = 0
    let all = 0
    fc.assert(
      fc.property(changed, fc.constantFrom(...lists), ({ grammar, reply }, tools) => {
        const box = toolbox(tools)
        const plain = readPlainReply(reply, grammar, box)
        all++
        if (!plain) return
        fast++
        expect(plain).toEqual(assembleOdd(reply, grammar, box, undefined))
      }),
      runs(15_000, 1),
    )
    expect(fast).toBeGreaterThan(all / 20)
  })

  it('reads no fixture in another way', () => {
    for (const reply of fixtures)
      for (const tools of lists)
        for (const grammar of grammars) {
          const box = toolbox(tools)
          const plain = readPlainReply(reply, grammar, box)
          if (plain) expect(plain).toEqual(assembleOdd(reply, grammar, box, undefined))
        }
  })

  it.each([
    [
      'a call with JSON',
      'Thought: I will look: at 12:30, see https://x.test.\n- a\n- b < c\nAction: search\nAction Input: {"query": "a: b", "limit": 3}',
    ],
    ['a call with a text', 'Thought: hm\nAction: search\nAction Input: cats and dogs'],
    ['a call without a thought', 'Action: now\nAction Input: {}'],
    ['JSON over several lines', 'Thought: hm\nAction: search\nAction Input: {\n  "query": "x"\n}\n'],
    [
      'code as an argument',
      `Thought: hm\nAction: search\nAction Input: ${JSON.stringify({ query: 'if a < b:\n    print("Action: x")\n```\n[1]' })}`,
    ],
    ['an answer', 'Thought: 我知道了，结果：四十二。\nFinal Answer: It is 42 (see [1]).\n\n## More: \n1. one\n2. two'],
    ['an answer alone', 'Final Answer: 42'],
  ])('takes %s', (_, reply) => {
    expect(readPlainReply(reply, rulesOf(react)?.grammar as Grammar, toolbox(lists[0]))).toBeDefined()
  })

  it('knows every character that may be taken for a colon', () => {
    const colons = new Set(':：﹕∶꞉ː׃︓⩴𐞁')
    for (let code = 0x80; code < 0x30000; code++) {
      const char = String.fromCodePoint(code)
      if (skeleton(char)?.includes(':')) expect(colons).toContain(char)
    }
  })
})
