// A fixture, and how it is to be used → a model and tools that play it, and hold the run to it. What a run does otherwise is kept and thrown at the
// next chance: a tool's own error would only be read by the model.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent, RunStart } from '../core/event.js'
import type { JsonObject } from '../core/json.js'
import type { Message, Prompt } from '../core/message.js'
import type { Model, ModelChunk } from '../core/model.js'
import type { Approval, Observation, Tool, ToolContext, ToolSpec } from '../core/tool.js'
import { GivenObservation } from '../tools/given-observation.js'
import { specOf } from '../tools/registry.js'
import { type Chunking, chunksOf } from './chunks.js'
import { type Fixture, headOf } from './fixture.js'
import { MODES, type Modes } from './modes.js'
import { driftOf, driftText, fingerprintOf, type PromptPart } from './request.js'
import { inferredTools, standIn } from './stand-ins.js'
import { callAt, isSameCall, isSameInput, type Place, placeText, sameCall, Tape, type TapedCall, thrownAs } from './tape.js'

export interface CassetteOptions {
  /** For messages. */
  readonly file: string
  readonly modes: Modes
  readonly chunking: Chunking
  /** Parts of the prompt that may be others than they were. */
  readonly ignore: readonly PromptPart[]
  /** For `continue`: the step from which the run is made for real. */
  readonly from: number
  /** The first prompt of a recorded run, where its record still lies about. */
  readonly promptOf: (run: string) => readonly Message[] | undefined
  /** What is asked where the run is made for real. */
  readonly live: Model | undefined
}

export class Cassette {
  readonly fixture: Fixture
  readonly #options: CassetteOptions
  readonly #tape: Tape
  readonly #used = new Set<TapedCall>()
  #abort = new AbortController()
  #next = 0
  #place: Place = { turn: 1, step: 1 }
  #specs: readonly ToolSpec[] | undefined
  #fault: SaydoError | undefined
  /** What the run was told. */
  #thrown: SaydoError | undefined
  #start: RunStart | undefined

  constructor(fixture: Fixture, options: CassetteOptions) {
    this.fixture = fixture
    this.#options = options
    this.#tape = new Tape(fixture)
  }

  /** Fires where the recorded run was aborted. A new one for each turn. */
  get signal(): AbortSignal {
    if (this.#abort.signal.aborted) this.#abort = new AbortController()
    return this.#abort.signal
  }

  readonly model: Model = {
    name: '',
    stream: (prompt, options) => this.#stream(prompt, options?.signal),
  }

  /** Tells what the prompt is made of, which a model does not see. */
  readonly onEvent = (event: AgentEvent): void => {
    if (event.type === 'run_start') this.#start = event
    if (event.type === 'run_end' && event.error === undefined) this.#wasPassedOver()
    if (STANDS.has(event.type) && this.#wasAbortedHere(event)) this.#abort.abort()
  }

  /** Your own tools, or stand-ins for those that the turn began with. Throws `CONFIG` when it calls one that is not there. */
  tools(own?: Iterable<Tool>, turn = 1): Tool[] {
    const { turns } = this.fixture
    const others = turns.findIndex(({ start }, at) => at >= turn && start?.tools)
    const until = others < 0 ? turns.length : others
    const specs = headOf(this.fixture, { turn, step: 0 }).tools ?? inferredTools(this.#tape.calls)
    const mode = this.#options.modes.tools
    if (!own && MODES[mode].plays === 'nothing' && specs.length > 0)
      throw new SaydoError('CONFIG', `mode ${mode} needs the tools themselves: ${specs.map(({ name }) => name).join(', ')}`, {
        hint: 'give tools to the agent, or --tools FILE; with tools=replay their recorded results are played',
      })
    const tools = own ? [...own] : specs.map(standIn)
    this.#specs = tools.map(specOf)
    const missing = this.#tape.calls.find(
      call =>
        call.turn >= turn &&
        call.turn <= until &&
        call.called &&
        call.tool !== undefined &&
        !(own ? tools : (headOf(this.fixture, call).tools ?? tools)).some(({ name }) => name === call.tool),
    )
    if (missing && MODES[mode].plays !== 'nothing')
      throw new SaydoError('CONFIG', `${this.#options.file} calls ${missing.tool}, which is not among the tools`)
    return tools.map(tool => this.#taped(tool))
  }

  /** Stand-ins for the tools that a step had. */
  toolsAt(place: Place): Tool[] {
    return (headOf(this.fixture, place).tools ?? inferredTools(this.#tape.calls)).map(spec => this.#taped(standIn(spec)))
  }

  /** What was said about a call then; yes where nothing was. */
  readonly confirm = (tool: Tool, input: JsonObject, { callId }: ToolContext): Approval => {
    const call = this.#find(tool.name, input, callId)
    switch (call?.approval?.verdict) {
      case 'denied':
        // what was begun all the same was not to be made once more: this is the first time
        return call.called || (call.approval.reason ?? false)
      case 'stopped':
        return { stop: call.approval.reason ?? '' }
      case 'changed':
        return { input: call.input }
      case 'answered':
        return { observation: call.observation?.text ?? '' }
      default:
        return true
    }
  }

  /** Throws what the run did otherwise, unless that was thrown already; then `FIXTURE_UNUSED` for the first thing that was left over. */
  check(): void {
    const { turns } = this.fixture
    if (this.#thrown) return
    if (this.#fault) throw this.#throw(this.#fault)
    if (!this.#plays('model')) return
    const reply = this.#tape.replies[this.#next]
    if (reply)
      throw this.#unused(`the reply of ${placeText(reply, turns.length)}`, reply.reply.model ?? reply.reply.error?.code ?? '')
    const call = this.#plays('tools') ? this.#tape.calls.find(each => this.#isLeft(each)) : undefined
    if (call)
      throw this.#unused(`the call of ${placeText(call, turns.length)}`, `${call.tool ?? ''} ${JSON.stringify(call.input)}`)
  }

  /** A run that came to its end in spite of what it was told, as with a second model to fall back on, tells nobody of it. */
  #wasPassedOver(): void {
    this.#fault ??= this.#thrown
    this.#thrown = undefined
  }

  /** The recorded turn was aborted, and goes no further than this. */
  #wasAbortedHere(event: AgentEvent): boolean {
    const { turn } = this.#place
    if (this.fixture.turns[turn - 1]?.ends !== 'aborted' || !this.#plays('model')) return false
    if (this.#tape.replies[this.#next]?.turn === turn) return false
    const last = this.#tape.replies[this.#next - 1]
    if (event.type === 'reply_end' && last?.reply.parsed !== undefined) return false
    return !this.#tape.calls.some(call => call.turn === turn && this.#isLeft(call))
  }

  #isLeft(call: TapedCall): boolean {
    return call.called && call.observation !== undefined && !this.#used.has(call)
  }

  #plays(channel: keyof Modes): boolean {
    return MODES[this.#options.modes[channel]].plays === 'all'
  }

  #isPlayed(channel: keyof Modes, step: number): boolean {
    const { plays } = MODES[this.#options.modes[channel]]
    return plays === 'all' || (plays === 'before' && step < this.#options.from)
  }

  async *#stream(prompt: Prompt, signal: AbortSignal | undefined): AsyncGenerator<ModelChunk> {
    if (this.#fault) throw this.#throw(this.#fault)
    const taped = this.#tape.replies[this.#next]
    const step = taped?.step ?? Number.POSITIVE_INFINITY
    const { modes, live, chunking } = this.#options
    if (!taped || !this.#isPlayed('model', step)) {
      if (!MODES[modes.model].beyond) throw this.#throw(this.#exhausted(prompt))
      if (!live) throw this.#throw(noLive('a model', modes.model))
      this.#place = taped ?? { turn: this.#place.turn, step: this.#place.step + 1 }
      this.#next += 1
      yield* live.stream(prompt, signal ? { signal } : {})
      return
    }
    if (taped.first) this.#requirePrompt(prompt, taped)
    this.#next += 1
    this.#place = taped
    const { error } = taped.reply
    if (error?.code === 'ABORTED') this.#abort.abort()
    if (error) throw thrownAs(error)
    yield* chunksOf(taped.reply, chunking)
  }

  #requirePrompt(prompt: Prompt, { turn }: Place): void {
    const { request, dialect = 'react' } = this.fixture
    if (request === undefined || turn !== 1) return
    const start = this.#start
    const now = fingerprintOf({
      prompt,
      task: start?.task ?? this.fixture.turns[0]?.user ?? '',
      dialect: start?.dialect ?? dialect,
      tools: start?.tools ?? this.#specs ?? [],
      options: start?.options ?? {},
    })
    // without events nobody says what the agent was given
    const told = start ? {} : { question: request.question, parameters: request.parameters }
    const known = { ...now, ...told, ...(start || this.#specs ? {} : { tools: request.tools }) }
    const drifts = driftOf(request, known, prompt).filter(({ part }) => !this.#options.ignore.includes(part))
    if (drifts.length === 0) return
    throw this.#throw(
      new SaydoError('FIXTURE_STALE', `${this.#options.file}: ${driftText(drifts, this.#promptThen())}`, {
        hint: `the replies may no longer be what this prompt gets: saydo fixtures update ${this.#options.file} keeps them, saydo fixtures play --mode rewrite asks again`,
      }),
    )
  }

  #promptThen(): readonly Message[] | undefined {
    const run = this.fixture.turns[0]?.meta?.run
    return run === undefined ? undefined : this.#options.promptOf(run)
  }

  #taped(tool: Tool): Tool {
    const { maxCallsPerMinute: _, confirm, ...rest } = tool
    const asks = confirm ?? this.#tape.calls.some(({ tool: name, approval }) => name === tool.name && approval)
    return {
      ...rest,
      ...(asks ? { confirm: typeof confirm === 'function' ? confirm : input => this.#wasAsked(tool.name, input) } : {}),
      ...(tool.finishes && !tool.ending ? { ending: (_input, observation) => this.#ending(observation) } : {}),
      run: (input, context) => this.#call(tool, input as JsonObject, context),
    }
  }

  #wasAsked(tool: string, input: JsonObject): boolean {
    const { turn, step } = this.#place
    return this.#tape.calls.some(
      call => call.turn === turn && call.step === step && call.approval && call.tool === tool && isSameInput(call.meant, input),
    )
  }

  /** How the recorded run ended by a tool; undefined when it went on. */
  #ending(observation: Observation) {
    const turn = this.fixture.turns[this.#place.turn - 1]
    const last = this.#place.step === turn?.steps.length
    if (!last || (turn.ends !== 'final_answer' && turn.ends !== 'gave_up')) return undefined
    return { success: turn.ends === 'final_answer', answer: turn.answer ?? observation.text }
  }

  #call(tool: Tool, input: JsonObject, context: ToolContext): unknown {
    const { modes } = this.#options
    const step = Number(context.callId.split('.')[0])
    const known = this.#find(tool.name, input, context.callId)
    if (known && this.#isPlayed('tools', step)) {
      this.#used.add(known)
      if (known.called && known.observation && isSameCall(known, tool.name, input)) return new GivenObservation(known.observation)
    } else if (MODES[modes.tools].beyond) return tool.run(input as never, context)
    this.#fault ??= this.#otherCall(tool.name, input, known)
    return 'the run does something else than was recorded'
  }

  /** By its place, where the replies are the recorded ones; else by what it is. */
  #find(tool: string, input: JsonObject, callId: string): TapedCall | undefined {
    const [step = '', id = ''] = callId.split('.')
    const here = { turn: this.#place.turn, step: Number(step) }
    if (this.#isPlayed('model', here.step)) return callAt(this.#tape.calls, here, id)
    return sameCall(this.#tape.calls, tool, input)
  }

  #otherCall(tool: string, input: JsonObject, known: TapedCall | undefined): SaydoError {
    const recorded = known ? `${known.tool ?? ''} ${JSON.stringify(known.input)}${known.called ? '' : ' (not made)'}` : 'no call'
    return new SaydoError(
      'FIXTURE_MISMATCH',
      `${this.#options.file}, ${placeText(this.#place, this.fixture.turns.length)}: another call than was recorded\n- ${recorded}\n+ ${tool} ${JSON.stringify(input)}`,
      { hint: 'what the reply says is read otherwise today, or the file was edited' },
    )
  }

  #exhausted({ messages }: Prompt): SaydoError {
    const count = this.#tape.replies.length
    const last = messages.at(-1)?.text ?? ''
    return new SaydoError(
      'FIXTURE_EXHAUSTED',
      `${this.#options.file}: ${count === 1 ? 'the only recorded reply was' : `all ${count} recorded replies were`} played, and the model was asked once more. The prompt ends in:\n${last.slice(-600)}`,
      { hint: 'the run went on where the recorded one ended; record the rest with saydo fixtures play --mode extend' },
    )
  }

  #unused(what: string, text: string): SaydoError {
    return new SaydoError('FIXTURE_UNUSED', `${this.#options.file}: ${what} was not used\n- ${text.split('\n')[0] ?? ''}`, {
      hint: 'the run ended earlier, or went another way than it did then',
    })
  }

  #throw(error: SaydoError): SaydoError {
    this.#thrown = error
    return error
  }
}

/** After what a run may stand still. */
const STANDS: ReadonlySet<AgentEvent['type']> = new Set(['reply_end', 'parsed', 'call_end', 'observation'])

export function noLive(what: string, mode: string): SaydoError {
  return new SaydoError('CONFIG', `mode ${mode} needs ${what} to ask`, {
    hint: 'give openFixture a model, or set SAYDO_URL (and SAYDO_MODEL)',
  })
}
