// A folder and how much may be written → a call when the disk under it has lost more than that since commands began to run. An emergency brake:
// it looks at the free space, which others use too.

import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

const LOOK_MS = 200
const MiB = 1024 * 1024

export class DiskWatch {
  readonly #folders: readonly string[]
  readonly #limit: number
  readonly #onFull: () => void
  #timer: NodeJS.Timeout | undefined
  /** Free bytes of each folder when commands began to run. */
  #before: Promise<readonly number[]> = Promise.resolve([])

  constructor(folder: string, limitMiB: number, onFull: () => void) {
    this.#folders = [folder, tmpdir()]
    this.#limit = limitMiB * MiB
    this.#onFull = onFull
  }

  begin(): void {
    if (this.#timer !== undefined) return
    this.#before = this.#free()
    this.#timer = setInterval(() => void this.#look(), LOOK_MS).unref()
  }

  end(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    const [before, now] = await Promise.all([this.#before, this.#free()])
    if (before.some((free, index) => free - (now[index] ?? 0) > this.#limit)) this.#onFull()
  }

  async #free(): Promise<readonly number[]> {
    const disks = await Promise.all(this.#folders.map(folder => statfs(folder).catch(() => undefined)))
    return disks.map(disk => (disk === undefined ? 0 : disk.bavail * disk.bsize))
  }
}
