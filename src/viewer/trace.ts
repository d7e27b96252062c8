// A transcript → the run as people look at it: beside each reply what became of its every character and where the parts of the reading stand in it,
// what changed in the prompt and how much its sections weigh, and where the run went in circles. Plain data, as large as the record.
import { accountFor, type Part } from '../catalogue/account.js'
import type { ErrorReport, RunStart } from '../core/event.js'
import type { Message } from '../core/message.js'
import type { RunResult } from '../core/step.js'
import type { Notice, Pending, RecordedTurn, SentPrompt, Transcript } from '../transcript/transcript.js'
import { type Circle, circlesIn } from './circles.js'
import { type Field, fieldsIn } from './fields.js'
import { includedTexts } from './included-texts.js'
import { type Change, changesBetween } from './prompt-change.js'
import { SectionMeter, type SectionTokens } from './section-tokens.js'

export interface Trace extends RunStart {
  readonly turns: readonly TraceTurn[]
  /** What was said before the first turn. */
  readonly notices: readonly Notice[]
  /** Unset when the record breaks off before the run ended. */
  readonly result?: Omit<RunResult, 'steps'>
  readonly error?: ErrorReport
  /** What was under way when the record broke off, for people. */
  readonly pending?: string
}

/** One reply of the model, what was read of it and what became of it. */
export interface TraceTurn extends RecordedTurn {
  /** What became of the reply's characters; they join to the whole of it. */
  readonly parts?: readonly Part[]
  readonly fields?: readonly Field[]
  readonly prompt?: PromptTrace
  readonly circle?: Circle
}

export interface PromptTrace {
  /** From the prompt of the turn before to this one. */
  readonly changes: readonly Change[]
  /** Estimated. */
  readonly tokens: SectionTokens
}

/** Of the runs of a conversation. */
export async function tracesOf([first, ...later]: readonly [Transcript, ...Transcript[]]): Promise<[Trace, ...Trace[]]> {
  return [await traceOf(first), ...(await Promise.all(later.map(traceOf)))]
}

export async function traceOf(transcript: Transcript): Promise<Trace> {
  const { prompts: _, steps: __, turns, result, pending, ...rest } = transcript
  const prompts = await tracePrompts(transcript)
  const circles = circlesIn(turns, result?.stop)
  return {
    ...rest,
    turns: turns.map((turn, at) => {
      const prompt = prompts.get(nameOf(turn))
      const circle = circles.get(at)
      return { ...turn, ...readingOf(turn), ...(prompt ? { prompt } : {}), ...(circle ? { circle } : {}) }
    }),
    ...(result ? { result: withoutSteps(result) } : {}),
    ...(pending ? { pending: tellPending(pending) } : {}),
  }
}

function readingOf({ reply, parsed }: RecordedTurn): Pick<TraceTurn, 'parts' | 'fields'> {
  if (reply === undefined || parsed === undefined) return {}
  return { parts: accountFor(reply.text, parsed), fields: fieldsIn(reply.text, parsed) }
}

/** By step and attempt. Of several prompts for one reply the last was answered. */
async function tracePrompts({ prompts, tools, dialect, options }: Transcript): Promise<ReadonlyMap<string, PromptTrace>> {
  const language = typeof options.language === 'string' ? options.language : 'en'
  const included = await includedTexts({ tools, dialect, language }).catch(() => ({ tools: [], format: [] }))
  const meter = new SectionMeter(included)
  const answered = new Map<string, SentPrompt>(prompts.map(prompt => [nameOf(prompt), prompt]))
  let before: readonly Message[] = []
  const traces = new Map<string, PromptTrace>()
  for (const [name, { messages }] of answered) {
    traces.set(name, { changes: changesBetween(before, messages), tokens: meter.count(messages) })
    before = messages
  }
  return traces
}

function nameOf({ step, attempt }: Pick<RecordedTurn, 'step' | 'attempt'>): string {
  return `${step}.${attempt}`
}

function withoutSteps({ steps: _, ...rest }: RunResult): Omit<RunResult, 'steps'> {
  return rest
}

function tellPending({ asked, unread, begun }: Pending): string {
  if (begun.length > 0) return `${begun.map(({ tool }) => tool).join(', ')} was called, and the outcome is unknown`
  if (unread) return 'a reply had come and was not read yet'
  return asked ? 'the model was asked and had not answered' : 'the step was under way'
}
