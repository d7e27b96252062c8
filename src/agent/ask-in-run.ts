// A prompt in a run → the model's turn, told in events from the prompt to the reply. A stream that breaks is asked for again.
import type { AgentEvent, NoticeCode } from '../core/event.js'
import type { Message, Prompt } from '../core/message.js'
import { estimateTokens, TokenMeter } from '../memory/tokens.js'
import type { ActiveRun } from './active-run.js'
import { type AskOptions, askModel, type Turn } from './ask-model.js'
import { reportOf } from './error-report.js'
import { keptTurns } from './kept-turns.js'

/** How often a reply whose stream broke is asked for again. */
const STREAM_RETRIES = 2

type PromptEvent = Extract<AgentEvent, { type: 'prompt' }>

/** Asks for the replies of one run. */
export class RunAsker {
  #lastMessages: readonly Message[]
  #sendsStops = true
  readonly #meter = new TokenMeter()

  /** `lastMessages`: those of the last prompt of this run, in one that goes on. */
  constructor(lastMessages: readonly Message[] = []) {
    this.#lastMessages = lastMessages
  }

  /** Rejects as `askModel` does. */
  async ask(
    given: Prompt,
    run: ActiveRun,
    attempt: number,
    how: Omit<AskOptions, 'signal' | 'onDelta' | 'onNotice'>,
  ): Promise<Turn> {
    const at = { step: run.step, attempt }
    const prompt = this.#sendsStops ? given : { ...given, stop: [], textStop: [] }
    run.emit({ ...this.#announce(prompt, at), ...run.toldImages.named(prompt.images) })
    const options: AskOptions = {
      ...how,
      signal: run.signal,
      onDelta: delta => run.emit({ type: 'delta', ...at, ...delta }),
      onNotice: (code, message) => run.emit({ type: 'notice', code, message }),
    }
    for (let retry = 0; ; retry++) {
      const started = performance.now()
      run.emit({ type: 'reply_start', ...at })
      try {
        const turn = await askModel(prompt, options)
        const { reply, cuts } = turn
        run.emit({
          type: 'reply_end',
          ...at,
          reply,
          ...(cuts ? { cuts } : {}),
          ms: Math.round(performance.now() - started),
        })
        if (this.#sendsStops && endsInReasoning(turn)) {
          this.#sendsStops = false
          const message = 'the reply ended within its reasoning, perhaps at a stop string; from now on none is sent'
          run.emit({ type: 'notice', code: 'STOPS_LEFT_OUT' satisfies NoticeCode, message })
        }
        // counted only where the endpoint does not
        return reply.usage ? turn : { ...turn, estimate: this.#meter.ofPrompt(prompt) + estimateTokens(reply.text) }
      } catch (error) {
        const report = reportOf(error)
        run.emit({ type: 'reply_error', ...at, error: report })
        const again = report.code === 'MODEL_BROKEN_STREAM' && retry < STREAM_RETRIES && !run.signal.aborted
        if (!again) throw error
      }
    }
  }

  /** What is new in the prompt since the last one of this run. */
  #announce(prompt: Prompt, at: { readonly step: number; readonly attempt: number }): PromptEvent {
    const { messages, opener, taskBreak, stop, textStop } = prompt
    const keep = keptTurns(this.#lastMessages, messages)
    this.#lastMessages = messages
    return { type: 'prompt', ...at, keep, add: messages.slice(keep), opener, taskBreak, stop, textStop }
  }
}

/** Reasoning that ends by itself before it is closed, with nothing behind it. */
function endsInReasoning({ reply, parsed }: Turn): boolean {
  const { decision } = parsed
  const isEmpty = decision.kind === 'unclear' && decision.problem.code === 'EMPTY_REPLY'
  return isEmpty && reply.finish === 'stop' && /<think(?:ing)?>/i.test(reply.text) && !/<\/think(?:ing)?>/i.test(reply.text)
}
