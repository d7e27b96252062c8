// How far a real model gets with saydo, and with a strict loop of fifty lines beside it: twenty small questions (lib/tasks), temperature 0, at most
// eight steps. Run after a build:
//   node bench/models.mjs --url http://127.0.0.1:8080 [--set test] [--engines saydo,strict] [--api completions] [--no-examples]
//     [--tasks A,B] [--model NAME] [--record DIR] [--jsonl]
// --set: `tune` (the default) or `test`. --api: `chat` (the default), `completions` or `auto`; the strict loop knows chat alone. --record writes
// saydo's runs to DIR, as `saydo fixtures convert` reads them. --jsonl prints each run, with every reply, instead of the table. Ten tasks take a
// model of 11 tokens a second some 3 minutes with each engine. Exit code: 0 when all was asked, 2 wrong usage, 3 no model.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openaiModel, ToolCallAgent } from '../dist/index.js'
import { importSource } from './lib/import-source.mjs'
import { strictRun } from './lib/strict-loop.mjs'
import { table } from './lib/table.mjs'
import { isRight, TASKS } from './lib/tasks/index.mjs'
import { toolsOf } from './lib/tasks/tools.mjs'

const MAX_STEPS = 8
const MAX_TOKENS = 300

const options = readOptions()
const { english } = await importSource('src/prompt/examples/en.ts')
const { chooseExamples } = await importSource('src/prompt/examples.ts')
const { describeTool } = await importSource('src/tools/describe.ts')
const model = openaiModel({
  baseURL: options.url,
  api: options.api,
  model: options.model,
  temperature: 0,
  seed: 1,
  maxTokens: MAX_TOKENS,
})
const ENGINES = { saydo: bySaydo, strict: byStrict }

const runs = []
try {
  for (const engine of options.engines) for (const task of options.tasks) note(await timed(task, engine))
} catch (error) {
  console.error(`${error.code ?? ''} ${error.message}`.trim())
  process.exitCode = 3
}
if (!options.jsonl && runs.length > 0) console.log(report())

async function timed(task, engine) {
  const began = performance.now()
  const { answer = '', log, stop = '' } = await ENGINES[engine](task, toolsOf(task.tools))
  const seconds = (performance.now() - began) / 1000
  const calls = log.flatMap(({ call }) => call ?? [])
  return {
    task: task.id,
    kind: task.kind,
    engine,
    right: answer !== '' && isRight(task, answer),
    answered: answer !== '',
    formatErrors: log.filter(({ bad }) => bad).length,
    repeated: calls.length - new Set(calls).size,
    replies: log.length,
    seconds: Math.round(seconds),
    stop,
    question: task.question,
    answer,
    log,
  }
}

async function bySaydo(task, tools) {
  const agent = new ToolCallAgent({ model, tools, maxSteps: MAX_STEPS, ...(options.examples ? {} : { examples: [] }) })
  const log = []
  const events = []
  let result
  for await (const event of agent.stream(task.question)) {
    events.push(event)
    if (event.type === 'reply_end') log.push({ reply: event.reply.text })
    if (event.type === 'parsed') Object.assign(log.at(-1), readingOf(event.parsed))
    if (event.type === 'call_end' || event.type === 'observation') log.at(-1).text = event.observation.text
    if (event.type === 'nudge') log.at(-1).nudge = event.text
    if (event.type === 'run_end') result = event.result
  }
  if (options.record)
    await writeFile(join(options.record, `${task.id}.jsonl`), events.map(event => `${JSON.stringify(event)}\n`).join(''))
  const { answer, stop, reason } = result
  return { answer, log, stop: reason ? `${stop} (${reason})` : stop }
}

function readingOf({ decision, problems }) {
  const codes = problems.map(({ code }) => code)
  if (decision.kind === 'act')
    return { call: decision.calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`).join(', '), codes }
  // a call of the wrong tool, or with the wrong input, was at least a call
  const bad = decision.kind === 'unclear' && !['UNKNOWN_TOOL', 'INVALID_INPUT'].includes(decision.problem.code)
  return { codes, bad }
}

function byStrict(task, tools) {
  return strictRun(task.question, {
    tools,
    examples: options.examples ? examplesThatFit(tools) : [],
    ask: askChat,
    maxSteps: MAX_STEPS,
  })
}

/** What saydo shows for these tools. */
function examplesThatFit(tools) {
  const { kept } = chooseExamples(english, tools.map(describeTool))
  return kept.some(({ steps }) => steps.length > 1) ? kept : []
}

async function askChat(messages) {
  const stop = ['\nObservation:', '\n Observation:']
  const body = { model: options.model ?? 'any', messages, stop, temperature: 0, seed: 1, max_tokens: MAX_TOKENS }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY ?? 'none'}` }
  const url = `${options.url.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/chat/completions`
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()).choices[0].message.content
}

function note(run) {
  runs.push(run)
  if (options.jsonl) console.log(JSON.stringify(run))
  else process.stderr.write(run.right ? '.' : 'x')
}

function report() {
  const rows = [['engine', 'tasks', 'right', 'answered', 'format errors', 'repeated calls', 'replies', 'seconds']]
  for (const engine of options.engines) {
    const own = runs.filter(run => run.engine === engine)
    const sum = key => own.reduce((total, run) => total + Number(run[key]), 0)
    rows.push([engine, own.length, ...['right', 'answered', 'formatErrors', 'repeated', 'replies', 'seconds'].map(sum)])
  }
  const examples = options.examples ? '' : ', no examples'
  return table(`${options.set} (${model.name}, ${options.api}${examples})`, rows)
}

function readOptions() {
  const text = { type: 'string' }
  try {
    const { values } = parseArgs({
      allowNegative: true,
      options: {
        url: text,
        set: text,
        engines: text,
        api: text,
        tasks: text,
        model: text,
        record: text,
        examples: { type: 'boolean' },
        jsonl: { type: 'boolean' },
      },
    })
    const { url, set = 'tune', engines = 'saydo', api = 'chat', examples = true } = values
    if (!url) throw new Error('--url is missing')
    if (!TASKS[set]) throw new Error(`--set ${set} is none of ${Object.keys(TASKS).join(', ')}`)
    const wanted = values.tasks?.split(',')
    const tasks = TASKS[set].filter(({ id }) => wanted?.includes(id) ?? true)
    if (tasks.length === 0) throw new Error(`--tasks: there are ${TASKS[set].map(({ id }) => id).join(', ')}`)
    const named = engines.split(',')
    const unknown = named.filter(each => !(each in { saydo: 1, strict: 1 }))
    if (unknown.length > 0) throw new Error(`--engines: ${unknown.join(', ')} is none of saydo, strict`)
    return { ...values, set, engines: named, api, examples, tasks }
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}
