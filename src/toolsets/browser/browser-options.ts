// What a browser is to be like, as it is given → the same, checked: where it starts, and which hosts it may reach.
import { SaydoError } from '../../core/errors.js'
import { type HostRules, hostRules } from '../host-rules.js'
import { addressOf } from './address.js'
import type { Resolve } from './gateway.js'

export interface BrowserOptions {
  /** Opened at the beginning; its host and port are allowed. */
  readonly start?: string | undefined
  /** Which hosts may be reached, see `hostRules`; default that of `start` alone. */
  readonly allowHosts?: readonly string[] | undefined
  /** A program of Chromium's family; default the one of this machine. */
  readonly program?: string | undefined
  /** In its place: a browser that runs already, such as `http://127.0.0.1:9222`. It gets a context of its own. */
  readonly cdp?: string | undefined
  /** Shows a window; default none. */
  readonly headed?: boolean | undefined
  /** Longest text of a page's elements in characters; default 8,000. */
  readonly maxState?: number | undefined
  /** How names are resolved; default as this machine does. */
  readonly resolve?: Resolve | undefined
}

export interface CheckedOptions extends BrowserOptions {
  readonly allowed: readonly string[]
  readonly rules: HostRules
}

/** Throws `CONFIG` for a host or an address that is none. */
export function checkedOptions(options: BrowserOptions): CheckedOptions {
  const start = options.start === undefined ? undefined : requireAddress(options.start)
  const allowed = [...new Set([...(start === undefined ? [] : [hostOf(start)]), ...(options.allowHosts ?? [])])]
  return { ...options, start, allowed, rules: hostRules(allowed) }
}

function requireAddress(text: string): string {
  const url = addressOf(text, '')
  if (url && /^https?:/.test(url)) return url
  throw new SaydoError('CONFIG', `${JSON.stringify(text)} is no page to start at`, {
    hint: 'give an address such as https://example.com/',
  })
}

/** With its port, as a rule. */
function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
