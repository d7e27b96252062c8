// What the driver threw → one sentence that a model can act on.

/** In an answer that the gateway itself gives in place of a page: why it is none. */
export const REFUSED_HEADER = 'saydo-refused'

/** Never empty. */
export function troubleOf(thrown: unknown): string {
  const message = plain(thrown instanceof Error ? thrown.message : String(thrown))
  if (wasDone(message)) return 'it was done, but the page has not answered since: see what came of it before it is done again'
  const cover = /(<[^\n]{1,300}?) (?:from (<[^\n]{1,300}?) subtree )?intercepts pointer events/.exec(message)
  if (cover) return `it is covered by ${cover[2] ?? cover[1]}: close or answer that first`
  const code = /net::(ERR_[A-Z_]{3,60})/.exec(message)?.[1]
  if (code !== undefined) return NETWORK[code] ?? `the page could not be loaded (${code})`
  if (isNavigating(message)) return 'the page went on to another one meanwhile'
  if (/Timeout \d+ms exceeded/.test(message)) return `it took too long${reasonIn(message)}`
  const last = /(?:FATAL:[^\]\n]{1,200}\] |(?=error while loading))([^\n]{1,300})/.exec(message)?.[1]
  return last === undefined ? firstLine(message) : `it ended at once: ${last}`
}

/** The page went on to another document while it was asked something. */
export function isNavigating(thrown: unknown): boolean {
  return /context was destroyed|because of a navigation|frame (?:was|got) detached/i.test(String(thrown))
}

/** The page went elsewhere by itself while it was sent to an address. */
export function isInterrupted(thrown: unknown): boolean {
  return /interrupted by another navigation/i.test(String(thrown))
}

/** The page, or the whole browser, is gone. */
export function isGone(thrown: unknown): boolean {
  return /has been closed|browser has disconnected|Target crashed|Page crashed/i.test(String(thrown))
}

const NETWORK: Readonly<Record<string, string>> = {
  ERR_TUNNEL_CONNECTION_FAILED: 'the host could not be reached, or is not allowed',
  ERR_NAME_NOT_RESOLVED: 'there is no host of this name',
  ERR_ABORTED: 'the page gave no document: it was broken off, or is a file, and downloads are off',
  ERR_INVALID_AUTH_CREDENTIALS: 'the server wants a user and a password before it shows the page',
  ERR_EMPTY_RESPONSE: 'the server gave no answer',
  ERR_PROXY_CONNECTION_FAILED: 'the browser cannot reach the proxy of this program: both must run on one machine',
}

/** The log says what was tried, and tried anew. */
function wasDone(message: string): boolean {
  return /Timeout \d+ms exceeded/.test(message) && message.lastIndexOf('performing ') > message.lastIndexOf('retrying ')
}

/** The log of what was tried ends in what was still missing. */
function reasonIn(message: string): string {
  const missing = ['not enabled', 'not visible', 'not editable', 'outside of the viewport', 'not stable'].find(what =>
    message.includes(`element is ${what}`),
  )
  return missing === undefined ? '' : `: it is ${missing}`
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return line.replace(/^(?:[\w.]{1,40}: ){1,2}/, '').trim() || 'it failed without a message'
}

/** Without colours. */
function plain(text: string): string {
  return text.slice(0, 20_000).replaceAll(ANSI, '')
}

const ANSI = new RegExp(`${String.fromCharCode(27)}\\[\\d{1,3}m`, 'g')
