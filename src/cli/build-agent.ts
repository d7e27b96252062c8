// Settings → an agent ready to run: its model found at the endpoint, its tools loaded.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { ToolChoice } from '../agent/tool-choice.js'
import { SaydoError } from '../core/errors.js'
import { isObject, type JsonSchema } from '../core/json.js'
import type { Model } from '../core/model.js'
import { dialectByName } from '../dialect/index.js'
import { onlyModel } from '../model/list-models.js'
import { DEFAULT_TIMEOUTS, type OpenaiModelOptions, openaiModel } from '../model/openai.js'
import { pause } from '../model/retry.js'
import { MAX_OBSERVE } from './agent-options.js'
import { approver } from './approve.js'
import type { Io } from './command.js'
import { loadTools } from './load-tools.js'
import { ownTemplate } from './own-template.js'
import { paintFor } from './paint.js'
import { Person } from './person.js'
import { sceneOf } from './scenes/index.js'
import type { Settings } from './settings.js'
import { visible } from './visible.js'

export interface Given {
  /** Stands in for the one of the settings. */
  readonly model?: Model
  /** Who is asked; default whoever sits at the terminal. */
  readonly person?: Person
  /** What else the agent is given. */
  readonly more?: Pick<ToolCallAgentOptions, 'hooks' | 'keepOpen'>
}

/** Rejects with `CONFIG` for what the user must say, `MODEL_*` when the endpoint can't be asked for its models. */
export async function buildAgent(
  settings: Settings,
  io: Io,
  say: (line: string) => void,
  { model: given, person = new Person(io), more = {} }: Given = {},
): Promise<ToolCallAgent> {
  const { options } = settings
  const scene = sceneOf(settings)
  // a process starts meanwhile: everything else goes on
  const ask = (question: string, signal: AbortSignal) => askPerson(person, question, signal)
  const loading = loadTools(options, io, say, ask)
  loading.catch(() => {})
  const template = await ownTemplate(options.prompt, io)
  const dialect = dialectByName(typeof options.dialect === 'string' ? options.dialect : 'react')
  const maxObserve = typeof options.maxObserve === 'number' ? options.maxObserve : MAX_OBSERVE
  const loaded = await loading
  const model = given ?? (await buildModel(settings, io, say))
  const parts: ToolCallAgentOptions = {
    model,
    tools: loaded.tools,
    resources: [loaded],
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
    ...(options.vision === true ? { vision: true } : {}),
    ...(Array.isArray(options.strict) ? { strict: options.strict } : {}),
    ...more,
  }
  try {
    return scene ? await scene.build(parts, { settings, io, say, ask }) : new ToolCallAgent(parts)
  } catch (error) {
    await loaded.close()
    throw error
  }
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
    schema = JSON.parse(readFileSync(resolve(io.cwd, file), 'utf8').replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new SaydoError('CONFIG', `the answer's schema ${file} can't be read: ${(cause as Error).message}`, { cause })
  }
  if (isObject(schema)) return schema
  throw new SaydoError('CONFIG', `${file} holds no JSON Schema`, { hint: 'such as {"type": "number"}' })
}

function askPerson(person: Person, question: string, signal: AbortSignal): Promise<string | undefined> {
  return person.ask(`${visible(question)}\n> `, signal)
}

/** Rejects as `buildAgent` does. */
export async function buildModel(settings: Settings, io: Io, say: (line: string) => void): Promise<Model> {
  if (settings.url === undefined && settings.apiKey === undefined)
    throw new SaydoError('CONFIG', 'no endpoint: neither a URL nor a key is set', {
      hint: 'give --url http://localhost:8080 (or SAYDO_URL), or try: saydo demo',
    })
  const options = modelOptions(settings)
  if (options.model !== undefined) return openaiModel(options)
  const model = await chosenModel(options, io.signal, say)
  say(`using ${model}, the only model the server lists`)
  return openaiModel({ ...options, model })
}

async function chosenModel(options: OpenaiModelOptions, signal: AbortSignal, say: (line: string) => void): Promise<string> {
  const { firstByteMs } = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const asking = onlyModel({ ...options, signal, pause, patienceMs: firstByteMs })
  for (;;) {
    const { done, value } = await asking.next()
    if (done) return value
    if (value.kind === 'notice') say(value.message)
  }
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
