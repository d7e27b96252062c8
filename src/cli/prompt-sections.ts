// A prompt's turns → its text in pieces, each with the section it belongs to; the pieces of a turn join to its text.
import type { Message, Role } from '../core/message.js'

export const SECTIONS = ['system', 'tools', 'format', 'examples', 'task', 'scratchpad'] as const

export type Section = (typeof SECTIONS)[number]

/** A turn, and where in the prompt it stands. */
export interface PlacedTurn {
  readonly role: Role
  readonly place: Section
  readonly text: string
}

/** Where a text that templates include stands, it is a section of its own; empty when it is not known. */
export interface Included {
  readonly tools: string
  readonly format: string
}

/** The last turn that states a task divides the examples from the scratchpad. */
export function placeTurns(messages: readonly Message[]): readonly PlacedTurn[] {
  const task = messages.findLastIndex(message => message.task === true)
  return messages.map(({ role, text }, at) => {
    const around = at < task ? 'examples' : 'scratchpad'
    return { role, text, place: at === task ? 'task' : role === 'system' ? 'system' : around }
  })
}

/** Characters (UTF-16 code units) and texts of each section that is there, in the order of `SECTIONS`. */
export function sectionTexts(turns: readonly PlacedTurn[], included: Included): ReadonlyMap<Section, readonly string[]> {
  const texts = new Map<Section, string[]>()
  const add = (section: Section, text: string): void => {
    if (text !== '') texts.set(section, [...(texts.get(section) ?? []), text])
  }
  for (const { place, text } of turns) for (const [section, piece] of carve(text, place, included)) add(section, piece)
  return new Map(SECTIONS.flatMap(section => (texts.has(section) ? [[section, texts.get(section) ?? []]] : [])))
}

function carve(text: string, place: Section, included: Included): readonly (readonly [Section, string])[] {
  // only where a template speaks: a reply may quote it
  if (place !== 'system' && place !== 'task') return [[place, text]]
  for (const section of ['tools', 'format'] as const) {
    const found = included[section] === '' ? -1 : text.indexOf(included[section])
    if (found < 0) continue
    const end = found + included[section].length
    return [
      ...carve(text.slice(0, found), place, included),
      [section, text.slice(found, end)],
      ...carve(text.slice(end), place, { ...included, [section]: '' }),
    ]
  }
  return [[place, text]]
}
