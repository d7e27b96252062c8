// A run of 5, 20 and 100 steps against a local endpoint that answers at once → what the loop itself costs for each request: its time less that of
// sending the same bodies with bare fetch from the same process, right after it. And how much of each prompt is the beginning of the next one.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { events } from '../lib/events.mjs'
import { cpuMs, digits, median } from '../lib/figures.mjs'
import { answerOf } from '../lib/scenario.mjs'
import { table } from '../lib/table.mjs'
import { LOOP_IDS, openLoop } from '../loops/index.mjs'

export const ids = LOOP_IDS
export const open = openLoop

const STEPS = [5, 20, 100]
/** Runs that make up one sample: short ones are too short to time. */
const RUNS = { 5: 8, 20: 2, 100: 1 }
/** Until the code has been compiled for good: it takes some thousand requests, and before that it is the compiler which is timed. */
const WARM = { runs: 100, steps: 20 }

let count = 0

export const jobs = {
  async warm(loop, { port, stream }) {
    for (let i = 0; i < WARM.runs; i++) await both(loop, { port, stream, steps: WARM.steps })
    return {}
  },
  /** Times per request in ms: the run's, and those of bare fetch. */
  async sample(loop, { port, stream, steps }) {
    const sums = { wall: 0, cpu: 0, bareWall: 0, bareCpu: 0 }
    let right = true
    let prefix = 1
    for (let i = 0; i < RUNS[steps]; i++) {
      const one = await both(loop, { port, stream, steps })
      for (const key of Object.keys(sums)) sums[key] += one[key] / one.requests / RUNS[steps]
      right &&= one.right
      prefix = Math.min(prefix, one.prefix)
    }
    return { ...sums, right, prefix }
  },
}

async function both(loop, { port, stream, steps }) {
  const place = run => `http://127.0.0.1:${port}/${loop.form}/${steps}/${run}`
  const run = `${process.pid}-${count++}`
  const timed = await clock(() => loop.run({ baseURL: `${place(run)}/v1`, steps, stream }))
  const bodies = await (await fetch(place(run))).json()
  const bare = await clock(() => replay(place(`${run}-bare`), bodies, stream))
  await (await fetch(place(`${run}-bare`))).text()
  const { answer, calls } = timed.value
  return {
    wall: timed.wall,
    cpu: timed.cpu,
    bareWall: bare.wall,
    bareCpu: bare.cpu,
    requests: bodies.length,
    right: calls === steps && String(answer).includes(answerOf(steps)) && bodies.length === steps + 1,
    prefix: prefixShare(bodies),
  }
}

async function clock(work) {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const value = await work()
  return { value, wall: performance.now() - started, cpu: cpuMs(cpu) }
}

async function replay(place, bodies, stream) {
  let text = ''
  for (const body of bodies) {
    const response = await fetch(`${place}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
      body,
    })
    if (!stream) text = (await response.json()).choices[0].message.content
    else for await (const { choices } of events(response)) text += choices[0]?.delta?.content ?? ''
  }
  return text
}

/** The least share of a prompt that stands unchanged at the beginning of the next one, as a chat template would lay them out. */
function prefixShare(bodies) {
  const prompts = bodies.map(body =>
    JSON.parse(body)
      .messages.map(({ role, content }) => `<${role}>${textOf(content)}`)
      .join(''),
  )
  const shares = prompts.slice(1).map((next, i) => commonLength(prompts[i], next) / prompts[i].length)
  return Math.min(1, ...shares)
}

const textOf = content => (typeof content === 'string' ? content : content.map(({ text = '' }) => text).join(''))

function commonLength(a, b) {
  let at = 0
  while (at < a.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

export async function measure(crew, { rounds }) {
  const server = fork(fileURLToPath(new URL('../lib/loop-server.mjs', import.meta.url)))
  const { port } = await new Promise(resolve => server.once('message', resolve))
  const result = []
  for (const stream of [false, true]) {
    for (const id of crew.ids) await crew.ask(id, 'warm', { port, stream }, 300_000)
    for (const steps of STEPS) {
      const samples = Object.fromEntries(crew.ids.map(id => [id, []]))
      for (let round = 0; round < rounds; round++)
        for (const id of crew.ids) samples[id].push(await crew.ask(id, 'sample', { port, stream, steps }, 120_000))
      for (const id of crew.ids) result.push({ id, stream, steps, ...summary(samples[id]) })
    }
  }
  server.disconnect()
  return result
}

/** Medians; differences are taken within each sample, between what ran right after one another. */
function summary(samples) {
  const failed = samples.find(({ error }) => error)
  if (failed) return { error: failed.error }
  const of = figure => median(samples.map(figure))
  return {
    cpu: of(({ cpu }) => cpu),
    bareCpu: of(({ bareCpu }) => bareCpu),
    overCpu: of(({ cpu, bareCpu }) => cpu - bareCpu),
    overWall: of(({ wall, bareWall }) => wall - bareWall),
    prefix: Math.min(...samples.map(({ prefix }) => prefix)),
    right: samples.every(({ right }) => right),
  }
}

export function report(result) {
  const rows = [['replies', 'steps', 'loop', 'right', 'cpu ms', 'bare fetch', 'overhead cpu', 'overhead wall', 'prefix kept']]
  for (const { id, stream, steps, error, right, cpu, bareCpu, overCpu, overWall, prefix } of result) {
    const figures = error ? [error] : [right ? 'yes' : 'NO', ...[cpu, bareCpu, overCpu, overWall].map(digits), prefix.toFixed(3)]
    rows.push([stream ? 'streamed' : 'whole', steps, id, ...figures])
  }
  return table('Loops: ms for each request of a run ("overhead": beyond sending the same bodies with bare fetch)', rows, 3)
}

const MOST_MS = 0.6
const MOST_GROWTH = 1.5

export function goals(result) {
  const own = result.filter(({ id, error }) => id === 'saydo' && !error)
  const hard = own.map(({ stream, steps, overCpu }) => ({
    goal: `${steps} steps, ${stream ? 'streamed' : 'whole'}: at most ${MOST_MS} ms of overhead for each request`,
    figure: digits(overCpu),
    met: overCpu <= MOST_MS,
  }))
  const growth = [false, true].flatMap(stream => {
    const [short, long] = [5, 100].map(steps => own.find(one => one.stream === stream && one.steps === steps))
    if (!short || !long) return []
    const times = long.cpu / short.cpu
    const goal = `${stream ? 'streamed' : 'whole'}: a request of 100 steps costs at most ×${MOST_GROWTH} of one of 5`
    return [{ goal, figure: `×${digits(times)}`, met: times <= MOST_GROWTH }]
  })
  if (own.length === 0) return []
  const prefix = Math.min(...own.map(one => one.prefix))
  return [
    ...hard,
    ...growth,
    { goal: 'every prompt is the beginning of the next one', figure: prefix.toFixed(3), met: prefix === 1 },
  ]
}
