// The word for an observation without its colon: at the end of a reply it is a cut stop word, before another label an observation, elsewhere text.
import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../../src/core/tool.js'
import { parseReply } from '../../src/dialect/read.js'

const tools: readonly ToolSpec[] = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
]
const answerOf = (reply: string) => {
  const { decision } = parseReply(reply, { tools })
  return decision.kind === 'answer' ? decision.text : decision.kind
}
const queryOf = (reply: string) => {
  const { decision } = parseReply(reply, { tools })
  return decision.kind === 'act' ? decision.calls.map(({ input }) => input.query).join(' + ') : decision.kind
}
const WIDE = `Observation${' '.repeat(40)}`

describe('the last line of an answer', () => {
  it.each([
    'Obs',
    'obser',
    'Observation',
    'Observation:',
    'Observation：',
    'Observation 9',
    'Observations',
    '**Observation**',
    '**Observation:**',
    '> Observation',
    '# Observation #',
    '观察',
    'Observation\n\n  ',
    'Observation\nObs',
    `${'  '.repeat(4)}Observation 12`,
  ])('%j is a cut stop word', tail => {
    const reply = `Final Answer: 42\n${tail}`
    expect(answerOf(reply)).toBe('42')
    expect(parseReply(reply, { tools }).problems.map(({ code }) => code)).toContain('STOP_WORD_CUT')
  })

  it.each([
    'Ob',
    'Obs 3',
    '3 Observation',
    'Obs 3 rivers',
    'Observation of birds',
    'See Obs',
    'Obsidian',
    'Observatory 7',
    '观',
    'Observation!',
    'Observation: a',
    `${'x'.repeat(30)} Observation`,
  ])('%j is text', tail => {
    expect(answerOf(`Final Answer: 42\n${tail}`)).toBe(`42\n${tail}`)
  })

  it.each(['Obs', 'Observation'])('%j on the only line is no cut stop word, and no answer either', only => {
    expect(answerOf(only)).toBe('unclear')
  })
})

describe('the line before another label', () => {
  it.each(['Observation', '**Observation**', '> Observation', 'Observation 2', '观察', '## Observation'])(
    '%j ends an input',
    line => {
      expect(queryOf(`Action: search\nAction Input: cats\n${line}\n\nThought: now\nFinal Answer: 3`)).toBe('cats')
    },
  )

  it.each(['Observation deck', 'Obs', 'Observatory', '2 Observation', 'Observation 2 a', WIDE])(
    '%j is a line of the input',
    line => {
      expect(queryOf(`Action: search\nAction Input: cats\n${line}\nThought: now`)).toBe(`cats\n${line}`.trimEnd())
    },
  )

  it('is a line of the input when text stands below it', () => {
    expect(queryOf('Action: search\nAction Input: cats\nObservation\ndogs\nThought: now')).toBe('cats\nObservation\ndogs')
  })
})
