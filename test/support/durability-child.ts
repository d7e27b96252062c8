// A process that records a run until it is killed, or wants a lock that others want too. What it did it notes with plain appends to other files, so
// that whoever started it can hold the record against that.
import { appendFileSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent } from '../../src/core/event.js'
import { nodeDisk } from '../../src/transcript/disk.js'
import { openJournal } from '../../src/transcript/journal.js'
import { lockFile } from '../../src/transcript/lock.js'
import { readJournal } from '../../src/transcript/read-journal.js'
import { capitalTool, playRun, RUN_SCRIPTS } from './recorded-runs.js'
import { goOn } from './resumed-runs.js'

const [job, ...args] = process.argv.slice(2)
if (job === 'record') await record(args)
if (job === 'resume') await resume(args)
if (job === 'race') race(args)
if (job === 'leave-locks') leaveLocks(args)

/** `how`: `before:3` and `after:3` kill this process at the event of that number, `loop` plays the run again and again. */
async function record([file = '', noted = '', effects = '', how = '']: readonly string[]): Promise<void> {
  const [notes, done] = [openSync(noted, 'a'), openSync(effects, 'a')]
  const journal = openJournal(file, { env: {} })
  let at = 0
  const [when, number] = how.split(':')
  const onEvent = (event: AgentEvent): void => {
    if (when === 'before' && at === Number(number)) process.kill(process.pid, 'SIGKILL')
    journal.onEvent(event)
    if (event.type !== 'delta') writeSync(notes, '.')
    if (when === 'after' && at === Number(number)) process.kill(process.pid, 'SIGKILL')
    at += 1
  }
  const tools = [capitalTool(() => writeSync(done, '.'))]
  do await playRun(RUN_SCRIPTS['a call and an answer'] ?? { replies: [] }, { onEvent, tools })
  while (how === 'loop')
  journal.close()
}

/** Goes on with the record, unless it is at its end already; `how` as for `record`, counted from the first event that this process adds. */
async function resume([file = '', effects = '', how = '']: readonly string[]): Promise<void> {
  const done = openSync(effects, 'a')
  const journal = openJournal(file, { env: {}, append: true })
  const { events } = readJournal(file)
  if (events.at(-1)?.type === 'run_end') return journal.close()
  const [when, number] = how.split(':')
  let at = 0
  const onEvent = (event: AgentEvent): void => {
    if (event.type === 'delta') return
    if (when === 'before' && at === Number(number)) process.kill(process.pid, 'SIGKILL')
    journal.onEvent(event)
    if (when === 'after' && at === Number(number)) process.kill(process.pid, 'SIGKILL')
    at += 1
  }
  const tools = [capitalTool(() => writeSync(done, '.'))]
  await goOn(RUN_SCRIPTS['a call and an answer'] ?? { replies: [] }, events, { tools, onEvent })
  journal.close()
}

function race([folder = '', rounds = '', start = '', noted = '']: readonly string[]): void {
  for (let round = 0; round < Number(rounds); round++) {
    const file = join(folder, `${round}.jsonl`)
    while (Date.now() < Number(start) + round * 40);
    let unlock: () => void
    try {
      unlock = lockFile(file, nodeDisk)
    } catch {
      continue
    }
    appendFileSync(noted, `owned ${round}\n`)
    try {
      nodeDisk.close(nodeDisk.create(`${file}.owner`))
    } catch {
      appendFileSync(noted, `double ${round}\n`)
    }
    for (const end = Date.now() + 3; Date.now() < end; );
    rmSync(`${file}.owner`, { force: true })
    unlock()
  }
}

/** What a process leaves behind that dies with locks in its hands. */
function leaveLocks([folder = '', rounds = '']: readonly string[]): void {
  for (let round = 0; round < Number(rounds); round += 2) lockFile(join(folder, `${round}.jsonl`), nodeDisk)
  if (readdirSync(folder).length === 0) throw new Error('no lock was left')
  process.kill(process.pid, 'SIGKILL')
}
