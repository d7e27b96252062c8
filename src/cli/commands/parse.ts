// `saydo parse`: one reply → what it says, for people or as JSON; with --jsonl, lines in and lines out, for corpora and scorers.
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { Dialect, ReadReply } from '../../core/dialect.js'
import { SaydoError } from '../../core/errors.js'
import type { Finish } from '../../core/model.js'
import type { Delta } from '../../core/reply.js'
import type { ToolSpec } from '../../core/tool.js'
import type { Command, Io, Verdict } from '../command.js'

interface Settings {
  readonly tools?: readonly ToolSpec[]
  readonly labels?: string
  readonly dialect?: string
  readonly finish?: Finish
}

type Reader = (reply: string, settings: Settings, chunks?: readonly string[]) => ReadReply

const FINISHES = ['stop', 'length', 'filter', 'unknown'] as const

export const parse: Command = {
  name: 'parse',
  summary: 'say what a reply means: the call or answer in it, and everything odd about it',
  positional: '[file]',
  options: [
    { flags: '--jsonl', description: 'read {"id","reply","tools"…} lines from stdin, write one decision per line' },
    { flags: '--json', description: 'write the reading as JSON' },
    {
      flags: '--tools <file>',
      description: 'JSON list of {"name","description","parameters"}; without it names are taken as written',
    },
    {
      flags: '--labels <language>',
      description: 'labels of one language besides English and Chinese: de, fr, es, pt, it, ru, ja, ko',
    },
    { flags: '--dialect <name>', description: 'how the reply is written (default: react)' },
    { flags: '--finish <reason>', description: 'how the reply ended (default: stop)', choices: FINISHES },
  ],
  examples: [
    'saydo parse reply.txt --tools tools.json',
    'pbpaste | saydo parse',
    'saydo parse --jsonl < replies.jsonl > read.jsonl',
  ],
  async run({ args, options, io }) {
    const reader = await loadReader()
    const settings: Settings = {
      ...(typeof options.tools === 'string' ? { tools: await readTools(options.tools, io) } : {}),
      ...(typeof options.labels === 'string' ? { labels: options.labels } : {}),
      ...(typeof options.dialect === 'string' ? { dialect: options.dialect } : {}),
      ...(isFinish(options.finish) ? { finish: options.finish } : {}),
    }
    // unknown labels or dialects show before anything is read
    reader('', settings)
    if (options.jsonl) return readLines(reader, settings, io)
    const reply = await readOne(args[0], io)
    const read = reader(reply, settings)
    await write(io, options.json === true ? `${JSON.stringify(asRecord(undefined, read))}\n` : await describe(read, reply))
    return { code: read.decision.kind === 'unclear' ? 1 : 0 }
  },
}

async function loadReader(): Promise<Reader> {
  const { createReplyParser, dialectByName, parseReply } = await import('../../dialect/index.js')
  const dialects = new Map<string, Dialect>()
  return (reply, { tools, labels, dialect, finish }, chunks) => {
    if (dialect !== undefined && !dialects.has(dialect)) dialects.set(dialect, dialectByName(dialect))
    const chosen = dialect === undefined ? undefined : dialects.get(dialect)
    const options = {
      ...(tools ? { tools } : {}),
      ...(labels === undefined ? {} : { labels }),
      ...(chosen ? { dialect: chosen } : {}),
    }
    if (!chunks) return parseReply(reply, { ...options, finish: finish ?? 'stop' })
    const parser = createReplyParser(options)
    const deltas: Delta[] = []
    for (const chunk of chunks) deltas.push(...parser.push(chunk))
    const read = parser.end(finish ?? 'stop')
    return { ...read, deltas: [...deltas, ...read.deltas] }
  }
}

/** The batch door. A bad line gets an error in its place, and the rest goes on. */
async function readLines(reader: Reader, settings: Settings, io: Io): Promise<Verdict> {
  const toolLists = new Map<string, readonly ToolSpec[]>()
  let number = 0
  let bad = 0
  for await (const line of linesOf(io)) {
    number++
    if (!line.trim()) continue
    let out: string
    try {
      out = JSON.stringify(readLine(line, reader, settings, toolLists))
    } catch (error) {
      bad++
      const { message, id } =
        error instanceof BadLine ? error : { message: error instanceof Error ? error.message : String(error), id: null }
      out = JSON.stringify({ id, error: message, line: number })
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

function readLine(line: string, reader: Reader, settings: Settings, toolLists: Map<string, readonly ToolSpec[]>): object {
  let given: unknown
  try {
    given = JSON.parse(line)
  } catch {
    throw new BadLine('The line is not JSON.')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new BadLine('The line is not an object.')
  const { id = null, reply, tools, labels, finish, chunks, dialect } = given as Readonly<Record<string, unknown>>
  if (typeof reply !== 'string') throw new BadLine('The line has no "reply".')
  if (chunks !== undefined && !isChunks(chunks, reply)) throw new BadLine('"chunks" must be strings that join to "reply".', id)
  if (finish !== undefined && finish !== null && !isFinish(finish))
    throw new BadLine(`"finish" must be one of ${FINISHES.join(', ')}.`, id)
  const own: Settings = {
    ...settings,
    ...(tools === undefined || tools === null ? {} : { tools: sameList(tools, id, toolLists) }),
    ...(typeof labels === 'string' ? { labels } : {}),
    ...(typeof dialect === 'string' ? { dialect } : {}),
    ...(isFinish(finish) ? { finish } : {}),
  }
  try {
    return asRecord(id, reader(reply, own, chunks as readonly string[] | undefined), chunks !== undefined)
  } catch (error) {
    throw error instanceof SaydoError ? new BadLine(`${error.message} ${error.hint ?? ''}`.trim(), id) : error
  }
}

/** Equal lists of tools share one value, so that their shapes are built once. */
function sameList(tools: unknown, id: unknown, known: Map<string, readonly ToolSpec[]>): readonly ToolSpec[] {
  if (!isTools(tools)) throw new BadLine('"tools" must be a list of objects with a "name".', id)
  const key = JSON.stringify(tools)
  const same = known.get(key)
  if (same) return same
  if (known.size >= 256) known.clear()
  known.set(key, tools)
  return tools
}

function asRecord(id: unknown, read: ReadReply, withDeltas = false): object {
  const { decision } = read
  return {
    ...(id === undefined ? {} : { id }),
    decision:
      decision.kind === 'act'
        ? { kind: 'act', calls: decision.calls.map(({ tool, input }) => ({ tool, input })) }
        : decision.kind === 'answer'
          ? { kind: 'answer', text: decision.text }
          : { kind: 'unclear' },
    thought: read.thought,
    problems: read.problems.map(({ code, message, span, cost }) => ({ code, message, span, cost })),
    ...(withDeltas ? { deltas: read.deltas } : {}),
  }
}

async function describe(read: ReadReply, reply: string): Promise<string> {
  const { prettify } = await import('../../parse/prettify.js')
  const { visible } = await import('../visible.js')
  const { decision } = read
  const lines: string[] = []
  if (read.thought !== null) lines.push(`thought  ${visible(read.thought)}`)
  if (decision.kind === 'answer') lines.push(`answer   ${visible(decision.text)}`)
  else if (decision.kind === 'act')
    for (const call of decision.calls) lines.push(`call     ${visible(call.tool)} ${visible(JSON.stringify(call.input))}`)
  else lines.push(`unclear  ${decision.problem.code}: ${visible(decision.problem.message)}`)
  for (const problem of read.problems) lines.push('', visible(prettify(problem, reply)))
  return `${lines.join('\n')}\n`
}

async function readOne(file: string | undefined, io: Io): Promise<string> {
  if (file !== undefined && file !== '-') {
    try {
      return await readFile(resolve(io.cwd, file), 'utf8')
    } catch (error) {
      throw new SaydoError('CONFIG', `Cannot read ${file}.`, {
        hint: 'Name a file with one reply, or pipe the reply in.',
        cause: error,
      })
    }
  }
  if (io.stdin.isTTY) io.stderr.write('Type a reply, then Ctrl-D.\n')
  const decoder = new StringDecoder('utf8')
  let text = ''
  for await (const piece of io.stdin) text += typeof piece === 'string' ? piece : decoder.write(piece)
  return text + decoder.end()
}

async function readTools(file: string, io: Io): Promise<readonly ToolSpec[]> {
  let tools: unknown
  try {
    tools = JSON.parse(await readFile(resolve(io.cwd, file), 'utf8'))
  } catch (error) {
    throw new SaydoError('CONFIG', `Cannot read tools from ${file}.`, {
      hint: 'It must be a JSON list of {"name","description","parameters"}.',
      cause: error,
    })
  }
  if (!isTools(tools))
    throw new SaydoError('CONFIG', `${file} holds no list of tools.`, {
      hint: 'It must be a JSON list of {"name","description","parameters"}.',
    })
  return tools
}

/** Lines of stdin, split at \n only: other separators may stand in JSON strings. One line is held at a time. */
async function* linesOf(io: Io): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let parts: string[] = []
  for await (const piece of io.stdin) {
    const text = typeof piece === 'string' ? piece : decoder.write(piece)
    let from = 0
    for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', from)) {
      parts.push(text.slice(from, newline))
      yield parts.join('')
      parts = []
      from = newline + 1
    }
    if (from < text.length) parts.push(text.slice(from))
  }
  const last = parts.join('') + decoder.end()
  if (last) yield last
}

async function write(io: Io, text: string): Promise<void> {
  if (!io.stdout.write(text)) await once(io.stdout, 'drain')
}

function isFinish(value: unknown): value is Finish {
  return (FINISHES as readonly unknown[]).includes(value)
}

function isTools(value: unknown): value is readonly ToolSpec[] {
  return (
    Array.isArray(value) &&
    value.every(tool => typeof tool === 'object' && tool !== null && typeof (tool as { name?: unknown }).name === 'string')
  )
}

function isChunks(value: unknown, reply: string): value is readonly string[] {
  return Array.isArray(value) && value.every(chunk => typeof chunk === 'string') && value.join('') === reply
}
