// The first prompt of a run → its fingerprint, part by part; two fingerprints → which parts differ, and the first line that does. The text itself is
// not kept: a few digits for each line are enough to find the one that changed.
import { crc32 } from 'node:zlib'
import type { RunStart } from '../core/event.js'
import type { Message, Prompt } from '../core/message.js'

export const PROMPT_PARTS = ['question', 'parameters', 'tools', 'examples', 'template'] as const

export type PromptPart = (typeof PROMPT_PARTS)[number]

/** Eight hexadecimal digits for each part, four for each line of what stands before the task. */
export type Fingerprint = Readonly<Record<PromptPart, string>> & { readonly lines: string }

export interface PromptFacts extends Pick<RunStart, 'task' | 'dialect' | 'tools' | 'options'> {
  readonly prompt: Pick<Prompt, 'messages'>
}

export interface Drift {
  readonly part: PromptPart
  readonly before: string
  readonly after: string
  /** The first line that differs, from 1, and what it says now; unset when none of those that stand before the task does. */
  readonly line?: { readonly number: number; readonly text: string }
}

export function fingerprintOf({ prompt: { messages }, task, dialect, tools, options }: PromptFacts): Fingerprint {
  const { head, examples, own } = partsOf(messages, task)
  // of a template counts what it says, not where it stands
  const { template: _, ...parameters } = options
  return {
    template: hash([head.map(textOf), own]),
    examples: hash(examples.map(textOf)),
    tools: hash(tools),
    parameters: hash({ dialect, ...parameters }),
    question: hash(task),
    lines: linesOf(messages).map(lineHash).join(''),
  }
}

/** A fingerprint of no examples. */
export const NO_EXAMPLES = hash([])

/** Parts in the order in which they explain each other: where the tools differ, so does the text of the template around them. */
export function driftOf(before: Fingerprint, after: Fingerprint, { messages }: Pick<Prompt, 'messages'>): readonly Drift[] {
  const parts = PROMPT_PARTS.filter(part => before[part] !== after[part])
  const line = firstChanged(before.lines, linesOf(messages))
  return parts
    .filter(part => part !== 'template' || !parts.includes('tools'))
    .map(part => {
      const told = line && (part === 'template' || part === 'examples' || part === 'tools') ? { line } : {}
      return { part, before: before[part], after: after[part], ...told }
    })
}

/** For people: what changed, and what did not; the line as it was, too, where the messages of then are known. */
export function driftText(drifts: readonly Drift[], before: readonly Message[] | undefined): string {
  const changed = drifts.map(({ part, before, after }) => `${part} ${before} → ${after}`).join(', ')
  const rest = PROMPT_PARTS.filter(part => !drifts.some(drift => drift.part === part))
  const line = drifts.find(drift => drift.line)?.line
  const old = line && before ? linesOf(before)[line.number - 1] : undefined
  const shown = line ? `\nline ${line.number} of the prompt:${old === undefined ? '' : `\n- ${old}`}\n+ ${line.text}` : ''
  return `${changed}${rest.length > 0 ? `; ${rest.join(', ')} unchanged` : ''}${shown}`
}

interface Parts {
  readonly head: readonly Message[]
  readonly examples: readonly Message[]
  /** What a template says around the task. */
  readonly own: string
}

function partsOf(messages: readonly Message[], task: string): Parts {
  const at = messages.findLastIndex(message => message.task === true)
  const before = at < 0 ? messages : messages.slice(0, at)
  return {
    head: before.filter(({ role }) => role === 'system'),
    examples: before.filter(({ role }) => role !== 'system'),
    own: messages[at]?.text.replaceAll(task, '') ?? '',
  }
}

function linesOf(messages: readonly Message[]): readonly string[] {
  const at = messages.findLastIndex(message => message.task === true)
  return messages.slice(0, at < 0 ? messages.length : at).flatMap(({ text }) => text.split('\n'))
}

const DIGITS = 4

function firstChanged(before: string, lines: readonly string[]): Drift['line'] {
  const at = lines.findIndex((line, index) => before.slice(index * DIGITS, (index + 1) * DIGITS) !== lineHash(line))
  if (at >= 0) return { number: at + 1, text: lines[at] ?? '' }
  return before.length > lines.length * DIGITS ? { number: lines.length + 1, text: '(nothing: lines were struck)' } : undefined
}

function textOf({ role, text }: Message): string {
  return `${role}\n${text}`
}

function lineHash(line: string): string {
  return hash(line).slice(0, DIGITS)
}

function hash(value: unknown): string {
  return crc32(JSON.stringify(value)).toString(16).padStart(8, '0')
}
