// The agent most people use. think = prompt → model → dialect's parser; act = the registry's tools, each call isolated. Its parts are
// constructor fields, so a subclass supplies parts and fills onOpen, beforeStep and onClose; it does not override think, act or step.
import type { Dialect } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import type { Message, Prompt } from '../core/message.js'
import type { Model } from '../core/model.js'
import type { ParsedReply, UnclearProblem } from '../core/reply.js'
import type { Step } from '../core/step.js'
import type { Say } from '../core/text.js'
import type { Observation, ToolCall } from '../core/tool.js'
import { hasWords, languageWords } from '../dialect/languages.js'
import { react } from '../dialect/react.js'
import { isReadable } from '../memory/scratchpad.js'
import { strictCodes } from '../parse/not-exact.js'
import type { Template } from '../prompt/index.js'
import { describeTool } from '../tools/describe.js'
import { CallLimits, requireConcurrency } from '../tools/limits.js'
import { ToolRegistry } from '../tools/registry.js'
import { actResult, approvalOf } from './act-result.js'
import { type AskOptions, askModel, type Turn } from './ask-model.js'
import type { AgentProfile } from './base-agent.js'
import { correctionText, isUnclear, refusalOf } from './correction.js'
import { reportOf } from './error-report.js'
import { writeExample } from './example-turns.js'
import { keptTurns } from './kept-turns.js'
import { type ActResult, ReActAgent } from './react-agent.js'
import type { ActiveRun } from './run-options.js'
import type { ToolCallAgentOptions } from './tool-call-options.js'
import { clipUnreadable } from './unreadable.js'

/** What a run needs loaded before its first prompt. */
interface Loaded {
  readonly renderPrompt: typeof import('../prompt/index.js').renderPrompt
  readonly callTools: typeof import('../tools/batch.js').callTools
  readonly template: Template
  readonly say: Say
  readonly examples: readonly (readonly Message[])[]
}

/** How often a reply whose stream broke is asked for again. */
const STREAM_RETRIES = 2

export class ToolCallAgent extends ReActAgent {
  readonly model: Model
  readonly registry: ToolRegistry
  readonly dialect: Dialect
  readonly language: string
  readonly labels: string
  protected readonly options: ToolCallAgentOptions
  #loaded: Loaded | undefined
  #limits = new CallLimits()
  #lastMessages: readonly Message[] = []
  /** Readable steps that fit the model's context; lowered when the endpoint says that the prompt is too long. */
  #stepsThatFit = Number.POSITIVE_INFINITY
  readonly #written = new WeakMap<Step, readonly Message[]>()

  constructor(options: ToolCallAgentOptions, defaultName = 'tool-call', defaultMaxSteps = 30) {
    super(defaultName, defaultMaxSteps, options)
    this.model = options.model
    this.registry = options.tools instanceof ToolRegistry ? options.tools : new ToolRegistry(options.tools)
    this.dialect = options.dialect ?? react
    this.language = options.language ?? options.template?.language ?? 'en'
    this.labels = options.labels ?? (hasWords(this.language) ? this.language : 'en')
    this.options = options
    // what is misspelt shows here, not in the middle of a run
    languageWords(this.labels)
    strictCodes(options.strict)
    requireConcurrency(options.concurrency)
  }

  protected override profile(): AgentProfile {
    const { maxSteps, maxFormatErrors, onMaxSteps, language, labels } = this
    const { strict } = this.options
    return {
      model: this.model.name,
      dialect: this.dialect.name,
      tools: this.registry.specs(),
      options: { maxSteps, maxFormatErrors, onMaxSteps, language, labels, ...(strict ? { strict } : {}) },
    }
  }

  protected override beginRun(): void {
    this.#limits = new CallLimits()
    this.#lastMessages = []
    this.#stepsThatFit = Number.POSITIVE_INFINITY
  }

  protected override async think(run: ActiveRun, attempt: number): Promise<Turn> {
    for (;;) {
      try {
        return await this.#ask(run, attempt)
      } catch (error) {
        const shown = this.memory.view(this.#stepsThatFit).steps.filter(isReadable).length
        if (!(error instanceof SaydoError) || error.code !== 'MODEL_CONTEXT' || shown < 2) throw error
        this.#stepsThatFit = Math.floor(shown / 2)
        run.emit({
          type: 'notice',
          code: 'CONTEXT_TRIMMED',
          message: `the prompt was too long; only the last ${this.#stepsThatFit} steps stay in it`,
        })
      }
    }
  }

  protected override async act(run: ActiveRun, calls: readonly ToolCall[], attempt: number): Promise<ActResult> {
    const { say, callTools } = await this.#load(run)
    const at = { step: run.step, attempt }
    const batch = await callTools(calls, {
      registry: this.registry,
      say,
      signal: run.signal,
      step: run.step,
      limits: this.#limits,
      parallel: this.options.parallel,
      concurrency: this.options.concurrency,
      maxObserve: this.options.maxObserve,
      timeoutMs: this.options.toolTimeoutMs,
      confirm: this.options.confirm,
      onApproval: said => run.emit({ type: 'approval', ...at, ...approvalOf(said) }),
      onStart: call => run.emit({ type: 'call_start', ...at, call }),
      onEnd: (call, observation) => run.emit({ type: 'call_end', ...at, call, observation }),
      onRefused: (call, observation) => run.emit({ type: 'observation', ...at, call, observation }),
    })
    return actResult(batch)
  }

  protected override correct(parsed: ParsedReply): string {
    if (parsed.decision.kind !== 'unclear') return ''
    return this.#sayAbout(parsed.decision.problem)
  }

  protected override refuse(parsed: ParsedReply): readonly Observation[] {
    const { decision } = parsed
    if (decision.kind !== 'unclear' || decision.attempted === undefined) return []
    const { problem, attempted } = decision
    const refusal = refusalOf(problem, attempted.tool, this.registry, this.#say)
    return refusal ? [{ tool: attempted.tool, ...refusal, truncated: 0, ms: 0 }] : []
  }

  protected override hint(run: ActiveRun, calls: readonly ToolCall[]): string {
    const [call] = calls
    return this.#say('stuck', { task: run.task, ...(call ? { tool: call.tool, input: JSON.stringify(call.input) } : {}) })
  }

  protected override isRepeatable(tool: string): boolean {
    return this.registry.get(tool)?.repeatable === true
  }

  protected override remark(parsed: ParsedReply): string | undefined {
    const left = parsed.problems.find(isUnclear)
    return left && this.#sayAbout(left)
  }

  /** The prompt for the next reply, as the run stands. */
  async #prompt(run: ActiveRun): Promise<Prompt> {
    const { template, examples, renderPrompt } = await this.#load(run)
    const view = this.memory.view(this.#stepsThatFit)
    const nudge = this.#nudge(view.steps.at(-1))
    const data = {
      task: this.dialect.formatTask(run.task),
      tools: this.registry.specs().map(describeTool),
      examples,
      scratchpad: view.steps.flatMap(step => this.#turns(step)),
      labels: this.dialect.labels,
      omitted: view.omitted,
      ...(run.situation === undefined ? {} : { situation: run.situation }),
      ...(nudge === undefined ? {} : { nudge }),
      ...(run.wrapUp === undefined ? {} : { final: true, reason: run.wrapUp }),
    }
    return renderPrompt(template, data, this.dialect)
  }

  /** A correction stands as an observation, so that it has a label of its own where all turns are one text. */
  #nudge(last: Step | undefined): string | undefined {
    if (last?.nudge === undefined || last.observations.length > 0) return last?.nudge
    return this.dialect.formatNote(last.nudge)
  }

  async #ask(run: ActiveRun, attempt: number): Promise<Turn> {
    const prompt = await this.#prompt(run)
    this.#tellTools(run)
    this.#announce(prompt, run, attempt)
    for (let retry = 0; ; retry++) {
      const started = performance.now()
      run.emit({ type: 'reply_start', step: run.step, attempt })
      try {
        const turn = await askModel(prompt, this.#askOptions(run, attempt))
        const ms = Math.round(performance.now() - started)
        run.emit({ type: 'reply_end', step: run.step, attempt, reply: turn.reply, ms })
        return turn
      } catch (error) {
        const report = reportOf(error)
        run.emit({ type: 'reply_error', step: run.step, attempt, error: report })
        const again = report.code === 'MODEL_BROKEN_STREAM' && retry < STREAM_RETRIES && !run.signal.aborted
        if (!again) throw error
      }
    }
  }

  #tellTools(run: ActiveRun): void {
    const tools = this.registry.specs()
    if (tools === run.toldTools) return
    run.toldTools = tools
    run.emit({ type: 'tools', tools })
  }

  /** Says what is new in the prompt since the last one of this run. */
  #announce(prompt: Prompt, run: ActiveRun, attempt: number): void {
    const before = this.#lastMessages
    const keep = keptTurns(before, prompt.messages)
    this.#lastMessages = prompt.messages
    const { opener, taskBreak, stop, textStop } = prompt
    run.emit({
      type: 'prompt',
      step: run.step,
      attempt,
      keep,
      add: prompt.messages.slice(keep),
      opener,
      taskBreak,
      stop,
      textStop,
    })
  }

  #askOptions(run: ActiveRun, attempt: number): AskOptions {
    return {
      model: this.model,
      dialect: this.dialect,
      ...this.#readWith(),
      ...(this.options.strict ? { strict: this.options.strict } : {}),
      signal: run.signal,
      onDelta: delta => run.emit({ type: 'delta', step: run.step, attempt, ...delta }),
      onNotice: (code, message) => run.emit({ type: 'notice', code, message }),
    }
  }

  #readWith() {
    return { tools: this.registry.specs(), labels: this.labels }
  }

  #turns(step: Step): readonly Message[] {
    const known = this.#written.get(step)
    if (known) return known
    const { reply, observation } = this.dialect.formatStep({ ...step, ...this.#readWith() })
    const turns: Message[] = []
    // servers refuse an empty turn, and an empty reply has nothing to show; of an unreadable one, models copy what they see
    if (reply.trim() !== '') turns.push({ role: 'assistant', text: isReadable(step) ? reply : clipUnreadable(reply) })
    if (observation !== '') turns.push({ role: 'user', text: observation })
    this.#written.set(step, turns)
    return turns
  }

  async #load(run: ActiveRun): Promise<Loaded> {
    if (this.#loaded) return this.#loaded
    // both rooms are heavy, and importing the library alone should cost nothing
    const [prompts, { callTools }] = await Promise.all([import('../prompt/index.js'), import('../tools/batch.js')])
    const { bundledTemplate, chooseExamples, examplesFor, renderPrompt } = prompts
    const plain = this.options.template ?? (await bundledTemplate('react', this.language))
    const template = this.dialect.wording ? await plain.withWording(this.dialect.wording) : plain
    const docs = this.registry.specs().map(describeTool)
    const { examples: own } = this.options
    const { kept, left } = own ? chooseExamples(own, docs) : await examplesFor(docs, this.language)
    // the bundled ones fit few tools, which is nothing to tell
    if (own)
      for (const { name, reason } of left)
        run.emit({ type: 'notice', code: 'EXAMPLE_LEFT_OUT', message: `example ${name} is left out: ${reason}` })
    const loaded = {
      renderPrompt,
      callTools,
      template,
      say: template.say,
      examples: kept.map(example => writeExample(example, this.dialect, this.#readWith())),
    }
    this.#loaded = loaded
    return loaded
  }

  #say: Say = (name, data) => {
    if (!this.#loaded) throw new SaydoError('STATE', 'the texts are not loaded yet')
    return this.#loaded.say(name, data)
  }

  #sayAbout(problem: UnclearProblem): string {
    return correctionText(problem, this.registry, this.dialect, this.labels, this.#say)
  }
}
