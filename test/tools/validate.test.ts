import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject } from '../../src/core/json.js'
import { loadTexts } from '../../src/prompt/index.js'
import { tool } from '../../src/tools/define.js'
import { checkInput, compileSchema } from '../../src/tools/validate.js'

const say = await loadTexts('en')
const withSchema = (parameters: JsonObject) => ({ name: 't', parameters: { type: 'object', ...parameters } })

async function issues(parameters: JsonObject, input: JsonObject): Promise<string[]> {
  const check = await checkInput(withSchema(parameters), input, say)
  return check.ok ? [] : check.issues.map(({ path, message }) => `${path}: ${message}`)
}

const weather = {
  properties: {
    city: { type: 'string', minLength: 1 },
    days: { type: 'integer', minimum: 1, maximum: 7, default: 3 },
    unit: { enum: ['C', 'F'] },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    at: { type: 'object', properties: { lat: { type: 'number' } }, required: ['lat'], additionalProperties: false },
    when: { type: 'string', format: 'date' },
    either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    code: { type: 'string', pattern: '^[A-Z]+$' },
  },
  required: ['city'],
  additionalProperties: false,
}

describe('checkInput says in plain words what is wrong', () => {
  it.each<[JsonObject, string[]]>([
    [{}, ['/city: is required (string)']],
    [{ city: 7 }, ['/city: must be string, got 7']],
    [{ city: '' }, ['/city: must not be empty, got ""']],
    [{ city: 'Oslo', days: 'x' }, ['/days: must be integer from 1 to 7, got "x"']],
    [{ city: 'Oslo', days: '3' }, ['/days: must be integer from 1 to 7, got "3"']],
    [{ city: 'Oslo', days: 9 }, ['/days: must be at most 7, got 9']],
    [{ city: 'Oslo', unit: 'K' }, ['/unit: must be one of "C", "F", got "K"']],
    [{ city: 'Oslo', tags: ['a', 2] }, ['/tags/1: must be string, got 2']],
    [{ city: 'Oslo', tags: ['a', 'b', 'c'] }, ['/tags: must have at most 2 items, got ["a","b","c"]']],
    [{ city: 'Oslo', at: {} }, ['/at/lat: is required (number)']],
    [{ city: 'Oslo', when: 'soon' }, ['/when: must be a valid date, got "soon"']],
    [{ city: 'Oslo', either: 'x' }, ['/either: must be integer or null, got "x"']],
    [{ city: 'Oslo', code: 'a' }, ['/code: must match the pattern ^[A-Z]+$, got "a"']],
    [{ city: 'Oslo', citty: 'x' }, ['/citty: is not known here; perhaps "city" was meant']],
    [{ city: 'Oslo', zzz: 'x' }, ['/zzz: is not known here; known are city, days, unit, tags, at, when, either, code']],
    [
      { days: 0, at: { lon: 1, lat: 2 } },
      ['/city: is required (string)', '/days: must be at least 1, got 0', '/at/lon: is not known here; known are lat'],
    ],
  ])('%j', async (input, wanted) => {
    const found = await issues(weather, input)
    expect(found.sort()).toEqual(wanted.sort())
  })

  it('quotes no more than the beginning of a long value', async () => {
    const [issue = ''] = await issues({ properties: { n: { type: 'integer' } } }, { n: '😀'.repeat(5000) })
    expect(issue.length).toBeLessThan(120)
    expect(issue).not.toMatch(/\p{Surrogate}/u)
  })

  it('names at most ten issues', async () => {
    const input = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]))
    expect(await issues({ additionalProperties: false }, input)).toHaveLength(10)
  })
})

describe('checkInput', () => {
  it('fills the defaults of top-level parameters, by copies', async () => {
    const schema = withSchema({
      properties: { a: { default: [1] }, b: { type: 'object', properties: { c: { default: 1 } } }, d: {} },
    })
    const first = await checkInput(schema, { b: {} }, say)
    expect(first).toEqual({ ok: true, input: { a: [1], b: {} } })
    const second = await checkInput(schema, { b: {} }, say)
    expect(first.ok && second.ok && (first.input as JsonObject).a).not.toBe(second.ok && (second.input as JsonObject).a)
  })

  it('gives the very input where there is nothing to fill', async () => {
    const input = { city: 'Oslo', days: 1 }
    const check = await checkInput(withSchema(weather), input, say)
    expect(check.ok && check.input).toBe(input)
  })

  it('takes null for an optional parameter as not given, unless the schema knows null', async () => {
    expect(await checkInput(withSchema(weather), { city: 'Oslo', days: null, unit: null, either: null }, say)).toEqual({
      ok: true,
      input: { city: 'Oslo', either: null, days: 3 },
    })
    expect(await issues(weather, { city: null })).toEqual(['/city: must be string, got null'])
  })

  it('does the same before the check of a Standard Schema', async () => {
    const built = tool({
      name: 't',
      description: '',
      input: z.object({ a: z.string().optional(), b: z.string().nullish() }),
      run: () => 1,
    })
    expect(await checkInput(built, { a: null, b: null }, say)).toEqual({ ok: true, input: { b: null } })
  })

  it.each([
    'http://json-schema.org/draft-07/schema#',
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-04/schema#',
    undefined,
  ])('understands $schema %s', async $schema => {
    const dialect = $schema === undefined ? {} : { $schema }
    const parameters = {
      ...dialect,
      $id: 'same-in-all',
      properties: { p: { $ref: '#/definitions/P' } },
      definitions: { P: { type: 'string' } },
    }
    expect(await issues(parameters, { p: 'x' })).toEqual([])
    expect(await issues(parameters, { p: 1 })).toEqual(['/p: must be string, got 1'])
  })

  it.each([{}, { $schema: 'https://json-schema.org/draft/2020-12/schema' }])(
    'follows a reference to the whole schema: %j',
    async draft => {
      const tree = {
        ...draft,
        properties: { n: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#' } } },
        required: ['n'],
      }
      expect(await issues(tree, { n: 1, kids: [{ n: 2, kids: [] }] })).toEqual([])
      expect(await issues(tree, { n: 1, kids: [{ kids: [] }] })).toHaveLength(1)
    },
  )

  it('gives up on a pattern that takes too long, and keeps patterns apart', async () => {
    const properties = { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^b+$' } }
    await expect(issues({ properties }, { a: `${'a'.repeat(60)}!` })).rejects.toThrow('took too long')
    expect(await issues({ properties }, { a: 'a'.repeat(60), b: 'b'.repeat(60) })).toEqual([])
    expect(await issues({ properties }, { a: 'a', b: 'a'.repeat(60) })).toHaveLength(1)
  })

  it('tells the two drafts apart', async () => {
    const tuple = { properties: { p: { type: 'array', prefixItems: [{ type: 'string' }], items: false } } }
    expect(await issues({ ...tuple, $schema: 'https://json-schema.org/draft/2020-12/schema' }, { p: ['a', 1] })).not.toEqual([])
    const old = { properties: { p: { type: 'array', items: [{ type: 'string' }], additionalItems: false } } }
    expect(await issues(old, { p: ['a', 1] })).not.toEqual([])
  })

  it('ignores formats and keywords it does not know', async () => {
    expect(
      await issues({ properties: { p: { type: 'string', format: 'colour', 'x-order': 1 } }, $comment: 'x' }, { p: 'red' }),
    ).toEqual([])
  })

  it('checks inputs without a prototype, and parameters named like members of Object', async () => {
    const bare = Object.assign(Object.create(null), { toString: 1 }) as JsonObject
    expect(await issues({ properties: { toString: { type: 'string' } } }, bare)).toEqual(['/toString: must be string, got 1'])
    expect(await issues({ required: ['valueOf'], properties: { valueOf: {} } }, Object.create(null))).toEqual([
      '/valueOf: is required (any)',
    ])
  })

  it("refuses a schema that cannot be compiled, by the tool's name", async () => {
    const broken = withSchema({ properties: { p: { $ref: '#/nowhere' } } })
    await expect(compileSchema(broken)).rejects.toMatchObject({ code: 'CONFIG', message: expect.stringContaining('"t"') })
  })

  it('refuses a schema that stands for itself', async () => {
    const endless = withSchema({ allOf: [{ $ref: '#' }] })
    await expect(compileSchema(endless)).rejects.toMatchObject({ code: 'CONFIG', message: expect.stringContaining('"t"') })
  })

  it('compiles a schema once', async () => {
    const schema = withSchema(weather)
    expect(await compileSchema(schema)).toBe(await compileSchema(schema))
    expect(await compileSchema(structuredClone(schema))).toBe(await compileSchema(schema))
  })
})
