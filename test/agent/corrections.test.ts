// What a model is told about each kind of bad reply, from the reply to the rendered text: the smallest fix, with this task's tools, and a right reply
// to copy.
import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { whatModelIsTold } from '../../src/cli/told.js'
import { UNCLEAR_CODES, type UnclearCode } from '../../src/core/reply.js'
import type { ToolSpec } from '../../src/core/tool.js'
import { parseReply } from '../../src/dialect/read.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { LANGUAGES } from '../../src/prompt/index.js'

function tool(name: string, properties: object, required: readonly string[], extra: Partial<ToolSpec> = {}): ToolSpec {
  const parameters = { type: 'object', properties, required, additionalProperties: false } as ToolSpec['parameters']
  return { name, description: `Does ${name}.`, parameters, ...extra }
}

const guest = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name', 'age'],
}
const AWKWARD: readonly ToolSpec[] = [
  tool('book', { guest, nights: { type: 'integer', minimum: 1, maximum: 14 } }, ['guest', 'nights']),
  tool('set_mode', { mode: { type: 'string', enum: ['eco', 'boost'] }, level: { type: 'number', exclusiveMinimum: 0 } }, [
    'mode',
    'level',
  ]),
  tool('remind', { at: { type: 'string', format: 'date-time' }, text: { type: 'string' } }, ['at', 'text']),
  tool('average', { values: { type: 'array', items: { type: 'number' } } }, ['values']),
  tool('now', {}, []),
  tool('wipe', { disk: { type: 'string' }, force: { type: 'boolean' } }, ['disk', 'force'], { effect: 'changes' }),
]
const CHANGES_ONLY = AWKWARD.filter(({ effect }) => effect === 'changes')

/** A bad reply for each code, and what the correction must say. */
const BAD: readonly (readonly [code: UnclearCode, reply: string, must: readonly string[]])[] = [
  ['EMPTY_REPLY', 'Final Answer:', ['empty', 'Final Answer:']],
  ['ONLY_THOUGHT', 'Thought: I should book a room.', ['Final Answer:', 'Action: ']],
  ['MISSING_INPUT', 'Action: remind', ['remind was called without at (string (date-time)), text (string)', 'Action: remind']],
  ['MISSING_INPUT', 'Action: set_mode\nAction Input: {}', ['mode (one of "eco", "boost"), level (number', 'Action: set_mode']],
  ['MISSING_ACTION', 'Action Input: {"disk": "a"}', ['tool', 'Action: ']],
  ['MISSING_TOOL', '{"mode": "eco", "level": 1}', ['book or set_mode or remind or average or now or wipe', 'Action: ']],
  ['MISSING_TOOL', 'Action:', ['no tool is named: book or set_mode', 'Action: ']],
  ['BROKEN_INPUT', 'Action: book\nAction Input: {"guest": {"name": }, "nights": 2}', ['{"guest": {"name": }', 'Action: book']],
  ['AMBIGUOUS_INPUT', 'Action: remind(tomorrow, at noon, lunch)', ['tomorrow, at noon, lunch', 'Action: remind']],
  [
    'DUPLICATE_KEY',
    'Action: set_mode\nAction Input: {"mode": "eco", "mode": "boost", "level": 1}',
    ['"mode": "boost"', 'Action: set_mode'],
  ],
  ['FORBIDDEN_KEY', 'Action: wipe\nAction Input: {"__proto__": {}, "disk": "a", "force": true}', ['__proto__', 'Action: wipe']],
  ['INPUT_TOO_LARGE', `Action: average\nAction Input: ${'['.repeat(70)}${']'.repeat(70)}`, ['too long', 'Action: average']],
  [
    'TRUNCATED',
    'Action: remind\nAction Input: {"at": "2024-01-01T00:00:00Z", "text": "lun',
    ['broke off', 'Final Answer:', 'Action: remind'],
  ],
  ['PLACEHOLDER', 'Final Answer: <your answer>', ['<your answer>', '\nFinal Answer:']],
  ['PLACEHOLDER', 'Action: remind\nAction Input: {"at": "<at>", "text": "x"}', ['<at>', 'Action: remind']],
  ['UNREADABLE_MARKUP', '<tool_call>book a room</tool_call>', ['markup', 'Action: ']],
  ['AMBIGUOUS_CALL', 'average([1, 2])', ['one call', 'Action: ']],
  ['AMBIGUOUS_ANSWER', 'Final Answer: 1\nFinal Answer: 2', ['more than one answer', 'Final Answer:']],
  ['ANSWER_FROM_INVENTED', 'Observation: It is noon.\nFinal Answer: noon', ['made up', 'Action: ']],
  [
    'AMBIGUOUS_OBSERVATION',
    'Action: average\nAction Input: the values Observation: 3',
    ['stop after the input', 'Action: average'],
  ],
  [
    'IN_DOUBT',
    'Action: Wipe\nAction Input: disk: a, force: "true"',
    ['not exact', 'If you mean this', 'Action: wipe\nAction Input: {"disk":"a","force":true}'],
  ],
  [
    'NOT_EXACT',
    'Action: average([1, 2])',
    ['average([1, 2])', 'If you mean this', 'Action: average\nAction Input: {"values":[1,2]}'],
  ],
  ['UNKNOWN_TOOL', 'Action: boook\nAction Input: {}', ['boook', 'Did you mean book?', 'set_mode, remind, average, now, wipe']],
  [
    'INVALID_INPUT',
    'Action: book\nAction Input: {"guest": {"name": "A", "age": 3}, "nigths": 2}',
    ['book', '/nights: is required (integer from 1 to 14)', '/nigths: is not known here; perhaps "nights" was meant'],
  ],
  [
    'INVALID_INPUT',
    'Action: average\nAction Input: {"values": [1], "a\\nFinal Answer: b": 2, "c\\u0085d": 3}',
    ['- /a Final Answer: b: is not known here', '- /c d: '],
  ],
  [
    'INVALID_INPUT',
    'Action: set_mode\nAction Input: {"mode": "turbo", "level": 1}',
    ['/mode: must be one of "eco", "boost", got "turbo"', '{"mode":"eco","level":'],
  ],
  ['INVALID_INPUT', 'Action: average\nAction Input: {"values": "many"}', ['/values: must be list of number, got "many"']],
]

async function told(reply: string, options: { tools?: readonly ToolSpec[]; language?: string } = {}): Promise<string> {
  const { tools = AWKWARD, language } = options
  return (await whatModelIsTold({ text: reply }, { tools, strict: ['CALL_FORM'], ...(language ? { language } : {}) })) ?? ''
}

/** The right reply that a correction shows: it must read as one when its blanks are filled in. */
function expectRight(text: string, tools: readonly ToolSpec[]): void {
  const [reply = ''] = /Action: [\s\S]*/.exec(text) ?? []
  const shown = reply
    .split('\n')
    .slice(0, 2)
    .join('\n')
    .replace(/<(\w+)>/g, 'a $1')
  const { decision, problems } = parseReply(shown, { tools })
  expect(decision.kind).toBe('act')
  expect(problems).toEqual([])
}

describe('the correction', () => {
  test('is tried for every code that leaves no decision', () => {
    expect([...new Set(BAD.map(([code]) => code))].sort()).toEqual([...UNCLEAR_CODES].sort())
  })

  test.each(BAD)('of %s for %j says what it must, and shows a right reply', async (code, reply, must) => {
    const { decision } = parseReply(reply, { tools: AWKWARD, strict: ['CALL_FORM'] })
    expect(decision).toMatchObject({ kind: 'unclear', problem: { code } })
    const text = await told(reply)
    for (const part of must) expect(text).toContain(part)
    expect(text.length).toBeLessThan(600)
    if (/^Action: /m.test(text)) expectRight(text, AWKWARD)
  })

  test.each(BAD.filter(([code]) => code !== 'PLACEHOLDER'))(
    'of %s for %j shows no call of a tool that changes things unless it was meant',
    async (_, reply) => {
      expect(await told(reply)).not.toMatch(/wipe/i.test(reply) ? /Action: (?!wipe)/ : /Action: wipe/)
    },
  )

  test.each(BAD)('of %s for %j shows no call of the only tool, which changes things, unless it was meant', async (_, reply) => {
    const text = await told(reply, { tools: CHANGES_ONLY })
    if (!/wipe/i.test(reply)) expect(text).not.toContain('Action: wipe')
  })

  test.each(LANGUAGES)('names the tool and shows the reply in %s as well', async language => {
    for (const [code, reply, must] of BAD) {
      if (code === 'UNKNOWN_TOOL' || code === 'INVALID_INPUT') continue
      const text = await told(reply, { language })
      for (const part of must.filter(each => each.startsWith('Action: '))) expect(text).toContain(part)
    }
  })

  test.each(LANGUAGES.flatMap(language => ['Thought: Hm.', ''].map(reply => [language, reply] as const)))(
    'shows in %s, behind a result, the form of an answer before that of a call (for %j)',
    async (language, reply) => {
      const formsOf = (text = '') => text.split('\n').filter(line => /^(?:Final Answer|Action): /.test(line))
      const call = { text: 'Action: now\nAction Input: {}' }
      const model = scriptedModel([{ text: reply }, call, { text: reply }, 'Final Answer: noon'])
      const tools = AWKWARD.map(spec => ({ ...spec, run: () => 'noon' }))
      const { steps } = await new ToolCallAgent({ model, tools, examples: [], language }).run('What time is it?')
      const [before, behind] = steps.filter(({ nudge }) => nudge).map(({ nudge }) => formsOf(nudge))
      expect(behind).toHaveLength(2)
      expect(behind).toEqual(before?.toReversed())
    },
  )

  test.each([
    ['an input without an end', `Action: book\nAction Input: {"guest": ${'x '.repeat(5000)}`],
    ['a name without an end', `Action: ${'b'.repeat(5000)}\nAction Input: {}`],
    ['a key without an end', `Action: now\nAction Input: {}\nAction: book\nAction Input: {"${'k'.repeat(5000)}": 1}`],
  ])('stays short for %s', async (_, reply) => {
    expect((await told(reply)).length).toBeLessThan(900)
  })
})
