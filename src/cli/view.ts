// The events of a run → lines for people on stderr: thoughts as they come, actions, observations, and what had to be repaired.

import { counted } from '../core/counted.js'
import type { AgentEvent, ErrorReport } from '../core/event.js'
import type { Problem } from '../core/reply.js'
import type { Observation, ToolCall } from '../core/tool.js'
import { prettify } from '../parse/prettify.js'
import type { Io } from './command.js'
import { excerptOf } from './observation-excerpt.js'
import type { Paint } from './paint.js'
import { Spinner } from './spinner.js'
import { visible } from './visible.js'

export interface ViewOptions {
  readonly paint: Paint
  /** Show every problem with its place, and whole observations. */
  readonly verbose: boolean
  /** Show the raw reply before what was read. */
  readonly raw?: boolean
}

export class RunView {
  readonly #out: Io['stderr']
  readonly #options: ViewOptions
  readonly #spinner: Spinner
  /** The channel whose text is being written, while its line is open. */
  #open: 'thought' | undefined
  #reply = ''
  /** Told last: it is told again when it is another. */
  #situation: string | undefined
  /** The last reply's failure: told only when the reply is asked for again, since a run that ends with it says so itself. */
  #failure: ErrorReport | undefined

  constructor(out: Io['stderr'], options: ViewOptions) {
    this.#out = out
    this.#options = options
    this.#spinner = new Spinner(out)
  }

  /** Shows one event. */
  show(event: AgentEvent): void {
    const { paint } = this.#options
    switch (event.type) {
      case 'run_start':
        return this.#line(
          paint.dim(visible([event.agent, event.dialect, event.model, ...toolCount(event.tools.length)].join(' · '))),
        )
      case 'step_start':
        return this.#tellSituation(event.situation)
      case 'reply_start':
        this.#tellFailure()
        return this.#spinner.start('waiting for the model')
      case 'delta':
        return event.channel === 'thought' && !this.#options.raw ? this.#thought(event.text) : undefined
      case 'reply_end':
        this.#reply = event.reply.text
        this.#close()
        return this.#options.raw ? this.#rawReply(event.reply.text) : undefined
      case 'reply_error':
        this.#failure = event.error
        return this.#close()
      case 'parsed':
        return this.#problems(event.parsed.problems)
      case 'nudge':
        return this.#line(`${paint.yellow('Told the model:')} ${visible(event.text)}`)
      case 'approval':
        return this.#line(`${paint.yellow(`${capital(event.verdict)}:`)} ${callText(event.call)}${because(event.reason)}`)
      case 'call_start':
        this.#line(callLine(event.call, paint))
        return this.#spinner.start(visible(event.call.tool))
      case 'call_end':
      case 'observation':
        return this.#observation(event.observation)
      case 'notice':
        return this.#line(paint.dim(`· ${visible(event.message)}`))
      case 'tools':
        return this.#line(paint.dim(`· the tools are now: ${event.tools.map(({ name }) => visible(name)).join(', ') || 'none'}`))
      case 'run_end':
        return this.#close()
      case 'state':
      case 'image':
      case 'prompt':
      case 'step_end':
        return undefined
      default:
        return unreachable(event)
    }
  }

  /** Leaves the terminal to somebody else, for a question. */
  hush(): void {
    this.#close()
  }

  #tellSituation(situation: string | undefined): void {
    if (situation !== undefined && situation !== this.#situation)
      this.#line(`${this.#options.paint.cyan('Situation:')} ${visible(situation)}`)
    this.#situation = situation
  }

  #tellFailure(): void {
    if (this.#failure) this.#line(this.#options.paint.yellow(`! ${whyAskedAgain(this.#failure)}`))
    this.#failure = undefined
  }

  #thought(text: string): void {
    if (this.#open === undefined) {
      this.#spinner.stop()
      this.#out.write(`${this.#options.paint.green('Thought:')} `)
      this.#open = 'thought'
    }
    this.#out.write(visible(text))
  }

  #rawReply(text: string): void {
    const { paint } = this.#options
    for (const line of visible(text).split('\n')) this.#line(paint.dim(`│ ${line}`))
  }

  #problems(problems: readonly Problem[]): void {
    if (problems.length === 0) return
    const { paint, verbose, raw } = this.#options
    if (verbose || raw) for (const problem of problems) this.#line(paint.magenta(indent(visible(prettify(problem, this.#reply)))))
    else this.#line(paint.magenta(`  ~ ${[...new Set(problems.map(problem => problem.code))].join(', ')}`))
  }

  #observation(observation: Observation): void {
    const { paint, verbose } = this.#options
    const colour = observation.failure ? paint.red : paint.blue
    const text = verbose ? observation.text : excerptOf(observation.text, '-v shows all')
    this.#line(`${colour('Observation:')} ${visible(text)}`)
  }

  #line(text: string): void {
    this.#close()
    this.#out.write(`${text}\n`)
  }

  #close(): void {
    this.#spinner.stop()
    if (this.#open !== undefined) this.#out.write('\n')
    this.#open = undefined
  }
}

function callLine(call: ToolCall, paint: Paint): string {
  return `${paint.bold('Action:')} ${callText(call)}`
}

function callText({ tool, input }: ToolCall): string {
  return `${visible(tool)} ${visible(JSON.stringify(input))}`
}

/** Where a run goes on behind a reply that was broken off, its time for steps is over. */
function whyAskedAgain({ code, message }: ErrorReport): string {
  return code === 'ABORTED' ? 'no reply in time; asking for an answer' : `${visible(message)}; asking again`
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : ` (${visible(reason)})`
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function indent(text: string): string {
  return text
    .split('\n')
    .map(line => `  ${line}`)
    .join('\n')
}

/** An agent whose tools come from outside has them once it is open, and tells them then. */
function toolCount(count: number): readonly string[] {
  return count === 0 ? [] : [counted(count, 'tool')]
}

function unreachable(event: never): never {
  throw new Error(`unknown event ${JSON.stringify(event)}`)
}
