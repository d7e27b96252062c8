import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AnswerForm, type AnswerSchema } from '../../src/agent/answer-form.js'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { dialectByName } from '../../src/dialect/index.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { LANGUAGES, loadTexts } from '../../src/prompt/index.js'
import { tool } from '../../src/tools/define.js'
import { answer, call, play, searchTool } from '../support/agents.js'

const city = {
  type: 'object',
  properties: { city: { type: 'string', description: 'Where it is.' }, days: { type: 'integer', minimum: 1 } },
  required: ['city', 'days'],
}
const OSLO = { city: 'Oslo', days: 2 }

async function read(schema: AnswerSchema, text: string) {
  return new AnswerForm(schema).read(text, await loadTexts('en'))
}

describe('an answer is read as data', () => {
  test.each([
    ['JSON', city, '{"city": "Oslo", "days": 2}', OSLO],
    ['JSON in a fence', city, '```json\n{"city": "Oslo", "days": 2}\n```', OSLO],
    ['almost JSON', city, "{city: 'Oslo', days: 2,}", OSLO],
    ['a number in quotes', city, '{"city": "Oslo", "days": "2"}', OSLO],
    ['key: value lines', city, 'city: Oslo\ndays: 2', OSLO],
    ['a number', { type: 'number' }, '42.5', 42.5],
    ['an integer', { type: 'integer' }, ' 42 ', 42],
    ['a boolean', { type: 'boolean' }, 'true', true],
    ['a text', { type: 'string' }, 'Ostrava Bay, of course', 'Ostrava Bay, of course'],
    ['a text in quotes', { type: 'string' }, '"Ostrava Bay"', 'Ostrava Bay'],
    ['one of some words', { enum: ['red', 'blue'] }, 'red', 'red'],
    ['a list', { type: 'array', items: { type: 'string' } }, '["a", "b"]', ['a', 'b']],
    ['a list of objects', { type: 'array', items: city }, '[{"city": "Oslo", "days": 2}]', [OSLO]],
    ['a choice of objects', { anyOf: [city, { type: 'null' }] }, '{"city": "Oslo", "days": 2}', OSLO],
    ['what a reference leads to', { $ref: '#/$defs/city', $defs: { city } }, '{"city": "Oslo", "days": 2}', OSLO],
    ['what refers to all of itself', { type: 'array', items: { $ref: '#' } }, '[[], [[]]]', [[], [[]]]],
    [
      'an object with more of its kind',
      { type: 'object', properties: { n: { type: 'integer' }, next: { $ref: '#' } }, required: ['n'] },
      '{"n": 1, "next": {"n": 2}}',
      { n: 1, next: { n: 2 } },
    ],
    ['what a library says', z.object({ city: z.string(), days: z.number() }), '{"city": "Oslo", "days": 2}', OSLO],
    ['what a library makes of it', z.string().transform(text => text.length), 'four', 4],
  ] as [string, AnswerSchema, string, unknown][])('%s', async (_, schema, text, value) => {
    expect(await read(schema, text)).toEqual({ ok: true, value })
  })
})

describe('an answer that does not fit is none', () => {
  test.each([
    ['text in place of an object', city, 'It is Oslo.', ''],
    ['text, although there is one field for it', { ...city, required: ['city'] }, 'Oslo', ''],
    ['a field too few', city, '{"city": "Oslo"}', '/days'],
    ['a field out of bounds', city, '{"city": "Oslo", "days": 0}', '/days'],
    ['a field of another type', city, '{"city": "Oslo", "days": "soon"}', '/days'],
    ['words in place of a number', { type: 'number' }, 'about forty', ''],
    ['a number out of bounds', { type: 'number', maximum: 10 }, '42', ''],
    ['what breaks off', city, '{"city": "Os', ''],
    ['two objects', city, '{"city": "Oslo", "days": 2} {"city": "Rome", "days": 2}', ''],
    ['nothing', city, '', ''],
    ['what a pattern takes too long over', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`, ''],
    ['what a library refuses', z.object({ city: z.string().min(9) }), '{"city": "Oslo"}', '/city'],
  ] as [string, AnswerSchema, string, string][])('%s', async (_, schema, text, path) => {
    const reading = await read(schema, text)
    expect(reading).toMatchObject({ ok: false, issues: [{ path }] })
  })
})

describe('a run with a schema for its answer', () => {
  const FITS = answer('{"city": "Oslo", "days": 2}')

  test('shows the form in words, and what its fields mean', async () => {
    const { prompts } = await play([FITS], { answer: city })
    expect(prompts[0]?.text).toContain('object {city: string, days: integer, at least 1}\n- city: Where it is.')
  })

  test.each(LANGUAGES)('shows it in %s', async language => {
    const { prompts } = await play([FITS], { answer: city, language })
    expect(prompts[0]?.text).toContain('object {city: string')
  })

  test('gives the answer as data and as JSON text', async () => {
    const { result } = await play([call('a'), FITS], { answer: city })
    expect(result).toMatchObject({ stop: 'final_answer', answer: '{"city":"Oslo","days":2}', value: OSLO })
  })

  test('asks again, showing the model its answer and what is wrong with it', async () => {
    const wrong = answer('{"city": "Oslo", "days": 0}')
    const { result, prompts } = await play([wrong, FITS], { answer: city })
    expect(result.value).toEqual(OSLO)
    expect(prompts[1]?.messages.at(-2)?.text).toBe(wrong)
    expect(prompts[1]?.messages.at(-1)?.text).toMatch(/does not fit its schema:\n- \/days: must be at least 1, got 0/)
  })

  test('lets neither the answer nor the correction stand once it goes on', async () => {
    const { prompts } = await play([answer('It is Oslo.'), call('a'), FITS], { answer: city })
    expect(prompts[2]?.text).not.toMatch(/It is Oslo|does not fit/)
  })

  test('ends after three that do not fit, and a last turn', async () => {
    const { result, prompts } = await play([...Array(3).fill(answer('no')), FITS], { answer: city })
    expect(result).toMatchObject({ stop: 'best_effort', reason: 'unclear', value: OSLO })
    expect(prompts).toHaveLength(4)
  })

  test('without data when nothing fits, which the message says', async () => {
    const { result } = await play(Array(4).fill(answer('Perhaps Oslo.')), { answer: city })
    expect(result).toMatchObject({ stop: 'best_effort', answer: 'Perhaps Oslo.' })
    expect(result.value).toBeUndefined()
    expect(result.message).toContain('the answer does not fit its schema')
  })

  test.each(['json', 'xml', 'bracket', 'pythonic', 'chat'])('in the dialect %s', async name => {
    const dialect = dialectByName(name)
    const decision = { kind: 'answer', text: '{"city":"Oslo","days":2}' } as const
    const parsed = { thought: 'x', decision, problems: [], kept: [0, 0] as const }
    const { reply } = dialect.formatStep({ parsed, observations: [] })
    expect((await play([reply], { answer: city, dialect })).result.value).toEqual(OSLO)
  })

  test('is refused before the first prompt when the schema is no valid one', async () => {
    const broken = play([FITS], { answer: { type: 'strnig' } })
    await expect(broken).rejects.toMatchObject({ code: 'CONFIG', message: expect.stringMatching(/schema of the answer.*type/) })
  })

  test('asks again when the code of the schema throws over an answer', async () => {
    const picky = z.string().transform(text => {
      if (text !== 'four') throw new Error('only four')
      return 4
    })
    const { result, told } = await play([answer('five'), answer('four')], { answer: picky })
    expect([result.value, told[0]]).toEqual([4, expect.stringContaining('only four')])
  })

  test('has a deadline for the code of the schema, too', async () => {
    const endless = z.string().refine(() => new Promise<boolean>(() => {}))
    const { result } = await play([answer('five')], { answer: endless, deadlineMs: 400, onMaxSteps: 'return' })
    expect(result.stop).toBe('budget')
  })

  test('takes no answer of a tool that does not fit, and goes on', async () => {
    let handed = 0
    const submit = tool({
      name: 'submit',
      description: 'Hands it in.',
      finishes: true,
      run: () => {
        handed += 1
        return handed === 1 ? 'done' : OSLO
      },
    })
    const script = Array(2).fill('Thought: x\nAction: submit\nAction Input: {}')
    const { result, told } = await play(script, { answer: city, tools: [submit] })
    expect(result).toMatchObject({ stop: 'final_answer', value: OSLO })
    expect(told[0]).toContain('does not fit its schema')
  })
})

test.each([[{ type: 'object', properties: { self: 1n } }], [z.date()]])(
  'a schema that is no JSON is refused at once: %#',
  schema => {
    const model = scriptedModel([])
    expect(() => new ToolCallAgent({ model, answer: schema as unknown as AnswerSchema, tools: [searchTool()] })).toThrowError(
      expect.objectContaining({ code: 'CONFIG', message: 'the schema of the answer cannot be used' }),
    )
  },
)

test.each([false, true, 5, 'string', []])('%j is refused as the schema of an answer', schema => {
  expect(() => new AnswerForm(schema as never)).toThrow('the schema of the answer cannot be used')
})

test('what a library makes of it must be plain data', async () => {
  await expect(
    read(
      z.string().transform(() => 1n),
      'four',
    ),
  ).rejects.toMatchObject({ code: 'CONFIG' })
})
