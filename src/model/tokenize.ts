// A text and an endpoint → how many tokens its model makes of it, where the server tells: llama.cpp and vLLM do, at /tokenize beside /v1.

import { type ConnectOptions, connect } from './connection.js'
import { field, parseJson } from './json-field.js'
import { shortAnswer } from './short-answer.js'

export interface TokenizeOptions extends ConnectOptions {
  /** vLLM wants it when it serves several. */
  readonly model?: string
  readonly signal?: AbortSignal
}

/** Without what a chat template or the start of a text adds. Rejects like a model does; undefined when the answer holds no tokens. */
export async function countTokens(text: string, options: TokenizeOptions): Promise<number | undefined> {
  const connection = connect(options)
  const path = `${rootOf(connection.baseURL)}/tokenize`
  // `content` is llama.cpp's name, `prompt` vLLM's; each passes over the other's
  const body = { model: options.model, content: text, prompt: text, add_special: false, add_special_tokens: false }
  const { signal } = options
  return tokensIn(await shortAnswer(connection, 'post', path, connection.placeOf('post', path, options.model), { signal, body }))
}

/** The server's own address: what is not part of the API lies there. */
export function rootOf(baseURL: string): string {
  return baseURL.replace(/\/v1$/, '')
}

function tokensIn(body: string): number | undefined {
  const answer = parseJson(body)
  const tokens = field(answer, 'tokens')
  const count = Array.isArray(tokens) ? tokens.length : field(answer, 'count')
  return typeof count === 'number' ? count : undefined
}
