// Every regular expression of the project takes time proportional to its text, whatever the text: proven one by one, offline.
import { join } from 'node:path'
import { check } from 'recheck'
import { describe, expect, it } from 'vitest'
import { regexesIn } from './support/regexes.js'

const root = join(import.meta.dirname, '..')
const regexes = regexesIn(join(root, 'src'), root)

describe('the regular expressions of src/', () => {
  it('are found', () => {
    expect(regexes.length).toBeGreaterThan(100)
  })

  it('are all linear', async () => {
    const waiting = [...regexes]
    const doubtful: string[] = []
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { status } = await prove(next.source, next.flags)
        if (status !== 'safe') doubtful.push(`${status}: /${next.source}/${next.flags} in ${next.place}`)
      }
    }
    await Promise.all([work(), work()])
    expect(doubtful).toEqual([])
  }, 600_000)
})

/** By its automaton, which is exact; the few that are too large for one by a search for a text that takes long. */
async function prove(source: string, flags: string) {
  const exact = await check(source, flags, { ...EXACT, checker: 'automaton', timeout: 10_000 })
  return exact.status === 'unknown' ? check(source, flags, { checker: 'fuzz', timeout: 60_000, randomSeed: 1 }) : exact
}

/** Bounded repeats, which the expressions here are full of, make large automata. */
const EXACT = { maxRepeatCount: 4_000, maxPatternSize: 20_000, maxNFASize: 200_000 }
