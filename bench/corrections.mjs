// Does a correction help? For each way in which a reply can be unreadable: an agent on the bundled world gets such a reply, tells a real model
// what was wrong, and the model's next reply is read. Counted is how often that one is right: a call of a registered tool with a valid input,
// or an answer. With --texts the same is done with another wording, side by side, in turns. Run after a build:
//   node bench/corrections.mjs --url http://127.0.0.1:8080 [--texts FILE.hbs] [--codes A,B] [--tasks 3] [--model NAME] [--api chat] [--lang en] [--jsonl]
// FILE.hbs holds {{#*inline "CODE"}} blocks like those of prompts/texts/en.hbs, only the ones that differ. --jsonl prints each trial instead of the table.
// Three tasks take a model of 11 tokens a second some 4 minutes for each wording. Exit code: 0 when all was asked, 2 wrong usage, 3 no model.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadTemplate, openaiModel, ToolCallAgent } from '../dist/index.js'
import { scriptedModel } from '../dist/testing.js'
import { BAD_REPLIES } from './lib/bad-replies.mjs'
import { importSource } from './lib/import-source.mjs'
import { table } from './lib/table.mjs'

const options = readOptions()
const { createWorldTools, WORLD_TASKS } = await importSource('src/toolsets/worlds/index.ts')
const model = openaiModel({ baseURL: options.url, api: options.api, model: options.model, temperature: 0, maxTokens: 200 })
const wordings = await loadWordings()
const tasks = WORLD_TASKS.slice(0, options.tasks)

const trials = []
try {
  for (const bad of BAD_REPLIES.filter(({ code }) => options.codes.includes(code)))
    for (const task of tasks) for (const wording of wordings) note(await attempt(bad, task, wording))
} catch (error) {
  console.error(`${error.code ?? ''} ${error.message}`.trim())
  process.exitCode = 3
}
if (!options.jsonl && trials.length > 0) console.log(report())

/** One run up to the first reply of the real model. */
async function attempt({ code, finish = 'stop', late = false, guarded = false, write }, task, { name, template }) {
  const [first] = task.path
  const before = late ? task.path.map(stepOf) : []
  const script = scriptedModel([...before, { text: write(first.text, task.answer), finish }])
  const tools = createWorldTools().map(each => (guarded ? { ...each, effect: 'changes' } : each))
  const agent = new ToolCallAgent({ model: firstThen(script, model), tools, template, language: template.language })
  const trial = { code, task: task.id, wording: name, correction: '', reply: '', read: 'none', right: false }
  let reply = 0
  for await (const event of agent.stream(task.question)) {
    if (event.type === 'prompt') trial.correction = event.add.at(-1)?.text ?? ''
    if (event.type === 'reply_end') trial.reply = event.reply.text
    if (event.type === 'parsed') {
      const { decision } = event.parsed
      reply += 1
      if (reply === before.length + 1) expectCode(decision, code)
      if (reply <= before.length + 1) continue
      trial.read = decision.kind === 'unclear' ? decision.problem.code : decision.kind
      if (decision.kind === 'act') continue
      return { ...trial, right: decision.kind === 'answer' }
    }
    if (reply > before.length + 1 && event.type === 'call_end') {
      const { failure } = event.observation
      return failure?.code === 'invalid_input' ? { ...trial, read: 'INVALID_INPUT' } : { ...trial, right: true }
    }
  }
  return trial
}

/** A model that plays the script to its end and then lets the real one speak. */
function firstThen(script, real) {
  return { name: real.name, stream: (prompt, asked) => (script.left > 0 ? script : real).stream(prompt, asked) }
}

function stepOf({ tool, text }) {
  const key = tool === 'search' ? 'query' : 'term'
  return `Thought: I should look up ${text}.\nAction: ${tool}\nAction Input: {"${key}": "${text}"}`
}

/** The reader moves on; a bad reply that it now understands measures nothing. */
function expectCode(decision, code) {
  const read = decision.kind === 'unclear' ? decision.problem.code : decision.kind
  if (read !== code)
    throw new Error(`the bad reply for ${code} is now read as ${read}: write another in bench/lib/bad-replies.mjs`)
}

function note(trial) {
  trials.push(trial)
  if (options.jsonl) console.log(JSON.stringify(trial))
  else process.stderr.write(trial.right ? '.' : 'x')
}

function report() {
  const rows = [['code', 'n', ...wordings.flatMap(({ name }) => [`right with ${name}`, 'of them calls', 'same fault again'])]]
  for (const code of [...options.codes, 'all']) {
    const those = trials.filter(trial => code === 'all' || trial.code === code)
    const cells = wordings.flatMap(({ name }) => {
      const own = those.filter(trial => trial.wording === name)
      const count = holds => own.filter(holds).length
      return [count(t => t.right), count(t => t.right && t.read === 'act'), count(t => t.read === t.code)]
    })
    if (those.length > 0) rows.push([code, those.filter(trial => trial.wording === wordings[0].name).length, ...cells])
  }
  return table(
    `The next reply after a correction (${model.name}; A: the bundled wording${options.texts ? `, B: ${options.texts}` : ''})`,
    rows,
  )
}

async function loadWordings() {
  const path = fileURLToPath(new URL(`../prompts/${options.lang === 'en' ? '' : `${options.lang}/`}react.hbs`, import.meta.url))
  const bundled = { name: 'A', template: await loadTemplate(path) }
  if (!options.texts) return [bundled]
  const texts = { name: options.texts, source: await readFile(options.texts, 'utf8') }
  return [bundled, { name: 'B', template: await loadTemplate(path, { texts }) }]
}

function readOptions() {
  const text = { type: 'string' }
  const known = BAD_REPLIES.map(({ code }) => code)
  try {
    const { values } = parseArgs({
      options: {
        url: text,
        texts: text,
        codes: text,
        tasks: text,
        model: text,
        api: text,
        lang: text,
        jsonl: { type: 'boolean' },
      },
    })
    const { url, codes = known.join(','), tasks = '3', lang = 'en', api = 'auto' } = values
    if (!url) throw new Error('--url is missing')
    const unknown = codes.split(',').filter(code => !known.includes(code))
    if (unknown.length > 0) throw new Error(`no bad reply for ${unknown.join(', ')}; there are ${known.join(', ')}`)
    if (!(Number(tasks) >= 1)) throw new Error(`--tasks ${tasks} is no number of tasks`)
    return { ...values, codes: codes.split(','), tasks: Number(tasks), lang, api }
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}
