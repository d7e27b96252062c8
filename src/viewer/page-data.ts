// What a page holds beside its program: the run, and the codes that occur in it explained.
import { PROBLEMS } from '../catalogue/index.js'
import { FAILURES, STOPS } from '../catalogue/names.js'
import { NOTICES } from '../catalogue/notices.js'
import type { Trace } from './trace.js'

export interface PageData {
  /** Of a conversation the last. */
  readonly trace: Trace
  /** The runs before it in its conversation, oldest first. */
  readonly earlier: readonly Trace[]
  /** By code; only those that occur. */
  readonly explained: Readonly<Record<string, Explained>>
  /** The name by which `saydo trace` finds the record. */
  readonly record: string
}

export interface Explained {
  readonly title: string
  readonly why: string
}

/** What is shown of a page at a time: one run, and where it stands among those of its conversation. */
export interface ShownRun extends Omit<PageData, 'earlier'> {
  /** From 1; unset for a run alone. */
  readonly turn?: number
  /** A run behind it goes on from it. */
  readonly isPast: boolean
}

/** Oldest first. */
export function pageData(traces: readonly [Trace, ...Trace[]], record?: string): PageData {
  const trace = traces.at(-1) ?? traces[0]
  const all: Readonly<Record<string, Explained>> = { ...NOTICES, ...FAILURES, ...STOPS, ...PROBLEMS }
  const explained = [...new Set(traces.flatMap(codesIn))].flatMap(code => {
    const entry = Object.hasOwn(all, code) ? all[code] : undefined
    return entry ? [[code, { title: entry.title, why: entry.why }] as const] : []
  })
  return { trace, earlier: traces.slice(0, -1), explained: Object.fromEntries(explained), record: record ?? traces[0].run }
}

function codesIn({ turns, notices, result }: Trace): readonly string[] {
  return [
    ...turns.flatMap(({ parsed }) => parsed?.problems.map(({ code }) => code) ?? []),
    ...turns.flatMap(({ calls }) => calls.flatMap(({ observation }) => observation?.failure?.code ?? [])),
    ...[...notices, ...turns.flatMap(turn => turn.notices)].map(({ code }) => code),
    ...(result ? [result.stop] : []),
  ]
}
