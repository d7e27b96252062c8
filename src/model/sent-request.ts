// A prompt and a model's options → the request that would be sent first, to the byte. It is built by the model itself, and nothing leaves.
import { SaydoError } from '../core/errors.js'
import type { Prompt } from '../core/message.js'
import { type OpenaiModelOptions, openaiModel } from './openai.js'

export interface SentRequest {
  readonly url: string
  /** JSON. */
  readonly body: string
}

/** `model` must be set, since nobody is asked which there are. Throws `CONFIG` for options that make no sense. */
export async function sentRequest(
  prompt: Prompt,
  options: OpenaiModelOptions & { readonly model: string },
): Promise<SentRequest> {
  let sent: SentRequest | undefined
  const caught = new SaydoError('ABORTED', 'the request was only looked at')
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent = { url: url instanceof Request ? url.url : String(url), body: String(init?.body) }
    throw caught
  }
  try {
    for await (const _ of openaiModel({ ...options, fetch }).stream(prompt)) break
  } catch (error) {
    if (error !== caught) throw error
  }
  if (sent === undefined) throw new SaydoError('STATE', 'the model sent no request')
  return sent
}
