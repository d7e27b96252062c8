// saydo's built library: ToolCallAgent with openaiModel, as it comes.
import { readFileSync } from 'node:fs'
import { QUESTION, resultOf, TOOL } from '../lib/scenario.mjs'

export async function open() {
  const { openaiModel, ToolCallAgent, tool } = await import('../../dist/index.js')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return {
    version: `saydo ${version}`,
    form: 'react',
    async run({ baseURL, steps, stream }) {
      let calls = 0
      const { name, description, parameters: input } = TOOL
      const run = ({ query }) => {
        calls += 1
        return resultOf(query)
      }
      const agent = new ToolCallAgent({
        model: openaiModel({ baseURL, model: 'mock', apiKey: 'x', stream }),
        tools: [tool({ name, description, input, run })],
        maxSteps: steps + 5,
      })
      const { answer } = await agent.run(QUESTION)
      return { answer, calls }
    },
  }
}
