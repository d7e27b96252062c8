// A reply and its reading → where in the reply the parts of the reading stand, as far as they stand there word for word.
import type { JsonValue } from '../core/json.js'
import type { ParsedReply, Span } from '../core/reply.js'

/** `thought`, `answer`, `tool 1`, `input 1 query`: of the first call, the parameter `query`. */
export interface Field {
  readonly name: string
  readonly span: Span
}

/** In the order of the reading. */
export function fieldsIn(reply: string, { thought, decision, problems, kept }: ParsedReply): readonly Field[] {
  const fields: Field[] = []
  let from = kept[0]
  const note = (name: string, text: string): boolean => {
    const start = standsAt(reply, text, from, kept)
    if (start === undefined) return false
    fields.push({ name, span: [start, start + text.length] })
    from = start + text.length
    return true
  }
  if (thought !== null) note('thought', thought)
  if (decision.kind === 'answer') note('answer', decision.text)
  if (decision.kind !== 'act') return fields
  const renamed = problems.filter(({ code }) => code === 'TOOL_NAME_CLEANED' || code === 'TOOL_NAME_FOLDED')
  decision.calls.forEach(({ tool, input }, at) => {
    const mended = renamed.find(({ span }) => span[0] >= from)
    if (note(`tool ${at + 1}`, tool)) from = fields.at(-1)?.span[1] ?? from
    else if (mended) fields.push({ name: `tool ${at + 1}`, span: mended.span })
    for (const [key, value] of Object.entries(input)) spellings(value).some(text => note(`input ${at + 1} ${key}`, text))
  })
  return fields
}

/** How a value may stand in a reply. */
function spellings(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value, JSON.stringify(value).slice(1, -1)]
  return [JSON.stringify(value)]
}

/** Behind what was found already, or else anywhere in what counts. */
function standsAt(reply: string, text: string, from: number, kept: Span): number | undefined {
  if (text === '') return undefined
  for (let at = reply.indexOf(text, from); at >= 0 && at + text.length <= kept[1]; at = reply.indexOf(text, at + 1))
    if (isWhole(reply, at, text.length)) return at
  return undefined
}

/** No part of a longer word or number. */
function isWhole(reply: string, at: number, length: number): boolean {
  const joins = (left: string | undefined, right: string | undefined) => WORD.test(left ?? '') && WORD.test(right ?? '')
  return !joins(reply[at - 1], reply[at]) && !joins(reply[at + length - 1], reply[at + length])
}

const WORD = /[\p{L}\p{N}_]/u
