// Models copy what stands in a prompt, tool names and answers of examples included: so an example is shown only where its tools can be called.
import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { DIALECTS } from '../../src/dialect/index.js'
import { parseReply } from '../../src/dialect/read.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { LANGUAGES } from '../../src/prompt/index.js'
import { tool } from '../../src/tools/define.js'

function taking(name: string, parameter: string) {
  const input = { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] }
  return tool({ name, description: `It is for ${name}.`, input, run: () => '' })
}

const SETS = {
  none: [],
  weather: [taking('weather', 'city')],
  search: [taking('search', 'query')],
  'weather and calculator': [taking('weather', 'city'), taking('calculator', 'expression')],
  'a search that takes a number': [
    tool({
      name: 'search',
      description: '',
      input: { type: 'object', properties: { page: { type: 'integer' } } },
      run: () => '',
    }),
  ],
}

async function exampleTurns(tools: (typeof SETS)[keyof typeof SETS], options: object = {}) {
  const model = scriptedModel(['Final Answer: x'])
  const agent = new ToolCallAgent({ model, tools: [...tools], ...options })
  await agent.run('What is it?')
  const messages = model.prompts[0]?.messages ?? []
  return messages.slice(
    0,
    messages.findLastIndex(({ task }) => task),
  )
}

describe('the examples of a prompt', () => {
  test.each(Object.entries(SETS))('call no tool that is not there, in any language or dialect: %s', async (_, tools) => {
    const options = [...LANGUAGES.map(language => ({ language })), ...[...DIALECTS.values()].map(dialect => ({ dialect }))]
    for (const option of options) {
      for (const { role, text } of await exampleTurns(tools, option)) {
        if (role !== 'assistant') continue
        const { decision } = parseReply(text, { tools: [...tools], ...option })
        expect(decision.kind, text).not.toBe('unclear')
      }
    }
  })

  test.each(['weather', 'a search that takes a number'] as const)(
    'are none where no bundled one fits the tools: %s',
    async name => {
      expect((await exampleTurns(SETS[name])).filter(({ role }) => role !== 'system')).toEqual([])
    },
  )

  test('are those of the user, where there are some for these tools', async () => {
    const steps = [
      { thought: 'I look.', calls: [{ tool: 'weather', input: { city: 'Ostrel' } }], observations: ['Rain.'] },
      { thought: 'It rains.', answer: 'It rains in Ostrel.' },
    ]
    const turns = await exampleTurns(SETS.weather, { examples: [{ name: 'rain', task: 'Does it rain in Ostrel?', steps }] })
    expect(turns.map(({ text }) => text).join('\n')).toContain('Action: weather\nAction Input: {"city":"Ostrel"}')
  })
})
