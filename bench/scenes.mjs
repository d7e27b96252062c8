// What a real model manages as each of the agents with a world of its own: three small tasks for each, with real servers, a real browser and a real
// sandbox, through the command line. Run after a build:
//   node bench/scenes.mjs --url http://127.0.0.1:8080 [--agents mcp,browser,swe,sandbox] [--tasks read,sum] [--api completions] [--model NAME]
//     [--steps 8] [--records DIR] [--no-examples] [--sandbox local]
// A task is done when its world says so (lib/scene-tasks). --records keeps each run, for `saydo trace`. Exit code: 0 when all was tried, 2 wrong usage.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { importSource } from './lib/import-source.mjs'
import { SCENE_TASKS, worldOf } from './lib/scene-tasks.mjs'
import { table } from './lib/table.mjs'

const MAX_TOKENS = 300
/** For one task, in seconds. */
const DEADLINE = 600
const root = fileURLToPath(new URL('..', import.meta.url))

const options = readOptions()
const { startSite } = await importSource('test/support/site.ts', {
  'import.meta.dirname': JSON.stringify(join(root, 'test/support')),
})
const results = []
for (const task of options.tasks) {
  const result = await tried(task)
  results.push(result)
  process.stderr.write(
    `${task.agent} ${task.id}: ${result.done ? 'done' : 'not done'} (${result.stop}) ${result.answer.slice(0, 100)}\n`,
  )
}
console.log(report())

async function tried(task) {
  const folder = mkdtempSync(join(tmpdir(), 'saydo-scene-'))
  const site = await startSite()
  try {
    for (const [name, text] of Object.entries(task.files ?? {})) writeFileSync(join(folder, name), text)
    const began = performance.now()
    const { answer = '', stop, steps } = await run(task, folder, site)
    const seconds = Math.round((performance.now() - began) / 1000)
    const done = task.done(worldOf({ answer, folder, asked: site.asked }))
    return { agent: task.agent, id: task.id, done, answer, stop, steps, seconds }
  } finally {
    await site.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(task, folder, site) {
  const record = join(folder, '..', `${task.agent}-${task.id.replace(' ', '-')}-${process.pid}.jsonl`)
  const given = [
    'run',
    task.task({ folder }),
    '--agent',
    task.agent,
    ...worldFlags(task, folder, site),
    ...modelFlags(),
    '--record',
    record,
  ]
  // an agent that ends without an answer ends the command with a code of its own, and its output all the same
  const ended = promisify(execFile)(process.execPath, [join(root, 'dist/cli.js'), ...given, '--json', '--quiet'], { cwd: folder })
  const { stdout, stderr } = await ended.catch(error => error)
  if (options.records) copyFileSync(record, join(options.records, `${task.agent}-${task.id.replace(' ', '-')}.jsonl`))
  rmSync(record, { force: true })
  try {
    const { answer, stop, reason, steps } = JSON.parse(stdout)
    return { answer, stop: reason ? `${stop} (${reason})` : stop, steps: steps.length }
  } catch {
    return { stop: `no result: ${stderr.trim().slice(0, 200)}`, steps: 0 }
  }
}

function worldFlags({ agent, servers, start }, folder, site) {
  if (agent === 'browser') return ['--start', `${site.url}${start}`, '--allow-host', site.host]
  if (agent !== 'mcp')
    return ['--workspace', folder, '--approve', 'all', ...(options.sandbox ? ['--sandbox', options.sandbox] : [])]
  const file = join(folder, 'mcp.json')
  writeFileSync(
    file,
    JSON.stringify({ mcpServers: Object.fromEntries(Object.entries(servers).map(server => serverOf(server, folder))) }),
  )
  return ['--mcp', file, '--approve', 'all']
}

function serverOf([name, [program, ...args]], folder) {
  const main = join(root, 'node_modules/@modelcontextprotocol', program, 'dist/index.js')
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.json') }
  return [name, { command: process.execPath, args: [main, ...args.map(path => resolve(folder, path))], env }]
}

function modelFlags() {
  const { url, model, api, steps, examples } = options
  const flags = ['--url', url, '--api', api, '--temperature', '0', '--seed', '1', '--max-tokens', String(MAX_TOKENS)]
  return [
    ...flags,
    ...['--max-steps', steps, '--deadline', String(DEADLINE)],
    ...(model ? ['--model', model] : []),
    ...(examples ? [] : ['--no-examples']),
  ]
}

function report() {
  const rows = [['agent', 'task', 'done', 'ended by', 'steps', 'seconds']]
  for (const { agent, id, done, stop, steps, seconds } of results)
    rows.push([agent, id, done ? 'yes' : 'no', stop, steps, seconds])
  return table(`agents with a world (${options.api})`, rows, 4)
}

function readOptions() {
  const text = { type: 'string' }
  try {
    const { values } = parseArgs({
      allowNegative: true,
      options: {
        ...{ url: text, agents: text, tasks: text, api: text, model: text, steps: text, records: text, sandbox: text },
        examples: { type: 'boolean' },
      },
    })
    const { url, agents, tasks, api = 'chat', steps = '8', examples = true } = values
    if (!url) throw new Error('--url is missing')
    const isWanted = (list, name) => list === undefined || list.split(',').includes(name)
    const chosen = SCENE_TASKS.filter(({ agent, id }) => isWanted(agents, agent) && isWanted(tasks, id))
    if (chosen.length === 0) throw new Error(`there are ${SCENE_TASKS.map(({ agent, id }) => `${agent} ${id}`).join(', ')}`)
    if (values.records) mkdirSync(values.records, { recursive: true })
    return { ...values, api, steps, examples, tasks: chosen }
  } catch (error) {
    console.error(error.message)
    process.exit(2)
  }
}
