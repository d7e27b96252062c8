// @langchain/classic: createReactAgent and AgentExecutor with ChatOpenAI, and the prompt that its documentation takes for it.
import { QUESTION, resultOf, TOOL } from '../lib/scenario.mjs'
import { versionOf } from '../readers/write.mjs'

const TEMPLATE = `Answer the following questions as best you can. You have access to the following tools:

{tools}

Use the following format:

Question: the input question you must answer
Thought: you should always think about what to do
Action: the action to take, should be one of [{tool_names}]
Action Input: the input to the action
Observation: the result of the action
... (this Thought/Action/Action Input/Observation can repeat N times)
Thought: I now know the final answer
Final Answer: the final answer to the original input question

Begin!

Question: {input}
Thought:{agent_scratchpad}`

export async function open() {
  const [{ AgentExecutor, createReactAgent }, { PromptTemplate }, { ChatOpenAI }, { DynamicTool }] = await Promise.all([
    import('@langchain/classic/agents'),
    import('@langchain/core/prompts'),
    import('@langchain/openai'),
    import('@langchain/core/tools'),
  ])
  return {
    version: `${versionOf('@langchain/classic')} with ${versionOf('@langchain/openai')}`,
    form: 'react',
    async run({ baseURL, steps, stream }) {
      let calls = 0
      const llm = new ChatOpenAI({
        model: 'mock',
        apiKey: 'x',
        streaming: stream,
        streamUsage: false,
        configuration: { baseURL },
      })
      const func = async input => {
        calls += 1
        return resultOf(JSON.parse(input).query)
      }
      const tools = [new DynamicTool({ name: TOOL.name, description: TOOL.description, func })]
      const agent = await createReactAgent({ llm, tools, prompt: PromptTemplate.fromTemplate(TEMPLATE), streamRunnable: stream })
      const { output } = await new AgentExecutor({ agent, tools, maxIterations: steps + 5 }).invoke({ input: QUESTION })
      return { answer: output, calls }
    },
  }
}
