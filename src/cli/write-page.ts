// A run → a page on the disk, and opened when that is wanted.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { SaydoError } from '../core/errors.js'
import { openFile } from '../toolsets/open-file.js'
import { pageOf } from '../viewer/page.js'
import { tracesOf } from '../viewer/trace.js'
import type { Io, Verdict } from './command.js'
import type { ReadRun } from './read-run.js'
import { runFile } from './run-files.js'

export async function writePage({ path, shown }: ReadRun, to: string | undefined, open: boolean, io: Io): Promise<Verdict> {
  const own = path === runFile(basename(path, '.jsonl'), io.cwd)
  const record = own ? basename(path, '.jsonl') : relative(io.cwd, path)
  const name = to ?? `trace-${basename(path).replace(/\.jsonl$/, '')}.html`
  const file = resolve(io.cwd, name)
  writeWhole(file, name, pageOf(await tracesOf(shown), record))
  if (!open) return { code: 0, line: `wrote ${name}` }
  const fault = await openFile(file)
  return fault === undefined
    ? { code: 0, line: `wrote and opened ${name}` }
    : { code: 1, line: `wrote ${name}, but could not open it: ${fault}` }
}

/** Never half of it, and an older one stays until then. */
function writeWhole(file: string, name: string, text: string): void {
  const draft = join(dirname(file), `.${basename(file)}.new`)
  try {
    writeFileSync(draft, text)
    renameSync(draft, file)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw new SaydoError('CONFIG', `cannot write ${name}: ${(cause as Error).message}`, {
      hint: 'name a file in a folder that is there',
      cause,
    })
  }
}
