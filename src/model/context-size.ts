// A server and a model → how many tokens its context holds, where anything tells: llama.cpp's /props, Ollama's /api/ps and /api/show, the list of
// models of vLLM and others.

import type { Connection } from './connection.js'
import { field, parseJson } from './json-field.js'
import { shortAnswer } from './short-answer.js'
import { rootOf } from './tokenize.js'

export interface ContextSize {
  readonly tokens: number
  /** Who said so, such as `/props`. */
  readonly from: string
}

/** A server that knows nothing of a path may hang there. */
const PATIENCE_MS = 5_000

/** `listed` is the answer of `/models`. Undefined when nothing tells; rejects with the signal's reason alone. */
export async function contextSize(
  connection: Connection,
  model: string,
  listed: string,
  signal: AbortSignal,
): Promise<ContextSize | undefined> {
  const root = rootOf(connection.baseURL)
  const sources: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['/models', async () => inList(parseJson(listed), model)],
    ['/props', async () => inProps(await ask(connection, 'get', `${root}/props`, signal))],
    ['/api/ps', async () => inList(await ask(connection, 'get', `${root}/api/ps`, signal), model)],
    ['/api/show', async () => inShow(await ask(connection, 'post', `${root}/api/show`, signal, { model }))],
  ]
  for (const [from, read] of sources) {
    const tokens = await read()
    if (typeof tokens === 'number' && tokens > 0) return { tokens, from }
  }
  return undefined
}

/** The size that a refusal mentions. */
export function contextIn(said: string): number | undefined {
  const found = /\bn_ctx\W{1,6}(\d{3,9})/.exec(said) ?? /context (?:length|window|size)(?: is| of|:)? (\d{3,9})/i.exec(said)
  return found ? Number(found[1]) : undefined
}

async function ask(
  connection: Connection,
  method: 'get' | 'post',
  url: string,
  signal: AbortSignal,
  body?: object,
): Promise<unknown> {
  try {
    const place = connection.placeOf(method, url)
    return parseJson(await shortAnswer(connection, method, url, place, { signal, timeoutMs: PATIENCE_MS, ...(body && { body }) }))
  } catch (error) {
    if (signal.aborted) throw error
    return undefined
  }
}

/** What is served stands before what the model was trained for. */
function inList(list: unknown, model: string): unknown {
  const entries = field(list, 'data') ?? field(list, 'models')
  if (!Array.isArray(entries)) return undefined
  const names = (entry: unknown) => [field(entry, 'id'), field(entry, 'name'), field(entry, 'model')]
  const entry = entries.find(one => names(one).includes(model)) ?? (entries.length === 1 ? entries[0] : undefined)
  return field(entry, 'max_model_len') ?? field(entry, 'context_length') ?? field(field(entry, 'meta'), 'n_ctx')
}

function inProps(props: unknown): unknown {
  return field(field(props, 'default_generation_settings'), 'n_ctx') ?? field(props, 'n_ctx')
}

function inShow(shown: unknown): unknown {
  const set = /^num_ctx\s{1,40}(\d{1,9})$/m.exec(String(field(shown, 'parameters') ?? ''))?.[1]
  if (set !== undefined) return Number(set)
  const info = field(shown, 'model_info') ?? {}
  return Object.entries(info).find(([key]) => key.endsWith('.context_length'))?.[1]
}
