// Tags that stand for labels: `<answer>…</answer>`, `<tool_response>…</tool_response>`, a `<thought>` that never closes → what they announce
// and where they end. Such a tag also occurs in texts about something else, so an answer's tag counts only where nothing encloses it.
import { isRegistered } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

export interface TagLabel {
  readonly role: 'answer' | 'observation' | 'thought'
  /** After the opening tag. */
  readonly value: number
  /** Where the closing tag begins; -1 when there is none. */
  readonly close: number
  /** After the closing tag; the limit when there is none. */
  readonly end: number
}

/**
 * The label that the tag at `at` is. `line`: nothing but markup stands before it on its line. `never`: names of tags that don't close any
 * more, kept from one question to the next.
 */
export function tagLabel(
  text: string,
  at: number,
  limit: number,
  line: boolean,
  box: Toolbox,
  never: Set<string>,
): TagLabel | undefined {
  const name = /^<([A-Za-z_]{6,20})>/.exec(text.slice(at, at + 22))?.[1]
  if (name === undefined || isRegistered(name, box)) return undefined
  const role = ROLES.get(name.toLowerCase())
  if (!role || (role === 'observation' && name !== name.toLowerCase())) return undefined
  const value = at + name.length + 2
  const found = never.has(name) ? -1 : text.indexOf(`</${name}>`, value)
  const close = found >= limit ? -1 : found
  if (close < 0) never.add(name)
  const end = close < 0 ? limit : close + name.length + 3
  if (role === 'answer' && !isFree(text, at, end, close, limit, line)) return undefined
  if (role === 'thought' && (!line || close >= 0)) return undefined
  return role === 'observation' && !line ? undefined : { role, value, close, end }
}

/** One of these tags, opened and never closed, may still turn out to hold all that stands behind it. */
export function mayHoldMore(names: Iterable<string>): boolean {
  return [...names].some(name => ROLES.get(name.toLowerCase()) !== 'observation')
}

/** The text of an answer whose tag stands around all of it; undefined when none does. */
export function untagged(text: string): string | undefined {
  const name = /^<((?:final_)?answer)>/i.exec(text.slice(0, 16))?.[1]
  if (name === undefined) return undefined
  const inner = text.slice(name.length + 2)
  const close = inner.indexOf(`</${name}>`)
  if (close < 0) return inner.trim() ? inner : undefined
  return close + name.length + 3 === inner.length ? inner.slice(0, close) : undefined
}

/** Somebody else's turn begins in a tag that stands outside of code. */
export function holdsResultTag(text: string): boolean {
  const at = text.indexOf('<tool_response>')
  return at >= 0 && (text.slice(Math.max(0, at - 1000), at).split('`').length - 1) % 2 === 0
}

/** A tag that is no call and that no prose between two calls may hold. */
export function isLabelTag(text: string, at: number): boolean {
  const name = /^<([A-Za-z_]{6,20})>/.exec(text.slice(at, at + 22))?.[1]
  return name !== undefined && ROLES.has(name.toLowerCase())
}

/** No other tag is open around it; within a line, it also is the last thing of the reply. */
function isFree(text: string, at: number, end: number, close: number, limit: number, line: boolean): boolean {
  if (/<[A-Za-z][^<>]{0,80}>\s{0,40}$/.test(text.slice(Math.max(0, at - 130), at))) return false
  const after = text.slice(end, Math.min(limit, end + 200)).trimStart()
  if (after.startsWith('</')) return false
  return line || (close >= 0 && limit - end < 200 && /^[.!]?[\s*]*$/.test(text.slice(end, limit)))
}

const ROLES: ReadonlyMap<string, TagLabel['role']> = new Map([
  ['answer', 'answer'],
  ['final_answer', 'answer'],
  ['thought', 'thought'],
  ['observation', 'observation'],
  ['tool_response', 'observation'],
  ['tool_responses', 'observation'],
  ['tool_result', 'observation'],
  ['tool_results', 'observation'],
  ['tool_output', 'observation'],
  ['function_result', 'observation'],
  ['function_results', 'observation'],
])

/** The opening tags, in lower case. */
export const LABEL_TAGS: readonly string[] = [...ROLES.keys()].map(name => `<${name}>`)
