// A run → a page on the disk, and opened when that is wanted.
import { basename, relative, resolve } from 'node:path'
import { openFile } from '../toolsets/open-file.js'
import { pageOf } from '../viewer/page.js'
import { tracesOf } from '../viewer/trace.js'
import type { Io, Verdict } from './command.js'
import type { ReadRun } from './read-run.js'
import { runFile } from './run-files.js'
import { writeFile } from './write-file.js'

export async function writePage({ path, shown }: ReadRun, to: string | undefined, open: boolean, io: Io): Promise<Verdict> {
  const own = path === runFile(basename(path, '.jsonl'), io.cwd)
  const record = own ? basename(path, '.jsonl') : relative(io.cwd, path)
  const name = to ?? `trace-${basename(path).replace(/\.jsonl$/, '')}.html`
  const file = resolve(io.cwd, name)
  writeFile(file, name, pageOf(await tracesOf(shown), record))
  if (!open) return { code: 0, line: `wrote ${name}` }
  const fault = await openFile(file)
  return fault === undefined
    ? { code: 0, line: `wrote and opened ${name}` }
    : { code: 1, line: `wrote ${name}, but could not open it: ${fault}` }
}
