// A fixture → its run, made once more from what was recorded and held to it. Plain functions that throw: any test runner will do.

import { readFileSync } from 'node:fs'
import type { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { AgentEvent } from '../core/event.js'
import type { RunResult } from '../core/step.js'
import { ToolRegistry } from '../tools/registry.js'
import { type Fixture, type FixtureStart, type FixtureTurn, isSame } from '../transcript/fixture.js'
import { writeFixture } from '../transcript/fixture-file.js'
import { MODES } from '../transcript/modes.js'
import { recordedFixture } from '../transcript/recorded-fixture.js'
import { PROMPT_PARTS } from '../transcript/request.js'
import { transcriptOf } from '../transcript/transcript.js'
import { refreshed, requireSame } from './compare.js'
import { agentOptionsOf, type FixtureOptions, type OpenFixture, openFixture, writeText } from './open-fixture.js'
import { PlayedAgent } from './played-agent.js'

/** What can run a task, such as any agent of saydo. */
export type Runnable = Pick<ToolCallAgent, 'run'>

export interface ReplayOptions extends FixtureOptions {
  /** Makes the agent from what is played, or options for the one that is made from the file; default: as the file says. */
  readonly agent?: ((tape: OpenFixture) => Runnable | Promise<Runnable>) | Partial<Omit<ToolCallAgentOptions, 'model'>>
  /** Hears every event besides. */
  readonly onEvent?: (event: AgentEvent) => void
  /** Aborts what is made for real. */
  readonly signal?: AbortSignal
  /** What is concluded today goes into the file in place of what was; default false. */
  readonly update?: boolean
}

/** The turns of one fixture, to be played in their order. */
export class Replay {
  readonly tape: OpenFixture
  #agent: Runnable
  readonly #events: AgentEvent[] = []
  readonly #options: ReplayOptions
  #fixture: Fixture
  #next = 0
  #failed = false

  constructor(tape: OpenFixture, agent: Runnable, options: ReplayOptions) {
    this.tape = tape
    this.#agent = agent
    this.#options = options
    this.#fixture = tape.fixture
  }

  static async open(file: string | URL, options: ReplayOptions = {}): Promise<Replay> {
    const tape = await openFixture(file, options.update ? { ...options, ignore: PROMPT_PARTS } : options)
    return new Replay(tape, await agentFor(tape, options), options)
  }

  /**
   * Plays the next turn. Throws what the run throws, unless that is on record, and `FIXTURE_*` for what is otherwise than recorded; after the
   * last turn, what is left over. An earlier turn that failed leaves nothing to play.
   */
  async turn(): Promise<RunResult | undefined> {
    const { tape } = this
    const at = this.#next++
    const recorded = tape.turns[at]
    if (recorded === undefined || this.#failed) throw new Error('an earlier turn of this fixture failed')
    this.#failed = true
    if (at > 0 && !isSame(agentIn(recorded), agentIn(tape.turns[at - 1]))) this.#agent = this.#agentAs(at + 1)
    const events: AgentEvent[] = []
    const onEvent = (event: AgentEvent): void => {
      tape.onEvent(event)
      this.#options.onEvent?.(event)
      // of the prompts the first one tells what the run was made of; all of them would be long
      const known = event.type === 'prompt' && events.some(({ type }) => type === 'prompt')
      if (event.type !== 'delta' && !known) events.push(event)
    }
    const { signal: outside } = this.#options
    const signal = outside ? AbortSignal.any([tape.signal, outside]) : tape.signal
    const result = await this.#agent.run(recorded.user, { signal, onEvent }).catch(error => {
      if (recorded.error === undefined || recorded.error.code !== (error.code ?? 'UNEXPECTED')) throw error
      return undefined
    })
    this.#events.push(...events)
    const played = recordedFixture([transcriptOf(events)])
    const [today] = played.turns
    if (today && this.#options.update) {
      const turns = this.#fixture.turns.map((turn, index) => (index === at ? refreshed(turn, today) : turn))
      const request = at === 0 && played.request && this.#fixture.request ? { request: played.request } : {}
      this.#fixture = { ...this.#fixture, ...request, turns }
    } else if (today && !MODES[tape.modes.model].beyond)
      requireSame(tape.file, recorded, today, MODES[tape.modes.tools].plays === 'nothing')
    this.#failed = false
    if (at === tape.turns.length - 1) await this.#finish()
    return result
  }

  /** Where the agent was another one than in the turn before, that goes on from the same conversation; an agent of your own sees to that itself. */
  #agentAs(turn: number): Runnable {
    if (typeof this.#options.agent === 'function') return this.#agent
    const agent = ownAgent(this.tape, this.#options, turn)
    agent.recall(this.#events)
    return agent
  }

  async #finish(): Promise<void> {
    await this.tape.done()
    if (!this.#options.update) return
    const previous = readFileSync(this.tape.file, 'utf8')
    writeText(this.tape.file, await writeFixture(this.#fixture, { previous }), previous)
  }
}

/** Plays all turns of a file; gives the results of those that did not throw. */
export async function replayRun(file: string | URL, options: ReplayOptions = {}): Promise<readonly RunResult[]> {
  const replay = await Replay.open(file, options)
  const results: RunResult[] = []
  for (const _ of replay.tape.turns) {
    const result = await replay.turn()
    if (result) results.push(result)
  }
  return results
}

function agentIn(turn: FixtureTurn | undefined): Omit<FixtureStart, 'forked'> {
  const { forked: _, ...agent } = turn?.start ?? {}
  return agent
}

async function agentFor(tape: OpenFixture, options: ReplayOptions): Promise<Runnable> {
  return typeof options.agent === 'function' ? options.agent(tape) : ownAgent(tape, options, 1)
}

function ownAgent(tape: OpenFixture, { agent }: ReplayOptions, turn: number): ToolCallAgent {
  const { tools, ...options } = typeof agent === 'object' ? agent : {}
  const own = tools instanceof ToolRegistry ? tools.list() : tools
  const { start } = tape.turns[turn - 1] ?? {}
  const known = start ? { ...tape.agentOptions, ...agentOptionsOf({ ...tape.fixture, ...start }) } : tape.agentOptions
  const parts = { ...known, ...options, model: tape.model, tools: tape.tools(own, turn) }
  return new PlayedAgent({ ...parts, tape, turn, standIns: own === undefined })
}
