import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createStopGuard } from '../../src/model/stop-guard.js'

/** The same cut by looking at every beginning of the text. */
function reference(text: string, stops: readonly string[]): string {
  for (let end = 0; end <= text.length; end++) {
    const ending = stops.filter(stop => stop !== '' && text.slice(0, end).endsWith(stop)).sort((a, b) => b.length - a.length)[0]
    if (ending !== undefined) return text.slice(0, end - ending.length)
  }
  return text
}

function run(chunks: readonly string[], stops: readonly string[]): string {
  const guard = createStopGuard(stops)
  return chunks.map(chunk => guard.push(chunk)).join('') + guard.end()
}

describe('the stop guard', () => {
  it.each([
    ['cuts before a stop string', 'a\nObservation: b', ['\nObservation:'], 'a'],
    ['cuts at the very start', 'STOP it', ['STOP'], ''],
    ['gives back what only looked like one', 'a\nObserv', ['\nObservation:'], 'a\nObserv'],
    ['takes the one that is complete first', 'xabcy', ['abcy', 'b'], 'xa'],
    ['takes the longer of two that end together', 'xab', ['b', 'ab'], 'x'],
    ['ignores an empty stop string', 'abc', ['', 'c'], 'ab'],
    ['finds one after a false start that overlaps it', 'aab', ['ab'], 'a'],
    ['needs no stop strings', 'abc', [], 'abc'],
  ])('%s', (_, text, stops, expected) => {
    expect(run([text], stops)).toBe(expected)
    expect(run([...text], stops)).toBe(expected)
  })

  it('does not depend on the chunks', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀'), maxLength: 8 })
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.array(word, { maxLength: 4 }), (chunks, stops) => {
        expect(run(chunks, stops)).toBe(reference(chunks.join(''), stops))
      }),
      { numRuns: 2000 },
    )
  })

  it('holds back no more than the beginning of a stop string', () => {
    const guard = createStopGuard(['\nObservation:'])
    expect(guard.push('I see. ')).toBe('I see. ')
    expect(guard.push('Well\nObs')).toBe('Well')
    expect(guard.push('cure')).toBe('\nObscure')
    expect(guard.hit).toBeUndefined()
  })

  it('says which string it met and gives nothing after it', () => {
    const guard = createStopGuard(['END'])
    expect(guard.push('a END b')).toBe('a ')
    expect(guard.hit).toBe('END')
    expect(guard.push('more') + guard.end()).toBe('')
  })
})
