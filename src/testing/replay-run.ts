// A fixture → its run, made once more from what was recorded and held to it. Plain functions that throw: any test runner will do.

import { readFileSync } from 'node:fs'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { AgentEvent } from '../core/event.js'
import type { RunResult } from '../core/step.js'
import { ToolRegistry } from '../tools/registry.js'
import type { Fixture } from '../transcript/fixture.js'
import { writeFixture } from '../transcript/fixture-file.js'
import { MODES } from '../transcript/modes.js'
import { PROMPT_PARTS } from '../transcript/request.js'
import { fixtureOf } from '../transcript/to-fixture.js'
import { transcriptOf } from '../transcript/transcript.js'
import { refreshed, requireSame } from './compare.js'
import { type FixtureOptions, type OpenFixture, openFixture, writeText } from './open-fixture.js'

/** What can run a task, such as any agent of saydo. */
export type Runnable = Pick<ToolCallAgent, 'run'>

export interface ReplayOptions extends FixtureOptions {
  /** Makes the agent from what is played, or options for the one that is made from the file; default: as the file says. */
  readonly agent?: ((tape: OpenFixture) => Runnable | Promise<Runnable>) | Partial<Omit<ToolCallAgentOptions, 'model'>>
  /** What is concluded today goes into the file in place of what was; default false. */
  readonly update?: boolean
}

/** The turns of one fixture, to be played in their order. */
export class Replay {
  readonly tape: OpenFixture
  readonly #agent: Runnable
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
    const tape = await openFixture(file, options.update ? { ignore: PROMPT_PARTS, ...options } : options)
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
    const events: AgentEvent[] = []
    const onEvent = (event: AgentEvent): void => {
      tape.onEvent(event)
      // of the prompts the first one tells what the run was made of; all of them would be long
      const known = event.type === 'prompt' && events.some(({ type }) => type === 'prompt')
      if (event.type !== 'delta' && !known) events.push(event)
    }
    const result = await this.#agent.run(recorded.user, { signal: tape.signal, onEvent }).catch(error => {
      if (recorded.error === undefined || recorded.error.code !== (error.code ?? 'UNEXPECTED')) throw error
      return undefined
    })
    const played = fixtureOf(transcriptOf(events))
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

async function agentFor(tape: OpenFixture, { agent }: ReplayOptions): Promise<Runnable> {
  if (typeof agent === 'function') return agent(tape)
  const { tools, ...options } = agent ?? {}
  const own = tools instanceof ToolRegistry ? tools.list() : tools
  return new ToolCallAgent({ ...tape.agentOptions, ...options, model: tape.model, tools: tape.tools(own) })
}
