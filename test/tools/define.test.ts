import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { SaydoError } from '../../src/core/errors.js'
import type { JsonObject, JsonSchema } from '../../src/core/json.js'
import type { StandardSchema } from '../../src/core/schema.js'
import type { Tool } from '../../src/core/tool.js'
import { isTool, requireTool, tool } from '../../src/tools/define.js'

const named = (name: unknown) => tool({ name: name as string, description: 'd', run: () => 1 })

function errorOf(make: () => unknown): SaydoError {
  try {
    make()
  } catch (error) {
    if (error instanceof SaydoError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('tool()', () => {
  it('takes a plain JSON Schema as it is, and a copy of it', () => {
    const input = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const weather = tool({ name: 'weather', description: 'Weather.', input, run: ({ city }) => city })
    expect(weather.parameters).toEqual(input)
    expect(weather.parameters).not.toBe(input)
    expect(weather.check).toBeUndefined()
    expect(Object.isFrozen(weather)).toBe(true)
  })

  it('without input takes no parameters', () => {
    expect(named('now').parameters).toEqual({ type: 'object', properties: {}, additionalProperties: false })
  })

  it('shows the JSON Schema of a zod schema and checks with zod', async () => {
    const input = z.object({ city: z.string().describe('e.g. Oslo'), days: z.number().int().default(3) })
    const weather = tool({ name: 'weather', description: 'Weather.', input, run: ({ city, days }) => `${city} ${days}` })
    expect(weather.parameters).toMatchObject({
      type: 'object',
      properties: { city: { description: 'e.g. Oslo' } },
      required: ['city'],
    })
    expect(await weather.check?.({ city: 'Oslo' })).toEqual({ ok: true, input: { city: 'Oslo', days: 3 } })
    expect(await weather.check?.({ days: 1 })).toMatchObject({ ok: false, issues: [{ path: '/city' }] })
  })

  it('gives run the transformed, asynchronously checked output of a Standard Schema', async () => {
    const input = z.object({
      when: z.string().transform(text => new Date(text)),
      id: z.string().refine(async id => id !== 'gone', 'is gone'),
    })
    const book = tool({ name: 'book', description: 'Books.', input, run: given => given })
    expect(await book.check?.({ when: '2026-01-01', id: 'a' })).toEqual({
      ok: true,
      input: { when: new Date('2026-01-01'), id: 'a' },
    })
    expect(await book.check?.({ when: '2026-01-01', id: 'gone' })).toEqual({
      ok: false,
      issues: [{ path: '/id', message: 'is gone' }],
    })
  })

  it('accepts inputs without a prototype in zod objects and records', async () => {
    const bare = Object.assign(Object.create(null), {
      o: Object.assign(Object.create(null), { x: 1 }),
      r: Object.assign(Object.create(null), { y: 2 }),
    })
    const input = z.object({ o: z.object({ x: z.number() }), r: z.record(z.string(), z.number()) })
    expect(await tool({ name: 't', description: '', input, run: () => 1 }).check?.(bare)).toMatchObject({ ok: true })
  })

  it('takes a Standard Schema that is a function, as of arktype', async () => {
    const schema: StandardSchema<unknown, { n: number }> = Object.assign(() => 0, {
      '~standard': {
        version: 1 as const,
        vendor: 'arktype',
        validate: (value: unknown) => ({ issues: [{ message: `no ${String(value)}`, path: [{ key: 'a/b' }, 0] }] }),
        jsonSchema: { input: ({ target }: { target: string }) => ({ $schema: target, type: 'object' }) },
      },
    })
    const built = tool({ name: 't', description: '', input: schema, run: ({ n }) => n })
    expect(built.parameters).toEqual({ $schema: 'draft-2020-12', type: 'object' })
    expect(await built.check?.({})).toMatchObject({ issues: [{ path: '/a~1b/0' }] })
  })

  it('falls back to draft-07 where a library does not write 2020-12', () => {
    const jsonSchema = {
      input: ({ target }: { target: string }): JsonSchema => {
        if (target !== 'draft-07') throw new Error('unsupported target')
        return { type: 'object' }
      },
    }
    const input: StandardSchema = { '~standard': { version: 1, vendor: 'x', validate: value => ({ value }), jsonSchema } }
    expect(tool({ name: 't', description: '', input, run: () => 1 }).parameters).toEqual({ type: 'object' })
  })

  it('keeps every other option, and `this` of the definition', async () => {
    const definition = {
      name: 't',
      description: 'd',
      returns: 'r',
      effect: 'changes',
      doubt: 1,
      finishes: true,
      word: 'mine',
      run() {
        return this.word
      },
    } as const
    const built = tool(definition)
    expect(built).toMatchObject({ returns: 'r', effect: 'changes', doubt: 1, finishes: true })
    expect(built.run({} as never, { signal: new AbortController().signal, callId: '1.1' })).toBe('mine')
  })

  it('infers what run gets', () => {
    tool({
      name: 't',
      description: '',
      input: z.object({ n: z.string().transform(Number) }),
      run: ({ n }) => expectTypeOf(n).toEqualTypeOf<number>(),
    })
    tool({ name: 't', description: '', input: { type: 'object' }, run: input => expectTypeOf(input).toEqualTypeOf<JsonObject>() })
    tool({ name: 't', description: '', input: { type: 'object' }, run: (input: { city: string }) => input.city })
  })

  it.each(['search', 'Search the web', '天气', 'constructor', '__proto__', 'a'.repeat(300)])('accepts the name %j', name => {
    expect(named(name).name).toBe(name)
  })

  it.each(['', '  ', ' search', 'search ', 'a\nb', 'a\u2028b', 'a\u0085b', 'a\tb', 'a\u0000', undefined, 7])(
    'refuses the name %j',
    name => {
      expect(errorOf(() => named(name)).code).toBe('CONFIG')
    },
  )

  const noJsonSchema: StandardSchema = { '~standard': { version: 1, vendor: 'valibot', validate: value => ({ value }) } }
  it.each([
    ['a schema without JSON Schema', noJsonSchema, /valibot/, /to-json-schema/],
    ['a schema with no JSON form', z.object({ d: z.date() }), /Date cannot be represented/, /transform/],
    ['a schema that is no object', z.string(), /not of type object/, /z\.object/],
    ['bare properties', { city: { type: 'string' } }, /not of type object/, /properties/],
    ['a schema that is no JSON', { type: 'object', big: 1n }, /not plain JSON/, /JSON Schema/],
  ])('refuses %s and says what to do', (_, input, message, hint) => {
    const error = errorOf(() => tool({ name: 'weather', description: '', input: input as JsonObject, run: () => 1 }))
    expect(error).toMatchObject({ code: 'CONFIG', message: expect.stringMatching(message), hint: expect.stringMatching(hint) })
    expect(error.message).toContain('"weather"')
  })

  it.each([
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { effect: 'change' as 'changes' },
    { doubt: Number.NaN },
    { doubt: '2' as unknown as number },
    { maxCallsPerRun: -1 },
    { maxCallsPerStep: 1.5 },
    { maxCallsPerMinute: '3' as unknown as number },
  ])('refuses the limit %j', limit => {
    expect(errorOf(() => tool({ name: 't', description: '', ...limit, run: () => 1 })).code).toBe('CONFIG')
  })

  it.each<[string, object, RegExp]>([
    ['a confirm that is neither true nor a function', { confirm: 'yes' }, /confirm is yes/],
    ['a text parameter that it does not have', { textParameter: 'line' }, /"line", which is none of its parameters/],
    [
      'a text parameter beside a required one',
      {
        textParameter: 'line',
        input: { type: 'object', properties: { line: { type: 'string' }, n: { type: 'number' } }, required: ['n'] },
      },
      /would leave out a required parameter/,
    ],
    ['an ending that is no function', { finishes: true, ending: 'done' }, /ending is no function/],
    ['an ending of a tool that does not finish', { ending: () => undefined }, /does not finish/],
  ])('refuses %s', (_, more, message) => {
    const error = errorOf(() => tool({ name: 't', description: '', ...more, run: () => 1 }))
    expect(error.code).toBe('CONFIG')
    expect(error.message).toMatch(message)
  })

  it('takes limits without an end', () => {
    const limits = { timeoutMs: Infinity, maxCallsPerRun: Infinity, maxCallsPerStep: Infinity, maxCallsPerMinute: Infinity }
    expect(tool({ name: 't', description: '', ...limits, run: () => 1 })).toMatchObject(limits)
  })
})

describe('isTool', () => {
  const own: Tool = { name: 'own', description: '', parameters: { type: 'object' }, run: () => 1 }
  it.each([
    [own, true],
    [named('t'), true],
    [() => 1, false],
    [null, false],
    [{ ...own, run: 1 }, false],
    [{ ...own, parameters: [] }, false],
  ])('%# tells a tool by its shape', (value, is) => {
    expect(isTool(value)).toBe(is)
  })

  it('requireTool names what is missing', () => {
    expect(errorOf(() => requireTool({ name: 'x' })).hint).toContain('tool({')
  })
})
