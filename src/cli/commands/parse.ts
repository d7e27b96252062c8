// `saydo parse`: one reply → what it says, for people or as JSON; with --jsonl, lines in and lines out, for corpora and scorers.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { ReadReply } from '../../core/dialect.js'
import { SaydoError } from '../../core/errors.js'
import type { ToolSpec } from '../../core/tool.js'
import type { Command, Io } from '../command.js'
import { readLines } from '../read-lines.js'
import { asRecord, FINISHES, isFinish, isTools, loadReader, type ReadSettings, write } from '../reply-reader.js'

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
    'cat reply.txt | saydo parse',
    'saydo parse --jsonl < replies.jsonl > read.jsonl',
  ],
  async run({ args, options, io }) {
    const reader = await loadReader()
    const settings: ReadSettings = {
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
