// BeeAI: the line-prefix parser as its ReAct runner sets it up. It reads streams, with labels of its own.
import { labelled, structured, versionOf } from './write.mjs'

export async function open(tools) {
  const { DefaultRunner } = await import('beeai-framework/agents/react/runners/default/runner')
  const createParser = given => DefaultRunner.prototype.createParser.call(null, given).parser
  const feed = async (chunks, given = tools) => {
    const parser = createParser(given)
    for (const chunk of chunks) await parser.add(chunk)
    await parser.end()
    return parser.finalState
  }
  return {
    version: versionOf('beeai-framework'),
    write: labelled({ action: 'Function Name', input: 'Function Input', answer: 'Final Answer' }),
    translate: text =>
      text
        .replaceAll('Action Input:', 'Function Input:')
        .replaceAll('Action:', 'Function Name:')
        .replaceAll('Observation:', 'Function Output:'),
    read: (text, given) => feed([text], given?.tools),
    feed,
    decision({ tool_name: tool, tool_input: input, final_answer: answer }) {
      if (tool) return { calls: [{ tool, input: structured(input) }] }
      return answer === undefined ? {} : { answer }
    },
  }
}
