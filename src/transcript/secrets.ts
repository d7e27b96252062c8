// An event → the same event without secrets, as it may stand on a disk. Known values are found as they are, as JSON, URL, base64, base64url or hex
// writes them, wherever they stand; unknown ones by their shape (see key-shapes). `[secret NAME]` stands in their place, and places in a reply
// that are counted in characters are counted anew.
import type { AgentEvent } from '../core/event.js'
import { type Found, keysIn } from './key-shapes.js'

/** Values by name; of one name there may be several. */
export type Secrets = Readonly<Record<string, string | readonly string[]>>

/** Shorter values are words that stand everywhere, such as `none` or `dummy`. */
const SHORTEST = 8

const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)$/i

/** The variables of an environment whose names say that they are secret. */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && SECRET_NAME.test(entry[0])),
  )
}

/** All of them: a name that both have stands for the values of both. */
export function joinedSecrets(some: Secrets, more: Secrets): Secrets {
  const joined = Object.entries(more).map(([name, values]) => [name, [...new Set([some[name] ?? [], values].flat())]])
  return { ...some, ...Object.fromEntries(joined) }
}

/** Masks the events of one run, in their order. Values of fewer than 8 characters are no secrets. */
export function createMask(secrets: Secrets): (event: AgentEvent) => AgentEvent {
  const find = finder(secrets)
  let inReply: readonly Found[] = []
  return event => {
    const masked = maskValue(event, find) as AgentEvent
    // a chance likeness to a key in its bytes is none
    if (event.type === 'image') return { ...masked, ...(event.base64 ? { base64: event.base64 } : {}) } as AgentEvent
    if (event.type === 'reply_start') inReply = []
    if (event.type === 'reply_end') inReply = find(event.reply.text)
    return inReply.length > 0 ? moved(masked, inReply) : masked
  }
}

/** Masks texts that are none of a run. */
export function createTextMask(secrets: Secrets): (text: string) => string {
  const find = finder(secrets)
  return text => maskText(text, find(text))
}

function finder(secrets: Secrets): Find {
  const needles = Object.entries(secrets)
    .flatMap(([name, values]) => [values].flat().map(value => ({ name, value: value.trim() })))
    .filter(({ value }) => value.length >= SHORTEST)
    .flatMap(({ name, value }) => spellings(value).map(spelling => ({ name, spelling })))
  return text => (text.length < SHORTEST ? [] : inOrder([...knownIn(text, needles), ...keysIn(text)]))
}

interface Needle {
  readonly name: string
  readonly spelling: string
}

function* knownIn(text: string, needles: readonly Needle[]): Generator<Found> {
  for (const { name, spelling } of needles)
    for (let start = text.indexOf(spelling); start >= 0; start = text.indexOf(spelling, start + spelling.length))
      yield { start, end: start + spelling.length, name }
}

/** Every way in which a value may stand in a text. */
function spellings(value: string): readonly string[] {
  const bytes = Buffer.from(value)
  const json = JSON.stringify(value).slice(1, -1)
  const url = encodeURIComponent(bytes.toString())
  const hex = bytes.toString('hex')
  const found = [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    json.replaceAll('/', '\\/'),
    url,
    url.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase()),
    url.replaceAll('%20', '+'),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap(before => base64Within(bytes, before)),
  ]
  return [...new Set(found)]
}

/** What base64 makes of bytes in the middle of others, `before` of which stand in front: the characters that these bytes alone decide. */
function base64Within(bytes: Buffer, before: number): readonly string[] {
  const whole = Buffer.concat([Buffer.alloc(before), bytes])
  const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)]
  return (['base64', 'base64url'] as const).map(alphabet => whole.toString(alphabet).slice(from, to))
}

/** From left to right, those that touch each other as one. */
function inOrder(found: readonly Found[]): readonly Found[] {
  const joined: Found[] = []
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1)
    if (last === undefined || each.start >= last.end) joined.push(each)
    else if (each.end > last.end) joined[joined.length - 1] = { ...last, end: each.end }
  }
  return joined
}

type Find = (text: string) => readonly Found[]

function maskValue(value: unknown, find: Find): unknown {
  if (typeof value === 'string') return maskText(value, find(value))
  // a password of digits may be read as a number
  if (typeof value === 'number') return find(String(value)).length > 0 ? maskValue(String(value), find) : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(item => maskValue(item, find))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [maskText(key, find(key)), maskValue(item, find)]))
}

function maskText(text: string, found: readonly Found[]): string {
  let masked = ''
  let from = 0
  for (const each of found) {
    masked += text.slice(from, each.start) + maskOf(each)
    from = each.end
  }
  return masked + text.slice(from)
}

function maskOf({ name }: Found): string {
  return `[secret ${name}]`
}

/** The places of an event that count characters of the reply, in which `found` was masked. */
function moved(event: AgentEvent, found: readonly Found[]): AgentEvent {
  const [start, end] = [placeIn(found, 'start'), placeIn(found, 'end')]
  if (event.type === 'reply_end' && event.cuts) return { ...event, cuts: event.cuts.map(end) }
  if (event.type !== 'parsed') return event
  const { parsed } = event
  const shift = <T extends { readonly span: readonly [number, number] }>(problem: T): T => ({
    ...problem,
    span: [start(problem.span[0]), end(problem.span[1])],
  })
  const { decision } = parsed
  return {
    ...event,
    parsed: {
      ...parsed,
      decision: decision.kind === 'unclear' ? { ...decision, problem: shift(decision.problem) } : decision,
      problems: parsed.problems.map(shift),
      kept: [start(parsed.kept[0]), end(parsed.kept[1])],
    },
  }
}

/** A place in a text → the same place in its masked form. A place within a secret becomes that edge of its mask. */
function placeIn(found: readonly Found[], edge: 'start' | 'end'): (place: number) => number {
  return place => {
    let shift = 0
    for (const each of found) {
      const longer = maskOf(each).length - (each.end - each.start)
      if (place <= each.start) break
      if (place < each.end) return each.start + shift + (edge === 'start' ? 0 : maskOf(each).length)
      shift += longer
    }
    return place + shift
  }
}
