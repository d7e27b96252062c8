// A fixture ↔ the text of its file, `*.saydo.yaml`: YAML with every text of the run as a block of its own, exactly as it was. Texts that a block
// can't hold, or that an editor would change, stand in double quotes. yaml is loaded when it is needed.
import type { Scalar } from 'yaml'
import { SaydoError } from '../core/errors.js'
import { checkedValue, type Located, Misfit } from './check-fixture.js'
import { FIXTURE_VERSION, type Fixture, type FixtureStep, type FixtureTurn, isSame } from './fixture.js'
import { FIXTURE_SCHEMA, type Schema } from './fixture-schema.js'
import { located, TOO_DEEP } from './located.js'

type Yaml = typeof import('yaml')

/**
 * Throws `FIXTURE_INVALID` for what is no YAML or no fixture: the message has the line, the column and, in further lines, the place. Throws
 * `FIXTURE_VERSION` for a newer format.
 */
export async function readFixture(text: string, file: string): Promise<Fixture> {
  const yaml = await import('yaml')
  const document = yaml.parseDocument(text, { prettyErrors: false, schema: 'core' })
  const [fault] = document.errors
  if (fault) throw invalid(text, file, fault.pos[0], fault.pos[1], isOverflow(fault) ? TOO_DEEP : fault.message)
  if (document.contents === null) throw invalid(text, file, 0, 0, 'the file is empty', 'begin with "fixture: 1"')
  try {
    const tree = located(document, yaml)
    refuseNewer(tree, file)
    return checkedValue(tree, FIXTURE_SCHEMA, 'the file') as Fixture
  } catch (error) {
    if (error instanceof Misfit) throw invalid(text, file, error.at[0], error.at[1], error.message, error.hint)
    throw error
  }
}

export interface WriteOptions {
  /** The file that is written anew. What is the same in it stays as it was: comments on top, times, counts; all of it when nothing else changed. */
  readonly previous?: string
  /** Where editors find the schema, from the file's folder. */
  readonly schema?: string
}

/** Reading the text gives an equal fixture back. */
export async function writeFixture(fixture: Fixture, { previous, schema }: WriteOptions = {}): Promise<string> {
  const before = previous === undefined ? undefined : await readBefore(previous)
  const wanted = ordered(fixture, FIXTURE_SCHEMA) as Fixture
  if (previous !== undefined && before && isSameButFacts(before, wanted)) return previous
  const yaml = await import('yaml')
  const kept = before ? withFactsOf(wanted, before) : wanted
  const head =
    (previous === undefined ? undefined : commentsOn(previous)) ?? `# yaml-language-server: $schema=${schema ?? DEFAULT_SCHEMA}\n`
  const text = head + stringified(kept, yaml, false)
  // whatever a block can't hold after all
  return isSame(await readFixture(text, ''), ordered(kept, FIXTURE_SCHEMA)) ? text : head + stringified(kept, yaml, true)
}

/** A file that can't be read has nothing to keep. */
async function readBefore(text: string): Promise<Fixture | undefined> {
  try {
    return ordered(await readFixture(text, ''), FIXTURE_SCHEMA) as Fixture
  } catch {
    return undefined
  }
}

const DEFAULT_SCHEMA = './node_modules/saydo/schema/fixture.schema.json'

function commentsOn(text: string): string | undefined {
  return /^(?:#[^\n]*\n){1,1000}/.exec(text)?.[0]
}

function stringified(fixture: Fixture, yaml: Yaml, quoteAll: boolean): string {
  const document = new yaml.Document(ordered(fixture, FIXTURE_SCHEMA), { aliasDuplicateObjects: false })
  const style = (scalar: Scalar<string>, asBlock: boolean): void => {
    if (quoteAll || UNFIT.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
    else if (asBlock || scalar.value.includes('\n')) scalar.type = fitsBlock(scalar.value) ? 'BLOCK_LITERAL' : 'QUOTE_DOUBLE'
  }
  yaml.visit(document, {
    Pair(_, { key, value }, path) {
      const name = yaml.isScalar(key) ? key.value : undefined
      if (isText(value, yaml)) style(value, BLOCKS.has(name) && path.length > TOP)
      if (
        yaml.isCollection(value) &&
        (name === 'meta' || name === 'request' || (LINES.has(name) && fitsLine(value.toJS(document))))
      )
        value.flow = true
    },
    Seq(_, { items }) {
      for (const item of items) if (isText(item, yaml)) style(item, false)
    },
  })
  return document.toString({
    lineWidth: 0,
    blockQuote: 'literal',
    flowCollectionPadding: false,
    doubleQuotedMinMultiLineLength: ONE_LINE,
  })
}

/** A quoted text is never broken into lines: that would lose blanks. */
const ONE_LINE = Number.MAX_SAFE_INTEGER

/** Nodes above a key of the file itself: `model` is a name there. */
const TOP = 2

/** What a person reads as a text; a block even where it is one line. */
const BLOCKS: ReadonlySet<unknown> = new Set(['model', 'reasoning', 'result', 'observation', 'nudge', 'situation'])

/** Short facts, on a line of their own; `meta` always, since nobody reads it. */
const LINES: ReadonlySet<unknown> = new Set([
  'parsed',
  'problems',
  'error',
  'meta',
  'approval',
  'input',
  'parameters',
  'options',
  'request',
  'data',
  'value',
])

const LONGEST_LINE = 140

function fitsLine(value: unknown): boolean {
  const text = JSON.stringify(value)
  return !text.includes('\\n') && text.length <= LONGEST_LINE
}

// control characters, what some readers take for line breaks, halves of pairs
const UNFIT = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/u

/** A block holds it, and no editor changes it by taking blanks off the ends of its lines. */
function fitsBlock(text: string): boolean {
  return text.trim() !== '' && !UNFIT.test(text) && !/[ \t](?:\n|$)/.test(text)
}

function isText(node: unknown, yaml: Yaml): node is Scalar<string> {
  return yaml.isScalar(node) && typeof node.value === 'string'
}

/** The same with its keys in the order of the schema. */
function ordered(value: unknown, schema: Schema): unknown {
  const fitting = schema.anyOf?.find(({ type }) => type === (Array.isArray(value) ? 'array' : 'object')) ?? schema
  if (Array.isArray(value)) return fitting.items ? value.map(item => ordered(item, fitting.items ?? {})) : value
  if (typeof value !== 'object' || value === null || !fitting.properties) return value
  return Object.fromEntries(
    Object.entries(fitting.properties).flatMap(([key, child]) => {
      const item = (value as Record<string, unknown>)[key]
      return item === undefined ? [] : [[key, ordered(item, child)]]
    }),
  )
}

/** Turns and steps that are the same as before keep their times and counts. */
function withFactsOf(fixture: Fixture, before: Fixture): Fixture {
  return { ...fixture, turns: fixture.turns.map((turn, at) => keptTurn(turn, before.turns[at])) }
}

function keptTurn(turn: FixtureTurn, before: FixtureTurn | undefined): FixtureTurn {
  if (before && isSameButFacts(turn, before)) return before
  const kept = (step: FixtureStep, at: number): FixtureStep => {
    const known = before?.steps[at]
    return known && isSameButFacts(step, known) ? known : step
  }
  return { ...turn, steps: turn.steps.map(kept) }
}

function isSameButFacts<T>(a: T, b: T): boolean {
  const checked = (value: T): string => JSON.stringify(value, (key, item) => (key === 'meta' ? undefined : item))
  return checked(a) === checked(b)
}

function refuseNewer(tree: Located, file: string): void {
  const version = tree.kind === 'map' ? tree.entries.find(({ key }) => key === 'fixture')?.value : undefined
  const written = version?.kind === 'scalar' ? version.value : undefined
  if (typeof written === 'number' && written > FIXTURE_VERSION)
    throw new SaydoError(
      'FIXTURE_VERSION',
      `${file} is a fixture of format ${written}, and this saydo reads ${FIXTURE_VERSION}`,
      {
        hint: 'read it with a newer saydo',
      },
    )
  if (version && written !== FIXTURE_VERSION) throw new Misfit(version.at, `"fixture" must be ${FIXTURE_VERSION}`)
}

/** What yaml makes of a file that nests deeper than it can follow. */
function isOverflow({ message }: Error): boolean {
  return message.includes('call stack')
}

/** The first line says what and where, those after it show the place. */
function invalid(text: string, file: string, start: number, end: number, what: string, hint?: string): SaydoError {
  const before = text.slice(0, start)
  const line = before.split('\n').length
  const column = start - (before.lastIndexOf('\n') + 1)
  const whole = (text.split('\n')[line - 1] ?? '').replace(/\r$/, '')
  // of a line without end, what is around the place
  const from = column <= LONGEST_LINE ? 0 : column - LONGEST_LINE / 2
  const shown = whole.slice(from, from + LONGEST_LINE)
  const length = Math.max(1, Math.min(end - start, shown.length - (column - from)))
  const gutter = `${line} | `
  const caret = `${' '.repeat(gutter.length - 2)}| ${shown.slice(0, column - from).replace(/[^\t]/g, ' ')}${'^'.repeat(length)}`
  const said = what.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? what
  return new SaydoError(
    'FIXTURE_INVALID',
    `${file}:${line}:${column + 1}: ${said}\n${gutter}${shown}\n${caret}`,
    hint === undefined ? {} : { hint },
  )
}
