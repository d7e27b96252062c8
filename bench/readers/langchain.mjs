// @langchain/classic: what createReactAgent and createStructuredChatAgent read replies with. Both take whole texts only.
import { labelled, reactLabels, reread, structured, versionOf } from './write.mjs'

export async function openReact() {
  const { ReActSingleInputOutputParser } = await import('@langchain/classic/agents/react/output_parser')
  return reader(new ReActSingleInputOutputParser({ toolNames: [] }), labelled(reactLabels))
}

export async function openStructured() {
  const { StructuredChatOutputParser } = await import('@langchain/classic/agents')
  return reader(new StructuredChatOutputParser({ toolNames: [] }), writeBlob)
}

function reader(parser, write) {
  const read = async text => {
    const read = await parser.parse(text)
    return read.returnValues
      ? { answer: read.returnValues.output }
      : { calls: [{ tool: read.tool, input: structured(read.toolInput) }] }
  }
  const asIs = value => value
  return { version: versionOf('@langchain/classic'), write, translate: asIs, read, feed: reread(read), decision: asIs }
}

/** One JSON object in a fence, for calls and answers alike. */
function writeBlob({ thought, tool, input, answer }) {
  const blob = answer === undefined ? { action: tool, action_input: input } : { action: 'Final Answer', action_input: answer }
  return `Thought: ${thought}\nAction:\n\`\`\`json\n${JSON.stringify(blob)}\n\`\`\``
}
