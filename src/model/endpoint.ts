// What the user and the environment say about an endpoint → where it is and how to be let in. Forgiving about how a base URL is written.
import { SaydoError } from '../core/errors.js'

export interface EndpointOptions {
  /**
   * Where the API lives, e.g. `http://localhost:8080/v1`; default `OPENAI_BASE_URL`, then OpenAI itself. Without a path `/v1` is added,
   * without a scheme `http://` (loopback) or `https://`; a pasted `/chat/completions` at the end is dropped.
   */
  readonly baseURL?: string
  /** Default `OPENAI_API_KEY`. With a base URL none is needed, and then none is sent. */
  readonly apiKey?: string
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Endpoint {
  /** Without credentials, query and closing slash. */
  readonly baseURL: string
  /** The query of the base URL, sent with every request. */
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly apiKey: string | undefined
  /** `/v1` was not written but added. */
  readonly versionAdded: boolean
  /** Never shown: see `redact`. */
  readonly secrets: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Throws `CONFIG` for a base URL that is none, for a header or key that can't be sent, and when neither a base URL nor a key is known. */
export function resolveEndpoint(options: EndpointOptions, env: Environment = process.env): Endpoint {
  const written = options.baseURL?.trim() || env.OPENAI_BASE_URL?.trim()
  const apiKey = options.apiKey?.trim() || env.OPENAI_API_KEY?.trim() || undefined
  if (!written && !apiKey) {
    throw new SaydoError('CONFIG', 'No model endpoint is set: neither a base URL nor an API key is known', {
      hint: 'Set OPENAI_BASE_URL (e.g. http://localhost:8080/v1) or pass baseURL; for OpenAI itself set OPENAI_API_KEY or pass apiKey.',
    })
  }
  const url = readURL(written || 'https://api.openai.com/v1')
  const login = basicLogin(url)
  const headers = { ...(login && { Authorization: login }), ...options.headers }
  if (apiKey !== undefined) requireSendable('Authorization', apiKey, 'The API key')
  for (const [name, value] of Object.entries(headers)) requireSendable(name, value, `The header ${JSON.stringify(name)}`)
  const path = url.pathname.replace(/(?<!\/)\/{1,64}$/, '').replace(/\/(chat\/)?completions$/, '')
  return {
    baseURL: `${url.origin}${path || '/v1'}`,
    versionAdded: path === '',
    query: Object.fromEntries(url.searchParams),
    headers,
    apiKey,
    secrets: spellings([apiKey, ...secretsOfUrl(url), ...Object.values(headers).flatMap(secretParts)]),
  }
}

/** The text without the endpoint's key, password, header values and query values. */
export function redact(text: string, endpoint: Pick<Endpoint, 'secrets'>): string {
  return endpoint.secrets.reduce((clean, secret) => clean.replaceAll(secret, '[hidden]'), text)
}

function readURL(written: string): URL {
  // repair: a scheme left out, as in `localhost:8080`
  const loopback = /^(localhost|127\.|\[::1\]|0\.0\.0\.0)/.test(written)
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(written) ? written : `${loopback ? 'http' : 'https'}://${written}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new SaydoError('CONFIG', `The base URL ${JSON.stringify(written.replace(/\/\/[^/@]*@/, '//'))} is no http or https URL`, {
    hint: 'Write it like http://localhost:8080/v1.',
  })
}

/** Said before any request, because the client's own complaint would show the value. */
function requireSendable(name: string, value: string, what: string): void {
  if (/^[!#$%&'*+.^`|~\w-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return
  throw new SaydoError('CONFIG', `${what} holds a character that cannot be sent`, {
    hint: 'Look for a line break, a control character or a letter that is not Latin; a name has no blanks.',
  })
}

/** `fetch` refuses a URL that holds a user and a password, so they travel as a header. */
function basicLogin(url: URL): string | undefined {
  if (!url.username && !url.password) return undefined
  return `Basic ${Buffer.from(`${decode(url.username)}:${decode(url.password)}`).toString('base64')}`
}

function secretsOfUrl(url: URL): readonly string[] {
  return [decode(url.password), ...url.searchParams.values()]
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What a base URL holds that is nobody else's business; none for what is no URL. */
export function secretPartsOfUrl(written: string): readonly string[] {
  try {
    return secretsOfUrl(readURL(written))
  } catch {
    return []
  }
}

/** `Bearer abc` hides both as a whole and by its key. */
export function secretParts(header: string): string[] {
  return [header, ...header.split(' ').slice(1)]
}

/** A server may quote a secret as it stood in the address or in JSON. The longest come first: one may be a part of another. */
function spellings(values: readonly (string | undefined)[]): readonly string[] {
  const secrets = values.filter(value => value !== undefined && value.length >= 6) as string[]
  const spelt = secrets.flatMap(secret => {
    const inJson = JSON.stringify(secret).slice(1, -1)
    return [secret, encodeURIComponent(secret), encodeURI(secret), inJson, inJson.replaceAll('/', '\\/')]
  })
  return [...new Set(spelt)].sort((one, other) => other.length - one.length)
}
