// The process of one reader: loads it, says so, and then does the jobs of one measure, one after the other.
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
  const [reader, { jobs }] = await Promise.all([openReader(id), import(`../measures/${measure}.mjs`)])
  return { reader, jobs }
}
