// What a page holds beside its program: the run, and the codes that occur in it explained.
import { PROBLEMS } from '../catalogue/index.js'
import { FAILURES, STOPS } from '../catalogue/names.js'
import { NOTICES } from '../catalogue/notices.js'
import type { Trace } from './trace.js'

export interface PageData {
  readonly trace: Trace
  /** By code; only those that occur. */
  readonly explained: Readonly<Record<string, Explained>>
  /** The name by which `saydo trace` finds the record. */
  readonly record: string
}

export interface Explained {
  readonly title: string
  readonly why: string
}

export function pageData(trace: Trace, record = trace.run): PageData {
  const codes = new Set<string>([
    ...trace.turns.flatMap(({ parsed }) => parsed?.problems.map(({ code }) => code) ?? []),
    ...trace.turns.flatMap(({ calls }) => calls.flatMap(({ observation }) => observation?.failure?.code ?? [])),
    ...[...trace.notices, ...trace.turns.flatMap(({ notices }) => notices)].map(({ code }) => code),
    ...(trace.result ? [trace.result.stop] : []),
  ])
  const all: Readonly<Record<string, Explained>> = { ...NOTICES, ...FAILURES, ...STOPS, ...PROBLEMS }
  const explained = [...codes].flatMap(code => {
    const entry = Object.hasOwn(all, code) ? all[code] : undefined
    return entry ? [[code, { title: entry.title, why: entry.why }] as const] : []
  })
  return { trace, explained: Object.fromEntries(explained), record }
}
