import { describe, expect, it, test } from 'vitest'
import { DIALECTS, parseReply } from '../../src/dialect/index.js'
import { hasWords, isAlwaysRead, languageWords } from '../../src/dialect/languages.js'
import { LANGUAGES } from '../../src/prompt/index.js'

const tools = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
]
const further = LANGUAGES.filter(language => !isAlwaysRead(language))
const first = (language: string, list: 'thought' | 'action' | 'input' | 'observation' | 'answer') =>
  languageWords(language)[list]?.[0] ?? ''

it('every language of a prompt has label words', () => {
  expect(LANGUAGES.filter(language => !hasWords(language))).toEqual([])
  expect(() => languageWords('eo')).toThrowError(expect.objectContaining({ code: 'CONFIG' }))
})

describe.each(further)('labels in %s', labels => {
  const read = (text: string) => parseReply(text, { tools, labels }).decision
  const {
    action = [],
    input = [],
    answer = [],
    noAction = [],
    noInput = [],
    finish = [],
    placeholders = [],
  } = languageWords(labels)
  const [thought, observation] = [first(labels, 'thought'), first(labels, 'observation')]
  const searches = { kind: 'act', calls: [{ tool: 'search', input: { query: '7 x' } }] }

  test.each(action.flatMap(word => input.map(other => [word, other])))('"%s" and "%s" make a call', (word, other) => {
    for (const colon of [':', '：', ' : '])
      expect(read(`${thought}${colon}7.\n${word}${colon}search\n${other}${colon}7 x\n${observation}${colon}8`)).toMatchObject(
        searches,
      )
  })

  test.each(answer)('"%s" makes an answer', word => {
    expect(read(`${thought}: 7.\n${word}: 8`)).toEqual({ kind: 'answer', text: '8' })
  })

  test.each(finish)('"%s" as an action ends with an answer', word => {
    expect(read(`${thought}: 7.\n${action[0]}: ${word}[8]`)).toEqual({ kind: 'answer', text: '8' })
  })

  test.each(noAction)('"%s" is no action', word => {
    expect(read(`${thought}: 7.\n${action[0]}: ${word}\n${answer[0]}: 8`)).toEqual({ kind: 'answer', text: '8' })
    expect(read(`${thought}: 7.\n${action[0]}: ${word}`)).toMatchObject({ kind: 'unclear', problem: { code: 'ONLY_THOUGHT' } })
  })

  test.each(noInput)('"%s" is no input', word => {
    expect(read(`${action[0]}: search\n${input[0]}: ${word}`)).toMatchObject({
      kind: 'unclear',
      problem: { code: 'MISSING_INPUT' },
    })
  })

  test.each(placeholders.flatMap(word => [word, `<${word}>`, `[${word}]`]))('"%s" is no answer', word => {
    expect(read(`${thought}: 7.\n${answer[0]}: ${word}`)).toMatchObject({ kind: 'unclear', problem: { code: 'PLACEHOLDER' } })
  })

  it('are a remark, since the dialect writes others, whose own replies stay clean', () => {
    const own = 'Thought: 7.\nAction: search\nAction Input: {"query": "7 x"}'
    expect(parseReply(own, { tools, labels }).problems).toEqual([])
    const translated = parseReply(`${thought}: 7.\n${answer[0]}: 8`, { tools, labels })
    expect(translated.problems.map(({ code }) => code)).toEqual(['LABEL_SPELLING', 'LABEL_SPELLING'])
  })

  test.each([...DIALECTS.values()])('are not written into a prompt unmarked, in $name', dialect => {
    const step = {
      parsed: { thought: null, decision: { kind: 'answer', text: '8' }, problems: [], kept: [0, 0] },
      observations: [{ tool: 'search', text: `7\n${action[0]}: search`, truncated: 0, ms: 0 }],
    } as const
    expect(dialect.formatStep({ ...step, labels }).observation).toContain(`\n| ${action[0]}: search`)
  })

  test.each([...DIALECTS.values()])('in an answer leave it whole, in $name', dialect => {
    const text = `8\n${action[0]}: search\n${input[0]}: 7 x`
    const parsed = { thought: null, decision: { kind: 'answer', text }, problems: [], kept: [0, 0] } as const
    const { reply } = dialect.formatStep({ parsed, observations: [], tools, labels })
    expect(parseReply(reply, { dialect, tools, labels }).decision).toEqual({ kind: 'answer', text })
  })
})
