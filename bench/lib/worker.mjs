// The process of one reader (or of whatever else a measure compares): loads it, says so, and then does the jobs of the measure, one after the other.
import { openReader } from '../readers/index.mjs'

const [id, measure] = process.argv.slice(2)

const opened = await open().catch(error => ({ error: error.message }))
process.send(opened.error === undefined ? { version: opened.reader.version } : { error: opened.error })
if (opened.error !== undefined) process.disconnect()

process.on('message', async ({ job, args }) => {
  const answer = await opened.jobs[job](opened.reader, args).catch(error => ({ error: error.message }))
  process.send(answer)
})

async function open() {
  const { jobs, open: openOne = openReader } = await import(`../measures/${measure}.mjs`)
  return { reader: await openOne(id), jobs }
}
