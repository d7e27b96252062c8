import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Message } from '../../src/core/message.js'
import { bundledTemplate, examplesFor, flattenMessages, LANGUAGES, renderPrompt } from '../../src/prompt/index.js'
import { act, dialect, observe, promptData, tools, turnsOfExample, turnsOfStep } from './support.js'

const steps = [
  turnsOfStep(act('I need both cities.', 'weather', { city: 'Oslo' }), observe('3 °C, {{wind}} & <rain>')),
  turnsOfStep(act('Now Rome.', 'weather', { city: 'Rome', unit: 'C' }), observe('line one\nline two')),
]

const written = (messages: readonly Message[]) => messages.map(({ role, text }) => `═══ ${role}\n${text}\n`).join('')

describe('whole prompts, as they stand in fixtures/prompts', () => {
  test.each(LANGUAGES)('a run in %s', async language => {
    const template = await bundledTemplate('react', language)
    const [example] = (await examplesFor(['search'], language)).kept
    const data = promptData({
      examples: example === undefined ? [] : [turnsOfExample(example)],
      scratchpad: steps.flat(),
      situation: 'Today is Monday.',
      nudge: template.say('MISSING_INPUT', {
        tool: 'weather',
        missing: ['city'],
        tools: ['weather'],
        example: act('Rome again.', 'weather', { city: 'Rome' }),
      }),
    })
    const { messages, text } = renderPrompt(template, data, dialect)
    await expect(written(messages)).toMatchFileSnapshot(`../../fixtures/prompts/react-${language}.chat.txt`)
    await expect(text).toMatchFileSnapshot(`../../fixtures/prompts/react-${language}.text.txt`)
  })

  test.each(LANGUAGES)('a run in %s without tools, with a schema', async language => {
    const template = await bundledTemplate('react', language)
    const schema = 'object {colder?: boolean}'
    const { messages } = renderPrompt(template, promptData({ tools: [], answerSchema: schema }), dialect)
    await expect(written(messages)).toMatchFileSnapshot(`../../fixtures/prompts/react-${language}.no-tools.txt`)
  })

  test.each(LANGUAGES)('the head in %s costs at most 350 tokens besides the tools', async language => {
    const template = await bundledTemplate('react', language)
    const [head] = renderPrompt(template, promptData({ tools: tools.slice(0, 1) }), dialect).messages
    const text = head?.text ?? ''
    // a rough count: four letters a token, one token for each Chinese, Japanese or Korean character
    const wide = text.match(/[\u3000-\u9fff\uac00-\ud7af\uff00-\uffef]/g)?.length ?? 0
    expect((text.length - wide) / 4 + wide).toBeLessThan(350)
  })
})

describe('the tail', () => {
  it('holds situation, correction and the call to finish, in this order, in the last user turn', async () => {
    const template = await bundledTemplate()
    const plain = renderPrompt(template, promptData({ scratchpad: steps.flat() }), dialect)
    const full = renderPrompt(
      template,
      promptData({ scratchpad: steps.flat(), situation: 'S', nudge: 'C', final: true }),
      dialect,
    )
    expect(full.messages.slice(0, -1)).toEqual(plain.messages.slice(0, -1))
    expect(full.messages.at(-1)?.text).toBe(
      `${plain.messages.at(-1)?.text}\n\nS\n\nC\n\n${template.say('wrap_up', { reason: 'max_steps' })}`,
    )
  })

  it('says why it is the last turn', async () => {
    const template = await bundledTemplate()
    const last = renderPrompt(template, promptData({ final: true, reason: 'stuck' }), dialect).messages.at(-1)
    expect(last?.text).toContain(template.say('wrap_up', { reason: 'stuck' }))
    expect(last?.text).not.toContain('last step')
  })

  it('is a user turn of its own after a reply', async () => {
    const template = await bundledTemplate()
    const { messages } = renderPrompt(template, promptData({ scratchpad: turnsOfStep('Thought: hm', ''), nudge: 'C' }), dialect)
    expect(messages.slice(-2)).toEqual([
      { role: 'assistant', text: 'Thought: hm' },
      { role: 'user', text: 'C' },
    ])
  })

  it('tells how many steps were left out, between task and steps', async () => {
    const template = await bundledTemplate()
    const { messages } = renderPrompt(template, promptData({ scratchpad: steps.flat(), omitted: 3 }), dialect)
    expect(messages[1]?.text).toBe('Question: Is Oslo colder than Rome?\n\n[3 earlier steps left out]')
  })
})

describe('stop strings', () => {
  it('are the dialect’s, never an empty one', async () => {
    const prompt = renderPrompt(await bundledTemplate(), promptData(), dialect)
    expect(prompt).toMatchObject({ opener: 'Thought:', stop: ['\nObservation:'], textStop: ['\nQuestion:'] })
  })
})

describe('turns as one text', () => {
  test.each<[string, Message[], string, string]>([
    ['end in the opener', [{ role: 'user', text: 'Q' }], 'Thought:', 'Q\nThought:'],
    ['end in a line break without an opener', [{ role: 'user', text: 'Q' }], '', 'Q\n'],
    ['keep a reply that begins with the opener', [{ role: 'assistant', text: 'Thought: a' }], 'Thought:', 'Thought: a\nThought:'],
    [
      'put the opener before another reply',
      [{ role: 'assistant', text: 'Action: a' }],
      'Thought:',
      'Thought:\nAction: a\nThought:',
    ],
    [
      'set the system’s turn apart',
      [
        { role: 'system', text: 'S' },
        { role: 'user', text: 'Q' },
      ],
      'T:',
      'S\n\nQ\nT:',
    ],
    ['are the opener alone when there are none', [], 'Thought:', 'Thought:'],
  ])('%s', (_, messages, opener, text) => {
    expect(flattenMessages(messages, opener)).toBe(text)
  })
})

describe('prompt k is a prefix of prompt k+1', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('Thought: ', 'Action: x', '\n', '', 'Observation: 1', '{{task}}'),
  )
  const words = fc.array(line, { maxLength: 4 }).map(lines => lines.join('\n'))
  const reply = fc.oneof(
    words,
    words.map(text => `Thought:${text}`),
  )
  const step = fc
    .record({ reply, observations: fc.array(words, { maxLength: 2 }) })
    .map(({ reply, observations }): readonly Message[] => [
      { role: 'assistant', text: reply },
      ...observations.map(text => ({ role: 'user' as const, text })),
    ])
  const run = fc.array(step, { minLength: 1, maxLength: 6 })

  it.each(['Thought:', ''])('as turns and as text, with the opener "%s"', async opener => {
    const template = await bundledTemplate()
    const [example] = (await examplesFor(['search'])).kept
    const examples = example === undefined ? [] : [turnsOfExample(example)]
    fc.assert(
      fc.property(run, words, (steps, task) => {
        const prompts = Array.from({ length: steps.length + 1 }, (_, count) =>
          renderPrompt(template, promptData({ task: `Question: ${task}`, examples, scratchpad: steps.slice(0, count).flat() }), {
            ...dialect,
            opener,
          }),
        )
        for (const [index, next] of prompts.slice(1).entries()) {
          const before = prompts[index]
          if (before === undefined) throw new Error('unreachable')
          expect(next.messages.slice(0, before.messages.length)).toEqual(before.messages)
          expect(next.messages.length).toBeGreaterThan(before.messages.length)
          expect(next.text.startsWith(before.text)).toBe(true)
          expect(next.text.length).toBeGreaterThan(before.text.length)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('whatever the last turn is told', async () => {
    const template = await bundledTemplate()
    fc.assert(
      fc.property(run, words, (steps, told) => {
        const scratchpad = steps.flat()
        const plain = renderPrompt(template, promptData({ scratchpad }), dialect).messages
        const final = renderPrompt(
          template,
          promptData({ scratchpad, situation: told, nudge: told, final: true }),
          dialect,
        ).messages
        expect(final.slice(0, plain.length - 1)).toEqual(plain.slice(0, -1))
        expect(final[plain.length - 1]?.text.startsWith(plain.at(-1)?.text ?? '')).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
