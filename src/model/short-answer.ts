// A request for something other than a reply (a list, a count, a setting) → the text of the answer. Never waits long and never reads much, whatever
// the endpoint sends.
import { SaydoError } from '../core/errors.js'
import type { Connection } from './connection.js'
import { EndpointError, inWords, type Place } from './endpoint-error.js'
import { unreachableError } from './network-error.js'
import { openWatch } from './watch.js'

export interface ShortAnswerOptions {
  readonly signal?: AbortSignal | undefined
  /** Until the answer is there whole, in ms; default 30,000. */
  readonly timeoutMs?: number | undefined
  /** JSON. */
  readonly body?: object
}

/** The longest answer, in characters: lists of models have some thousand entries. */
const MAX_CHARACTERS = 16 * 1024 * 1024

/** Rejects as `Connection.request` does, with `MODEL_TIMEOUT` when it takes too long, and `MODEL_BAD_RESPONSE` when it is too much. */
export async function shortAnswer(
  connection: Pick<Connection, 'request'>,
  method: 'get' | 'post',
  path: string,
  place: Place,
  { signal, timeoutMs = 30_000, body }: ShortAnswerOptions = {},
): Promise<string> {
  const late = () =>
    new EndpointError('MODEL_TIMEOUT', `${place.request} did not answer within ${inWords(timeoutMs)}`, { retryable: true })
  const watch = openWatch(signal, { ms: timeoutMs, error: late })
  try {
    const response = await watch.race(connection.request(method, path, place, watch.signal, body))
    return await watch.race(wholeText(response, place))
  } catch (error) {
    if (watch.signal.aborted) throw watch.signal.reason
    throw error instanceof SaydoError ? error : unreachableError(error, place)
  } finally {
    watch.close()
  }
}

async function wholeText(response: Response, place: Place): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  // leaving the loop closes the body
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true })
    if (text.length > MAX_CHARACTERS)
      throw new EndpointError('MODEL_BAD_RESPONSE', `${place.request} answered with more than 16 MiB`)
  }
  return text + decoder.decode()
}
