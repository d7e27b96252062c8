// LlamaIndexTS: the output parser of its ReActAgent. It is private to its module, so a copy of the module that exports it is put beside it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { labelled, reactLabels, reread, structured, versionOf } from './write.mjs'

export async function open() {
  const original = import.meta.resolve('llamaindex/agent')
  const copy = new URL('with-parser.mjs', original)
  if (!existsSync(copy)) writeFileSync(copy, `${readFileSync(fileURLToPath(original), 'utf8')}\nexport { reACTOutputParser }\n`)
  const { reACTOutputParser } = await import(copy.href)
  const read = async text => {
    const { type, action, input, response } = await reACTOutputParser({ message: { role: 'assistant', content: text } }, () => {})
    return type === 'action' ? { calls: [{ tool: action, input: structured(input) }] } : { answer: response.message.content }
  }
  return {
    version: versionOf('llamaindex'),
    write: labelled({ ...reactLabels, answer: 'Answer' }),
    translate: text => text.replaceAll('Final Answer:', 'Answer:'),
    read,
    feed: reread(read),
    decision: value => value,
  }
}
