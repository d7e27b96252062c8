// What a model writes when it goes round in circles, and what a hostile page makes it write: twice as much of it may take little more than twice
// as long, read whole and in small chunks. Prints the time at 256 KB and the growth for each. Run after a build:
//   node bench/linear.mjs [--only NAME,NAME] [--rounds 5]
// Exit code: 0 all grow linearly, 1 one does not, 2 wrong usage.
import { parseArgs } from 'node:util'
import { createReplyParser, parseReply } from '../dist/index.js'
import { cpuMs, median } from './lib/figures.mjs'
import { table } from './lib/table.mjs'

const LIMIT = 2.3
const LONG = 256 * 1024
/** How many short texts are as much as the long one. */
const SHARE = 4
const ATTEMPTS = 8
/** A sample is to take at least this long, so that the clock can tell. */
const SAMPLE_MS = 8

const input = start => `Thought: I need data.\nAction: search\nAction Input: ${start}`
const tools = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
]

/** How each text begins, what it repeats, and how it ends. */
const TEXTS = {
  'spaces behind a label': ['Action:', ' ', 'x'],
  'spaces behind a name': ['Thought: a\nAction: search', ' '],
  'spaces without an end': ['', ' '],
  'labels off their colon': ['', 'Action :\n'],
  'thought and action lines': ['', 'Thought: x\nAction: y\n'],
  'line breaks within a label': ['Action', '\n', ':\t0Input:x'],
  'tabs behind a label': ['Action:', '\t', '0Input:'],
  'open fences': ['', '```json\n'],
  'no line break': ['Thought: ', 'so it goes '],
  'no line break, wide': ['Thought: ', '我们需要'],
  'openers of reasoning': ['', '<think>'],
  'closers of reasoning': ['', '</think>'],
  'an input without braces': [input(''), 'population of France and its regions '],
  'an input with open braces': [input('{"query": "'), 'ab {'],
  'actions in one line': ['Thought: I need data.\n', 'Action: search '],
  'thoughts without an end': ['', 'Thought: hm\n'],
  'call tags': ['', '<tool_call>'],
  'tags of a tool': ['', '<search>'],
  'answer tags': ['', '<answer>'],
  'tags in an answer': ['Final Answer: ', '<tool_response>\n'],
  'quotes in a string': [input('{"a":"'), 'x" '],
  'quotes before commas': [input('{"query": "a'), '",'],
  'brackets in an input': [input(''), '['],
  'objects in objects': [input(''), '{"a":'],
  'round brackets': ['Action: search(', '('],
  'brackets alone': ['', '['],
  quotes: [input(''), '"'],
  apostrophes: [input('{"query": '), "'a "],
  colons: ['Thought: ', ':'],
  'wide colons': ['Thought: ', '：'],
  'one label again and again': ['Thought: ', '思考：'],
  backticks: ['Thought: ', '`'],
  asterisks: ['Thought: ', '**'],
  underscores: ['Thought: ', '_'],
  'angle brackets': ['Thought: x ', '<'],
  'Finish without an end': ['', 'Finish['],
  'finishing lines': ['', 'Finish[x]\n'],
  'calls in brackets': ['Action: ', 'search[a], '],
  'observations in mid-line': [input('{"query": "x"} '), 'Observation: '],
  'observation lines': [input('x\n'), 'Observation\n'],
  'turns in an answer': ['Final Answer: x', '. Question: y', '\nThought: z'],
  'answers after answers': ['', 'Final Answer: a\nThought: b\nAction: c\n'],
  'calls after an answer': ['Final Answer: x\n', '<tool_call>{"name":"x"}</tool_call>\n'],
  'objects after an answer': ['Final Answer: x\n', '{"action":"x"}\n'],
  'call objects': ['', '{"action":"search","action_input":"a"}\n'],
  'lines that close': [input('{"query": "x",\n'), '"a": [1],\n'],
  'pairs of keys and values': [input(''), 'query: a, '],
  'the same key': [input('{'), '"k": 1, '],
  'bad escapes': [input('{"query":"'), '\\d'],
  'open comments': ['', '<!--'],
  'special tokens': ['', '<|im_end|>'],
  'begun tokens': ['Final Answer: ', '<|im'],
  'bulleted labels': ['', '- Action: x\n'],
  'blank lines': ['Thought: x', '\n'],
  'carriage returns': ['Thought: x', '\r'],
  'line separators': ['Thought: x', '\u2028'],
  'words like labels': ['Thought: ', 'Act '],
  'labels all but their colon': ['Final Answer: ', 'Observation '],
  'steps in fences': ['', '```\nThought: x\n```\n'],
  'fences in an input': [input(''), '```\n'],
  'look-alikes': ['', 'Оbservation: x\n'],
  'combining marks': ['Thought: ', 'e\u0301'],
  surrogates: ['Thought: ', '😀'],
}

const { only, rounds } = readOptions()
const rows = [['text', 'whole', 'growth', 'by 3', 'growth', 'by 64', 'growth']]
const ways = [0, 3, 64]
let worst = 0
let slowest = ['', 0]
for (const name of only) {
  const row = [name]
  for (const chunk of ways) {
    const { ms, growth } = measure(TEXTS[name], chunk)
    row.push(`${ms.toFixed(1)} ms`, growth.toFixed(2) + (growth > LIMIT ? ' !' : ''))
    worst = Math.max(worst, growth)
    if (chunk === 0 && ms > slowest[1]) slowest = [name, ms]
  }
  rows.push(row)
}
console.log(table('256 KB of one thing, and the growth when there is twice as much', rows, 1))
console.log(`\nworst growth ${worst.toFixed(2)}, limit ${LIMIT}; slowest whole: ${slowest[0]}, ${slowest[1].toFixed(1)} ms`)
process.exitCode = worst > LIMIT ? 1 : 0

/**
 * The time for the long text, and the growth for each doubling from the short ones to it: the same amount of text, once in short texts and once in one
 * long one, right behind one another, so that a busy moment hits both. What seems to grow too fast is measured further: the median then tells chance
 * from growth.
 */
function measure(parts, chunk) {
  const short = cut(textOf(parts, LONG / SHARE), chunk)
  const long = cut(textOf(parts, LONG), chunk)
  const runs = runsFor(long)
  const ratios = []
  let ms = Number.POSITIVE_INFINITY
  let growth = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && growth > LIMIT; attempt++) {
    for (let round = 0; round < rounds; round++) {
      const apart = timed(short, runs * SHARE)
      const together = timed(long, runs)
      ratios.push(together / apart)
      ms = Math.min(ms, together / runs)
    }
    growth = 2 * median(ratios) ** (1 / Math.log2(SHARE))
  }
  return { ms, growth }
}

/** How often the clock needs it read; the first reading, which also has the code compiled, tells. */
function runsFor(pieces) {
  timed(pieces, 1)
  return Math.max(1, Math.ceil(SAMPLE_MS / timed(pieces, 1)))
}

/** Processor time of some readings, in milliseconds. */
function timed(pieces, runs) {
  const started = process.cpuUsage()
  for (let run = 0; run < runs; run++) read(pieces)
  return cpuMs(started)
}

function read(pieces) {
  if (pieces.length === 1) return parseReply(pieces[0], { tools })
  const parser = createReplyParser({ tools })
  // to the end, even when it is done: a reader may be fed by somebody who does not ask
  for (const piece of pieces) parser.push(piece)
  return parser.end()
}

function textOf([start, repeated, end = ''], size) {
  return Buffer.from(start + repeated.repeat(Math.ceil(size / repeated.length)) + end).toString()
}

function cut(text, chunk) {
  if (chunk === 0) return [text]
  const pieces = []
  for (let at = 0; at < text.length; at += chunk) pieces.push(text.slice(at, at + chunk))
  return pieces
}

function readOptions() {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, rounds: { type: 'string', default: '5' } } })
    const only = values.only?.split(',') ?? Object.keys(TEXTS)
    const unknown = only.find(name => TEXTS[name] === undefined)
    const rounds = Number(values.rounds)
    if (unknown !== undefined || !(rounds >= 1))
      throw new Error(unknown === undefined ? '--rounds: a number' : `no text "${unknown}"`)
    return { only, rounds }
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}
