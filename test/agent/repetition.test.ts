import { describe, expect, test } from 'vitest'
import { RepetitionWatch } from '../../src/agent/repetition-watch.js'
import { answer, call, play } from '../support/agents.js'

const LOOP = "Let's run. Let's execute. "

/** How much of a text comes before it is seen to repeat itself; undefined when it never is. */
function seenAfter(text: string, size = 7): number | undefined {
  const watch = new RepetitionWatch()
  for (let at = 0; at < text.length; at += size) if (watch.push(text.slice(at, at + size))) return at + size
  return undefined
}

const csv = Array.from({ length: 400 }, (_, i) => `row ${i},${i * 7},ok`).join('\n')
const code = Array.from({ length: 200 }, (_, i) => `  if (a[${i}] === b[${i}]) return ${i}\n`).join('')

describe('a text that repeats itself', () => {
  test.each([
    ['a phrase', LOOP.repeat(900)],
    ['one letter', 'a'.repeat(9000)],
    ['lines', 'Thought: hm\nThought: so\n'.repeat(900)],
    ['Chinese', '我们来执行。'.repeat(2000)],
    ['behind other text', csv + LOOP.repeat(900)],
  ])('is seen within some three thousand characters: %s', (_, text) => {
    const start = text.startsWith('row') ? csv.length : 0
    expect((seenAfter(text) ?? Number.POSITIVE_INFINITY) - start).toBeLessThan(3300)
    expect(seenAfter(text, 1000)).toBeDefined()
  })
})

describe('no repetition is', () => {
  test.each([
    ['a table', csv],
    ['code', code],
    ['a rule', `${csv}\n${'-'.repeat(1500)}\n${csv}`],
    ['a phrase that comes a few times', `${LOOP.repeat(60)}${csv}`],
    ['a long piece that comes twice', csv + csv],
  ])('%s', (_, text) => expect(seenAfter(text)).toBeUndefined())
})

describe('a reply that repeats itself', () => {
  test('is cut off, told of, never taken for an answer, and asked again', async () => {
    const { result, told, events } = await play([`Final Answer: ${LOOP.repeat(9000)}`, answer('blue')])
    expect(result.answer).toBe('blue')
    expect(told[0]).toBe('REPETITION_CUT')
    expect(told[1]).toContain('broke off')
    const replies = events.flatMap(event => (event.type === 'reply_end' ? [event.reply] : []))
    expect(replies[0]?.finish).toBe('length')
  })

  test('does not stand in the prompt that follows', async () => {
    const { prompts } = await play([LOOP.repeat(9000), answer('blue')])
    expect(prompts[1]?.text.split("Let's execute").length).toBeLessThan(20)
  })

  test('behind a call that is complete does not cost the call', async () => {
    const { made } = await play([`${call('a')}\nThought: ${LOOP.repeat(900)}`, answer('blue')])
    expect(made).toEqual(['a'])
  })

  test('in its reasoning is cut off, too', async () => {
    const { result, told } = await play([{ text: '', reasoning: LOOP.repeat(9000) }, answer('blue')])
    expect([result.answer, told[0]]).toEqual(['blue', 'REPETITION_CUT'])
  })
})

describe('a reply that is all reasoning', () => {
  test('because that took all the room is asked for a short one, and in the end that is the reason', async () => {
    const spent = { text: '', reasoning: 'Let me think. '.repeat(20), finish: 'length' } as const
    const { result, told } = await play([spent, answer('blue')])
    expect([result.answer, told]).toEqual(['blue', [expect.stringContaining('too long')]])
    const failed = await play(Array(3).fill(spent), { onMaxSteps: 'return' })
    expect(failed.result.message).toBe('3 replies in a row gave no decision: the whole reply was spent on reasoning')
  })

  test('that ends at a stop string is asked for again without any', async () => {
    const { result, prompts, told } = await play(['<think>Hm.\nObservation shows', call('a'), answer('blue')])
    expect(result.answer).toBe('blue')
    expect(told[0]).toBe('STOPS_LEFT_OUT')
    expect(prompts.map(({ stop }) => stop.length > 0)).toEqual([true, false, false])
  })
})
