import { describe, expect, it, test } from 'vitest'
import { examplesFor, LANGUAGES } from '../../src/prompt/index.js'
import { describeTool } from '../../src/tools/describe.js'
import { SCENE_TOOLS } from '../support/scene-tools.js'

const ALL = ['search', 'lookup', 'calculator']
const text = (name: string) => ({ name, type: 'string', required: true })

describe.each(LANGUAGES)('examples in %s', language => {
  test.each([
    ['four with every tool', ALL, ['comparison', 'chain', 'unknown term', 'small talk']],
    ['two searches without the others', ['search'], ['comparison', 'unknown term', 'small talk']],
    [
      'a difference where no page can be read on',
      ['search', 'calculator'],
      ['comparison', 'difference', 'unknown term', 'small talk'],
    ],
    ['a calculation with a calculator', ['calculator'], ['calculation', 'small talk']],
    ['none with strange tools, since one that calls nothing teaches just that', ['frobnicate'], []],
    ['small talk without tools', [], ['small talk']],
  ])('keeps %s', async (_, tools, names) => {
    const { kept } = await examplesFor(tools, language)
    expect(kept.map(example => example.name)).toEqual(names)
  })

  it('says why one is left out', async () => {
    expect((await examplesFor(['search'], language)).left).toEqual([
      { name: 'chain', reason: 'no tool named lookup, calculator' },
      { name: 'difference', reason: 'no tool named calculator' },
      { name: 'calculation', reason: 'no tool named calculator' },
      { name: 'web page', reason: 'no tool named click_element, extract_content' },
      { name: 'code repair', reason: 'no tool named bash, str_replace_editor' },
      { name: 'file work', reason: 'no tool named read_file, shell' },
      { name: 'resource', reason: 'no tool named list_resources, read_resource' },
    ])
  })

  test.each([
    ['browser', 'web page'],
    ['sandbox', 'file work'],
    ['swe', 'code repair'],
    ['mcp', 'resource'],
  ])('shows the agent %s one with its own tools: %s', async (agent, name) => {
    const { kept } = await examplesFor((SCENE_TOOLS[agent] ?? []).map(describeTool), language)
    expect(kept.map(example => example.name)).toEqual(['small talk', name])
  })

  test('keeps none whose choice a tool does not offer', async () => {
    const command = { ...text('command'), type: 'one of "view", "write"', enum: ['view', 'write'] }
    const tools = ['bash', 'str_replace_editor'].map(name => ({
      name,
      parameters: [name === 'bash' ? text('command') : command],
    }))
    expect((await examplesFor(tools, language)).kept).toEqual([])
  })

  it('renames the input to the only parameter of the tool', async () => {
    const tools = [{ name: 'search', parameters: [text('title'), { name: 'limit', type: 'integer', required: false }] }]
    const [comparison] = (await examplesFor(tools, language)).kept
    const [step] = comparison?.steps ?? []
    expect(step).toMatchObject({ calls: [{ tool: 'search', input: { title: expect.any(String) } }] })
    expect(step).not.toHaveProperty('calls.0.input.query')
  })

  test.each([
    ['needs more', [text('query'), text('index')]],
    ['takes another type', [{ name: 'query', type: 'integer', required: true }]],
    ['takes none', []],
  ])('leaves an example out when the tool %s', async (_, parameters) => {
    const { kept, left } = await examplesFor([{ name: 'search', parameters }], language)
    expect(kept).toEqual([])
    expect(left).toContainEqual({ name: 'comparison', reason: 'search takes another input' })
  })

  it('has one observation for each call, and ends in an answer', async () => {
    for (const { steps } of await everyExample(language)) {
      for (const step of steps) if ('calls' in step) expect(step.observations).toHaveLength(step.calls.length)
      expect(steps.at(-1)).toHaveProperty('answer')
      expect(steps.filter(step => 'answer' in step)).toHaveLength(1)
    }
  })

  it('answers with what its observations say', async () => {
    for (const { name, steps } of await everyExample(language)) {
      const last = steps.at(-1)
      const seen = steps.flatMap(step => ('observations' in step ? step.observations : [])).join(' ')
      const numbers = last && 'answer' in last ? (last.answer.match(/\d+/g) ?? []) : []
      for (const number of numbers) expect(seen, name).toContain(number)
    }
  })
})

async function everyExample(language: string) {
  const scenes = Object.values(SCENE_TOOLS).flat()
  const [all, some] = await Promise.all([
    examplesFor([...ALL, ...scenes.map(describeTool)], language),
    examplesFor(['search', 'calculator'], language),
  ])
  return [...all.kept, ...some.kept]
}
