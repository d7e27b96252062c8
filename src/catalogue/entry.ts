// What an entry of the catalogue holds: a code explained for people, with a reply that raises it. What is made of the reply is never written down
// here: whoever shows an example reads it.
import type { Finish } from '../core/model.js'
import type { ProblemCode } from '../core/reply.js'
import type { ToolSpec } from '../core/tool.js'

/**
 * What became of the text that a problem is about: `kept` as written, `moved` (it stands in the reading in another form or another place), or
 * `struck`.
 */
export type Fate = 'kept' | 'moved' | 'struck'

/** How far down the ladder an input had to go before it could be read. */
export type Rung = 'escapes' | 'JSON5' | 'repair' | 'lines' | 'text'

export interface ProblemEntry {
  /** What it is, a few words. */
  readonly title: string
  /** What is done and why, one paragraph. */
  readonly why: string
  /** A reply that raises it, with `EXAMPLE_TOOLS` registered. */
  readonly reply: string
  /** How that reply ended; default `stop`. */
  readonly finish?: Finish
  /** What the reader is told not to forgive; default nothing. */
  readonly strict?: readonly ProblemCode[]
  /** The file under fixtures/replies/, without its ending, that shows it too. */
  readonly fixture?: string
  /** Default `kept`. */
  readonly fate?: Fate
  readonly rung?: Rung
  /** What to do about it, in place of switching it off with `strict`. */
  readonly remedy?: string
}

/** An error, a failure of a call or the reason why a run ended. */
export interface NameEntry {
  readonly title: string
  readonly why: string
  readonly remedy: string
}

/** The tools of all examples. */
export const EXAMPLE_TOOLS: readonly ToolSpec[] = [
  {
    name: 'search',
    description: 'Searches the encyclopedia.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  {
    name: 'forecast',
    description: 'Weather of the next days.',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        days: { type: 'integer' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
      required: ['city', 'days'],
    },
  },
  { name: 'now', description: 'The time.', parameters: { type: 'object', properties: {} } },
  {
    name: 'delete_file',
    description: 'Deletes a file.',
    parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], additionalProperties: false },
    effect: 'changes',
  },
]

/** The same tools as people would note them down. */
export const EXAMPLE_SIGNATURES = [
  'search(query)',
  'forecast(city, days: integer, unit?: "celsius" | "fahrenheit")',
  'now()',
  'delete_file(path)',
] as const
