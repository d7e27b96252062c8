// Settings → an agent ready to run: its model found at the endpoint, its tools loaded.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolChoice } from '../agent/tool-choice.js'
import { SaydoError } from '../core/errors.js'
import { isObject, type JsonSchema } from '../core/json.js'
import type { Model } from '../core/model.js'
import type { Tool } from '../core/tool.js'
import { dialectByName } from '../dialect/index.js'
import { type OpenaiModelOptions, onlyModel, openaiModel } from '../model/openai.js'
import { loadTemplate } from '../prompt/index.js'
import type { AskPerson } from '../toolsets/ask-human.js'
import { createBuiltins } from '../toolsets/index.js'
import { loadToolsFile } from '../toolsets/load.js'
import { MAX_OBSERVE } from './agent-options.js'
import { approver } from './approve.js'
import type { Io } from './command.js'
import { paintFor } from './paint.js'
import { Person } from './person.js'
import type { Settings } from './settings.js'
import { visible } from './visible.js'

export interface Given {
  /** Stands in for the one of the settings. */
  readonly model?: Model
  /** Who is asked; default whoever sits at the terminal. */
  readonly person?: Person
}

/** Rejects with `CONFIG` for what the user must say, `MODEL_*` when the endpoint can't be asked for its models. */
export async function buildAgent(
  settings: Settings,
  io: Io,
  say: (line: string) => void,
  { model: given, person = new Person(io) }: Given = {},
): Promise<ToolCallAgent> {
  const { options } = settings
  const tools = await loadTools(options, io, say, (question, signal) => askPerson(person, question, signal))
  const template = typeof options.prompt === 'string' ? await loadTemplate(resolve(io.cwd, options.prompt)) : undefined
  const dialect = dialectByName(typeof options.dialect === 'string' ? options.dialect : 'react')
  const model = given ?? (await buildModel(settings, io, say))
  const maxObserve = typeof options.maxObserve === 'number' ? options.maxObserve : MAX_OBSERVE
  return new ToolCallAgent({
    model,
    tools,
    confirm: approver(options.approve, person, paintFor(io.stderr, io.env, { color: options.color, stderr: true }), say),
    dialect,
    ...(typeof options.lang === 'string' ? { language: options.lang } : {}),
    ...(typeof options.labels === 'string' ? { labels: options.labels } : {}),
    ...(template ? { template } : {}),
    ...(options.examples === false ? { examples: [] } : {}),
    ...runLimits(options),
    ...(typeof options.toolChoice === 'string' ? { toolChoice: options.toolChoice as ToolChoice } : {}),
    ...(typeof options.answerSchema === 'string' ? { answer: readSchema(options.answerSchema, io) } : {}),
    ...(maxObserve > 0 ? { maxObserve } : {}),
    ...(Array.isArray(options.strict) ? { strict: options.strict } : {}),
  })
}

function runLimits({ maxSteps, deadline, maxRunTokens, contextTokens }: Settings['options']) {
  return {
    ...(typeof maxSteps === 'number' ? { maxSteps } : {}),
    ...(typeof deadline === 'number' ? { deadlineMs: deadline * 1000 } : {}),
    ...(typeof maxRunTokens === 'number' ? { maxRunTokens } : {}),
    ...(typeof contextTokens === 'number' ? { contextTokens } : {}),
  }
}

function readSchema(file: string, io: Io): JsonSchema {
  let schema: unknown
  try {
    schema = JSON.parse(readFileSync(resolve(io.cwd, file), 'utf8'))
  } catch (cause) {
    throw new SaydoError('CONFIG', `the answer's schema ${file} can't be read: ${(cause as Error).message}`, { cause })
  }
  if (isObject(schema)) return schema
  throw new SaydoError('CONFIG', `${file} holds no JSON Schema`, { hint: 'such as {"type": "number"}' })
}

/** Tools from files and by name, in the order given; `say` is told about exports that are none although they look so. */
export async function loadTools(
  options: Readonly<Record<string, unknown>>,
  io: Io,
  say: (line: string) => void,
  ask?: AskPerson,
): Promise<readonly Tool[]> {
  const loaded: Tool[] = []
  for (const file of list(options.tools)) {
    const tools = await loadToolsFile(resolve(io.cwd, file), { onNotice: say })
    loaded.push(...tools.map(tool => killableTool(tool, io)))
  }
  return [...loaded, ...createBuiltins(list(options.tool), { ask })]
}

function askPerson(person: Person, question: string, signal: AbortSignal): Promise<string | undefined> {
  return person.ask(`${visible(question)}\n> `, signal)
}

/** The tool as it is, but that a Ctrl-C ends it even while it computes without a pause. */
function killableTool(tool: Tool, { killable }: Io): Tool {
  if (!killable) return tool
  const run: Tool['run'] = async (input, context) => {
    // a signal that came already is heard first, or it would be lost: one round of the event loop ends here, a whole one follows
    await setImmediate()
    await setImmediate()
    context.signal.throwIfAborted()
    return killable(() => tool.run(input, context))
  }
  return Object.create(tool, { run: { value: run, enumerable: true } }) as Tool
}

async function buildModel(settings: Settings, io: Io, say: (line: string) => void): Promise<Model> {
  if (settings.url === undefined && settings.apiKey === undefined)
    throw new SaydoError('CONFIG', 'no endpoint: neither a URL nor a key is set', {
      hint: 'give --url http://localhost:8080 (or SAYDO_URL), or try: saydo demo',
    })
  const options = modelOptions(settings)
  if (options.model !== undefined) return openaiModel(options)
  const model = await onlyModel({ ...options, signal: io.signal })
  say(`using ${model}, the only model the server lists`)
  return openaiModel({ ...options, model })
}

/** What the settings say about the endpoint, and how it is asked. */
export function modelOptions({ options, url, model, apiKey }: Settings): OpenaiModelOptions {
  const headers = Object.fromEntries((Array.isArray(options.header) ? options.header : []) as [string, string][])
  const totalMs = typeof options.timeout === 'number' ? options.timeout * 1000 : undefined
  return {
    ...(url ? { baseURL: url } : {}),
    ...(apiKey ? { apiKey } : {}),
    ...(model ? { model } : {}),
    headers,
    api: (options.api as 'auto' | 'chat' | 'completions' | undefined) ?? 'auto',
    stream: options.stream !== false,
    ...(typeof options.maxTokens === 'number' ? { maxTokens: options.maxTokens } : {}),
    ...(typeof options.temperature === 'number' ? { temperature: options.temperature } : {}),
    ...(typeof options.seed === 'number' ? { seed: options.seed } : {}),
    ...(totalMs === undefined ? {} : { timeouts: { firstByteMs: totalMs, idleMs: totalMs, totalMs } }),
  }
}

function list(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(String)
  return typeof value === 'string' ? [value] : []
}
