// Limits of memory and processes → control groups that hold them for all programs of a sandbox together, where this user may make such groups
// (Linux, versions 1 and 2). What can't be held that way is told.
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = '/sys/fs/cgroup'

export interface Cgroups {
  /** Folders of the groups; a process enters by writing 0 into `cgroup.procs` of each. */
  readonly folders: readonly string[]
  readonly holdsMemory: boolean
  readonly holdsProcesses: boolean
}

export function makeCgroups(name: string, { memoryMiB, processes }: { memoryMiB: number; processes: number }): Cgroups {
  const bytes = String(memoryMiB * 1024 * 1024)
  if (existsSync(join(ROOT, 'cgroup.controllers'))) {
    const folder = makeGroup(
      join(parentOfOwn(), name),
      { 'memory.max': bytes, 'pids.max': String(processes) },
      { 'memory.swap.max': '0' },
    )
    return { folders: folder ?? [], holdsMemory: folder !== undefined, holdsProcesses: folder !== undefined }
  }
  const memory = makeGroup(
    join(ROOT, 'memory', name),
    { 'memory.limit_in_bytes': bytes },
    { 'memory.memsw.limit_in_bytes': bytes },
  )
  const pids = makeGroup(join(ROOT, 'pids', name), { 'pids.max': String(processes) })
  return {
    folders: [...(memory ?? []), ...(pids ?? [])],
    holdsMemory: memory !== undefined,
    holdsProcesses: pids !== undefined,
  }
}

/** Undefined where it can't be made, or doesn't know one of the limits. */
function makeGroup(
  folder: string,
  limits: Readonly<Record<string, string>>,
  ifKnown: Readonly<Record<string, string>> = {},
): [string] | undefined {
  try {
    accessSync(dirname(folder), constants.W_OK)
    mkdirSync(folder)
  } catch {
    return undefined
  }
  try {
    for (const [file, value] of Object.entries(limits)) writeFileSync(join(folder, file), value)
    for (const [file, value] of Object.entries(ifKnown))
      if (existsSync(join(folder, file))) writeFileSync(join(folder, file), value)
    return [folder]
  } catch {
    rmdirSync(folder)
    return undefined
  }
}

/** In version 2 a group with processes can't have groups with limits below it: ours stands beside the one of this process. */
function parentOfOwn(): string {
  const line = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .find(line => line.startsWith('0::'))
  const own = line?.slice('0::'.length) ?? '/'
  return join(ROOT, dirname(own))
}
