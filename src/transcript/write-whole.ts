// A text → a file, never half of it: the old one stays until the new one is whole.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Throws what the disk throws. */
export function writeWhole(path: string, text: string): void {
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
