// What a model writes when it goes round in circles, up to 256 KB of it → processor time of reading it, and how that grows.
import { cut, flat } from '../lib/corpus.mjs'
import { cpuMs, digits, exponent, median, predict } from '../lib/figures.mjs'
import { table } from '../lib/table.mjs'

const LENGTHS = [1_000, 4_000, 16_000, 64_000, 256_000]
const SAMPLE_MS = 10
/** How long to go on for a fifth sample. */
const PATIENCE_MS = 500
/** What saydo's stream reader makes of it, a column of its own. */
const IN_CHUNKS = 'saydo in chunks'
const CHUNK = 64

/** What the reply begins with, and what it goes on with for ever. */
const KINDS = {
  'unclosed string': [`Thought: I need data.\nAction: search\nAction Input: {"query": "`, 'ab {'],
  'plain text input': ['Thought: I need data.\nAction: search\nAction Input: ', 'the population of France and its regions '],
  'spaces after a label': ['Thought: I need data.\nAction', ' '],
  'labels on one line': ['Thought: I need data.\n', 'Action: search '],
  'thought lines': ['', 'Thought: hm\n'],
  'action lines': ['', 'Action: search\n'],
  'whole steps': ['', 'Thought: a\nAction: search\nAction Input: {"query": "x"}\nObservation: y\n'],
  'input labels on one line': ['Action: search Action Input: ', 'x Action Input: '],
  'observations on one line': ['Action: search\nAction Input: x', ' Observation: y'],
  'final answers': ['', 'Final Answer: 1\n'],
  'answers on one line': ['', 'Final Answer: 1 '],
  'open call tags': ['', '<tool_call>'],
  'open tool tags': ['', '<search>'],
  'open thinking tags': ['', '<think>'],
  'call objects': ['', '{"name": "search", "arguments": {"query": "x"}}\n'],
  'open braces': ['Action: search\nAction Input: ', '{'],
  'open keys': ['Action: search\nAction Input: ', '{"a":'],
  'open brackets': ['Action: search\nAction Input: {"query": ', '['],
  'open parentheses': ['Action: search', '('],
  'lone quotes': ['Action: search\nAction Input: {"query": "', '", '],
  backslashes: ['Action: search\nAction Input: {"query": "', '\\'],
  'trailing commas': ['Action: search\nAction Input: {"query": "x"', ','],
  'keys of one object': ['Action: search\nAction Input: {', '"query": "x", '],
  'lines of keys': ['Action: search\nAction Input:\n', 'query: x\n'],
  fences: ['', '```\n'],
  'fences in an input': ['Action: search\nAction Input: ', '```json\n{}\n'],
  backticks: ['Thought: ', '` '],
  stars: ['', '**'],
  'quoted lines': ['', '> '],
  'line breaks': ['Action: search\nAction Input: ', '\n'],
  colons: ['Action', ': '],
  'invisible characters': ['Act', '\u200b'],
  'Chinese labels': ['', '行动：search\n'],
  'special tokens': ['Final Answer: ', '<|im_end|>'],
}

export const jobs = {
  async sample(reader, { kind, length, inChunks }) {
    const [start, unit] = KINDS[kind]
    const text = flat(reader.translate(start + unit.repeat(length / unit.length)))
    const chunks = inChunks && cut(text, CHUNK)
    const times = []
    const began = performance.now()
    let spent
    do {
      const started = process.cpuUsage()
      await attempt(() => (chunks ? reader.feed(chunks) : reader.read(text)))
      times.push(cpuMs(started))
      spent = performance.now() - began
    } while (times.length < 50 && spent < (times.length < 5 ? PATIENCE_MS : SAMPLE_MS))
    return { ms: median(times) }
  },
}

export async function measure(crew, { capMs }) {
  const result = []
  for (const kind of Object.keys(KINDS)) {
    for (const id of crew.ids) {
      result.push({ id, kind, ...(await series(crew, id, kind, capMs, false)) })
      if (id === 'saydo') result.push({ id: IN_CHUNKS, kind, ...(await series(crew, id, kind, capMs, true)) })
    }
  }
  return result
}

export function report(result) {
  const ids = [...new Set(result.map(({ id }) => id))]
  const rows = [['256 KB of …', ...ids.flatMap(id => [id, '^'])]]
  for (const kind of Object.keys(KINDS)) {
    const cells = ids.flatMap(id => {
      const { points, beyond, growth, error } = result.find(each => each.id === id && each.kind === kind)
      if (error) return [error, '']
      return [beyond ? `~${digits(beyond.ms)}` : digits(points.at(-1)[1]), digits(growth)]
    })
    rows.push([kind, ...cells])
  }
  return table('Degenerate replies (processor ms at 256 KB and exponent; "~": foretold)', rows)
}

export function goals(result) {
  const own = result
    .filter(({ id }) => id === 'saydo')
    .map(({ kind, points }) => ({ kind, ms: points.at(-1)?.[1] ?? Number.NaN }))
  if (own.length === 0) return []
  const worst = own.reduce((a, b) => (b.ms > a.ms ? b : a))
  const figure = `${digits(worst.ms)} ms (${worst.kind})`
  return [{ goal: 'the worst degenerate reply of 256 KB: at most 10 ms', figure, met: worst.ms <= 10 }]
}

async function series(crew, id, kind, capMs, inChunks) {
  const points = []
  for (const length of LENGTHS) {
    const foretold = predict(points, length)
    if (foretold > capMs)
      return { points, growth: exponent(points.slice(-2)), beyond: { length: 256_000, ms: predict(points, 256_000) } }
    const { ms, error } = await crew.ask(id, 'sample', { kind, length, inChunks }, 10_000)
    if (error) return { points, growth: exponent(points.slice(-2)), error }
    points.push([length, ms])
  }
  return { points, growth: exponent(points.slice(-3)) }
}

async function attempt(read) {
  try {
    await read()
  } catch {
    // a refusal is fine; here only the time counts
  }
}
