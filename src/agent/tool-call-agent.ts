// The agent most people use. think = prompt → model → dialect's parser; act = the registry's tools, each call isolated. Its parts are
// constructor fields, so a subclass supplies parts and fills onOpen, beforeStep and onClose; it does not override think, act or step.
import type { Dialect } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import type { Prompt } from '../core/message.js'
import type { Model } from '../core/model.js'
import { once } from '../core/once.js'
import { requireObject } from '../core/options.js'
import type { PromptNote, Say } from '../core/text.js'
import type { ToolCall, ToolSpec } from '../core/tool.js'
import { hasWords, languageWords } from '../dialect/languages.js'
import { react } from '../dialect/react.js'
import { parseReply, requireDialect } from '../dialect/read.js'
import { requireFreeAnswer } from '../dialect/require-free-answer.js'
import { strictCodes } from '../parse/not-exact.js'
import { CallLimits, requireConcurrency } from '../tools/limits.js'
import { ToolRegistry } from '../tools/registry.js'
import type { AnswerRules } from './accept-answer.js'
import { actResult, withAnswerAccepted } from './act-result.js'
import type { ActiveRun } from './active-run.js'
import { AnswerForm } from './answer-form.js'
import { RunAsker } from './ask-in-run.js'
import type { Turn } from './ask-model.js'
import type { AgentProfile } from './base-agent.js'
import { CallWatch } from './call-watch.js'
import { requireToolCallOptions } from './check-options.js'
import { FittingPrompts } from './fitting-prompts.js'
import { askForOther } from './hooks.js'
import type { KnownTurn } from './past.js'
import { type ActResult, ReActAgent } from './react-agent.js'
import type { Review } from './review.js'
import { NO_TOOLS, reviewReply } from './review-reply.js'
import type { ToolFacts } from './stuck.js'
import type { ToolCallAgentOptions } from './tool-call-options.js'
import { checkedToolChoice, type ToolChoice } from './tool-choice.js'
import { orAborted } from './until-aborted.js'
import { type LoadedWording, loadWording } from './wording.js'

const NO_NOTES: readonly PromptNote[] = []

/** The bundled template of an agent without a scene of its own. */
const PLAIN_PROMPT = 'react'

const loadBatch = once(() => import('../tools/batch.js'))

export class ToolCallAgent extends ReActAgent {
  readonly model: Model
  readonly registry: ToolRegistry
  readonly dialect: Dialect
  readonly language: string
  readonly labels: string
  protected readonly options: ToolCallAgentOptions
  readonly #prompts: FittingPrompts
  readonly #form: AnswerForm | undefined
  readonly #load: () => Promise<LoadedWording>
  #asker = new RunAsker()
  #limits = new CallLimits()

  constructor(options: ToolCallAgentOptions, defaultName = 'tool-call', defaultMaxSteps = 30) {
    requireObject(options, 'an agent')
    super(defaultName, defaultMaxSteps, options)
    requireModel(options.model)
    requireDialect(options.dialect)
    requireToolCallOptions(options, new.target === ToolCallAgent)
    this.model = options.model
    this.registry = options.tools instanceof ToolRegistry ? options.tools : new ToolRegistry(options.tools ?? [])
    this.dialect = options.dialect ?? react
    this.language = options.language ?? options.template?.language ?? 'en'
    this.labels = options.labels ?? (hasWords(this.language) ? this.language : 'en')
    this.options = options
    const { template, examples, contextTokens, vision } = options
    this.#prompts = new FittingPrompts(this.memory, this.dialect, { contextTokens, vision })
    this.#form = options.answer === undefined ? undefined : new AnswerForm(options.answer)
    this.#load = once(async () => {
      await this.#form?.prepare()
      return loadWording({ dialect: this.dialect, language: this.language, name: this.bundledPrompt, template, examples })
    })
    // what is misspelt shows here, not in the middle of a run
    languageWords(this.labels)
    strictCodes(options.strict)
    requireFreeAnswer(this.dialect, this.registry.specs())
    requireConcurrency(options.concurrency)
    if (options.toolChoice !== undefined) checkedToolChoice(options.toolChoice)
  }

  /** Name of the template that is used when none is given. */
  protected get bundledPrompt(): string {
    return PLAIN_PROMPT
  }

  /** What somebody outside says, for the head of the prompt; the same list for as long as it is the same. */
  protected get promptNotes(): readonly PromptNote[] {
    return NO_NOTES
  }

  /** A text for the model, in the language of the run. */
  protected async say(...text: Parameters<Say>): Promise<string> {
    return (await this.#load()).say(...text)
  }

  protected override profile(run: ActiveRun): AgentProfile {
    const { maxFormatErrors, language, labels } = this
    const { strict, maxObserve, vision, contextTokens, template } = this.options
    const toolChoice = this.#toolChoice(run)
    return {
      model: this.model.name,
      dialect: this.dialect.name,
      tools: this.registry.specs(),
      options: {
        ...this.limitsOf(run),
        maxFormatErrors,
        toolChoice,
        language,
        labels,
        ...given({ strict, maxObserve, vision, contextTokens, answer: this.#form?.schema, template: template?.file }),
        ...(template || this.bundledPrompt === PLAIN_PROMPT ? {} : { bundled: this.bundledPrompt }),
      },
    }
  }

  protected override beginRun(run: ActiveRun): void {
    this.#limits = new CallLimits()
    this.#asker = new RunAsker(run.past?.lastPrompt?.messages)
    run.toldNotes = run.past?.notes ?? NO_NOTES
  }

  protected override async think(run: ActiveRun, attempt: number): Promise<Turn> {
    const { dialect, model } = this
    const { strict } = this.options
    const received = run.past?.turn(run.step, attempt)
    if (received) return this.#read(received)
    for (;;) {
      const readWith = { tools: this.registry.specs(), labels: this.labels }
      const wording = await this.#load()
      const prompt = await this.#prompts.next(run, {
        wording,
        readWith,
        shown: this.#shown(run),
        form: this.#form,
        notes: this.promptNotes,
      })
      this.#tellTools(run)
      const sent = await this.#hookPrompt(run, prompt, attempt, wording)
      try {
        const turn = await this.#asker.ask(sent, run, attempt, { model, dialect, ...readWith, ...(strict ? { strict } : {}) })
        this.#prompts.answered(sent, turn.reply, run)
        return turn
      } catch (error) {
        const tooLong = error instanceof SaydoError && error.code === 'MODEL_CONTEXT'
        if (!tooLong || !this.#prompts.refused(sent, run)) throw error
      }
    }
  }

  /** A reply that came before the run was cut short. */
  #read(received: KnownTurn): Turn {
    const { dialect, labels, registry } = this
    const { strict } = this.options
    const { text, finish } = received.reply
    const { deltas: _, ...parsed } = parseReply(text, {
      dialect,
      labels,
      tools: registry.specs(),
      finish,
      ...(strict ? { strict } : {}),
    })
    return { ...received, parsed }
  }

  protected override async review(run: ActiveRun, turn: Turn): Promise<Review> {
    const { registry, dialect, labels } = this
    const choice = this.#toolChoice(run)
    const lastTurn = run.wrapUp !== undefined
    const before = this.memory.steps.at(-1)
    const observed = this.#hasCalled()
    return reviewReply(turn, {
      registry,
      dialect,
      labels,
      rules: await this.#answerRules(run),
      mayCall: choice !== 'none' && !lastTurn,
      mustCall: choice === 'required' && !lastTurn && !observed,
      observed,
      told: before?.observations.length === 0 ? before.nudge : undefined,
    })
  }

  protected override async act(run: ActiveRun, calls: readonly ToolCall[], attempt: number): Promise<ActResult> {
    const rules = await this.#answerRules(run)
    const { callTools } = await loadBatch()
    const { maxObserve, vision, parallel, concurrency, confirm, toolTimeoutMs: timeoutMs } = this.options
    const { registry } = this
    const within = { registry, say: rules.say, signal: run.signal, step: run.step, limits: this.#limits }
    const watch = new CallWatch(run, attempt, this.hooks)
    const known = run.past?.turn(run.step, attempt)
    const batch = await callTools(calls, {
      ...within,
      maxObserve,
      vision,
      parallel,
      concurrency,
      confirm,
      timeoutMs,
      known: ({ id }) => known?.calls.find(each => each.call?.id === id),
      ...watch.listeners(),
    })
    const { observations } = batch
    if (watch.fault) return { observations, fault: watch.fault }
    try {
      return await orAborted(withAnswerAccepted(actResult(batch), rules), run.signal)
    } catch (thrown) {
      return { observations, fault: { thrown } }
    }
  }

  protected override async hint(run: ActiveRun, calls: readonly ToolCall[]): Promise<string> {
    const [call] = calls
    const { say } = await this.#load()
    return say('stuck', { task: run.task, ...(call ? { tool: call.tool, input: JSON.stringify(call.input) } : {}) })
  }

  protected override factsOf(tool: string): ToolFacts | undefined {
    return this.registry.get(tool)
  }

  async #answerRules(run: ActiveRun): Promise<AnswerRules> {
    const { say } = await this.#load()
    return { say, form: this.#form, refuse: text => askForOther(run, this.hooks, 'beforeAnswer', text) }
  }

  async #hookPrompt(run: ActiveRun, prompt: Prompt, attempt: number, { flattenMessages }: LoadedWording): Promise<Prompt> {
    const other = await askForOther(run, this.hooks, 'beforeModel', prompt, { step: run.step, attempt })
    if (!other || other.text !== prompt.text) return other ?? prompt
    return { ...other, text: flattenMessages(other.messages, other.opener, other.taskBreak) }
  }

  #toolChoice({ options }: ActiveRun): ToolChoice {
    return checkedToolChoice(options.toolChoice ?? this.options.toolChoice ?? 'auto')
  }

  /** The tools that a prompt shows. */
  #shown(run: ActiveRun): readonly ToolSpec[] {
    const choice = this.#toolChoice(run)
    if (choice === 'required' && this.registry.size === 0)
      throw new SaydoError('CONFIG', "toolChoice is 'required', but there are no tools", {
        hint: "give tools, or toolChoice: 'auto'",
      })
    return choice === 'none' ? NO_TOOLS : this.registry.specs()
  }

  #hasCalled(): boolean {
    return this.memory.steps.some(({ observations }) => observations.some(({ failure }) => failure === undefined))
  }

  #tellTools(run: ActiveRun): void {
    const [tools, notes] = [this.registry.specs(), this.promptNotes]
    const isSaid = notes === run.toldNotes || JSON.stringify(notes) === JSON.stringify(run.toldNotes)
    if (tools === run.toldTools && isSaid) return
    run.toldTools = tools
    run.toldNotes = notes
    run.emit({ type: 'tools', tools, ...(isSaid ? {} : { notes }) })
  }
}

function requireModel(model: Model | undefined): void {
  if (typeof model?.stream === 'function') return
  throw new SaydoError('CONFIG', 'The option model is no model.', {
    hint: 'Give openaiModel({ baseURL, model }), or scriptedModel([…]) in a test.',
  })
}

function given(options: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(options).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined))
}
