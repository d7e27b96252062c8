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

/** Where a text that templates include stands, it is a section of its own: what each may say. */
export interface Included {
  readonly tools: readonly string[]
  readonly format: readonly string[]
}

/** The last turn that states a task divides the examples from the scratchpad. */
export function placeTurns(messages: readonly Message[]): readonly PlacedTurn[] {
  const task = messages.findLastIndex(message => message.task === true)
  return messages.map(({ role, text }, at) => {
    const around = at < task ? 'examples' : 'scratchpad'
    return { role, text, place: at === task ? 'task' : role === 'system' ? 'system' : around }
  })
}

/** The texts of each section that is there, in the order of `SECTIONS`. */
export function sectionTexts(turns: readonly PlacedTurn[], included: Included): ReadonlyMap<Section, readonly string[]> {
  const texts = new Map<Section, string[]>()
  const add = (section: Section, text: string): void => {
    if (text === '') return
    const known = texts.get(section)
    if (known) known.push(text)
    else texts.set(section, [text])
  }
  for (const { place, text } of turns) for (const [section, piece] of carve(text, place, included)) add(section, piece)
  return new Map(SECTIONS.flatMap(section => (texts.has(section) ? [[section, texts.get(section) ?? []]] : [])))
}

function carve(text: string, place: Section, included: Included): readonly (readonly [Section, string])[] {
  // only where a template speaks: a reply may quote it
  if (place !== 'system' && place !== 'task') return [[place, text]]
  for (const section of ['tools', 'format'] as const) {
    const [start, end] = included[section].map(wanted => find(wanted, text)).find(found => found !== undefined) ?? []
    if (start === undefined || end === undefined) continue
    return [
      ...carve(text.slice(0, start), place, included),
      [section, text.slice(start, end)],
      ...carve(text.slice(end), place, { ...included, [section]: [] }),
    ]
  }
  return [[place, text]]
}

/** By its first and its last line: in between a prompt may say more, such as what an answer must fit. */
function find(wanted: string, text: string): readonly [number, number] | undefined {
  const lines = wanted.split('\n')
  const [first = '', last = ''] = [lines[0], lines.at(-1)]
  const start = first === '' ? -1 : text.indexOf(first)
  const end = start < 0 ? -1 : text.indexOf(last, start)
  return end < 0 ? undefined : [start, end + last.length]
}
