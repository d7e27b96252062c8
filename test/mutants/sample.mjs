// Two Stryker plugins: a checker that lets only a fair share of the mutants through, and a reporter that says the score of each folder.
// Whether a mutant is tried depends on a hash of what it changes and where, so a share is the same in each run, and another with each seed.
// MUTANTS_SHARE (default 1, all of them) and MUTANTS_SEED (default 1). Mutants outside the share count for nothing, as errors.
import { relative } from 'node:path'
import { CheckStatus } from '@stryker-mutator/api/check'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'

const SHARE = Number(process.env.MUTANTS_SHARE ?? 1)
const SEED = process.env.MUTANTS_SEED ?? '1'

class Sample {
  async init() {}

  async check(mutants) {
    return Object.fromEntries(mutants.map(mutant => [mutant.id, isTried(mutant) ? PASSED : OUTSIDE]))
  }

  group(mutants) {
    return [mutants.map(({ id }) => id)]
  }
}

/** Prints, per folder, how many mutants were caught, and the standard error of that share where only a sample was tried. */
class FolderScores {
  onMutationTestReportReady({ files }) {
    const folders = new Map()
    for (const [file, { mutants }] of Object.entries(files)) {
      for (const folder of ['all', file.split('/').slice(0, -1).join('/')]) {
        const counts = folders.get(folder) ?? { caught: 0, missed: 0 }
        for (const { status } of mutants) if (status in COUNTS) counts[COUNTS[status]] += 1
        folders.set(folder, counts)
      }
    }
    for (const [folder, { caught, missed }] of folders) {
      const tried = caught + missed
      const share = caught / tried
      const error = Math.sqrt((share * (1 - share)) / tried)
      const figures = tried ? `${(100 * share).toFixed(1)} % ± ${(100 * error).toFixed(1)}` : 'none'
      process.stdout.write(`${folder.padEnd(20)} ${figures} of ${tried} mutants noticed\n`)
    }
  }
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.Checker, 'sample', Sample),
  declareClassPlugin(PluginKind.Reporter, 'folders', FolderScores),
]

const PASSED = { status: CheckStatus.Passed }
const OUTSIDE = { status: CheckStatus.CompileError, reason: 'not in the sample' }
const COUNTS = { Killed: 'caught', Timeout: 'caught', Survived: 'missed', NoCoverage: 'missed' }

function isTried({ fileName, location, mutatorName, replacement }) {
  return hash(JSON.stringify([SEED, relative(process.cwd(), fileName), location, mutatorName, replacement])) < SHARE
}

/** FNV-1a, mixed at the end → a number in [0, 1). */
function hash(text) {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32
}
