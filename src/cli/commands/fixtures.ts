// `saydo fixtures convert`: a recorded run as a file that people read, edit and commit, and back.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import type { Command, Io, Verdict } from '../command.js'
import { recordPath } from '../run-files.js'
import { whyUnread } from '../why-unread.js'

const YAML = /\.ya?ml$/
const ENDING = '.saydo.yaml'

export const fixtures: Command = {
  name: 'fixtures',
  summary: 'turn a recorded run into a file that people read and edit, and back',
  positional: '[action] [files...]',
  options: [],
  examples: [
    'saydo fixtures convert m5x fixtures/runs/rivers.saydo.yaml',
    'saydo fixtures convert rivers.saydo.yaml rivers.jsonl',
  ],
  async run({ args, io }) {
    const [action, from, to, ...more] = args
    if (action !== 'convert')
      throw new SaydoError('CONFIG', action === undefined ? 'say what to do' : `saydo fixtures does not know '${action}'`, {
        hint: USAGE,
      })
    if (from === undefined || to === undefined || more.length > 0)
      throw new SaydoError('CONFIG', 'a file to read and one to write are wanted', { hint: USAGE })
    if (YAML.test(from) === YAML.test(to))
      throw new SaydoError('CONFIG', `one of ${from} and ${to} must be a fixture (.saydo.yaml), the other a record (.jsonl)`, {
        hint: USAGE,
      })
    return YAML.test(to) ? toFixture(from, to, io) : toRecord(from, to, io)
  },
}

const USAGE = `saydo fixtures convert ID|FILE.jsonl NAME${ENDING}, or the other way round`

async function toFixture(from: string, to: string, io: Io): Promise<Verdict> {
  const [{ readJournal }, { transcriptOf }, { fixtureOf }, { writeFixture }, { createMask, secretsIn }] = await Promise.all([
    import('../../transcript/read-journal.js'),
    import('../../transcript/transcript.js'),
    import('../../transcript/to-fixture.js'),
    import('../../transcript/fixture-file.js'),
    import('../../transcript/secrets.js'),
  ])
  const { events, torn } = readJournal(recordPath(from, io.cwd))
  // what saydo run --jsonl printed was never masked
  const transcript = transcriptOf(events.map(createMask(secretsIn(io.env))))
  const path = resolve(io.cwd, to)
  const previous = existsSync(path) ? readText(path, to) : undefined
  const text = await writeFixture(fixtureOf(transcript, basename(to).replace(/(?:\.saydo)?\.ya?ml$/, '')), {
    schema: schemaFor(path, io.cwd),
    ...(previous === undefined ? {} : { previous }),
  })
  if (text === previous) return { code: 0, line: `${to} says all of that already` }
  writeWhole(path, to, text)
  const left = torn > 0 ? '; the torn end of the record is left out' : ''
  const end = transcript.result ? `, ${transcript.result.stop}` : ', not finished'
  return { code: 0, line: `wrote ${to}: ${transcript.turns.length} replies${end}${left}` }
}

async function toRecord(from: string, to: string, io: Io): Promise<Verdict> {
  const [{ readFixture }, { eventsOf }, { openJournal }, { dialectByName }] = await Promise.all([
    import('../../transcript/fixture-file.js'),
    import('../../transcript/from-fixture.js'),
    import('../../transcript/journal.js'),
    import('../../dialect/index.js'),
  ])
  const fixture = await readFixture(readText(resolve(io.cwd, from), from), from)
  const dialect = dialectByName(fixture.dialect ?? 'react')
  const { labels, strict } = fixture.options ?? {}
  const events = eventsOf(fixture, ({ text, finish }, tools) => {
    const parser = dialect.createParser({
      ...(tools ? { tools } : {}),
      ...(typeof labels === 'string' ? { labels } : {}),
      ...(Array.isArray(strict) ? { strict } : {}),
    })
    parser.push(text)
    const { deltas: _, ...parsed } = parser.end(finish)
    return parsed
  })
  const journal = openJournal(resolve(io.cwd, to), { env: io.env })
  try {
    for (const event of events) journal.onEvent(event)
  } finally {
    journal.close()
  }
  return { code: 0, line: `wrote ${to}: ${events.length} events; prompts are no part of a fixture` }
}

function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new SaydoError('CONFIG', `cannot read ${name}: ${whyUnread(cause)}`, { cause })
  }
}

/** Never half of it: the old file stays until the new one is whole. */
function writeWhole(path: string, name: string, text: string): void {
  const draft = join(dirname(path), `.${basename(path)}.new`)
  try {
    writeFileSync(draft, text)
    renameSync(draft, path)
  } catch (cause) {
    throw new SaydoError('CONFIG', `cannot write ${name}: ${(cause as Error).message}`, {
      hint: 'name a file in a folder that is there',
      cause,
    })
  }
}

/** Where an editor finds the schema from the fixture's folder: in the installed package, or in a clone of saydo itself. */
function schemaFor(path: string, cwd: string): string {
  const places = [join('node_modules', 'saydo'), '.'].map(root => join(cwd, root, 'schema', 'fixture.schema.json'))
  const place = places.find(existsSync) ?? places[0] ?? ''
  const way = relative(dirname(path), place).split(sep).join('/')
  return way.startsWith('.') ? way : `./${way}`
}
