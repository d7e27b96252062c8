import { expect, it } from 'vitest'
import { breakTags } from '../../src/dialect/escape-markup.js'
import { createReplyParser, DIALECTS, defineDialect, dialectByName, labelDialect, parseReply } from '../../src/dialect/index.js'
import { inputText } from '../../src/dialect/json-text.js'
import { describeDialect } from './contract.js'

for (const dialect of DIALECTS.values()) describeDialect(dialect)

const german = labelDialect({
  name: 'german',
  thought: 'Gedanke',
  action: 'Aktion',
  actionInput: 'Eingabe',
  observation: 'Beobachtung',
  finalAnswer: ['Antwort', 'Endgültige Antwort'],
  question: 'Frage',
})
describeDialect(german)

const invoke = defineDialect({
  name: 'invoke',
  labels: {
    thought: ['Thought'],
    action: ['invoke'],
    actionInput: ['parameter'],
    observation: ['tool_result'],
    finalAnswer: ['Final Answer'],
  },
  opener: 'Thought:',
  stop: ['<tool_result>'],
  thought: text => `Thought: ${text}`,
  calls: calls => calls.map(({ tool, input }) => `<invoke name="${tool}">${inputText(input)}</invoke>`).join('\n'),
  answer: text => `Final Answer: ${text}`,
  observation: text => `<tool_result>${text}</tool_result>`,
  guard: text => breakTags(text, ['invoke', 'tool_result']),
})
describeDialect(invoke)

it('reads a dialect of its own labels, and English besides', () => {
  for (const text of ['Gedanke: weiter\nAktion: search\nEingabe: Wale', 'Thought: on\nAction: search\nAction Input: Wale']) {
    const parser = german.createParser()
    parser.push(text)
    expect(parser.end().decision).toMatchObject({ kind: 'act', calls: [{ tool: 'search', input: { input: 'Wale' } }] })
  }
  expect(german.stop).toEqual(['\nBeobachtung:', '\n Beobachtung:'])
  expect(german.formatTask('Wo?')).toBe('Frage: Wo?')
})

it('sends both spellings of the stop string', () => {
  expect(dialectByName('react').stop).toEqual(['\nObservation:', '\n Observation:'])
  expect(dialectByName('react').textStop).toEqual(['\nQuestion:', '====='])
})

it('names the nearest dialect for a misspelt one', () => {
  expect(() => dialectByName('raect')).toThrowError(expect.objectContaining({ code: 'CONFIG', hint: 'Did you mean "react"?' }))
})

it('a dialect keeps its own words when another language is read besides', () => {
  const own = labelDialect({
    name: 'own',
    thought: 'Musing',
    action: 'Deed',
    actionInput: 'With',
    observation: 'Seen',
    finalAnswer: 'Verdict',
    words: { finish: ['Basta'] },
  })
  for (const labels of [undefined, 'it']) {
    const { decision } = parseReply('Musing: done\nDeed: Basta[ok]', { dialect: own, tools: [], ...(labels ? { labels } : {}) })
    expect(decision).toEqual({ kind: 'answer', text: 'ok' })
  }
})

it('a dialect of its own words for labels in its own form reads back an answer that looks like a call', () => {
  const ship = defineDialect({
    name: 'ship',
    labels: { thought: ['CAPTAIN'], action: ['ORDER'], actionInput: ['ORDER'], observation: ['LOG'], finalAnswer: ['LAND'] },
    words: { thought: ['CAPTAIN'], action: ['ORDER'], observation: ['LOG'], answer: ['LAND'] },
    question: 'COURSE',
    opener: 'CAPTAIN:',
    stop: ['\nLOG:', '\n LOG:'],
    thought: text => `CAPTAIN: ${text}`,
    calls: calls => calls.map(({ tool, input }) => `ORDER: ${tool}(${inputText(input)})`).join('\n'),
    answer: text => `LAND: ${text}`,
    observation: text => `LOG: ${text}`,
  })
  const decision = { kind: 'answer', text: '4\nORDER: search({"query": "x"})' } as const
  const { reply } = ship.formatStep({ parsed: { thought: null, decision, problems: [], kept: [0, 0] }, observations: [] })
  expect(parseReply(reply, { dialect: ship }).decision).toEqual(decision)
  expect(parseReply('LAND: 4\nCOURSE: And then?\nLAND: 5', { dialect: ship }).decision).toEqual({ kind: 'answer', text: '4' })
})

it.each([
  ['null as the reply', null, {}, /A reply is a string, not null/],
  ['no reply', undefined, {}, /A reply is a string, not undefined/],
  ["a dialect's name", 'x', { dialect: 'xml' }, /no dialect/],
  ['the names of tools', 'x', { tools: ['search'] }, /no list of tools/],
  ['an object as the tools', 'x', { tools: {} }, /no list of tools/],
  ["an endpoint's own word for how it ended", 'Final Answer: x', { finish: 'max_tokens' }, /finish is "max_tokens"/],
])('whoever reads %s is told so', (_, reply, options, message) => {
  expect(() => parseReply(reply as string, options as object)).toThrowError(
    expect.objectContaining({ code: 'CONFIG', message: expect.stringMatching(message) }),
  )
})

it.each([[undefined], [[]], [' ']])('whoever gives %j as the word for an answer is told so', finalAnswer => {
  const labels = { name: 'mine', thought: 'T', action: 'A', actionInput: 'I', observation: 'O', finalAnswer }
  expect(() => labelDialect(labels as never)).toThrowError(
    expect.objectContaining({ code: 'CONFIG', message: 'The dialect "mine" has no word for finalAnswer.' }),
  )
})

it('a stream that ends in a way nobody knows is told so, and can still be ended', () => {
  const parser = createReplyParser()
  parser.push('Final Answer: The capital of')
  expect(() => parser.end('max_tokens' as never)).toThrowError(expect.objectContaining({ code: 'CONFIG' }))
  expect(parser.end('length').decision.kind).toBe('unclear')
})
