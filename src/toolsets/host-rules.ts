// Rules such as `example.com`, `*.example.com:8443` or `10.0.0.5:8080` → which hosts may be reached, and at which addresses. A name is compared as
// browsers read it (punycode, odd forms of IPv4), and what it resolves to is looked at as well: a listed name opens no way into a private network.
import { isIP } from 'node:net'
import { SaydoError } from '../core/errors.js'
import { isLoopback, isPublicAddress, plainAddress } from './public-address.js'

export interface HostRules {
  /** Why a URL must not be fetched, in a few words; undefined when it may be. Its host's address is to be looked at besides. */
  refusalOfUrl(url: string): string | undefined
  /** The same of a host, as it stands in a URL, and a port. */
  refusalOfHost(host: string, port: number): string | undefined
  /** Why a listed host must not be reached at an address that it resolved to: it is a private one that no rule lists. */
  refusalOfAddress(host: string, address: string, port: number): string | undefined
}

interface Rule {
  /** A name, an address, or empty for every host that is public. */
  readonly host: string
  /** All below `host`, but not `host`. */
  readonly below: boolean
  /** Undefined: any. */
  readonly ports: readonly number[] | undefined
}

const WEB_PORTS: readonly number[] = [80, 443]

/**
 * Each pattern is a name or an address, or `*.` and a name for all below it, or `*` for every public host; behind it may stand `:PORT` or `:*`,
 * else the ports are 80 and 443. Private addresses are reached only where a pattern names them, or says `localhost`.
 *
 * @throws SaydoError `CONFIG` for a pattern that is none of these
 */
export function hostRules(patterns: readonly string[]): HostRules {
  const rules = patterns.map(readRule)
  const lists = (host: string, port: number) => rules.some(rule => covers(rule, host, port))
  const refusalOfHost = (text: string, port: number): string | undefined => {
    const host = canonicalHost(text)
    if (host === undefined) return `${quoted(text)} is no host`
    if (lists(host, port)) return undefined
    const elsewhere = rules.some(rule => covers({ ...rule, ports: undefined }, host, port))
    return `${elsewhere ? `port ${port} of ${host}` : host} is not on the list of allowed hosts`
  }
  return {
    refusalOfHost,
    refusalOfUrl(text) {
      const url = parsed(text)
      if (!url) return `${quoted(text)} is no URL`
      if (!Object.hasOwn(PORTS, url.protocol)) return `only http and https may be opened, not ${url.protocol.slice(0, 20)}`
      if (url.username !== '' || url.password !== '') return 'the URL holds a user name or a password'
      return refusalOfHost(url.hostname, Number(url.port || PORTS[url.protocol]))
    },
    refusalOfAddress(text, found, port) {
      const address = plainAddress(found)
      if (address !== undefined && (isPublicAddress(address) || rules.some(rule => names(rule, address, port)))) return undefined
      const host = canonicalHost(text) ?? ''
      if (isLocalName(host) && isLoopback(found) && rules.some(rule => names(rule, host, port))) return undefined
      return `${quoted(text)} is at the private address ${found}, which is not on the list of allowed hosts`
    },
  }
}

/** A host as browsers read it: lower case, punycode, without its last dot, IPv4 in four decimal parts, IPv6 without brackets. */
export function canonicalHost(text: string): string | undefined {
  // what would end the host, or be decoded, in a URL; and what stands for many
  if (!/^[^\s\p{Cc}/?#@\\%*]+$/u.test(text)) return undefined
  const bare = isIP(text) === 6 ? `[${text}]` : text
  if (!bare.startsWith('[') && bare.includes(':')) return undefined
  const host = parsed(`http://${bare}/`)?.hostname.replace(/\.$/, '')
  if (host === undefined || host === '' || host.startsWith('.') || host.includes('..')) return undefined
  return host.startsWith('[') ? plainAddress(host.slice(1, -1)) : host
}

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

function readRule(pattern: string): Rule {
  const [, written = '', port] = /^(.{1,260}?)(?::(\*|\d{1,5}))?$/.exec(isIP(pattern) === 6 ? `[${pattern}]` : pattern) ?? []
  const ports = port === undefined ? WEB_PORTS : port === '*' ? undefined : [Number(port)]
  if (written === '*') return { host: '', below: true, ports }
  const below = written.startsWith('*.')
  const host = canonicalHost(below ? written.slice(2) : written)
  const isUsable = host !== undefined && (!below || (isIP(host) === 0 && host.includes('.')))
  if (isUsable && (ports?.every(one => one > 0 && one < 65_536) ?? true)) return { host, below, ports }
  throw new SaydoError('CONFIG', `${quoted(pattern)} is no host that could be allowed`, {
    hint: 'such as example.com, *.example.com, localhost:3000, 10.0.0.5:8080, or * for every public host',
  })
}

function covers(rule: Rule, host: string, port: number): boolean {
  if (!rule.below) return names(rule, host, port)
  if (!(rule.ports?.includes(port) ?? true)) return false
  if (rule.host === '') return isIP(host) === 0 ? !isLocalName(host) : isPublicAddress(host)
  return isIP(host) === 0 && host.endsWith(`.${rule.host}`)
}

/** Says this very host. */
function names({ host, below, ports }: Rule, wanted: string, port: number): boolean {
  return !below && host === wanted && (ports?.includes(port) ?? true)
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
