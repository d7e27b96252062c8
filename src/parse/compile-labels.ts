// Tables of label words (data) → the grammar that finds them in a reply.
import { foldWord } from './characters.js'
import {
  type Grammar,
  isProtocol,
  LABEL_ROLES,
  type LabelRole,
  type LabelWords,
  type ProtocolRole,
  type WrittenLabels,
} from './grammar.js'
import { headsOf } from './heads.js'
import { matchLabel } from './labels.js'

type WordList = Exclude<keyof LabelWords, LabelRole>

/** Builds a grammar from tables of words; the first table's spellings are the ones that count as clean. */
export function compileLabels(tables: readonly LabelWords[]): Grammar {
  const roles = new Map<string, LabelRole>()
  const midline = new Map<string, ProtocolRole>()
  const exact = new Set<string>()
  for (const table of tables) {
    for (const role of LABEL_ROLES) {
      for (const word of table[role] ?? []) {
        const key = foldWord(word)
        if (!key) continue
        if (!roles.has(key)) roles.set(key, role)
        if (isProtocol(role) && !midline.has(key)) midline.set(key, role)
        if (table === tables[0]) exact.add(word)
      }
    }
  }
  const folded = (list: WordList) => new Set(tables.flatMap(table => (table[list] ?? []).map(foldWord)))
  const lower = (list: WordList) => [...new Set(tables.flatMap(table => (table[list] ?? []).map(word => word.toLowerCase())))]
  const placeholders = folded('placeholders')
  const steps = lower('steps')
  const resultOf = folded('resultOf')
  const firstChars = new Set([...roles.keys(), ...steps, ...resultOf].map(word => word.charAt(0)))
  const heads = headsOf([...roles.keys(), ...placeholders])
  const grammar = {
    roles,
    midline,
    endings: endingsOf(midline),
    firstChars,
    heads,
    openers: lower('openers'),
    noAction: folded('noAction'),
    noInput: folded('noInput'),
    finish: folded('finish'),
    common: folded('common'),
    placeholders,
    blanks: lower('blanks'),
    steps,
    resultOf,
    toolQuestions: longestFirst(lower('toolQuestions')),
    no: longestFirst(lower('no')),
    yes: lower('yes'),
    toolless: lower('toolless'),
    exact,
    exactKeys: new Set([...exact].map(foldWord)),
    written: undefined,
  }
  return { ...grammar, written: writtenLabels(tables[0] ?? {}, grammar) }
}

function longestFirst(words: readonly string[]): readonly string[] {
  return [...words].sort((a, b) => b.length - a.length)
}

function endingsOf(words: ReadonlyMap<string, ProtocolRole>): Grammar['endings'] {
  const endings = new Map<string, (readonly [string, ProtocolRole])[]>()
  for (const word of [...words].sort(([a], [b]) => b.length - a.length)) {
    const last = word[0].charAt(word[0].length - 1)
    const same = endings.get(last)
    if (same) same.push(word)
    else endings.set(last, [word])
  }
  return endings
}

function writtenLabels(own: LabelWords, grammar: Grammar): WrittenLabels | undefined {
  const written = (role: 'thought' | 'action' | 'input' | 'answer') => {
    const [word] = own[role] ?? []
    if (!word) return undefined
    const label = `${word}:`
    const line = `${label} x`
    const match = matchLabel(line, 0, line.length, grammar)
    return match?.plain && match.role === role && match.value === label.length ? label : undefined
  }
  const [thought, action, input, answer] = [written('thought'), written('action'), written('input'), written('answer')]
  return thought && action && input && answer ? { thought, action, input, answer } : undefined
}
