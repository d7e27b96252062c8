// A fixture → its replies in the order in which they are asked for, and its results by the calls they belong to. Where a run is on it is known by
// the reply that was played last.
import { SaydoError } from '../core/errors.js'
import type { ErrorReport } from '../core/event.js'
import type { JsonObject } from '../core/json.js'
import type { Observation } from '../core/tool.js'
import {
  callsRead,
  type Fixture,
  type FixtureCall,
  type FixtureReply,
  isCalled,
  isSame,
  repliesOf,
  resultsOf,
} from './fixture.js'
import { observationOf } from './from-fixture.js'

/** Places count from 1. */
export interface Place {
  readonly turn: number
  readonly step: number
}

export interface TapedReply extends Place {
  readonly reply: FixtureReply
  /** The first one that its task asks for. */
  readonly first: boolean
}

export interface TapedCall extends Place {
  readonly id: string
  /** Unset where a file written by hand does not say what was read: any call will do. */
  readonly tool: string | undefined
  /** As it was made. */
  readonly input: JsonObject
  /** As it was read. */
  readonly meant: JsonObject
  readonly approval: FixtureCall['approval']
  /** Unset when the record breaks off before it. */
  readonly observation?: Observation
  /** It was begun, so the tool must be called. */
  readonly called: boolean
}

export class Tape {
  readonly replies: readonly TapedReply[]
  readonly calls: readonly TapedCall[]

  constructor({ turns }: Fixture) {
    this.replies = turns.flatMap(({ steps }, turn) => {
      const played = steps.flatMap((step, at) =>
        repliesOf(step)
          .filter(({ error, model }) => error !== undefined || model !== undefined)
          .map(reply => ({ turn: turn + 1, step: at + 1, reply })),
      )
      return played.map((each, at) => ({ ...each, first: at === 0 }))
    })
    this.calls = this.replies.flatMap(callsOf)
  }
}

/** What the record made of a call, as it would be played. */
export function callAt(calls: readonly TapedCall[], { turn, step }: Place, id: string): TapedCall | undefined {
  return calls.find(call => call.turn === turn && call.step === step && call.id === id)
}

/** The same call, wherever it stands. */
export function sameCall(calls: readonly TapedCall[], tool: string, input: JsonObject): TapedCall | undefined {
  return calls.find(call => call.tool === tool && isSameInput(call.input, input))
}

export function isSameCall(call: TapedCall, tool: string, input: JsonObject): boolean {
  return call.tool === undefined || (call.tool === tool && isSameInput(call.input, input))
}

/** Whatever the order of their keys. */
export function isSameInput(a: JsonObject, b: JsonObject): boolean {
  return isSame(sorted(a), sorted(b))
}

/** What an endpoint failed with, to be thrown. */
export function thrownAs({ code, message, hint }: ErrorReport): Error {
  if (code === 'UNEXPECTED') return new Error(message)
  const retryable = code === 'MODEL_BROKEN_STREAM'
  return new SaydoError(code as SaydoError['code'], message, { retryable, ...(hint === undefined ? {} : { hint }) })
}

export function placeText({ turn, step }: Place, turns: number): string {
  return turns > 1 ? `turn ${turn}, step ${step}` : `step ${step}`
}

function callsOf({ turn, step, reply }: TapedReply): readonly TapedCall[] {
  const meant = callsRead(reply.parsed)
  return resultsOf(reply).map((result, at) => {
    const call = meant[at]
    const observation = observationOf(result, call?.tool, 0)
    return {
      turn,
      step,
      id: String(at + 1),
      tool: result.name ?? call?.tool,
      input: result.input ?? call?.input ?? {},
      meant: call?.input ?? {},
      approval: result.approval,
      ...(observation ? { observation } : {}),
      called: result.called ?? isCalled(observation),
    }
  })
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
