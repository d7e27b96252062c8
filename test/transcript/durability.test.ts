// Every record survives what may happen to it. The same with larger numbers: node bench/durability.mjs
import { beforeAll, describe, expect, test } from 'vitest'
import {
  buildChild,
  cutEverywhere,
  cutPowerEverywhere,
  failEverywhere,
  flipEverywhere,
  journals,
  killEverywhere,
  killResumeEverywhere,
  raceForLock,
} from '../support/durability.js'
import { RUN_SCRIPTS } from '../support/recorded-runs.js'

test('cut at every byte, a journal reads as its whole lines, and goes on from there', async () => {
  const figures = cutEverywhere(await journals(['an answer at once', 'an abort in a reply']))
  expect(figures).toMatchObject({ wrongReadings: 0, wrongAppends: 0 })
  expect(figures.cuts).toBeGreaterThan(5_000)
}, 120_000)

test('with any bit flipped, a journal is refused, or says that its end is torn', async () => {
  const figures = flipEverywhere(await journals(['an answer at once']))
  expect(figures.silentAcceptances).toBe(0)
  expect(figures.refused).toBeGreaterThan(figures.torn)
  expect(figures.torn).toBeGreaterThan(0)
}, 120_000)

test.each(['two calls side by side', 'odd replies'])(
  'with any call of the disk failing, no effect of %s goes without its record',
  async name => {
    const figures = await failEverywhere(RUN_SCRIPTS[name] ?? { replies: [] })
    expect(figures).toMatchObject({ effectsWithoutRecord: 0, lostRecords: 0, crashes: 0 })
    expect(figures.stopped).toBeGreaterThan(100)
    expect(figures.unharmed).toBeGreaterThan(0)
  },
  120_000,
)

test('without power at any moment, no effect goes without its record, and no reply or result is lost', async () => {
  const figures = await cutPowerEverywhere()
  expect(figures).toMatchObject({ effectsWithoutRecord: 0, lostRecords: 0 })
  expect(figures.moments).toBeGreaterThan(300)
}, 60_000)

describe.runIf(process.platform === 'linux')('processes of their own', () => {
  let child = ''
  beforeAll(async () => {
    child = await buildChild()
  }, 60_000)

  test('killed at any event or any moment, a run can be read up to where it was', async () => {
    const figures = await killEverywhere(child, 8)
    expect(figures).toMatchObject({ unreadable: 0, lostRecords: 0, effectsWithoutRecord: 0 })
    expect(figures.kills).toBeGreaterThan(30)
  }, 240_000)

  test('a process that goes on with a run may be killed like the first, again and again: the run comes to its end, and its call is made once', async () => {
    const figures = await killResumeEverywhere(child, { places: 1, every: 5 })
    expect(figures).toMatchObject({ unreadable: 0, doubledEffects: 0, effectsWithoutRecord: 0, otherEnds: 0 })
    expect(figures.kills).toBeGreaterThan(8)
  }, 240_000)

  test('a file never has two writers, and one in each round', async () => {
    expect(await raceForLock(child, 8, 20)).toMatchObject({ doubleOwners: 0, unowned: 0 })
  }, 60_000)
})
