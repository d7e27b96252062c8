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
    const prove = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { status } = await check(next.source, next.flags, { timeout: 60_000, randomSeed: 1 })
        if (status !== 'safe') doubtful.push(`${status}: /${next.source}/${next.flags} in ${next.place}`)
      }
    }
    await Promise.all([prove(), prove()])
    expect(doubtful).toEqual([])
  }, 600_000)
})
