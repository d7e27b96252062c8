// A file of replies with the right reading of each → how many a reader gets right, refuses, or reads wrong without a word. Lines are JSON:
//   reply, tools: ["search(query, limit:int?)" or {name, parameters} …], finish?, labels?, ambiguous? (then it is left out),
//   expected: {type: "action", tool, args} | {type: "actions", calls: [{tool, args}]} | {type: "final", answer} | any other type: to be refused
import { readFileSync } from 'node:fs'
import { digits } from '../lib/figures.mjs'
import { judge } from '../lib/judge.mjs'
import { table } from '../lib/table.mjs'

export const jobs = {
  async read(reader, { file }) {
    const tally = { replies: 0, right: 0, refused: 0, wrong: 0 }
    for (const { reply, tools, finish, setup, expected } of casesOf(file)) {
      const ending = finish ?? setup?.finish ?? setup?.finish_reason
      const options = {
        tools: tools.map(toolFrom),
        ...(ending && { finish: ending }),
        ...(setup?.labels && { labels: setup.labels }),
      }
      const read = await attempt(reader, reader.translate(reply), options)
      tally[judge(read, wantedFrom(expected))] += 1
      tally.replies += 1
    }
    return tally
  },
}

export async function measure(crew, { file }) {
  const result = {}
  for (const id of crew.ids) result[id] = await crew.ask(id, 'read', { file })
  return result
}

export function report(result) {
  const rows = Object.entries(result).map(([id, { replies, right, refused, wrong, error }]) =>
    error ? [id, error] : [id, replies, right, refused, wrong, `${digits((100 * right) / replies)} %`],
  )
  return table('Recorded replies', [['reader', 'replies', 'right', 'refused', 'silently wrong', 'right'], ...rows])
}

export function goals({ saydo }) {
  return saydo ? [{ goal: 'recorded replies read wrong without a word: none', figure: saydo.wrong, met: saydo.wrong === 0 }] : []
}

function casesOf(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
  return lines
    .map(line => JSON.parse(line))
    .filter(({ expected, ambiguous }) => expected && expected.type !== 'behaviour' && !ambiguous)
}

async function attempt(reader, text, options) {
  try {
    return reader.decision(await reader.read(text, options))
  } catch {
    return {}
  }
}

function wantedFrom({ type, tool, args, calls, answer }) {
  if (type === 'final') return { answer: String(answer) }
  if (type === 'action') return { calls: [{ tool, input: args }] }
  return type === 'actions' ? { calls: calls.map(call => ({ tool: call.tool, input: call.args })) } : {}
}

const TYPES = { int: 'integer', float: 'number', bool: 'boolean', list: 'array' }

/** `name(a, b:int, c:list?, d:enum[x|y])` as a tool: a parameter is a required string unless it says otherwise. */
function toolFrom(signature) {
  if (typeof signature !== 'string') return { description: '', ...signature }
  const [, name, inside] = /^([^(]*)\((.*)\)$/s.exec(signature)
  const fields = inside
    .split(',')
    .map(field => field.trim())
    .filter(Boolean)
    .map(fieldFrom)
  const properties = Object.fromEntries(fields.map(({ key, schema }) => [key, schema]))
  const required = fields.filter(field => !field.optional).map(({ key }) => key)
  return { name, description: '', parameters: { type: 'object', properties, required } }
}

function fieldFrom(text) {
  const [name, type = 'string'] = text.split(':').map(part => part.trim())
  const plain = type.replace('?', '')
  const [, values] = /^enum\[(.*)\]$/.exec(plain) ?? []
  const schema = values === undefined ? { type: TYPES[plain] ?? plain } : { type: 'string', enum: values.split('|') }
  return { key: name.replace('?', ''), schema, optional: text.endsWith('?') }
}
