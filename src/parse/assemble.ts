// One reply → one thought, one decision, all problems: cleaned, lexed, its form noted, and then read as what it is: without a label, or along
// its marks. A reply exactly as its dialect writes it takes a short way that comes to the same.
import type { Finish } from '../core/model.js'
import { mayBeCall } from './bare-object.js'
import { cleanReply } from './clean.js'
import type { Grammar } from './grammar.js'
import { ROLE_PREFIX } from './left-out.js'
import { lex } from './lexer.js'
import { Notes, refuse } from './notes.js'
import { readPlainReply } from './plain-reply.js'
import { readUnlabelled } from './read-unlabelled.js'
import { type Assembled, type Cut, type Reading, unclear } from './reading.js'
import { noteDress, noteHeading, stepInFence } from './reply-form.js'
import { resolveMarks } from './resolve-marks.js'
import { isSettled } from './settled.js'
import type { Toolbox } from './tool-shape.js'
import { walkMarks } from './walk-marks.js'

const CUTS: Readonly<Partial<Record<Finish, Cut>>> = { length: 'limit', filter: 'filter' }

/** Reads one whole reply. Total: any text gives a reading. */
export function assembleReply(reply: string, grammar: Grammar, box: Toolbox, finish: Finish): Assembled {
  const cut = CUTS[finish]
  return (cut ? undefined : readPlainReply(reply, grammar, box)) ?? assembleOdd(reply, grammar, box, cut)
}

/** Reads any reply, the way that knows all oddities. */
export function assembleOdd(reply: string, grammar: Grammar, box: Toolbox, cut: Cut): Assembled {
  return readReply(openReading(reply, grammar, box, cut))
}

/** The reply so far decides, and nothing that may still follow could change that. */
export function isDecided(reply: string, grammar: Grammar, box: Toolbox): boolean {
  // with a word behind it, a label at the end can't be a stop word that was cut short
  const r = openReading(`${reply} .`, grammar, box, undefined)
  const read = readReply(r)
  if (!isSettled(r, read)) return false
  const ended = assembleOdd(reply, grammar, box, undefined)
  return JSON.stringify(ended.decision) === JSON.stringify(read.decision)
}

function openReading(reply: string, grammar: Grammar, box: Toolbox, cut: Cut): Reading {
  const clean = cleanReply(reply, grammar)
  const notes = new Notes(clean.original)
  for (const problem of clean.problems) notes.addOriginal(problem)
  const lexed = lex(clean.text, grammar, box)
  // a model that goes round in circles: as if the endpoint had cut it off
  const { text } = lexed
  const marks = resolveMarks(lexed, box).filter(mark => mark.role !== 'object' || mayBeCall(text, mark, box, grammar))
  const thoughts = clean.thoughts.map(thought => thought.trim()).filter(Boolean)
  return {
    reply,
    clean,
    lexed,
    text,
    grammar,
    box,
    cut: cut ?? (lexed.full ? 'limit' : undefined),
    notes,
    thoughts,
    reasoned: thoughts.length,
    marks,
    readAgain: again => assembleReply(again, grammar, box, 'stop').decision,
    keptEnd: lexed.to,
    input: '',
    invented: false,
    closed: false,
    doubtFrom: 0,
  }
}

function readReply(r: Reading): Assembled {
  const { from, wrapper, stopWord } = r.lexed
  if (wrapper) r.notes.add('REPLY_FENCED', 'The reply stands in a fence.', { start: wrapper.line[0], end: wrapper.line[1] }, 0)
  if (stopWord) r.notes.add('STOP_WORD_CUT', 'A stop word at the end was left out.', { start: stopWord[0], end: stopWord[1] }, 0)
  noteHeading(r)
  noteDress(r)
  const first = r.marks[0]
  if (first && stepInFence(r))
    return unclear(
      r,
      refuse('AMBIGUOUS_CALL', 'An action stands in a fence, and more of the protocol outside of it.', {
        start: r.lexed.fencedAction?.[0] ?? from,
        end: first.start,
      }),
    )
  if (!first) return readUnlabelled(r, from)
  if (first.role === 'speaker' && r.marks.length === 1 && !r.text.slice(from, first.start).trim()) {
    r.notes.add('PREAMBLE', ROLE_PREFIX, { start: first.start, end: first.value }, 0)
    return readUnlabelled(r, first.value)
  }
  return walkMarks(r)
}
