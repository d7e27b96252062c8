// What `fetch` throws → the error to throw. Node hides the reason in a chain of causes, and its own message is `fetch failed`.
import { SaydoError } from '../core/errors.js'
import { EndpointError, type Place } from './endpoint-error.js'

/** No answer came: the connection could not be made, or it broke before a byte. */
export function unreachableError(error: unknown, place: Place): SaydoError {
  const chain = causes(error)
  const own = chain.find(cause => cause instanceof SaydoError)
  if (own) return own as SaydoError // a `fetch` of the user's that speaks our language
  const code = firstCode(chain)
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new EndpointError('MODEL_TIMEOUT', `${place.request} gave no sign for so long that Node hung up (${code})`, {
      cause: error,
      retryable: true,
    })
  }
  const reason = code ?? deepestMessage(chain)
  return new EndpointError('MODEL_UNREACHABLE', `${place.request} got no answer: ${reason}`, {
    hint: hintFor(code ?? '', reason),
    cause: error,
    retryable: true,
    again: code !== undefined && !LASTING.test(code),
  })
}

/** The connection broke, or the bytes made no sense, while the answer was being read. */
export function brokenBodyError(error: unknown, place: Place): SaydoError {
  const chain = causes(error)
  const own = chain.find(cause => cause instanceof SaydoError)
  if (own) return own as SaydoError
  const code = firstCode(chain)
  if (code?.startsWith('Z_') || code?.startsWith('ERR_BROTLI')) {
    return new EndpointError(
      'MODEL_BAD_RESPONSE',
      `${place.request} sent a body that cannot be unpacked: ${deepestMessage(chain)}`,
      {
        cause: error,
        hint: 'Is a proxy in between that announces a compression it does not use?',
      },
    )
  }
  return brokenStreamError(`the connection broke (${code ?? deepestMessage(chain)})`, place, error)
}

export function brokenStreamError(how: string, place: Place, cause?: unknown): EndpointError {
  return new EndpointError('MODEL_BROKEN_STREAM', `${place.request} broke off in the middle of a reply: ${how}`, {
    hint: 'Try again; if it stays, look at the server log (out of memory, a proxy with a short timeout).',
    cause,
    retryable: true,
    again: true,
  })
}

const LASTING = /^(ENOTFOUND|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_INVALID|EPROTO)/

function hintFor(code: string, reason: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The host name is not known: check the base URL and the network.'
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return 'The server does not speak https: write the base URL with http://.'
  }
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code)) {
    return 'The certificate is not trusted: point NODE_EXTRA_CA_CERTS to its authority.'
  }
  if (reason === 'bad port') return 'That port is one that fetch refuses: serve the model on another.'
  return 'Is the server running, and is the base URL right?'
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = []
  let next = error
  while (next !== undefined && next !== null && chain.length < 10) {
    chain.push(next)
    if (next instanceof AggregateError) chain.push(...next.errors.slice(0, 4))
    next = next instanceof Error ? next.cause : undefined
  }
  return chain
}

function firstCode(chain: readonly unknown[]): string | undefined {
  for (const error of chain) {
    const code = (error as { code?: unknown }).code
    if (typeof code === 'string' && code !== '') return code
  }
  return undefined
}

function deepestMessage(chain: readonly unknown[]): string {
  const messages = chain.flatMap(error => (error instanceof Error && error.message ? [error.message] : []))
  return (messages.at(-1) ?? String(chain.at(-1))).replace(/\s+/g, ' ').slice(0, 200)
}
