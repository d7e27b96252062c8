// What records of runs survive, in figures: journals cut at every byte, read and gone on with, and with every bit flipped, every call of the disk failing,
// processes killed at every event and at random moments, and many processes wanting one file. The tests do the same with smaller numbers. Needs no build:
//   node bench/durability.mjs [--kills 100] [--processes 8] [--rounds 50] [--json]
// Exit code: 0 nothing was lost, 1 something was, 2 wrong usage.
import { parseArgs } from 'node:util'
import { counts, importTrials } from './lib/import-trials.mjs'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    processes: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '50' },
    json: { type: 'boolean', default: false },
  },
})
const [kills, processes, rounds] = counts(values, 'kills', 'processes', 'rounds')
const durability = await importTrials('durability')

const all = await durability.journals()
// eight readings for each byte: the short ones are enough
const short = all.filter(({ length }) => length < 8_000)
const child = await durability.buildChild()
const measures = {
  'cut at every byte': { journals: all.length, ...durability.cutEverywhere(all) },
  'cut at every byte, and gone on with': await durability.resumeEverywhere(durability.RESUMABLE),
  'every bit flipped': { journals: short.length, ...durability.flipEverywhere(short) },
  'every call of the disk failing': await durability.failAll(),
  'without power at every moment': await durability.cutPowerEverywhere(),
  'killed at every event and at random': await durability.killEverywhere(child, kills),
  'gone on with, and killed at every event again': await durability.killResumeEverywhere(child),
  'wanted by many processes': await durability.raceForLock(child, processes, rounds),
}

/** Figures that must be 0. */
const FAULTS = [
  'wrongReadings',
  'wrongAppends',
  'otherEnds',
  'repliesAskedTwice',
  'callsMadeTwice',
  'silentAcceptances',
  'effectsWithoutRecord',
  'doubledEffects',
  'lostRecords',
  'crashes',
  'unreadable',
  'unowned',
  'doubleOwners',
]
const words = name => name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

if (values.json) console.log(JSON.stringify(measures, null, 2))
else
  for (const [what, figures] of Object.entries(measures)) {
    console.log(what)
    for (const [name, figure] of Object.entries(figures))
      console.log(`  ${String(figure).padStart(9)}  ${words(name)}${FAULTS.includes(name) && figure > 0 ? '   ← must be 0' : ''}`)
  }
const lost = Object.values(measures).some(figures => FAULTS.some(name => (figures[name] ?? 0) > 0))
process.exit(lost ? 1 : 0)
