// Lines, each a reply with its tools → one decision a line, in order. One line is held at a time, so a corpus may be of any size.
import { SaydoError } from '../core/errors.js'
import { FINISHES } from '../core/model.js'
import type { ProblemCode } from '../core/reply.js'
import type { ToolSpec } from '../core/tool.js'
import type { Io, Verdict } from './command.js'
import { faultOfTools } from './read-tools.js'
import { asRecord, isFinish, type Reader, type ReadSettings, write } from './reply-reader.js'
import { visibleJson } from './visible.js'

/** The batch door. A bad line gets an error in its place, and the rest goes on. */
export async function readLines(reader: Reader, settings: ReadSettings, lines: AsyncIterable<string>, io: Io): Promise<Verdict> {
  const toolLists = new Map<string, readonly ToolSpec[]>()
  let number = 0
  let bad = 0
  for await (const line of lines) {
    number++
    if (!line.trim()) continue
    let out: string
    try {
      out = visibleJson(readLine(line, reader, settings, toolLists))
    } catch (error) {
      bad++
      const { message, id } =
        error instanceof BadLine ? error : { message: error instanceof Error ? error.message : String(error), id: null }
      out = visibleJson({ id, error: message, line: number })
    }
    await write(io, `${out}\n`)
  }
  return bad === 0 ? { code: 0 } : { code: 2, line: `${bad} of ${number} lines could not be read.` }
}

class BadLine extends Error {
  readonly id: unknown
  constructor(message: string, id: unknown = null) {
    super(message)
    this.id = id
  }
}

function readLine(line: string, reader: Reader, settings: ReadSettings, toolLists: Map<string, readonly ToolSpec[]>): object {
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    throw new BadLine('The line is not JSON.')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new BadLine('The line is not an object.')
  const { id = null, reply, tools, labels, finish, chunks, dialect, strict } = given as Readonly<Record<string, unknown>>
  if (typeof reply !== 'string') throw new BadLine('The line has no "reply".')
  if (chunks !== undefined && !isChunks(chunks, reply)) throw new BadLine('"chunks" must be strings that join to "reply".', id)
  if (finish !== undefined && finish !== null && !isFinish(finish))
    throw new BadLine(`"finish" must be one of ${FINISHES.join(', ')}.`, id)
  for (const [name, value] of Object.entries({ labels, dialect }))
    if (value !== undefined && value !== null && typeof value !== 'string') throw new BadLine(`"${name}" must be a name.`, id)
  if (strict !== undefined && strict !== null && !isCodes(strict))
    throw new BadLine('"strict" must be a list of problem codes.', id)
  const own: ReadSettings = {
    ...settings,
    ...(tools === undefined || tools === null ? {} : { tools: sameList(tools, id, toolLists) }),
    ...(typeof labels === 'string' ? { labels } : {}),
    ...(typeof dialect === 'string' ? { dialect } : {}),
    ...(isFinish(finish) ? { finish } : {}),
    ...(isCodes(strict) ? { strict } : {}),
  }
  try {
    return asRecord(id, reader(reply, own, chunks as readonly string[] | undefined), chunks !== undefined)
  } catch (error) {
    throw error instanceof SaydoError ? new BadLine(`${error.message} ${error.hint ?? ''}`.trim(), id) : error
  }
}

/** Equal lists of tools share one value, so that their shapes are built once. */
function sameList(tools: unknown, id: unknown, known: Map<string, readonly ToolSpec[]>): readonly ToolSpec[] {
  const fault = faultOfTools(tools)
  if (fault !== undefined) throw new BadLine(`"tools" must be a list of tools: ${fault}.`, id)
  const key = JSON.stringify(tools)
  const same = known.get(key)
  if (same) return same
  if (known.size >= 256) known.clear()
  known.set(key, tools as readonly ToolSpec[])
  return tools as readonly ToolSpec[]
}

/** A code that does not exist is told by the reader. */
function isCodes(value: unknown): value is readonly ProblemCode[] {
  return Array.isArray(value) && value.every(code => typeof code === 'string')
}

function isChunks(value: unknown, reply: string): value is readonly string[] {
  return Array.isArray(value) && value.every(chunk => typeof chunk === 'string') && value.join('') === reply
}
