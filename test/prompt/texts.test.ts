import { describe, expect, it, test } from 'vitest'
import { TEXT_NAMES, type TextName } from '../../src/core/text.js'
import { LANGUAGES, loadTexts, TEXT_SHAPES } from '../../src/prompt/index.js'
import { sample } from '../../src/prompt/shape.js'

const CORRECTIONS = TEXT_NAMES.filter(name => name === name.toUpperCase())
const EXAMPLE = 'Thought: I look it up.\nAction: search\nAction Input: {"query": "Oslo"}'

describe.each(LANGUAGES)('texts in %s', language => {
  test.each(TEXT_NAMES)('%s can be said with little data and with much', async name => {
    const say = await loadTexts(language)
    for (const fill of ['least', 'full'] as const) {
      const text = say(name, sample(TEXT_SHAPES[name], fill))
      expect(text.trim()).toBe(text)
      expect(text).not.toBe('')
      expect(text).not.toMatch(/\{\{|undefined|\[object|\n\n\n/)
    }
  })

  test.each(CORRECTIONS)('%s is short and shows a right reply', async name => {
    const say = await loadTexts(language)
    const data = {
      tool: 'search',
      near: ['search'],
      missing: ['query'],
      quote: '{"q": Oslo',
      tools: ['search', 'weather'],
      example: EXAMPLE,
      answerForm: 'Final Answer: …',
    }
    const [sentence = '', rest] = say(name, data).split(`\n${EXAMPLE}`)
    expect(rest).toBeDefined()
    expect(sentence).toMatch(/^[^\n!！]+[:：]$/)
    expect(Array.from(sentence).length).toBeLessThanOrEqual(100)
  })

  test.each(CORRECTIONS)('%s bounds what it quotes', async name => {
    const say = await loadTexts(language)
    const long = 'x\n'.repeat(5000)
    const text = say(name, {
      tool: long,
      quote: long,
      missing: Array(500).fill('y'),
      tools: Array(500).fill('z'),
      example: 'E',
      answerForm: 'A: …',
    })
    expect(text.length).toBeLessThan(300)
    expect(text.split('\n').length).toBeLessThanOrEqual(4)
  })

  test.each(TEXT_NAMES)('%s shows hostile data as it is', async name => {
    const say = await loadTexts(language)
    const hostile = '{{task}} {{> tools}} $& $1'
    const data = Object.fromEntries(
      Object.entries(sample(TEXT_SHAPES[name], 'full')).map(([key, value]) => [key, typeof value === 'string' ? hostile : value]),
    )
    const text = say(name, data)
    const shown = 'tool' in data || 'message' in data || 'example' in data || 'omitted' in data || 'task' in data
    if (shown) expect(text).toContain(hostile)
  })

  it('names the tools there are, the near ones first', async () => {
    const say = await loadTexts(language)
    const text = say('unknown_tool', { tool: 'serach', near: ['search'], tools: ['lookup', 'search'] })
    expect(text.indexOf('serach')).toBeLessThan(text.indexOf('search'))
    expect(text).toContain('lookup, search')
    expect(say('unknown_tool', { tool: 'x', near: [], tools: [] })).not.toContain(': .')
  })

  it('lists each issue of an input in its own line', async () => {
    const say = await loadTexts(language)
    const issues = [
      { path: '/city', message: 'is required' },
      { path: '', message: 'must be an object' },
    ]
    const lines = say('invalid_input', { tool: 'weather', issues, example: '{"city":"Oslo"}' }).split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(/^- \/city ?[:：] ?is required$/)
    expect(lines[2]).toBe('- must be an object')
    expect(lines[3]).toContain('{"city":"Oslo"}')
  })
})

describe('own wording', () => {
  const own = (source: string) => loadTexts('en', { name: 'own.hbs', source })

  it('replaces the named texts and leaves the others', async () => {
    const say = await own('{{!-- mine --}}\n{{#*inline "no_output"}}\nnix\n{{/inline}}\n')
    expect(say('no_output')).toBe('nix')
    expect(say('tool_threw', { tool: 't', message: 'm' })).toBe('t failed: m')
  })

  test.each([
    ['an unknown text', '{{#*inline "wrapup"}}x{{/inline}}', 'own.hbs:1:1: unknown text "wrapup", did you mean "wrap_up"?'],
    [
      'data the text does not get',
      '\n{{#*inline "tool_threw"}}{{tol}}{{/inline}}',
      'own.hbs:2:28: unknown name "tol", did you mean "tool"?',
    ],
    ['optional data without asking', '{{#*inline "stuck"}}{{input}}{{/inline}}', 'own.hbs:1:23: "input" has no value'],
    [
      'a text twice',
      '{{#*inline "stuck"}}{{/inline}}\n{{#*inline "stuck"}}{{/inline}}',
      'own.hbs:2:1: the text "stuck" stands twice',
    ],
    ['words outside of a text', 'Hello', 'own.hbs:1:1: outside of the {{#*inline "name"}} blocks'],
    ['another block', '{{#*other "stuck"}}{{/other}}', 'a named text is written {{#*inline "name"}}'],
  ])('refuses %s', async (_, source, message) => {
    await expect(own(source)).rejects.toMatchObject({ code: 'TEMPLATE', message: expect.stringContaining(message) })
  })

  it('refuses an unknown language, naming those there are', async () => {
    await expect(loadTexts('eo')).rejects.toMatchObject({ code: 'CONFIG', hint: `Languages: ${LANGUAGES.join(', ')}.` })
  })

  it('says which text is missing when asked for an unknown one', async () => {
    const say = await loadTexts('en')
    expect(() => say('nothing' as TextName)).toThrow('no text named "nothing"')
  })
})
