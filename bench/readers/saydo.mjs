// saydo's built library, through its public face: parseReply and createReplyParser with one constant list of tools.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { labelled, reactLabels } from './write.mjs'

const BUILT = fileURLToPath(new URL('../../dist', import.meta.url))

/** @param folder where index.js of a build lies; default this project's own */
export async function open(tools, folder = BUILT) {
  const dist = resolve(folder)
  const { parseReply, createReplyParser } = await import(pathToFileURL(join(dist, 'index.js')).href)
  const { version } = JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8'))
  const options = { tools }
  return {
    version: `saydo ${version}${dist === BUILT ? '' : ` in ${dist}`}`,
    write: labelled(reactLabels),
    translate: text => text,
    read: (text, given) => parseReply(text, given ?? options),
    feed(chunks) {
      const parser = createReplyParser(options)
      let live = 0
      for (const chunk of chunks) for (const { text } of parser.push(chunk)) live += text.length
      return { decision: parser.end().decision, live }
    },
    decision({ decision }) {
      if (decision.kind === 'unclear') return {}
      return decision.kind === 'answer' ? { answer: decision.text } : { calls: decision.calls }
    },
  }
}
