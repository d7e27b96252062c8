// BeeAI: its ReActAgent with its OpenAI chat model.
import { QUESTION, resultOf, TOOL } from '../lib/scenario.mjs'
import { versionOf } from '../readers/write.mjs'

export async function open() {
  globalThis.AI_SDK_LOG_WARNINGS = false
  const [
    { ReActAgent },
    { OpenAIChatModel },
    { OpenAIClient },
    { UnconstrainedMemory },
    { DynamicTool, StringToolOutput },
    { z },
  ] = await Promise.all([
    import('beeai-framework/agents/react/agent'),
    import('beeai-framework/adapters/openai/backend/chat'),
    import('beeai-framework/adapters/openai/backend/client'),
    import('beeai-framework/memory/unconstrainedMemory'),
    import('beeai-framework/tools/base'),
    import('zod'),
  ])
  return {
    version: versionOf('beeai-framework'),
    form: 'beeai',
    async run({ baseURL, steps, stream }) {
      let calls = 0
      const handler = async ({ query }) => {
        calls += 1
        return new StringToolOutput(resultOf(query))
      }
      const inputSchema = z.object({ query: z.string() })
      const agent = new ReActAgent({
        llm: new OpenAIChatModel('mock', {}, new OpenAIClient({ baseURL, apiKey: 'x' })),
        memory: new UnconstrainedMemory(),
        tools: [new DynamicTool({ name: TOOL.name, description: TOOL.description, inputSchema, handler })],
        stream,
      })
      const execution = { maxRetriesPerStep: 1, totalMaxRetries: 5, maxIterations: steps + 5 }
      const { result } = await agent.run({ prompt: QUESTION }, { execution })
      return { answer: result.text, calls }
    },
  }
}
