import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { JsonObject, JsonValue } from '../../src/core/json.js'
import { tool } from '../../src/tools/define.js'
import { describeTool, exampleInput, typeWords } from '../../src/tools/describe.js'

const one = (schema: JsonValue, required = true, extra: JsonObject = {}) => ({
  name: 't',
  description: 'd',
  parameters: { type: 'object', properties: { p: schema }, required: required ? ['p'] : [], ...extra },
})

describe('typeWords', () => {
  it.each<[JsonValue, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'date' }, 'string (date)'],
    [{ type: 'integer' }, 'integer'],
    [{ type: 'integer', minimum: 1, maximum: 10 }, 'integer from 1 to 10'],
    [{ type: 'number', minimum: 0 }, 'number, at least 0'],
    [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, 'integer'],
    [{ type: 'boolean' }, 'boolean'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
    [{ enum: ['a', 'b', 3] }, 'one of "a", "b", 3'],
    [{ const: 'x' }, '"x"'],
    [{ type: 'array', items: { type: 'string' } }, 'list of string'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'list of (string or null)'],
    [{ type: 'array' }, 'list'],
    [{ type: 'object' }, 'object'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'object of number'],
    [
      { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x'] },
      'object {x: number, y?: number}',
    ],
    [{ allOf: [{ $ref: '#/$defs/Point' }], description: 'where' }, 'object {x: number}'],
    [{ $ref: '#/$defs/Point' }, 'object {x: number}'],
    [{ $ref: '#/$defs/Missing' }, 'any'],
    [{ $ref: 'https://elsewhere.example/x' }, 'any'],
    [{}, 'any'],
    [true, 'any'],
    [null, 'any'],
  ])('%j is "%s"', (schema, words) => {
    const root = { $defs: { Point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } } }
    expect(typeWords(schema, root)).toBe(words)
  })

  it('ends on schemas that contain themselves', () => {
    const root: JsonObject = {
      $defs: {
        A: { anyOf: [{ $ref: '#/$defs/A' }] },
        B: { $ref: '#/$defs/B' },
        C: { type: 'array', items: { $ref: '#/$defs/C' } },
      },
    }
    expect(typeWords({ $ref: '#/$defs/A' }, root)).toBe('any')
    expect(typeWords({ $ref: '#/$defs/B' }, root)).toBe('any')
    expect(typeWords({ $ref: '#/$defs/C' }, root)).toMatch(/^list of list/)
  })

  it('shows at most 30 allowed values', () => {
    expect(typeWords({ enum: Array.from({ length: 50 }, (_, i) => i) }, {})).toMatch(/ 29, …$/)
  })
})

describe('describeTool', () => {
  it('takes description, enum, default and example from the schema', () => {
    const input = z.object({
      city: z
        .string()
        .describe('Name of the city')
        .meta({ examples: ['Oslo'] }),
      unit: z.enum(['C', 'F']).default('C'),
      days: z.number().optional(),
    })
    const doc = describeTool(tool({ name: 'weather', description: 'Weather.', returns: 'One line.', input, run: () => 1 }))
    expect(doc).toEqual({
      name: 'weather',
      description: 'Weather.',
      returns: 'One line.',
      parameters: [
        { name: 'city', type: 'string', required: true, description: 'Name of the city', example: 'Oslo' },
        { name: 'unit', type: 'one of "C", "F"', required: false, enum: ['C', 'F'], default: 'C' },
        { name: 'days', type: 'number', required: false },
      ],
    })
  })

  it('never shows an object repr, whatever the schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const text = JSON.stringify([describeTool(one(value as JsonValue)), exampleInput(one(value as JsonValue))])
        expect(text).not.toContain('[object')
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})

describe('exampleInput', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['the example', { type: 'string', examples: ['Oslo'], default: 'Rome' }, 'Oslo'],
    ['the default', { type: 'string', default: 'Rome', enum: ['Paris', 'Rome'] }, 'Rome'],
    ['the first allowed value', { enum: ['a', 'b'] }, 'a'],
    ['a placeholder with the name', { type: 'string' }, '<p>'],
    ['the least integer', { type: 'integer', minimum: 5 }, 5],
    ['one', { type: 'number' }, 1],
    ['the greatest number below one', { type: 'number', maximum: 0 }, 0],
    ['true', { type: 'boolean' }, true],
    ['a list of one', { type: 'array', items: { type: 'integer' } }, [1]],
    [
      'an object of what it requires',
      { type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['a'] },
      { a: '<a>' },
    ],
    ['what is not null', { anyOf: [{ type: 'null' }, { type: 'string' }] }, '<p>'],
  ])('is %s', (_, schema, value) => {
    expect(exampleInput(one(schema))).toEqual({ p: value })
  })

  it('leaves optional parameters out', () => {
    expect(exampleInput(one({ type: 'string' }, false))).toEqual({})
  })

  it('shows the parameter for plain text where none is required', () => {
    expect(exampleInput({ ...one({ type: 'string' }, false), textParameter: 'p' })).toEqual({ p: '<p>' })
  })
})
