// The calls of one reply, as they are decided about, begin and end → events, and what the hooks make of them.
import type { AgentEvent } from '../core/event.js'
import type { Approval, Observation, ToolCall } from '../core/tool.js'
import type { BatchOptions } from '../tools/batch.js'
import type { Said } from '../tools/prepare.js'
import type { ActiveRun } from './active-run.js'
import { askForOther, askHook, type Hooks } from './hooks.js'
import type { Fault } from './react-agent.js'

export class CallWatch {
  readonly #run: ActiveRun
  readonly #hooks: Hooks
  readonly #at: { readonly step: number; readonly attempt: number }
  #fault: Fault | undefined

  constructor(run: ActiveRun, attempt: number, hooks: Hooks) {
    this.#run = run
    this.#hooks = hooks
    this.#at = { step: run.step, attempt }
  }

  listeners(): Pick<BatchOptions, 'vet' | 'revise' | 'onApproval' | 'onStart' | 'onEnd' | 'onRefused'> {
    const tell = (event: AgentEvent) => this.#run.emit(event)
    const at = this.#at
    const { beforeCall, afterCall } = this.#hooks
    return {
      ...(beforeCall || afterCall ? { vet: call => this.#vet(call) } : {}),
      onApproval: said => tell({ type: 'approval', ...at, ...approvalOf(said) }),
      onStart: call => tell({ type: 'call_start', ...at, call }),
      ...(afterCall ? { revise: (call, observation) => this.#revise(call, observation) } : {}),
      onEnd: (call, { images, ...observation }) =>
        tell({ type: 'call_end', ...at, call, observation, ...this.#run.toldImages.named(images) }),
      onRefused: (call, observation) => tell({ type: 'observation', ...at, call, observation }),
    }
  }

  /** What a hook threw. The calls that were made are remembered all the same, so that nobody makes them twice. */
  get fault(): Fault | undefined {
    return this.#fault
  }

  /** Fails closed: a hook that throws stops this call and all behind it. */
  async #vet(call: ToolCall): Promise<Approval | undefined> {
    if (this.#fault) return { stop: 'a hook failed' }
    try {
      return await askHook(this.#run, this.#hooks.beforeCall, call, this.#at)
    } catch (thrown) {
      this.#fault ??= { thrown }
      return { stop: 'the check before the call failed' }
    }
  }

  async #revise(call: ToolCall, observation: Observation): Promise<Observation | undefined> {
    try {
      return await askForOther(this.#run, this.#hooks, 'afterCall', call, observation, this.#at)
    } catch (thrown) {
      this.#fault ??= { thrown }
      return undefined
    }
  }
}

type ApprovalEvent = Extract<AgentEvent, { type: 'approval' }>

function approvalOf({ call, verdict }: Said): Pick<ApprovalEvent, 'call' | 'verdict' | 'reason'> {
  switch (verdict.kind) {
    case 'denied':
      return { call, verdict: verdict.kind, ...withReason(verdict.reason ?? verdict.why) }
    case 'stopped':
      return { call, verdict: verdict.kind, ...withReason(verdict.reason) }
    default:
      return { call, verdict: verdict.kind }
  }
}

function withReason(reason: string | undefined): { readonly reason?: string } {
  return reason === undefined ? {} : { reason }
}
