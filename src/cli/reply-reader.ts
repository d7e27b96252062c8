// Replies and how to read them → readings, and readings as plain records: what both doors of `saydo parse` share.
import { once } from 'node:events'
import type { Dialect, ReadReply } from '../core/dialect.js'
import { FINISHES, type Finish } from '../core/model.js'
import type { Delta, ProblemCode } from '../core/reply.js'
import type { ToolSpec } from '../core/tool.js'
import type { Io } from './command.js'

export interface ReadSettings {
  readonly tools?: readonly ToolSpec[]
  readonly labels?: string
  readonly dialect?: string
  readonly finish?: Finish
  readonly strict?: readonly ProblemCode[]
}

export type Reader = (reply: string, settings: ReadSettings, chunks?: readonly string[]) => ReadReply

export async function loadReader(): Promise<Reader> {
  const { createReplyParser, dialectByName, parseReply } = await import('../dialect/index.js')
  const dialects = new Map<string, Dialect>()
  return (reply, { tools, labels, dialect, finish, strict }, chunks) => {
    if (dialect !== undefined && !dialects.has(dialect)) dialects.set(dialect, dialectByName(dialect))
    const chosen = dialect === undefined ? undefined : dialects.get(dialect)
    const options = {
      ...(tools ? { tools } : {}),
      ...(labels === undefined ? {} : { labels }),
      ...(chosen ? { dialect: chosen } : {}),
      ...(strict ? { strict } : {}),
    }
    if (!chunks) return parseReply(reply, { ...options, finish: finish ?? 'stop' })
    const parser = createReplyParser(options)
    const deltas: Delta[] = []
    for (const chunk of chunks) deltas.push(...parser.push(chunk))
    const read = parser.end(finish ?? 'stop')
    return { ...read, deltas: [...deltas, ...read.deltas] }
  }
}

export function asRecord(id: unknown, read: ReadReply, withDeltas = false): object {
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

/** Waits while the reader of stdout is slower than we are. */
export async function write(io: Io, text: string): Promise<void> {
  if (!io.stdout.write(text)) await once(io.stdout, 'drain')
}

export function isFinish(value: unknown): value is Finish {
  return (FINISHES as readonly unknown[]).includes(value)
}
