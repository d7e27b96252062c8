// The tools that replies are read with: those of a common toolbox, and those no guide would recommend, each for a rule of reading: names that fold
// alike or are the protocol's own, parameters of every type or of none, and doubts of all sizes.
import type { JsonSchema } from '../../src/core/json.js'
import type { ToolSpec } from '../../src/core/tool.js'

/** A tool whose parameters have these types. */
function typed(name: string, types: Readonly<Record<string, string>>, required: readonly string[]): ToolSpec {
  const properties = Object.fromEntries(Object.entries(types).map(([key, type]) => [key, { type }]))
  return tool(name, { properties, required })
}

function tool(name: string, parameters: JsonSchema, more: Partial<ToolSpec> = {}): ToolSpec {
  return { name, description: '', parameters: { type: 'object', ...parameters }, ...more }
}

export const HOUSE_TOOLS: readonly ToolSpec[] = [
  typed('search', { query: 'string' }, ['query']),
  typed('get_weather', { city: 'string' }, ['city']),
  typed('calculator', { expression: 'string' }, ['expression']),
  typed('python', { code: 'string' }, ['code']),
  typed('write_file', { path: 'string', content: 'string' }, ['path', 'content']),
  typed('now', {}, []),
  typed('forecast', { city: 'string', days: 'integer' }, ['city', 'days']),
  typed('sum', { values: 'array' }, ['values']),
  typed('list_files', { path: 'string', limit: 'integer' }, ['path']),
  typed('post', { body: 'object' }, ['body']),
  typed('Lookup', { term: 'string' }, ['term']),
  typed('mail', { to: 'string', subject: 'string', body: 'string' }, ['to', 'subject', 'body']),
  typed('open', { index: 'integer' }, ['index']),
  typed('toggle', { on: 'boolean' }, ['on']),
  typed('glob', { pattern: 'string' }, ['pattern']),
  typed('shell', { command: 'string' }, ['command']),
  typed('note', { text: 'string' }, ['text']),
  typed('train times', { station: 'string' }, ['station']),
]

const string = { type: 'string' }

export const ODD_TOOLS: readonly ToolSpec[] = [
  tool('get-item', { properties: { id: string } }),
  tool('get_item', { properties: { id: string } }),
  tool('search_web', {
    properties: { query: string, limit: { type: 'integer' }, safe: { type: 'boolean' } },
    required: ['query'],
  }),
  tool('paint', {
    properties: { color: { enum: ['red', 'dark blue', 'Off_White'] }, size: { type: 'number' } },
    required: ['color'],
    additionalProperties: false,
  }),
  tool('tag', { properties: { tags: { type: 'array', items: string }, note: { type: ['string', 'null'] } }, required: ['tags'] }),
  tool('rank', { properties: { scores: { type: 'array', items: { type: 'number' } } }, required: ['scores'] }),
  tool(
    'move',
    {
      properties: {
        to: { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } }, required: ['x', 'y'] },
      },
      required: ['to'],
    },
    { effect: 'changes' },
  ),
  tool('delete_file', { properties: { path: string }, required: ['path'] }, { effect: 'changes', doubt: 0 }),
  tool(
    'send',
    { properties: { to: string, text: string }, required: ['to', 'text'], additionalProperties: false },
    { effect: 'changes' },
  ),
  tool('set', { properties: { key: string, value: {} }, required: ['key', 'value'] }),
  tool('answer', { properties: { text: string }, required: ['text'] }),
  tool('finish', { properties: { answer: string, success: { type: 'boolean' } }, required: ['answer'] }),
  tool('Thought', { properties: { thought: string } }),
  tool('call', { properties: { name: string, arguments: { type: 'object' } }, required: ['name'] }),
  tool('run.code', { properties: { code: string, input: string }, required: ['code'] }),
  tool('wait', { properties: { seconds: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } }),
  tool('flag', { properties: { on: { type: 'boolean' } }, required: ['on'] }),
  tool('ping', {}),
  tool('查询', { properties: { 词: string }, required: ['词'] }),
  tool('lookup', { properties: { term: { type: 'string', enum: ['a', 'b'] }, 'max results': { type: 'integer' } } }),
  tool('book', {
    $defs: {
      day: { type: 'string', enum: ['Mon', 'Tue'] },
      seats: { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] },
    },
    properties: {
      day: { $ref: '#/$defs/day' },
      seats: { allOf: [{ $ref: '#/$defs/seats' }] },
      class: { const: 'first' },
      note: { $ref: 'other.json' },
    },
    required: ['day'],
  }),
]
