// The lines of a recorded run (one event each, as `saydo run --jsonl` writes them) → every prompt of it, whole again: a `prompt` event holds
// only what is new since the last one. Nothing is guessed: a line that does not fit the ones before it is an error with its number.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent } from '../core/event.js'
import type { Message, Prompt } from '../core/message.js'
import type { ToolSpec } from '../core/tool.js'
import { flattenMessages } from '../prompt/render.js'

export interface RecordedPrompt {
  readonly step: number
  readonly attempt: number
  readonly prompt: Prompt
  /** What the model was told it may call. */
  readonly tools: readonly ToolSpec[]
}

export interface RecordedRun {
  readonly run: string
  readonly task: string
  readonly model: string
  readonly dialect: string
  readonly language: string
  /** In the order in which they were sent; an attempt whose prompt was too long has several. */
  readonly prompts: readonly RecordedPrompt[]
}

export interface RecordedRuns {
  readonly runs: readonly RecordedRun[]
  /** The last line broke off, as that of an interrupted run does; it is left out. */
  readonly torn: boolean
}

/** `name` is the file's, for messages. Rejects with `CONFIG` for lines that are no recorded run. */
export async function readRecordedPrompts(lines: AsyncIterable<string>, name: string): Promise<RecordedRuns> {
  const runs: OpenRun[] = []
  let number = 0
  let broken: SaydoError | undefined
  for await (const line of lines) {
    number += 1
    if (line.trim() === '') continue
    // only the last line may have broken off
    if (broken) throw broken
    const at = `${name}, line ${number}`
    const event = parseEvent(line, at)
    if (event instanceof SaydoError) broken = event
    else takeEvent(event, runs, at)
  }
  if (broken && runs.length === 0) throw broken
  return { runs, torn: broken !== undefined }
}

const WANTED = 'Give the file that saydo run "task" --jsonl > FILE wrote; what --json writes holds no prompts.'

interface OpenRun extends RecordedRun {
  prompts: RecordedPrompt[]
  tools: readonly ToolSpec[]
}

function takeEvent(event: AgentEvent, runs: OpenRun[], at: string): void {
  if (event.type === 'run_start') {
    runs.push(openRun(event, at))
    return
  }
  if (event.type !== 'prompt' && event.type !== 'tools') return
  const run = runs.at(-1)
  if (run === undefined) throw unlike(at, `a "${event.type}" stands before any "run_start"`)
  if (event.type === 'tools') run.tools = listOf(event.tools, isTool, 'tools', at)
  else run.prompts.push(readPrompt(event, run, at))
}

function openRun({ run, task, model, dialect, tools, options }: Extract<AgentEvent, { type: 'run_start' }>, at: string): OpenRun {
  for (const [key, value] of Object.entries({ run, task, model, dialect })) if (typeof value !== 'string') throw lacks(key, at)
  const { language } = options ?? {}
  return {
    ...{ run, task, model, dialect },
    language: typeof language === 'string' ? language : 'en',
    prompts: [],
    tools: listOf(tools, isTool, 'tools', at),
  }
}

function readPrompt(event: Extract<AgentEvent, { type: 'prompt' }>, { prompts, tools }: OpenRun, at: string): RecordedPrompt {
  const { step, attempt, keep, opener, taskBreak } = event
  for (const [key, value] of Object.entries({ step, attempt, keep }))
    if (!Number.isSafeInteger(value) || value < 0) throw lacks(key, at)
  for (const [key, value] of Object.entries({ opener, taskBreak })) if (typeof value !== 'string') throw lacks(key, at)
  const before = prompts.at(-1)?.prompt.messages ?? []
  if (keep > before.length)
    throw unlike(at, `the prompt keeps ${keep} turns of one that has ${before.length}, so a line before it is missing`)
  const messages = [...before.slice(0, keep), ...listOf(event.add, isMessage, 'add', at)]
  return {
    step,
    attempt,
    tools,
    prompt: {
      messages,
      text: flattenMessages(messages, opener, taskBreak),
      opener,
      taskBreak,
      stop: listOf(event.stop, isText, 'stop', at),
      textStop: listOf(event.textStop, isText, 'textStop', at),
    },
  }
}

function parseEvent(line: string, at: string): AgentEvent | SaydoError {
  let value: unknown
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ''))
  } catch (error) {
    return unlike(at, `it is no JSON (${(error as Error).message})`)
  }
  if (typeof (value as { type?: unknown } | null)?.type !== 'string') throw unlike(at, 'it is no event, since it has no "type"')
  return value as AgentEvent
}

function listOf<T>(value: unknown, is: (item: unknown) => item is T, key: string, at: string): readonly T[] {
  if (!Array.isArray(value) || !value.every(is)) throw lacks(key, at)
  return value
}

const ROLES: readonly unknown[] = ['system', 'user', 'assistant'] satisfies readonly Message['role'][]

const isText = (value: unknown): value is string => typeof value === 'string'

function isMessage(value: unknown): value is Message {
  const { role, text } = (value ?? {}) as Partial<Message>
  return ROLES.includes(role) && isText(text)
}

function isTool(value: unknown): value is ToolSpec {
  const { name, parameters } = (value ?? {}) as Partial<ToolSpec>
  return isText(name) && typeof parameters === 'object' && parameters !== null
}

function lacks(key: string, at: string): SaydoError {
  return unlike(at, `its "${key}" is missing, or not as a run writes it`)
}

function unlike(at: string, why: string): SaydoError {
  return new SaydoError('CONFIG', `${at}: ${why}`, { hint: WANTED })
}
