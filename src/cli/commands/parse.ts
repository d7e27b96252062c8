// `saydo parse`: one reply → what it says, for people or as JSON, once or whenever it changes; with --jsonl, lines in and lines out, for corpora and
// scorers.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import type { ReadReply } from '../../core/dialect.js'
import { SaydoError } from '../../core/errors.js'
import { FINISHES } from '../../core/model.js'
import type { ProblemCode } from '../../core/reply.js'
import { colourOptions } from '../colour-options.js'
import type { Command, ExitCode, Invocation, Io, Verdict } from '../command.js'
import { inputLines } from '../input-lines.js'
import { paintFor } from '../paint.js'
import { readLines } from '../read-lines.js'
import { readTools } from '../read-tools.js'
import { asRecord, isFinish, loadReader, type ReadSettings, write } from '../reply-reader.js'
import { STRICT_OPTION } from '../strict-option.js'
import { visible, visibleJson } from '../visible.js'
import { whyUnread } from '../why-unread.js'

export const parse: Command = {
  name: 'parse',
  summary: 'say what a reply means: the call or answer in it, and everything odd about it',
  positional: '[file]',
  options: [
    {
      flags: '--tools <file>',
      description:
        'JSON list of {"name","description","parameters"}, or an ES module that exports tools; without it names are taken as written',
    },
    {
      flags: '--labels <language>',
      description: 'labels of one language besides English and Chinese: de, fr, es, pt, it, ru, ja, ko',
    },
    {
      flags: '--dialect <name>',
      description: 'how the reply should be written (default: react); all of them understand each other',
    },
    { flags: '--finish <reason>', description: 'how the reply ended (default: stop)', choices: FINISHES },
    STRICT_OPTION,
    { flags: '--explain', description: 'say for each problem why it is read so, and how the input was read' },
    { flags: '--watch', description: 'read again whenever the file changes, or with each line that is typed' },
    { flags: '--json', description: 'write the reading as JSON' },
    { flags: '--jsonl', description: 'read {"id","reply","tools"…} lines, write one decision per line' },
    ...colourOptions('stdout'),
  ],
  examples: [
    'saydo parse reply.txt --tools tools.json --explain',
    'cat reply.txt | saydo parse',
    'saydo parse reply.txt --watch',
    'saydo parse replies.jsonl --jsonl > read.jsonl',
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    const settings = await readOptions(invocation)
    const reader = await loadReader()
    // unknown labels or dialects show before anything is read
    reader('', settings)
    if (options.jsonl === true && options.watch === true)
      throw new SaydoError('CONFIG', '--jsonl and --watch do not go together', { hint: 'leave one of them out' })
    if (options.jsonl === true) return readLines(reader, settings, await inputLines(args[0], io, LINES_WANTED), io)
    const show = await shower(invocation)
    const tell = async (reply: string): Promise<ExitCode> => {
      const read = reader(reply, settings)
      await write(io, show(read, reply))
      return read.decision.kind === 'unclear' ? 1 : 0
    }
    if (options.watch === true) return watch(args[0], io, options.json === true, tell)
    return { code: await tell(await readOne(args[0], io)) }
  },
}

async function readOptions({ options, io }: Invocation): Promise<ReadSettings> {
  return {
    ...(typeof options.tools === 'string' ? { tools: await readTools(options.tools, io) } : {}),
    ...(typeof options.labels === 'string' ? { labels: options.labels } : {}),
    ...(typeof options.dialect === 'string' ? { dialect: options.dialect } : {}),
    ...(isFinish(options.finish) ? { finish: options.finish } : {}),
    ...(Array.isArray(options.strict) ? { strict: options.strict as readonly ProblemCode[] } : {}),
  }
}

/** How a reading is shown. */
async function shower({ options, io }: Invocation): Promise<(read: ReadReply, reply: string) => string> {
  if (options.json === true) return read => `${visibleJson(asRecord(undefined, read))}\n`
  const { viewReading } = await import('../reading-view.js')
  const view = { paint: paintFor(io.stdout, io.env, { color: options.color }), explain: options.explain === true }
  return (read, reply) => viewReading(read, reply, view)
}

/** Each reading in the place of the one before; the last one decides how the command ends. */
async function watch(
  file: string | undefined,
  io: Io,
  json: boolean,
  tell: (reply: string) => Promise<ExitCode>,
): Promise<Verdict> {
  const { watchInput, watchText } = await import('../watch-reply.js')
  const clear = json ? '' : io.stdout.isTTY ? CLEAR : RULE
  let code: ExitCode = 1
  if (file === undefined || file === '-') {
    const typed = io.stdin.isTTY === true
    if (typed) io.stderr.write('Type a reply; it is read again with each line. Ctrl-D ends.\n')
    await watchInput(io, async text => {
      await write(io, clear)
      code = await tell(text)
      // the screen was cleared of what had been typed
      if (typed && io.stdout.isTTY) await write(io, `${RULE}${visible(text)}`)
    })
    return { code }
  }
  await watchText(resolve(io.cwd, file), io.signal, async text => {
    if (text === undefined) io.stderr.write(`${visible(file)} is not there; waiting for it\n`)
    else {
      await write(io, clear)
      code = await tell(text)
    }
  })
  return { code }
}

async function readOne(file: string | undefined, io: Io): Promise<string> {
  if (file !== undefined && file !== '-') {
    try {
      return textOnly(await readFile(resolve(io.cwd, file), 'utf8'), file)
    } catch (error) {
      if (error instanceof SaydoError) throw error
      throw new SaydoError('CONFIG', `Cannot read ${file}: ${whyUnread(error)}.`, {
        hint: 'Name a file with one reply, or pipe the reply in.',
        cause: error,
      })
    }
  }
  if (io.stdin.isTTY) io.stderr.write('Type a reply, then Ctrl-D.\n')
  const decoder = new StringDecoder('utf8')
  let text = ''
  for await (const piece of io.stdin) text += typeof piece === 'string' ? piece : decoder.write(piece)
  return textOnly(text + decoder.end(), 'the input')
}

/** No model writes the character that nearly every file but a text holds. */
function textOnly(text: string, from: string): string {
  if (!text.includes('\0')) return text
  throw new SaydoError('CONFIG', `Cannot read ${from}: it is no text.`, {
    hint: 'Name a file with one reply, or pipe the reply in.',
  })
}

const LINES_WANTED = 'Name a file with one JSON object a line, or pipe the lines in.'

/** Clears the screen and what was scrolled off it. */
const CLEAR = '\u001b[2J\u001b[3J\u001b[H'
const RULE = `${'─'.repeat(60)}\n`
