// What a record is put through, and the figures of it: cut at every byte, every bit flipped, every call of the disk failing, its process killed, and
// many processes wanting the same file. Each figure that must be 0 is named for what went wrong.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { build } from 'esbuild'
import { SaydoError } from '../../src/core/errors.js'
import type { AgentEvent } from '../../src/core/event.js'
import { openJournal } from '../../src/transcript/journal.js'
import { readJournal } from '../../src/transcript/read-journal.js'
import { scanJournal } from '../../src/transcript/scan.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { type Fault, faultyDisk, memoryDisk } from './memory-disk.js'
import { capitalTool, playRun, RUN_SCRIPTS, type RunScript } from './recorded-runs.js'
import { goOn, withoutTimes } from './resumed-runs.js'

const FILE = '/runs/one.jsonl'

/** The bytes of a journal of each script. */
export async function journals(names: readonly string[] = Object.keys(RUN_SCRIPTS)): Promise<readonly Buffer[]> {
  return Promise.all(
    names.map(async name => {
      const disk = memoryDisk()
      const journal = openJournal(FILE, { disk, env: {}, now: () => 1_700_000_000_000 })
      for (const event of (await playRun(RUN_SCRIPTS[name] ?? { replies: [] })).events) journal.onEvent(event)
      journal.close()
      return disk.read(FILE)
    }),
  )
}

export interface CutFigures {
  cuts: number
  /** Reading gave something else than the whole lines before the cut, or did not say how much was torn. */
  wrongReadings: number
  /** Going on after the cut did not give those lines and what was added. */
  wrongAppends: number
}

/** Each journal, cut at every byte: read, and gone on with. */
export function cutEverywhere(all: readonly Buffer[]): CutFigures {
  const figures: CutFigures = { cuts: 0, wrongReadings: 0, wrongAppends: 0 }
  for (const whole of all) {
    const { records } = scanJournal(whole)
    for (let length = 0; length <= whole.length; length++) {
      figures.cuts += 1
      const cut = whole.subarray(0, length)
      const lines = count(cut, 0x0a)
      const end = cut.lastIndexOf(0x0a) + 1
      const scan = scanJournal(cut)
      const right =
        scan.damage === undefined && scan.length === end && scan.torn === length - end && isStart(scan.records, records, lines)
      if (!right) figures.wrongReadings += 1
      if (!goesOn(cut, lines)) figures.wrongAppends += 1
    }
  }
  return figures
}

function goesOn(cut: Buffer, lines: number): boolean {
  const disk = memoryDisk(new Map([[FILE, Buffer.from(cut)]]))
  const journal = openJournal(FILE, { disk, env: {}, append: true })
  const added: AgentEvent = { type: 'notice', code: 'ADDED', message: 'after the cut' }
  journal.onEvent(added)
  journal.close()
  const { events, torn } = readJournal(FILE, { disk })
  return torn === 0 && events.length === lines + 1 && events.at(-1)?.type === 'notice'
}

export interface ResumeFigures {
  cuts: number
  /** Went on to the end that the run had without the cut, or was at its end. */
  sameEnds: number
  /** Went on to another end although the outcome of every call was known. */
  otherEnds: number
  /** Went on, and the model was told that the outcome of a call is unknown. */
  unknownOutcomes: number
  repliesAskedTwice: number
  /** Without anybody having been asked. */
  callsMadeTwice: number
}

/** Runs that come to an end of their own. */
export const RESUMABLE = Object.entries(RUN_SCRIPTS).flatMap(([name, { abortAt }]) =>
  abortAt || name === 'an endpoint that fails' ? [] : [name],
)

/** The journal of each script, cut at every byte, and gone on with. Cuts within a line are one: the torn line is dropped. */
export async function resumeEverywhere(names: readonly string[]): Promise<ResumeFigures> {
  const figures: ResumeFigures = {
    cuts: 0,
    sameEnds: 0,
    otherEnds: 0,
    unknownOutcomes: 0,
    repliesAskedTwice: 0,
    callsMadeTwice: 0,
  }
  for (const name of names) {
    const script = RUN_SCRIPTS[name] ?? { replies: [] }
    const [whole = Buffer.alloc(0)] = await journals([name])
    const { result } = await playRun(script)
    const known = new Map<number, Awaited<ReturnType<typeof goOn>>>()
    for (let length = whole.indexOf(0x0a) + 1; length < whole.length; length++) {
      figures.cuts += 1
      const disk = memoryDisk(new Map([[FILE, whole.subarray(0, length)]]))
      const { events } = readJournal(FILE, { disk })
      const count = (list: readonly AgentEvent[], type: AgentEvent['type']): number =>
        list.filter(event => event.type === type).length
      if (count(events, 'run_end') > 0) {
        figures.sameEnds += 1
        continue
      }
      const resumed = known.get(events.length) ?? (await goOn(script, events))
      known.set(events.length, resumed)
      const unknown = count(events, 'call_start') > count(events, 'call_end')
      const same = JSON.stringify(withoutTimes(resumed.result)) === JSON.stringify(withoutTimes(result))
      if (unknown) figures.unknownOutcomes += 1
      else if (same) figures.sameEnds += 1
      else figures.otherEnds += 1
      const came = count(resumed.events, 'reply_end') + count(resumed.events, 'reply_error')
      figures.repliesAskedTwice += Math.max(0, resumed.asked - (came - count(events, 'reply_end') - count(events, 'reply_error')))
      figures.callsMadeTwice += resumed.calledTwice.length
    }
  }
  return figures
}

export interface FlipFigures {
  flips: number
  /** Damage that was named by its line. */
  refused: number
  /** Damage at the end, left out and said. */
  torn: number
  /** A changed file was taken for a good one, or gave other records. */
  silentAcceptances: number
}

/** Each journal with each single bit of it flipped. */
export function flipEverywhere(all: readonly Buffer[]): FlipFigures {
  const figures: FlipFigures = { flips: 0, refused: 0, torn: 0, silentAcceptances: 0 }
  for (const whole of all) {
    const { records } = scanJournal(whole)
    const texts = records.map(record => JSON.stringify(record))
    const changed = Buffer.from(whole)
    for (let at = 0; at < whole.length; at++)
      for (let bit = 0; bit < 8; bit++) {
        changed[at] = (whole[at] ?? 0) ^ (1 << bit)
        figures.flips += 1
        const scan = scanJournal(changed)
        const good =
          scan.records.length < records.length && scan.records.every((record, line) => JSON.stringify(record) === texts[line])
        if (good && scan.damage) figures.refused += 1
        else if (good && scan.torn > 0) figures.torn += 1
        else figures.silentAcceptances += 1
        changed[at] = whole[at] ?? 0
      }
  }
  return figures
}

export interface FaultFigures {
  runs: number
  /** Runs that ended with the disk's fault. */
  stopped: number
  /** Runs whose fault came after all that mattered. */
  unharmed: number
  /** Calls that were made without their intent on the disk. */
  effectsWithoutRecord: number
  /** Records that were lost although the run had gone on behind them. */
  lostRecords: number
  /** Whatever else was thrown than an error of saydo, and records that can't be read. */
  crashes: number
}

/** A run for each call of the disk, in which that call fails: alone or with all after it, with half of its bytes written or none. */
export async function failEverywhere(script: RunScript): Promise<FaultFigures> {
  const figures: FaultFigures = { runs: 0, stopped: 0, unharmed: 0, effectsWithoutRecord: 0, lostRecords: 0, crashes: 0 }
  const codes = ['ENOSPC', 'EIO', 'EROFS']
  for (const lasting of [false, true])
    for (const torn of [false, true])
      for (let at = 1; ; at++) {
        const calls = await failAt({ at, code: codes[at % codes.length] ?? '', lasting, torn }, script, figures)
        if (calls < at) break
      }
  return figures
}

/** The same for every script, as one sum. */
export async function failAll(): Promise<FaultFigures> {
  const sum: FaultFigures = { runs: 0, stopped: 0, unharmed: 0, effectsWithoutRecord: 0, lostRecords: 0, crashes: 0 }
  for (const script of Object.values(RUN_SCRIPTS)) {
    const figures = await failEverywhere(script)
    for (const name of Object.keys(sum) as (keyof FaultFigures)[]) sum[name] += figures[name]
  }
  return sum
}

async function failAt(fault: Fault, script: RunScript, figures: FaultFigures): Promise<number> {
  const disk = memoryDisk()
  const faulty = faultyDisk(disk, fault)
  const effects: string[] = []
  const noted: AgentEvent[] = []
  figures.runs += 1
  try {
    const journal = openJournal(FILE, { disk: faulty, env: {} })
    const onEvent = (event: AgentEvent): void => {
      journal.onEvent(event)
      if (event.type !== 'delta') noted.push(event)
    }
    const { fault: thrown } = await playRun(script, { onEvent, tools: [capitalTool(country => effects.push(country))] })
    journal.close()
    if (thrown) throw thrown
    figures.unharmed += 1
  } catch (error) {
    if (error instanceof SaydoError) figures.stopped += 1
    else figures.crashes += 1
  }
  try {
    const events = disk.files.has(FILE) ? readJournal(FILE, { disk }).events : []
    const intents = events.filter(({ type }) => type === 'call_start').length
    figures.effectsWithoutRecord += Math.max(0, effects.length - intents)
    figures.lostRecords += Math.max(0, noted.length - events.length)
  } catch {
    figures.crashes += 1
  }
  return faulty.calls
}

export interface PowerFigures {
  /** Moments at which the power could have gone: each call, and each event behind one that matters. */
  moments: number
  effectsWithoutRecord: number
  /** Replies, results and ends that were not safe when the run went on behind them. */
  lostRecords: number
}

/** Every script, with a look at every moment at what would be left without power. */
export async function cutPowerEverywhere(): Promise<PowerFigures> {
  const figures: PowerFigures = { moments: 0, effectsWithoutRecord: 0, lostRecords: 0 }
  for (const script of Object.values(RUN_SCRIPTS)) {
    const disk = memoryDisk()
    const journal = openJournal(FILE, { disk, env: {} })
    const noted: AgentEvent[] = []
    let effects = 0
    const safe = (): readonly AgentEvent[] => readJournal(FILE, { disk: memoryDisk(disk.safe) }).events
    const countOf = (events: readonly AgentEvent[], types: readonly string[]): number =>
      events.filter(({ type }) => types.includes(type)).length
    const look = (): void => {
      figures.moments += 1
      const left = safe()
      figures.effectsWithoutRecord += Math.max(0, effects - countOf(left, ['call_start']))
      figures.lostRecords += countOf(noted, MATTERS) - countOf(left, MATTERS)
    }
    const onEvent = (event: AgentEvent): void => {
      if (noted.length > 0) look()
      journal.onEvent(event)
      noted.push(event)
    }
    const act = (): void => {
      effects += 1
      look()
    }
    await playRun(script, { onEvent, tools: [capitalTool(act)] })
    look()
    journal.close()
  }
  return figures
}

/** What a run must not lose once it has gone on. */
const MATTERS: readonly AgentEvent['type'][] = ['run_start', 'reply_end', 'call_start', 'call_end', 'run_end']

export interface KillFigures {
  kills: number
  /** Records that can't be read afterwards. */
  unreadable: number
  /** Records that the run had gone on behind, and that are not there. */
  lostRecords: number
  /** Calls that were made without their intent on the disk. */
  effectsWithoutRecord: number
}

/** A process that records a run and kills itself before or after it wrote the k-th event, for each k; then others, killed at random moments. */
export async function killEverywhere(child: string, random: number): Promise<KillFigures> {
  const figures: KillFigures = { kills: 0, unreadable: 0, lostRecords: 0, effectsWithoutRecord: 0 }
  const { events } = await playRun(RUN_SCRIPTS['a call and an answer'] ?? { replies: [] })
  for (let at = 0; at < events.length; at++) {
    if (events[at]?.type === 'delta') continue
    for (const when of ['before', 'after']) await killed(child, [`${when}:${at}`], undefined, figures)
  }
  for (let turn = 0; turn < random; turn++) await killed(child, ['loop'], Math.random() * 60, figures)
  return figures
}

async function killed(child: string, how: readonly string[], afterMs: number | undefined, figures: KillFigures): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'saydo-kill-'))
  const [file, noted, effects] = ['run.jsonl', 'noted', 'effects'].map(name => join(folder, name)) as [string, string, string]
  writeFileSync(noted, '')
  writeFileSync(effects, '')
  const running = startChild(child, ['record', file, noted, effects, ...how])
  if (afterMs !== undefined) {
    await until(() => readFileSync(noted).length > 0, running)
    await wait(afterMs)
    running.kill('SIGKILL')
  }
  await ended(running)
  figures.kills += 1
  try {
    const { events } = readJournal(file)
    if (events.length > 0) transcriptOf(events)
    const intents = events.filter(({ type }) => type === 'call_start').length
    figures.lostRecords += Math.max(0, readFileSync(noted).length - events.length)
    figures.effectsWithoutRecord += Math.max(0, readFileSync(effects).length - intents)
  } catch {
    figures.unreadable += 1
  }
  rmSync(folder, { recursive: true, force: true })
}

export interface ResumeKillFigures {
  /** Runs that were cut short and gone on with until their end, in so many processes, each but the last of a run killed. */
  runs: number
  kills: number
  /** Records that can't be read afterwards, and runs that came to no end. */
  unreadable: number
  /** Effects beyond the one that the run has, and calls that were begun on record without one. */
  doubledEffects: number
  effectsWithoutRecord: number
  /** Went on to another answer although the outcome of the call was known. */
  otherEnds: number
  /** The model was told that the outcome of the call is unknown: a process was killed between its intent and its result. */
  unknownOutcomes: number
}

/**
 * A process that goes on with a run, killed before or after the k-th event that it adds, for each k and each place where the record broke off; and
 * then one process after the other, each killed at the same number, until the run is at its end. `every`: of the events only each so-many-th.
 */
export async function killResumeEverywhere(
  child: string,
  { places = Number.POSITIVE_INFINITY, every = 1 } = {},
): Promise<ResumeKillFigures> {
  const figures: ResumeKillFigures = {
    runs: 0,
    kills: 0,
    unreadable: 0,
    doubledEffects: 0,
    effectsWithoutRecord: 0,
    otherEnds: 0,
    unknownOutcomes: 0,
  }
  const [whole = Buffer.alloc(0)] = await journals(['a call and an answer'])
  const { events } = readJournal(FILE, { disk: memoryDisk(new Map([[FILE, whole]])) })
  const ends = [...whole.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : [])).slice(0, -1)
  for (const [at, length] of ends.slice(0, places).entries()) {
    // a record that breaks off behind the call's begin leaves open whether it was made
    const done = events.slice(0, at + 1).some(({ type }) => type === 'call_start') ? '.' : ''
    for (let number = 0; number < events.length - at; number += every)
      for (const when of ['before', 'after'])
        await resumeKilled(child, whole.subarray(0, length), done, `${when}:${number}`, figures)
  }
  return figures
}

/** In the middle of a run of kills without end: a process that adds nothing but that it goes on gets nowhere. */
const MOST_KILLS = 40

async function resumeKilled(child: string, cut: Buffer, done: string, how: string, figures: ResumeKillFigures): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'saydo-kill-'))
  const [file, effects] = [join(folder, 'run.jsonl'), join(folder, 'effects')]
  writeFileSync(file, cut)
  writeFileSync(effects, done)
  const [, number] = how.split(':')
  const most = Number(number) < 2 ? 1 : MOST_KILLS
  figures.runs += 1
  for (let kills = 0; ; kills++) {
    const running = startChild(child, ['resume', file, effects, ...(kills < most ? [how] : [])])
    await ended(running)
    if (running.signalCode !== 'SIGKILL') break
    figures.kills += 1
  }
  try {
    const events = readJournal(file).events
    const { result } = transcriptOf(events)
    const count = (type: AgentEvent['type']): number => events.filter(event => event.type === type).length
    const made = readFileSync(effects).length
    const unknown = events.some(event => event.type === 'observation' && event.observation.failure !== undefined)
    if (!result) figures.unreadable += 1
    figures.doubledEffects += Math.max(0, made - 1)
    figures.effectsWithoutRecord += Math.max(0, made - count('call_start'))
    if (unknown) figures.unknownOutcomes += 1
    else if (result?.answer !== 'Ostrava Bay') figures.otherEnds += 1
  } catch {
    figures.unreadable += 1
  }
  rmSync(folder, { recursive: true, force: true })
}

export interface RaceFigures {
  rounds: number
  /** How often somebody had the file. */
  owned: number
  /** Rounds in which nobody had it. */
  unowned: number
  /** How often two had it at once. */
  doubleOwners: number
}

/** Processes that want the same file at the same moment, round after round; beside it lies what a process that was killed left behind. */
export async function raceForLock(child: string, processes: number, rounds: number): Promise<RaceFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'saydo-race-'))
  const noted = join(folder, 'noted')
  writeFileSync(noted, '')
  await ended(startChild(child, ['leave-locks', folder, String(rounds)]))
  const start = String(Date.now() + 1500)
  const racers = Array.from({ length: processes }, () => startChild(child, ['race', folder, String(rounds), start, noted]))
  await Promise.all(racers.map(ended))
  const said = readFileSync(noted, 'utf8')
    .split('\n')
    .filter(line => line !== '')
  const owned = said.filter(line => line.startsWith('owned '))
  rmSync(folder, { recursive: true, force: true })
  return {
    rounds,
    owned: owned.length,
    unowned: rounds - new Set(owned).size,
    doubleOwners: said.filter(line => line.startsWith('double ')).length,
  }
}

/** Bundles test/support/durability-child.ts; gives its path. */
export async function buildChild(): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'saydo-child-')), 'child.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, 'durability-child.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    loader: { '.hbs': 'text' },
    // what some CommonJS packages inside expect of a Node file
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
  return outfile
}

function startChild(child: string, argv: readonly string[]): ChildProcess {
  return spawn(process.execPath, [child, ...argv], { stdio: ['ignore', 'ignore', 'inherit'], env: { PATH: process.env.PATH } })
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise(resolve => child.on('exit', () => resolve()))
}

async function until(holds: () => boolean, child: ChildProcess): Promise<void> {
  while (!holds() && child.exitCode === null) await wait(2)
}

function count(bytes: Buffer, wanted: number): number {
  let found = 0
  for (const byte of bytes) if (byte === wanted) found += 1
  return found
}

function isStart(some: readonly object[], all: readonly object[], length: number): boolean {
  return some.length === length && some.every((record, at) => JSON.stringify(record) === JSON.stringify(all[at]))
}
