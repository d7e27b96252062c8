// Records of played runs, in the folder where the command line looks for them.
import { join } from 'node:path'
import { openJournal } from '../../src/transcript/journal.js'
import { emptyFolder } from './cli.js'
import { playRun, type RunScript } from './recorded-runs.js'

export function recordFile(cwd: string, id: string): string {
  return join(cwd, '.saydo', 'runs', `${id}.jsonl`)
}

/** A folder with the records of these runs, by id. */
export async function folderOf(scripts: Readonly<Record<string, RunScript>>): Promise<string> {
  const cwd = emptyFolder()
  for (const [id, script] of Object.entries(scripts)) {
    const { events } = await playRun(script)
    const journal = openJournal(recordFile(cwd, id), { env: {} })
    for (const event of events) journal.onEvent(event)
    journal.close()
  }
  return cwd
}
