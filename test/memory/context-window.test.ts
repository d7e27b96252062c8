import { describe, expect, test } from 'vitest'
import type { Prompt } from '../../src/core/message.js'
import { ContextWindow } from '../../src/memory/context-window.js'
import { estimateTokens, TokenMeter } from '../../src/memory/tokens.js'

/** A prompt of about so many tokens. */
const prompt = (tokens: number): Prompt => ({
  messages: [],
  text: 'word '.repeat((tokens * 4) / 5),
  opener: '',
  taskBreak: '',
  stop: [],
  textStop: [],
})
const usage = (promptTokens: number) => ({ promptTokens, completionTokens: 1 })

describe('a guess of tokens', () => {
  test.each([
    ['', 0],
    ['four', 1],
    ['a sentence of forty letters, or about so.', 11],
    ['维尔特里亚的首都', 6],
    [' '.repeat(1000), 1],
  ])('%j', (text, tokens) => expect(estimateTokens(text)).toBe(tokens))
})

test('a text that goes on from the last one is guessed by what is new in it', () => {
  const meter = new TokenMeter()
  const text = 'A prompt that grows, step by step. '
  const guesses = [1, 2, 3, 1].map(times => meter.estimate(text.repeat(times)))
  expect(guesses).toEqual([9, 18, 27, 9])
})

describe('a context window', () => {
  test('that nobody knows has room for everything', () => {
    expect(new ContextWindow().fits(prompt(1e6))).toBe(true)
  })

  test.each([
    [4096, 3000, true],
    [4096, 3200, false],
    [800, 590, true],
    [800, 700, false],
  ])('of %d tokens keeps some for the reply: a prompt of %d fits: %s', (context, tokens, fits) => {
    expect(new ContextWindow(context).fits(prompt(tokens))).toBe(fits)
  })

  test('is corrected by what the endpoint counts', () => {
    const window = new ContextWindow(4096)
    window.read(prompt(1000), usage(2000))
    expect([window.fits(prompt(1500)), window.fits(prompt(1600))]).toEqual([true, false])
  })

  test('is never tried again with a prompt that was refused', () => {
    const window = new ContextWindow()
    window.refused(prompt(900))
    expect([window.fits(prompt(900)), window.fits(prompt(800))]).toEqual([false, true])
  })

  test('tells when the endpoint read far less than the prompt, and learns nothing from that', () => {
    const window = new ContextWindow(20_000)
    expect(window.read(prompt(15_750), usage(2051))).toContain('2051 tokens in a prompt of about 15750')
    expect(window.fits(prompt(19_500))).toBe(false)
  })

  test.each([
    ['a count that is near', 15_750, usage(11_000)],
    ['a short prompt', 500, usage(20)],
    ['no count', 15_750, undefined],
    ['a count of nothing', 15_750, usage(0)],
  ])('has nothing to tell about %s', (_, tokens, counted) => {
    expect(new ContextWindow().read(prompt(tokens), counted)).toBeUndefined()
  })

  test.each([0, -1, Number.NaN])('of %s tokens is refused', tokens => {
    expect(() => new ContextWindow(tokens)).toThrowError(expect.objectContaining({ code: 'CONFIG' }))
  })
})
