// A result of a run, and what a test wants of it → a verdict with a sentence, in the form that `expect.extend` takes; and the same as plain
// functions that throw, for other test runners.

import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../core/json.js'
import type { RunResult, StopReason } from '../core/step.js'

export interface MatchResult {
  readonly pass: boolean
  readonly message: () => string
}

/** For `expect.extend(matchers)`. */
export const matchers = {
  /** A call of the tool was made; with `input`, one that has at least these fields. */
  toHaveCalled(run: RunResult, tool: string, input?: JsonObject): MatchResult {
    const calls = callsOf(run)
    const pass = calls.some(call => call.tool === tool && (input === undefined || hasFields(call.input, input)))
    const wanted = `${tool}${input === undefined ? '' : ` with ${JSON.stringify(input)}`}`
    const made = calls.map(call => `${call.tool} ${JSON.stringify(call.input)}`).join('\n  ') || '(none)'
    return verdict(pass, `to call ${wanted}`, `calls:\n  ${made}`)
  },
  toEndWith(run: RunResult, stop: StopReason): MatchResult {
    return verdict(run.stop === stop, `to end with ${stop}`, `it ended with ${run.stop}: ${run.message}`)
  },
  /** Every reply was as the dialect writes it: nothing was forgiven, nothing asked again. */
  toHaveNoRepairs(run: RunResult): MatchResult {
    const odd = run.steps.flatMap(({ index, parsed }) => parsed.problems.map(({ code }) => `step ${index}: ${code}`))
    return verdict(odd.length === 0, 'to have no repairs', odd.join('\n') || 'no repairs')
  },
}

/** Throws an `Error` with the sentence of the matcher. */
export function expectRun(run: RunResult): {
  toHaveCalled(tool: string, input?: JsonObject): void
  toEndWith(stop: StopReason): void
  toHaveNoRepairs(): void
} {
  const hold = ({ pass, message }: MatchResult): void => {
    if (!pass) throw new Error(message())
  }
  return {
    toHaveCalled: (tool, input) => hold(matchers.toHaveCalled(run, tool, input)),
    toEndWith: stop => hold(matchers.toEndWith(run, stop)),
    toHaveNoRepairs: () => hold(matchers.toHaveNoRepairs(run)),
  }
}

function callsOf({ steps }: RunResult) {
  return steps.flatMap(({ parsed, observations }) =>
    parsed.decision.kind === 'act' && observations.length > 0 ? parsed.decision.calls : [],
  )
}

function hasFields(input: JsonObject, wanted: JsonObject): boolean {
  return Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(input[key], value))
}

function verdict(pass: boolean, wanted: string, seen: string): MatchResult {
  return { pass, message: () => `expected the run ${pass ? 'not ' : ''}${wanted}\n${seen}` }
}
