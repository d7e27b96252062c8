// What the readers share: labels, versions, and the only way to follow a stream with a reader that takes whole texts.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Writes a reply of the corpus with a reader's labels. */
export function labelled({ action, input, answer }) {
  return reply =>
    reply.answer === undefined
      ? `Thought: ${reply.thought}\n${action}: ${reply.tool}\n${input}: ${JSON.stringify(reply.input)}`
      : `Thought: ${reply.thought}\n${answer}: ${reply.answer}`
}

export const reactLabels = { action: 'Action', input: 'Action Input', answer: 'Final Answer' }

/** Feeds a one-shot reader: all the text so far, read anew with each chunk; before the end it may throw. */
export function reread(read) {
  return async chunks => {
    let text = ''
    let last
    for (const chunk of chunks) {
      text += chunk
      try {
        last = await read(text)
      } catch {
        last = undefined
      }
    }
    return last
  }
}

/** `name version` of a package installed here. */
export function versionOf(name) {
  const file = fileURLToPath(new URL(`../node_modules/${name}/package.json`, import.meta.url))
  return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`
}

/** The input as a tool gets it: frameworks hand JSON on as a text, and something has to parse it. */
export function structured(input) {
  if (typeof input !== 'string') return input
  try {
    const value = JSON.parse(input)
    return value !== null && typeof value === 'object' ? value : input
  } catch {
    return input
  }
}
