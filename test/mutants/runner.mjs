// A Stryker test runner: the reader's test files and sources, compiled once, are evaluated anew for each mutant within one process. That takes
// milliseconds where a test framework's start takes seconds, and a mutant in code that runs while modules load is tried like any other.
// Tests run until the first that fails: first those that noticed
// most mutants of the same file, then most of any file, then the quick ones.
import * as fs from 'node:fs'
import { resolve } from 'node:path'
import { Script } from 'node:vm'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import { DryRunStatus, MutantRunStatus, TestStatus } from '@stryker-mutator/api/test-runner'
import { openModules } from './loader.mjs'
import { standIn } from './stand-in.mjs'

const FOLDERS = ['test/parse', 'test/dialect']
/** Left out: together they take longer than all others, and ask again what those ask, of long texts or in one more form. */
const LONG = [
  /hostile/,
  /of the longest length/,
  /every recorded reply in any chunking/,
  /a refused reply the same in any chunking/,
]
/** Tests that Stryker knows as one: which of them reach a mutant would be too much to keep. */
const GROUP = 25
/** The share of a property's cases that is tried, unless PROPERTY_RUNS says otherwise. */
const PROPERTY_RUNS = '0.03'
/** How long each test took, left in the sandbox by the process that tried them all for those that come later. */
const TOOK = 'took.json'
/** A test that takes this much longer than without a mutant, in ms, never ends. */
const PATIENCE = 3000

class InOneProcess {
  #groups = new Map()
  #durations = new Map()
  #kills = new Map()

  capabilities() {
    return { reloadEnvironment: true }
  }

  async init() {
    process.env.PROPERTY_RUNS ??= PROPERTY_RUNS
    for (const file of testFiles())
      for (const [index, ids] of inGroups(openTests(() => false).idsIn(file)).entries())
        this.#groups.set(`${file} [${index}]`, ids)
  }

  /** Each group on sources of its own, so that what one test puts into a cache is covered by all who need it. */
  async dryRun() {
    globalThis.__stryker__ = { mutantCoverage: { static: {}, perTest: {} } }
    const tests = []
    for (const [id, ids] of this.#groups) tests.push({ id, name: id, ...(await this.#tryGroup(id, ids)) })
    fs.writeFileSync(TOOK, JSON.stringify([...this.#durations]))
    return { status: DryRunStatus.Complete, tests, mutantCoverage: globalThis.__stryker__.mutantCoverage }
  }

  async mutantRun({ activeMutant, sandboxFileName, testFilter, hitLimit }) {
    globalThis.__stryker__ = { activeMutant: activeMutant.id, hitCount: hitLimit === undefined ? undefined : 0, hitLimit }
    if (this.#durations.size === 0) this.#durations = new Map(JSON.parse(fs.readFileSync(TOOK, 'utf8')))
    const opened = openTests(path => path === sandboxFileName)
    const kills = [this.#killsIn(activeMutant.fileName), this.#killsIn('any file')]
    const groups = testFilter ?? [...this.#groups.keys()]
    const ids = groups.flatMap(group => this.#groups.get(group).map(id => ({ id, group })))
    for (const { id, group } of this.#inOrder(ids, kills)) {
      const failure = await failureOf(() => opened.testOf(id)?.(), PATIENCE + 20 * this.#durations.get(id))
      if (!failure) continue
      for (const counts of kills) counts.set(id, (counts.get(id) ?? 0) + 1)
      const failureMessage = `${id}: ${failure.message}`.slice(0, 500)
      return isEndless(failure)
        ? { status: MutantRunStatus.Timeout, reason: id }
        : { status: MutantRunStatus.Killed, killedBy: [group], failureMessage, nrOfTests: groups.length }
    }
    return { status: MutantRunStatus.Survived, nrOfTests: groups.length }
  }

  async #tryGroup(group, ids) {
    const opened = openTests(() => true)
    for (const id of ids) opened.testOf(id)
    globalThis.__stryker__.currentTestId = group
    let timeSpentMs = 0
    for (const id of ids) {
      const start = processorMs()
      const failure = await failureOf(opened.testOf(id), 60_000)
      const tookMs = processorMs() - start
      this.#durations.set(id, tookMs)
      timeSpentMs += tookMs
      if (failure) return { timeSpentMs, status: TestStatus.Failed, failureMessage: `${id}: ${failure.message}` }
    }
    globalThis.__stryker__.currentTestId = undefined
    return { timeSpentMs, status: TestStatus.Success }
  }

  #killsIn(file) {
    if (!this.#kills.has(file)) this.#kills.set(file, new Map())
    return this.#kills.get(file)
  }

  #inOrder(ids, kills) {
    const more = (a, b) => counts => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0)
    const sooner = (a, b) => this.#durations.get(a.id) - this.#durations.get(b.id)
    return ids.sort((a, b) => kills.map(more(a, b)).find(Boolean) ?? sooner(a, b))
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-one-process', InOneProcess)]

/** → all test files anew, on sources of which the changed ones are those of Stryker. A file is evaluated when its first test is wanted. */
function openTests(isChanged) {
  const { vitest, within, tests } = standIn()
  const evaluate = openModules(isChanged, { vitest, 'node:fs': diskOnce })
  const opened = new Set()
  const testsIn = file => {
    if (!opened.has(file)) within(file, () => evaluate(resolve(file)))
    opened.add(file)
    return tests
  }
  return {
    idsIn: file => [...testsIn(file).keys()].filter(id => id.startsWith(file) && !LONG.some(one => one.test(id))),
    testOf: id => testsIn(id.slice(0, id.indexOf(' > '))).get(id),
  }
}

function testFiles() {
  const files = FOLDERS.flatMap(folder => fs.readdirSync(folder).map(name => `${folder}/${name}`))
  return files.filter(file => file.endsWith('.test.ts')).sort()
}

/** Files are read from the disk once. */
const diskOnce = { ...fs, readFileSync: once(fs.readFileSync), readdirSync: once(fs.readdirSync) }

function once(read) {
  const known = new Map()
  return (...given) => {
    const key = JSON.stringify(given)
    if (!known.has(key)) known.set(key, read(...given))
    return known.get(key)
  }
}

const run = new Script('globalThis.__test__()')

/** What a test throws, if anything. One that does not end within `patience` ms throws too. */
async function failureOf(test, patience) {
  globalThis.__test__ = test
  try {
    await run.runInThisContext({ timeout: Math.ceil(patience) })
    return undefined
  } catch (error) {
    return { code: error?.code, message: String(error?.message ?? error) }
  }
}

function processorMs() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function inGroups(ids) {
  return Array.from({ length: Math.ceil(ids.length / GROUP) }, (_, at) => ids.slice(at * GROUP, (at + 1) * GROUP))
}

function isEndless({ code, message }) {
  return code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' || message.startsWith('Stryker: Hit count limit')
}
