// How long it takes to replay a recorded run of 1,000 steps from its file, without a model: node bench/replay.mjs [--steps 1000] [--json]. Needs a build.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { replayRun } from '../dist/testing.js'

const { values } = parseArgs({
  options: { steps: { type: 'string', default: '1000' }, json: { type: 'boolean', default: false } },
})
const steps = Number(values.steps)
const step = at =>
  `      - {model: "Thought: I look at page ${at}.\\nAction: page\\nAction Input: {\\"number\\": ${at}}", parsed: {tool: page, input: {number: ${at}}}, tool: {result: text of page ${at}}}`
const file = join(mkdtempSync(join(tmpdir(), 'saydo-replay-')), 'long.saydo.yaml')
writeFileSync(
  file,
  [
    'fixture: 1',
    'tools:',
    '  - {name: page, description: A page., parameters: {type: object, properties: {number: {type: integer}}, required: [number]}}',
    `options: {maxSteps: ${steps + 1}}`,
    'turns:',
    '  - user: What do the pages say?',
    '    steps:',
    ...Array.from({ length: steps }, (_, at) => step(at + 1)),
    '      - model: "Final Answer: a lot"',
    '    ends: final_answer',
    '',
  ].join('\n'),
)
const started = performance.now()
const [run] = await replayRun(file, { mode: 'replay' })
const seconds = (performance.now() - started) / 1000
const figures = { steps: run.steps.length, seconds: Number(seconds.toFixed(3)) }
console.log(values.json ? JSON.stringify(figures) : `${figures.steps} steps replayed in ${figures.seconds} s`)
process.exit(run.steps.length === steps + 1 ? 0 : 1)
