// Tasks, one after the other → the runs of one conversation with one agent, each told to the record as it happens. A turn can be taken back, and the
// last one can go another way from one of its steps on; the record keeps what was, and says what goes on from where.
import { newRunId } from '../../agent/run-options.js'
import type { ToolCallAgent } from '../../agent/tool-call-agent.js'
import { SaydoError } from '../../core/errors.js'
import type { AgentEvent } from '../../core/event.js'
import type { RunResult } from '../../core/step.js'
import type { ToolSpec } from '../../core/tool.js'
import { conversationIn } from '../../transcript/conversation.js'
import { forkOf } from '../../transcript/fork.js'
import { type Transcript, transcriptOf } from '../../transcript/transcript.js'
import type { StepChoice } from '../step-name.js'

export interface ConversationParts {
  readonly agent: ToolCallAgent
  /** Id of the first run, when the record is new. */
  readonly runId: string
  /** The events of a record that goes on. */
  readonly past: readonly AgentEvent[]
  /** The turn must not go on when it throws. */
  readonly record: (event: AgentEvent) => void
}

/** Who hears of a turn, and ends it. */
export interface TurnWatch {
  readonly signal: AbortSignal
  readonly onEvent: (event: AgentEvent) => void
}

type Run = readonly AgentEvent[]

export class Conversation {
  #agent: ToolCallAgent
  /** Of what was not taken back, oldest first. */
  #runs: readonly Run[]
  #nextId: string | undefined
  /** The last run of the record. */
  #written: string | null
  readonly #record: (event: AgentEvent) => void

  constructor({ agent, runId, past, record }: ConversationParts) {
    this.#agent = agent
    this.#runs = conversationIn(past)
    this.#nextId = runId
    this.#written = idOf(this.#runs.at(-1))
    this.#record = record
    if (past.length > 0) agent.recall(past)
  }

  /** An agent that has some from outside knows them once it is open. */
  get tools(): readonly ToolSpec[] {
    return this.#agent.registry.specs()
  }

  /** How many turns there were. */
  get length(): number {
    return this.#runs.length
  }

  /** Those of all turns. */
  get events(): readonly AgentEvent[] {
    return this.#runs.flat()
  }

  /** Throws `CONFIG` when nothing was said yet. */
  get last(): Transcript {
    return transcriptOf(this.#lastRun())
  }

  /** A further turn. Rejects as `agent.run` does. */
  ask(task: string, watch: TurnWatch): Promise<RunResult> {
    const runId = this.#nextId ?? newRunId()
    return this.#agent.run(task, { runId, signal: watch.signal, onEvent: this.#listener(watch, []) })
  }

  /**
   * The last turn goes another way: from that step on, or with another reply in its place. What stands before it is neither asked nor called
   * again. Rejects with `CONFIG` when there is no such step, and as `agent.run` does.
   */
  goOnFrom({ step, attempt }: StepChoice, reply: string | undefined, watch: TurnWatch): Promise<RunResult> {
    const before = this.#runs.slice(0, -1)
    const fork = forkOf(this.#lastRun(), {
      step,
      run: newRunId(),
      after: idOf(before.at(-1)),
      ...(attempt === undefined ? {} : { attempt }),
      ...(reply === undefined ? {} : { reply }),
    })
    for (const event of fork) this.#record(event)
    this.#written = idOf(fork)
    const run = [...fork]
    this.#runs = [...before, run]
    this.#agent.recall(before.flat())
    return this.#agent.run(undefined, {
      resume: this.events,
      signal: watch.signal,
      onEvent: this.#listener(watch, run),
    })
  }

  /** Forgets the last turn; gives what it was. Throws `CONFIG` when nothing was said yet. */
  takeBack(): Transcript {
    const taken = this.last
    this.#runs = this.#runs.slice(0, -1)
    this.#agent.recall(this.events)
    return taken
  }

  /** Goes on with another agent, which remembers all that was said; gives the former one, to be closed. */
  changeAgent(agent: ToolCallAgent): ToolCallAgent {
    agent.recall(this.events)
    const former = this.#agent
    this.#agent = agent
    return former
  }

  close(): Promise<void> {
    return this.#agent.close()
  }

  #lastRun(): Run {
    const run = this.#runs.at(-1)
    if (run) return run
    throw new SaydoError('CONFIG', 'nothing was said yet', { hint: 'type a task first' })
  }

  /** `run`: the events of the present turn so far. */
  #listener({ onEvent }: TurnWatch, run: AgentEvent[]): (event: AgentEvent) => void {
    return given => {
      const event = given.type === 'run_start' ? this.#placed(given) : given
      this.#record(event)
      if (event.type === 'run_start') {
        this.#runs = [...this.#runs, run]
        this.#nextId = undefined
        this.#written = event.run
      }
      if (event.type !== 'delta') run.push(event)
      onEvent(event)
    }
  }

  /** Said where the run does not go on from the one before it in the record. */
  #placed(start: Extract<AgentEvent, { type: 'run_start' }>): AgentEvent {
    const after = idOf(this.#runs.at(-1))
    return after === this.#written ? start : { ...start, after }
  }
}

function idOf(run: Run | undefined): string | null {
  const start = run?.find(event => event.type === 'run_start')
  return start?.type === 'run_start' ? start.run : null
}
