// The example of a problem → what is read from it.
import type { ReadReply } from '../core/dialect.js'
import { parseReply, type ReadOptions } from '../dialect/read.js'
import { EXAMPLE_TOOLS, type ProblemEntry } from './entry.js'

export function readExample({ reply, finish, strict }: ProblemEntry): ReadReply {
  const options: ReadOptions = { tools: EXAMPLE_TOOLS, ...(finish ? { finish } : {}), ...(strict ? { strict } : {}) }
  return parseReply(reply, options)
}
