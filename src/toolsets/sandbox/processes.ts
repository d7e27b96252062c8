// What runs below a process, and what runs with a mark in its environment. Looks into /proc, at once: its files are no disk, and waiting for each
// costs ten times as much. Where there is none, nothing is found.
import { readdirSync, readFileSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'

/** A variable that every program of a sandbox has in its environment, by which its children are found wherever they went. */
export const MARK = 'SAYDO_SANDBOX'

export interface Descendant {
  readonly pid: number
  /** Its ids in the PID namespaces it is in, the outermost first. */
  readonly namespaced: readonly number[]
}

export function descendants(pid: number): readonly Descendant[] {
  const parents = new Map<number, number>()
  for (const each of processIds()) {
    const stat = textOf(`/proc/${each}/stat`)
    // the name of a program may hold anything, brackets too
    parents.set(each, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const found = [pid]
  for (const above of found) for (const [each, parent] of parents) if (parent === above) found.push(each)
  return found.slice(1).map(each => {
    const line = textOf(`/proc/${each}/status`)
      .split('\n')
      .find(line => line.startsWith('NSpid:'))
    return { pid: each, namespaced: (line ?? '').split(/\s/).slice(1).map(Number) }
  })
}

/**
 * What a program in a namespace of its own has started, not the program: it is the second there, behind a first one that only waits. `pid` is that of
 * what made the namespace.
 */
export function startedInside(pid: number): readonly number[] {
  const below = descendants(pid)
  const deepest = Math.max(...below.map(({ namespaced }) => namespaced.length))
  return below.filter(({ namespaced }) => namespaced.length === deepest && (namespaced.at(-1) ?? 0) > 2).map(({ pid }) => pid)
}

/** Kills every process with this mark, and those that they start meanwhile; gives up after a second of finding more. */
export async function killMarked(mark: string): Promise<void> {
  const until = performance.now() + 1000
  while (performance.now() < until) {
    const found = processIds().filter(pid => isMarked(pid, mark))
    if (found.length === 0) return
    for (const pid of found) send(pid, 'SIGKILL')
    await setImmediate()
  }
}

export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it ended by itself
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isMarked(pid: number, mark: string): boolean {
  return `\0${textOf(`/proc/${pid}/environ`)}\0`.includes(`\0${MARK}=${mark}\0`)
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger)
  } catch {
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    // gone by now, or of another user
    return ''
  }
}
