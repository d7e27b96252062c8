// An endpoint → the names of its models, and names → a few words for a message.
import { SaydoError } from '../core/errors.js'
import type { ModelChunk } from '../core/model.js'
import { type ConnectOptions, connect } from './connection.js'
import { resolveEndpoint } from './endpoint.js'
import { EndpointError, type Place } from './endpoint-error.js'
import { field, parseJson } from './json-field.js'
import { LoadingWait } from './loading.js'
import type { Pause } from './retry.js'
import { shortAnswer } from './short-answer.js'
import { openWatch } from './watch.js'

export interface ListModelsOptions extends ConnectOptions {
  readonly signal?: AbortSignal
  /** In ms; default 30,000. */
  readonly timeoutMs?: number
}

/** The names of the models that an endpoint lists, in its order. Rejects like a model does. */
export async function listModels(options: ListModelsOptions = {}): Promise<string[]> {
  const connection = connect(options)
  const place = connection.placeOf('get', '/models')
  return modelNames(await shortAnswer(connection, 'get', '/models', place, options), place)
}

export interface OnlyModelOptions extends ListModelsOptions {
  /** The longest that is waited for a server that still loads its model, in ms. */
  readonly patienceMs: number
  readonly pause: Pause
}

/**
 * The only model that an endpoint lists; yields what the user should know while that is waited for. Throws `CONFIG` when it lists none or several,
 * and names them.
 */
export async function* onlyModel(options: OnlyModelOptions): AsyncGenerator<ModelChunk, string> {
  const names = yield* listWhenLoaded(options)
  const [first] = names
  if (first !== undefined && names.length === 1) return first
  const { baseURL } = resolveEndpoint(options)
  throw new SaydoError(
    'CONFIG',
    `No model is set, and ${baseURL} lists ${names.length === 0 ? 'none' : `several: ${shortList(names)}`}`,
    { hint: 'Choose one: model, --model or OPENAI_MODEL.' },
  )
}

async function* listWhenLoaded(options: OnlyModelOptions): AsyncGenerator<ModelChunk, string[]> {
  const loading = new LoadingWait(options.patienceMs)
  const watch = openWatch(options.signal)
  try {
    for (;;) {
      try {
        return await listModels(options)
      } catch (error) {
        const wait = loading.after(error)
        if (!wait) throw error
        yield* wait.told
        await watch.race(options.pause(wait.ms, watch.signal))
      }
    }
  } finally {
    watch.close()
  }
}

/** In the endpoint's order, each once. Throws `MODEL_BAD_RESPONSE` when the body holds no list. */
export function modelNames(body: string, place: Place): string[] {
  const list = listIn(body)
  if (!list) {
    throw new EndpointError('MODEL_BAD_RESPONSE', `${place.request} did not answer with a list of models`, {
      hint: 'Is this the base URL of an OpenAI-compatible API? Most end in /v1.',
    })
  }
  return [...new Set(list.flatMap(entry => nameOf(entry) || []))]
}

const SHOWN = 10

export function shortList(names: readonly string[]): string {
  const more = names.length - SHOWN
  return names.slice(0, SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function listIn(body: string): readonly unknown[] | undefined {
  const json = parseJson(body)
  const list = Array.isArray(json) ? json : (field(json, 'data') ?? field(json, 'models'))
  return Array.isArray(list) ? list : undefined
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry
  return [field(entry, 'id'), field(entry, 'name')].find(value => typeof value === 'string')
}
