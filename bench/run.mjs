// Measures saydo beside its peers, prints a table for each measure, and then which goals are met. Run after a build:
//   node bench/run.mjs [--only parse,stream,hostile,memory,loop,size] [--readers saydo,beeai] [--against DIR] [--replies FILE.jsonl] [--quick] [--json]
// Exit code: 0 all goals met, 1 one is missed, 2 wrong usage. README.md says how to read it.
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { openCrew } from './lib/crew.mjs'
import { LOOP_IDS } from './loops/index.mjs'
import { READER_IDS } from './readers/index.mjs'

const MEASURES = ['parse', 'stream', 'hostile', 'memory', 'loop', 'size', 'replies']

const options = readOptions()
const results = {}
const goals = []
const versions = {}
const missing = {}

for (const name of options.measures) {
  const { measure, report, goals: judged, execArgv, ids } = await import(`./measures/${name}.mjs`)
  // a measure of something else than readers says of what
  const crew = await openCrew(ids ? ids.filter(options.wants) : options.readers, name, execArgv)
  Object.assign(versions, crew.versions)
  Object.assign(missing, crew.missing)
  if (crew.ids.length === 0) fail(`no reader could be loaded: ${JSON.stringify(crew.missing)}`)
  results[name] = await measure(crew, options)
  crew.close()
  goals.push(...judged(results[name]))
  if (!options.json) console.log(report(results[name]))
}

const machine = `node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`
if (options.json) console.log(JSON.stringify({ machine, versions, missing, results, goals }))
else {
  if (goals.length > 0)
    console.log(`\nGoals\n${goals.map(({ goal, figure, met }) => `${met ? 'met   ' : 'MISSED'}  ${goal}: ${figure}`).join('\n')}`)
  console.log(`\n${machine}\n${Object.values(versions).join(' · ')}`)
  for (const [id, reason] of Object.entries(missing)) console.log(`left out: ${id} (${reason})`)
}
process.exitCode = goals.every(({ met }) => met) ? 0 : 1

function readOptions() {
  const { values } = parse()
  const file = values.replies
  const measures = values.only?.split(',') ?? MEASURES.filter(name => name !== 'replies' || file)
  const known = [...new Set([...READER_IDS, ...LOOP_IDS])]
  const wanted = values.readers?.split(',') ?? known
  const unknown = [...measures.filter(name => !MEASURES.includes(name)), ...wanted.filter(id => !known.includes(id))]
  if (unknown.length > 0) fail(`unknown: ${unknown.join(', ')}. Measures: ${MEASURES.join(', ')}. Readers: ${known.join(', ')}.`)
  const readers = READER_IDS.filter(id => wanted.includes(id))
  if (measures.includes('replies') && !file) fail('--only replies needs --replies FILE.jsonl')
  const others = values.against ? [`saydo:${values.against}`] : []
  return {
    measures,
    readers: [...readers, ...others],
    wants: id => wanted.includes(id),
    file,
    json: values.json ?? false,
    rounds: values.quick ? 3 : 9,
    capMs: values.quick ? 300 : 1500,
  }
}

function parse() {
  const text = { type: 'string' }
  const flag = { type: 'boolean' }
  try {
    return parseArgs({ options: { only: text, readers: text, against: text, replies: text, quick: flag, json: flag } })
  } catch (error) {
    return fail(error.message)
  }
}

function fail(message) {
  console.error(message)
  process.exit(2)
}
