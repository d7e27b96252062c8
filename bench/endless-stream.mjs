// A model that never stops: how much memory a parser takes while 100 MB of one thing come in, although nobody heeds that it is done. Each kind has
// a process of its own. Run after a build: node --expose-gc bench/endless-stream.mjs [megabytes]
// Exit code: 0 all within 32 MB, 1 one is not.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createReplyParser } from '../dist/index.js'
import { table } from './lib/table.mjs'

const LIMIT = 32
const CHUNK = 64
const KINDS = {
  spaces: ' ',
  'one letter': 'a',
  'line breaks': '\n',
  labels: 'Thought: x\nAction: y\n',
  observations: 'Observation: x\n',
  'an input': 'Action: search\nAction Input: {"query": "',
  brackets: '[',
  'open tags': '<tool_call>',
  reasoning: '<think>',
  'an answer': 'Final Answer: so it goes ',
}

const kind = process.env.SAYDO_ENDLESS
const megabytes = Number(process.argv[2] ?? 100)
if (kind === undefined) measureAll()
else console.log(JSON.stringify(growthOf(KINDS[kind])))

function measureAll() {
  const rows = [['100 MB of', 'growth', 'done after', 'read as']]
  let most = 0
  for (const name of Object.keys(KINDS)) {
    const args = ['--expose-gc', fileURLToPath(import.meta.url), String(megabytes)]
    const { stdout } = spawnSync(process.execPath, args, { env: { ...process.env, SAYDO_ENDLESS: name }, encoding: 'utf8' })
    const { growth, done, read } = JSON.parse(stdout)
    most = Math.max(most, growth)
    rows.push([name, `${growth.toFixed(1)} MB`, done < 0 ? 'never' : `${(done / 1024).toFixed(0)} KB`, read])
  }
  console.log(table(`${megabytes} MB of one thing, in chunks of ${CHUNK}`, rows, 1))
  console.log(`\nmost growth ${most.toFixed(1)} MB, limit ${LIMIT} MB`)
  process.exitCode = most > LIMIT ? 1 : 0
}

/** How much more memory the process holds at most than before the first chunk. */
function growthOf(repeated) {
  const piece = Buffer.from(repeated.repeat(Math.ceil(65536 / repeated.length))).toString()
  const end = piece.length - CHUNK
  const parser = createReplyParser()
  let done = -1
  let most = 0
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  for (let pushed = 0, at = 0; pushed < megabytes * 1e6; pushed += CHUNK, at = (at + CHUNK) % end) {
    // a copy, as it comes from a socket: a slice would keep the piece it was cut from
    parser.push(Buffer.from(piece.slice(at, at + CHUNK)).toString())
    if (parser.done && done < 0) done = pushed
    if (pushed % (1 << 20) === 0) most = Math.max(most, process.memoryUsage().rss - before)
  }
  const { decision } = parser.end()
  most = Math.max(most, process.memoryUsage().rss - before)
  return { growth: most / 1e6, done, read: decision.kind === 'unclear' ? decision.problem.code : decision.kind }
}
