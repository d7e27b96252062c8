// A prompt and the settings of a run → the request that would carry it. Nothing is sent.
import type { SentRequest } from '../model/sent-request.js'
import type { Settings } from './settings.js'
import type { ShownPrompt } from './shown-prompt.js'

/** Stands in for an endpoint where none is set. */
export const NOWHERE = 'http://nowhere.invalid'

/** For the API that was chosen, else for chat; `text`: for completions. */
export async function requestFor({ prompt, model }: ShownPrompt, settings: Settings, text = false): Promise<SentRequest> {
  const [{ modelOptions }, { sentRequest }] = await Promise.all([import('./build-agent.js'), import('../model/sent-request.js')])
  const options = modelOptions(settings)
  const nowhere = options.baseURL === undefined && options.apiKey === undefined ? { baseURL: NOWHERE } : {}
  return sentRequest(prompt, { ...options, ...nowhere, model, ...(text ? { api: 'completions' } : {}) })
}
