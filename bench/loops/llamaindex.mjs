// LlamaIndexTS: its ReActAgent with its OpenAI model.
import { QUESTION, resultOf, TOOL } from '../lib/scenario.mjs'
import { versionOf } from '../readers/write.mjs'

export async function open() {
  const [{ ReActAgent, tool }, { OpenAI }, { z }] = await Promise.all([
    import('llamaindex'),
    import('@llamaindex/openai'),
    import('zod'),
  ])
  console.warn = () => {}
  return {
    version: `${versionOf('llamaindex')} with ${versionOf('@llamaindex/openai')}`,
    form: 'llamaindex',
    async run({ baseURL, stream }) {
      let calls = 0
      const execute = ({ query }) => {
        calls += 1
        return resultOf(query)
      }
      const parameters = z.object({ query: z.string() })
      const agent = new ReActAgent({
        llm: new OpenAI({ model: 'mock', apiKey: 'x', baseURL, maxRetries: 0 }),
        tools: [tool({ name: TOOL.name, description: TOOL.description, parameters, execute })],
      })
      if (!stream) return { answer: (await agent.chat({ message: QUESTION })).message.content, calls }
      let text = ''
      for await (const { delta } of await agent.chat({ message: QUESTION, stream: true })) text += delta ?? ''
      return { answer: text.split('Answer:').at(-1).trim(), calls }
    },
  }
}
