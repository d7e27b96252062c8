// A fixture → an agent that meets the world of the recorded run once more: its bundled prompt, and before each step the tools, what stands beside them and
// the situation that were there then.
import type { ActiveRun } from '../agent/active-run.js'
import { requireToolCallOptions } from '../agent/check-options.js'
import type { RunEnd } from '../agent/run-options.js'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { JsonObject } from '../core/json.js'
import type { PromptNote } from '../core/text.js'
import { type FixtureTurn, headOf, repliesOf } from '../transcript/fixture.js'
import type { OpenFixture } from './open-fixture.js'

export interface PlayedAgentOptions extends ToolCallAgentOptions {
  readonly tape: OpenFixture
  /** The first turn that it plays, from 1. */
  readonly turn: number
  /** Its tools are the recorded ones, which may change from step to step. */
  readonly standIns: boolean
}

export class PlayedAgent extends ToolCallAgent {
  readonly #tape: OpenFixture
  readonly #standIns: boolean
  readonly #bundled: string | undefined
  #turn: number
  #notes: readonly PromptNote[] | undefined

  constructor({ tape, turn, standIns, ...options }: PlayedAgentOptions) {
    super(options)
    requireToolCallOptions(options, true)
    this.#tape = tape
    this.#turn = turn - 1
    this.#standIns = standIns
    const { fixture, turns } = tape
    const { bundled } = (turns[turn - 1]?.start?.options ?? fixture.options ?? {}) as JsonObject
    this.#bundled = typeof bundled === 'string' ? bundled : undefined
  }

  protected override get bundledPrompt(): string {
    return this.#bundled ?? super.bundledPrompt
  }

  protected override get promptNotes(): readonly PromptNote[] {
    return this.#notes ?? super.promptNotes
  }

  protected override beginRun(run: ActiveRun): void {
    super.beginRun(run)
    this.#turn += 1
  }

  protected override async beforeStep({ step }: ActiveRun): Promise<string | RunEnd | undefined> {
    const { fixture, turns } = this.#tape
    const turn = turns[this.#turn - 1]
    const { tools, notes } = headOf(fixture, { turn: this.#turn, step })
    this.#notes = notes
    if (this.#standIns && tools && !isListed(this.registry.specs(), tools))
      this.registry.replace(this.#tape.toolsAt(this.#turn, step))
    return (turn && worldsEnd(turn, step)) ?? turn?.steps[step - 1]?.situation
  }
}

function isListed(now: readonly object[], wanted: readonly object[]): boolean {
  return JSON.stringify(now) === JSON.stringify(wanted)
}

/** The recorded run met the end of its world before this step. What it had found out by then it was asked for once more, in a step of its own. */
function worldsEnd({ steps, ends, reason, meta }: FixtureTurn, step: number): RunEnd | undefined {
  if (ends !== 'service_gone' && reason !== 'service_gone') return undefined
  const final = !steps.flatMap(repliesOf).some(({ tool }) => tool)
  if (step !== (final ? steps.length + 1 : steps.length)) return undefined
  const message = meta?.message === undefined ? {} : { message: meta.message }
  return { kind: 'end', stop: 'service_gone', ...message, ...(final ? { final } : {}) }
}
