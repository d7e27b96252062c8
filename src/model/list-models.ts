// The answer of `GET /models` → names, and names → a few words for a message.
import { EndpointError, type Place } from './endpoint-error.js'

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
  try {
    const json = JSON.parse(body)
    const list = Array.isArray(json) ? json : (json?.data ?? json?.models)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

function nameOf(entry: unknown): string | undefined {
  if (typeof entry === 'string') return entry
  const { id, name } = (entry ?? {}) as { id?: unknown; name?: unknown }
  return [id, name].find(value => typeof value === 'string')
}
