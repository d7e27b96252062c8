// A rendered template → turns. `{{role "user"}}` and the slots leave marks in the text which are made anew at random for each rendering, so
// that no question, observation or tool description can spell one and change who speaks.
import { randomBytes } from 'node:crypto'
import type { Message, Role } from '../core/message.js'
import type { Marks } from './engine.js'

/** Turns of the caller that a template places as a whole. */
export interface Slots {
  readonly examples: readonly Message[]
  readonly scratchpad: readonly Message[]
}

/** One rendering's marks, and the reader of the text they stand in. */
export interface TurnSplitter {
  readonly marks: Marks
  /** Printed before the task's own text: the turn it stands in is the one that states the task. */
  readonly task: string
  /** What the template's `{{examples}}` and `{{scratchpad}}` print. */
  readonly slot: Readonly<Record<keyof Slots, string>>
  /**
   * Rendered text → turns, neighbours of one role joined. Text before the first role mark is the system's; text without any role mark is
   * the user's. A text that has no place for the scratchpad gets it at the end.
   */
  split(text: string, slots: Slots): readonly Message[]
}

/** A turn as the caller gave it, so that each prompt of a run holds the very same ones, and whether it came from the scratchpad. */
interface Turn {
  readonly message: Message
  readonly grown: boolean
}

export function createTurnSplitter(): TurnSplitter {
  const random = randomBytes(16).toString('hex')
  const seal = `<${random}:`
  const task = `<${random}>`
  const mark = (name: string): string => `${seal}${name}>`
  return {
    marks: { role: mark },
    task,
    slot: { examples: mark('examples'), scratchpad: mark('scratchpad') },
    split: (text, slots) => joinTurns(turnsOf(text, { seal, task }, slots)),
  }
}

/**
 * Joins neighbouring turns of one role with a blank line, because some servers insist on turns that alternate. Turns of the assistant in
 * the scratchpad stay apart: the second one would change a turn that an earlier prompt has shown already.
 */
function joinTurns(turns: readonly Turn[]): readonly Message[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const last = joined.at(-1)
    const { message, grown } = turn
    if (last?.message.role !== message.role || (message.role === 'assistant' && grown)) joined.push(turn)
    else joined[joined.length - 1] = { ...last, message: joinedMessage(last, message) }
  }
  return joined.map(({ message }) => message)
}

/** A task that follows an observation begins no turn of its own. */
function joinedMessage({ message: first, grown }: Turn, second: Message): Message {
  return { ...(grown ? {} : second), ...first, text: `${first.text}\n\n${second.text}` }
}

function turnsOf(text: string, { seal, task }: { readonly seal: string; readonly task: string }, slots: Slots): readonly Turn[] {
  const [head = '', ...pieces] = text.split(seal)
  const turns: Turn[] = []
  let role: Role = pieces.some(piece => /^(system|user|assistant)>/.test(piece)) ? 'system' : 'user'
  let placed = false
  const say = (words: string): void => {
    const trimmed = words.replaceAll(task, '').trim()
    if (trimmed !== '')
      turns.push({ message: { role, text: trimmed, ...(words.includes(task) ? { task: true } : {}) }, grown: false })
  }

  say(head)
  for (const piece of pieces) {
    const end = piece.indexOf('>')
    const name = piece.slice(0, end)
    if (name === 'examples') turns.push(...slots.examples.map(message => ({ message, grown: false })))
    else if (name === 'scratchpad') {
      turns.push(...scratchpadTurns(slots))
      placed = true
    } else role = name as Role
    say(piece.slice(end + 1))
  }
  return placed ? turns : [...turns, ...scratchpadTurns(slots)]
}

/** An empty reply keeps its turn, an empty observation needs none. */
const scratchpadTurns = (slots: Slots): readonly Turn[] =>
  slots.scratchpad.filter(({ role, text }) => text !== '' || role === 'assistant').map(message => ({ message, grown: true }))
