// What labels there are: their roles, the tables of their words (data), and the grammar that is made of such tables.
import { foldWord } from './characters.js'

/** What the protocol's own labels announce. */
const PROTOCOL_ROLES = ['thought', 'action', 'input', 'observation', 'answer'] as const

/** What a label announces. Those that are not the protocol's own count only where the context says so. */
export const LABEL_ROLES = [
  ...PROTOCOL_ROLES,
  // `Tool:`, an action only as a pair with an input
  'tool',
  // `Input:`, an input only right after an action
  'weak_input',
  // `Output:`, `Result of …:`, an observation only after a complete action
  'result',
  // `Question:`, `User:`: somebody else's turn
  'turn',
  // `AI:`, `Assistant:`: a role prefix, or an answer after a thought that says no tool is needed
  'speaker',
] as const

export type ProtocolRole = (typeof PROTOCOL_ROLES)[number]
export type LabelRole = (typeof LABEL_ROLES)[number]

/** Label words of one language or dialect, by role. */
export type LabelWords = { readonly [Role in LabelRole]?: readonly string[] } & {
  /** How a paragraph begins that announces work still to be done. */
  readonly openers?: readonly string[]
  /** What an action line says when no tool is wanted. */
  readonly noAction?: readonly string[]
  /** What an input says when there is none; `None` and its like are known in any language. */
  readonly noInput?: readonly string[]
  /** Names that end the run like a final answer: `Finish[…]`. */
  readonly finish?: readonly string[]
  /** Answer labels that are common words in other texts, too. */
  readonly common?: readonly string[]
  /** Texts that instructions show where an answer belongs: as the whole answer they are none. */
  readonly placeholders?: readonly string[]
  /** Words that mark a text in `<…>` or `[…]` as a blank to be filled in. */
  readonly blanks?: readonly string[]
  /** What steps are counted with: `Step 3 - ` may stand before a label. */
  readonly steps?: readonly string[]
  /** Words for a result behind which any others may stand: `Result of the division:`. */
  readonly resultOf?: readonly string[]
  /** How a model asks itself whether it needs a tool, without the question mark. */
  readonly toolQuestions?: readonly string[]
  /** What denies that question. */
  readonly no?: readonly string[]
  /** What takes the denial back, behind it on its line. */
  readonly yes?: readonly string[]
  /** Words of a thought that needs no tool; what a speaker says behind it is the answer. */
  readonly toolless?: readonly string[]
}

export interface Grammar {
  /** By folded word. */
  readonly roles: ReadonlyMap<string, LabelRole>
  /** Those of the protocol's own labels, which may also stand in the middle of a line. */
  readonly midline: ReadonlyMap<string, ProtocolRole>
  /** The same words by their last character, the longest first. */
  readonly endings: ReadonlyMap<string, readonly (readonly [key: string, role: ProtocolRole])[]>
  readonly firstChars: ReadonlySet<string>
  /** How the folded labels and placeholders begin. */
  readonly heads: ReadonlySet<number>
  readonly openers: readonly string[]
  readonly noAction: ReadonlySet<string>
  readonly noInput: ReadonlySet<string>
  readonly finish: ReadonlySet<string>
  readonly common: ReadonlySet<string>
  readonly placeholders: ReadonlySet<string>
  readonly blanks: readonly string[]
  readonly steps: readonly string[]
  readonly resultOf: ReadonlySet<string>
  readonly toolQuestions: readonly string[]
  readonly no: readonly string[]
  readonly yes: readonly string[]
  readonly toolless: readonly string[]
  readonly exact: ReadonlySet<string>
  /** The same, folded. */
  readonly exactKeys: ReadonlySet<string>
  /** The labels as they are written, colon included; undefined when they can't be told by their letters alone. */
  readonly written: WrittenLabels | undefined
}

export interface WrittenLabels {
  readonly thought: string
  readonly action: string
  readonly input: string
  readonly answer: string
}

export function isProtocol(role: string): role is ProtocolRole {
  return PROTOCOL.has(role)
}

/** The word ends the run like a final answer: `Finish`. */
export function isFinish(word: string, { finish }: Pick<Grammar, 'finish'>): boolean {
  return finish.has(foldWord(word))
}

/** `Result of the division`, `Results`: the whole word, then anything short. */
export function isResult(raw: string, { resultOf }: Grammar): boolean {
  const blank = raw.indexOf(' ')
  return resultOf.has(foldWord(blank < 0 ? raw : raw.slice(0, blank)))
}

const PROTOCOL: ReadonlySet<string> = new Set(PROTOCOL_ROLES)
