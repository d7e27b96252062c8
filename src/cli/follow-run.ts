// A record that is being written → what happens in the run, as it is told there; until nobody writes any more: a conversation
// goes on after the end of a run.
import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { SaydoError } from '../core/errors.js'
import type { AgentEvent } from '../core/event.js'
import { nodeDisk } from '../transcript/disk.js'
import { writerOf } from '../transcript/lock.js'
import { readJournal } from '../transcript/read-journal.js'
import type { Invocation, Verdict } from './command.js'
import { paintFor } from './paint.js'
import { recordOf } from './read-run.js'
import { RunView } from './view.js'
import { visible } from './visible.js'

/** How often the file is looked at, in ms. */
const PAUSE = 200

/** Without a name, of the newest run. Rejects as `readJournal` does, and with `CONFIG` when another record takes the place of the file. */
export async function followRun(name: string | undefined, { options, io }: Invocation): Promise<Verdict> {
  const file = recordOf(name, io.cwd)
  const paint = paintFor(io.stdout, io.env, { color: options.color })
  const view = new RunView(io.stdout, { paint, verbose: options.verbose === true, raw: true })
  let size: number | undefined = -1
  let told: readonly AgentEvent[] = []
  let end: Verdict | undefined
  for (;;) {
    // asked first: what was written until then is read below
    const isWritten = writerOf(file, nodeDisk) !== undefined
    const now = statSync(file, { throwIfNoEntry: false })?.size
    const known = now === size && now !== undefined ? told : readJournal(file).events
    if (!isDeepStrictEqual(known[told.length - 1], told.at(-1)))
      throw new SaydoError('CONFIG', `${file} is another record than it was`, { hint: 'start again to follow that one' })
    const events = known.slice(told.length)
    size = now
    told = known
    for (const event of events) {
      if (event.type === 'run_start') {
        end = undefined
        io.stdout.write(`${paint.bold('Task:')} ${visible(event.task)}\n`)
      }
      view.show(event)
      if (event.type === 'run_end') {
        const { stop, answer, message } = event.result
        if (answer !== undefined) io.stdout.write(`${paint.green('Answer:')} ${visible(answer)}\n`)
        end = { code: 0, line: `the run has ended: ${stop}${stop === 'final_answer' ? '' : `, ${message}`}` }
      }
    }
    if (!isWritten) {
      view.hush()
      return end ?? { code: 0, line: 'the record breaks off here, and nobody writes it' }
    }
    if (io.signal.aborted) {
      view.hush()
      return { code: 130, line: 'interrupted; the run itself goes on' }
    }
    await sleep(PAUSE, undefined, { signal: io.signal }).catch(() => {})
  }
}
