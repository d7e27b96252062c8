// A folder in the system's temporary one for what a sandbox needs around its workspace, named after the process that made it; and the clearing away
// of those whose process is gone.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './processes.js'

const NAME = /^saydo-sandbox-(\d{1,10})-[0-9a-f]{16}$/

export interface BaseFolder {
  readonly name: string
  readonly path: string
}

export function makeBaseFolder(): BaseFolder {
  const name = `saydo-sandbox-${process.pid}-${randomBytes(8).toString('hex')}`
  const path = join(tmpdir(), name)
  mkdirSync(path, { mode: 0o700 })
  mkdirSync(join(path, 'tmp'))
  chmodSync(join(path, 'tmp'), 0o1777)
  return { name, path }
}

/** A keeper clears away what is its own; this is for those that were killed as well. What can't be removed stays. */
export function removeOrphans(): void {
  for (const [folder, remove] of places())
    for (const name of namesIn(folder)) {
      const owner = name.match(NAME)?.[1]
      if (owner !== undefined && !isAlive(Number(owner))) tryTo(() => remove(join(folder, name)))
    }
}

function places(): readonly (readonly [folder: string, remove: (path: string) => void])[] {
  return [
    [tmpdir(), path => rmSync(path, { recursive: true })],
    // groups have files that can't be removed, and go with them
    ['/sys/fs/cgroup/memory', rmdirSync],
    ['/sys/fs/cgroup/pids', rmdirSync],
  ]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function tryTo(act: () => void): void {
  try {
    act()
  } catch {
    // of another user, or still in use
  }
}
