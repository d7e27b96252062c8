// Whole replies of four sizes → how many a second, how many megabytes a second of processor time, and how many of them right.
import { flat, repliesOf, SIZES } from '../lib/corpus.mjs'
import { digits, median, timed } from '../lib/figures.mjs'
import { judge } from '../lib/judge.mjs'
import { table } from '../lib/table.mjs'

const ROUND_MS = 80
const WARM_MS = 600
const texts = new Map()

/** What runs in a reader's own process. */
export const jobs = {
  /** Reads each reply once, says how many are right, and warms up. */
  async check(reader, { size }) {
    const replies = repliesOf(size)
    const written = replies.map(reply => flat(reader.write(reply)))
    texts.set(size, written)
    let right = 0
    for (const [i, text] of written.entries()) right += (await isRight(reader, text, replies[i])) ? 1 : 0
    await timed(WARM_MS, () => pass(reader, written))
    return { right, replies: replies.length, bytes: written.reduce((sum, text) => sum + Buffer.byteLength(text), 0) }
  },
  /** Replies per second of processor time. */
  async round(reader, { size }) {
    const written = texts.get(size)
    return { perSecond: (written.length * 1000) / (await timed(ROUND_MS, () => pass(reader, written))) }
  },
}

export async function measure(crew, { rounds }) {
  const result = {}
  for (const size of Object.keys(SIZES)) {
    const checked = {}
    for (const id of crew.ids) checked[id] = await crew.ask(id, 'check', { size })
    const speeds = Object.fromEntries(crew.ids.map(id => [id, []]))
    for (let round = 0; round < rounds; round++) {
      for (const id of crew.ids) speeds[id].push((await crew.ask(id, 'round', { size })).perSecond)
    }
    result[size] = Object.fromEntries(crew.ids.map(id => [id, summary(checked[id], speeds[id], checked.saydo, speeds.saydo)]))
  }
  return result
}

export function report(result) {
  const rows = [['size', 'reader', 'right', 'replies/s', 'MB/s', 'saydo ×']]
  for (const [size, readers] of Object.entries(result)) {
    for (const [id, { right, replies, perSecond, mbPerSecond, mbRatio }] of Object.entries(readers)) {
      const ratio = id === 'saydo' ? '' : digits(mbRatio)
      rows.push([size, id, `${right}/${replies}`, digits(perSecond), digits(mbPerSecond), ratio])
    }
  }
  return table('Whole replies, by processor time ("saydo ×": how many times the MB/s of this reader saydo reads)', rows, 2)
}

export function goals(result) {
  const short = result['200 B']['langchain-react']
  const medium = result['2 KB']['langchain-react']
  if (!short || !result['200 B'].saydo) return []
  return [
    { goal: '200 B: at least as many replies per second as LangChain ReAct', figure: digits(short.ratio), met: short.ratio >= 1 },
    { goal: '2 KB: at least 0.8 of the MB/s of LangChain ReAct', figure: digits(medium.mbRatio), met: medium.mbRatio >= 0.8 },
  ]
}

async function isRight(reader, text, { tool, input, answer }) {
  try {
    const wanted = answer === undefined ? { calls: [{ tool, input }] } : { answer }
    return judge(reader.decision(await reader.read(text)), wanted) === 'right'
  } catch {
    return false
  }
}

async function pass(reader, written) {
  for (const text of written) {
    try {
      const read = reader.read(text)
      if (read instanceof Promise) await read
    } catch {
      // counted by `check`
    }
  }
}

/** The ratios are medians over rounds that ran right after one another. */
function summary({ right, replies, bytes }, speeds, saydo, saydoSpeeds) {
  const perSecond = median(speeds)
  const ratio = saydoSpeeds && median(saydoSpeeds.map((speed, round) => speed / speeds[round]))
  const mbRatio = ratio && (ratio * (saydo.bytes / saydo.replies)) / (bytes / replies)
  return { right, replies, perSecond, mbPerSecond: (perSecond * bytes) / replies / 1e6, ratio, mbRatio }
}
