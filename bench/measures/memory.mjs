// Replies of 2 KB → bytes allocated for each, and processor time per megabyte while nothing is collected. The young generation is made large
// enough for a sample, so that what lies in it afterwards is all that was allocated.
import { flat, repliesOf } from '../lib/corpus.mjs'
import { cpuMs, digits, median, timed } from '../lib/figures.mjs'
import { table } from '../lib/table.mjs'

export const execArgv = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256']

const ENOUGH = 60_000_000
let texts

export const jobs = {
  async warm(reader) {
    texts = repliesOf('2 KB').map(reply => flat(reader.write(reply)))
    await timed(800, () => pass(reader))
    return {}
  },
  async sample(reader) {
    globalThis.gc()
    const before = process.memoryUsage().heapUsed
    const started = process.cpuUsage()
    let count = 0
    let allocated = 0
    while (allocated < ENOUGH && count < 20_000) {
      await pass(reader)
      count += texts.length
      allocated = process.memoryUsage().heapUsed - before
    }
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
    return { perReply: allocated / count, msPerMb: cpuMs(started) / ((count / texts.length) * (bytes / 1e6)) }
  },
}

export async function measure(crew, { rounds }) {
  for (const id of crew.ids) await crew.ask(id, 'warm')
  const samples = Object.fromEntries(crew.ids.map(id => [id, []]))
  for (let round = 0; round < rounds; round++) for (const id of crew.ids) samples[id].push(await crew.ask(id, 'sample'))
  const of = (id, what) => median(samples[id].map(sample => sample[what]))
  return Object.fromEntries(crew.ids.map(id => [id, { perReply: of(id, 'perReply'), msPerMb: of(id, 'msPerMb') }]))
}

export function report(result) {
  const rows = Object.entries(result).map(([id, { perReply, msPerMb }]) => [id, digits(perReply), digits(msPerMb)])
  return table('Memory (replies of 2 KB)', [['reader', 'bytes allocated per reply', 'processor ms per MB'], ...rows])
}

export const goals = () => []

async function pass(reader) {
  for (const text of texts) {
    try {
      const read = reader.read(text)
      if (read instanceof Promise) await read
    } catch {
      // refusing allocates too
    }
  }
}
