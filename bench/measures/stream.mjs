// One long reply in chunks of 1, 4 or 64 characters → processor time by length, and how it grows. A reader that takes whole texts only is fed all
// the text so far with each chunk: whoever wants to show a reply while it comes has no other way with it.
import { bulkyReply, cut, flat } from '../lib/corpus.mjs'
import { digits, exponent, median, predict, timed } from '../lib/figures.mjs'
import { judge } from '../lib/judge.mjs'
import { table } from '../lib/table.mjs'

const SHAPES = ['thought', 'prose', 'input']
const CHUNKS = [1, 4, 64]
const LENGTHS = [1_000, 10_000, 100_000, 1_000_000]
/** A sample is repeated until it took this long, so that the clock can tell. */
const SAMPLE_MS = 15
const WARM_MS = 2000
let cached = { key: '' }

export const jobs = {
  async warm(reader) {
    const pieces = [600, 6000].flatMap(length =>
      SHAPES.flatMap(shape => CHUNKS.map(chunk => cut(flat(reader.write(bulkyReply(shape, length))), chunk))),
    )
    await timed(WARM_MS, async () => {
      for (const chunks of pieces) await reader.feed(chunks)
    })
    return {}
  },
  async sample(reader, { shape, chunk, length }) {
    const { chunks, wanted, bulk } = replyFor(reader, shape, chunk, length)
    let read
    const ms = await timed(SAMPLE_MS, async () => {
      read = await reader.feed(chunks)
    })
    return {
      ms,
      live: read?.live === undefined ? undefined : Math.min(1, read.live / bulk),
      verdict: read === undefined ? 'refused' : judge(reader.decision(read), wanted),
    }
  },
}

export async function measure(crew, { capMs, rounds }) {
  for (const id of crew.ids) await crew.ask(id, 'warm')
  const result = []
  for (const shape of SHAPES) for (const chunk of CHUNKS) result.push(...(await series(crew, shape, chunk, { capMs, rounds })))
  return result
}

export function report(result) {
  const rows = [['reader', 'long part', 'chunk', ...LENGTHS.map(length => `${length / 1000} KB`), 'exponent', 'live', '']]
  for (const { id, shape, chunk, points, beyond, growth, live, verdict } of result) {
    const cells = LENGTHS.map((length, i) =>
      points[i] ? digits(points[i][1]) : beyond?.length === length ? `~${digits(beyond.ms)}` : '–',
    )
    rows.push([
      id,
      shape,
      chunk,
      ...cells,
      digits(growth),
      live === undefined ? '' : percent(live),
      verdict === 'right' ? '' : verdict,
    ])
  }
  const title =
    'A reply in chunks (processor ms; "~": not run, foretold from the growth so far; live: how much of it is given out before the end)'
  return table(title, rows, 2)
}

export function goals(result) {
  const own = result.filter(({ id, chunk }) => id === 'saydo' && chunk === 4)
  if (own.length === 0) return []
  const at = (shape, length) => own.find(each => each.shape === shape).points.find(([size]) => size === length)?.[1]
  const quiet = own.reduce((a, b) => (b.live < a.live ? b : a))
  const { growth } = own.find(({ shape }) => shape === 'input')
  const within = (shape, length, ms, what) => {
    const taken = at(shape, length)
    return { goal: `${what} in 4-character chunks: at most ${ms} ms`, figure: `${digits(taken)} ms`, met: taken <= ms }
  }
  return [
    within('thought', 1_000_000, 20, '1 MB of thought'),
    within('prose', 1_000_000, 20, '1 MB of thought in bare prose'),
    within('input', 100_000, 10, '100 KB of input'),
    { goal: '… and growing by an exponent of at most 1.1', figure: digits(growth), met: growth <= 1.1 },
    {
      goal: 'given out before the end: at least 99 %',
      figure: `${percent(quiet.live)} (${quiet.shape})`,
      met: quiet.live >= 0.99,
    },
  ]
}

async function series(crew, shape, chunk, { capMs, rounds }) {
  const all = crew.ids.map(id => ({ id, shape, chunk, points: [], verdict: 'right' }))
  for (const length of LENGTHS) {
    const running = all.filter(each => !each.beyond && !each.error)
    for (const each of running) {
      const ms = predict(each.points, length)
      if (ms > capMs) each.beyond = { length, ms }
    }
    await samples(
      crew,
      running.filter(each => !each.beyond),
      length,
      rounds,
    )
  }
  return all.map(each => ({ ...each, growth: exponent(each.points.slice(-3)) }))
}

/** The readers take turns; one that is slow has fewer of them. */
async function samples(crew, running, length, rounds) {
  const times = new Map(running.map(each => [each, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [each, list] of times) {
      if (each.error || (list.length > 0 && list[0] * list.length > 500)) continue
      const { ms, live, verdict, error } = await crew.ask(each.id, 'sample', { shape: each.shape, chunk: each.chunk, length })
      if (error) each.error = error
      else list.push(ms)
      if (live !== undefined) each.live = live
      if (each.verdict === 'right' && verdict !== 'right') each.verdict = error ?? `${verdict} at ${length / 1000} KB`
    }
  }
  for (const [each, list] of times) if (list.length > 0) each.points.push([length, median(list)])
}

function replyFor(reader, shape, chunk, length) {
  const key = `${shape} ${chunk} ${length}`
  if (cached.key !== key) {
    const { thought, tool, input } = bulkyReply(shape, length)
    const chunks = cut(flat(reader.write({ thought, tool, input })), chunk)
    cached = { key, chunks, wanted: { calls: [{ tool, input }] }, bulk: thought.length + JSON.stringify(input).length }
  }
  return cached
}

function percent(share) {
  return `${Math.floor(share * 100)} %`
}
