// A text → a file, never half of it: the old one stays until the new one is whole. A device or a pipe, such as /dev/stdout, is
// written to and stays what it is; a link to a file gives way, and its file is left alone.
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Throws what the disk throws. */
export function writeWhole(path: string, text: string): void {
  if (isOpenEnded(path)) return writeFileSync(path, text)
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.new`)
  try {
    // whatever has that name already, a link to another file too, is not written through
    rmSync(draft, { force: true })
    writeFileSync(draft, text, { flag: 'wx' })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** What lies in /dev is open already, also where it leads to a file. */
function isOpenEnded(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && (!found.isFile() || path.startsWith('/dev/'))
}
