// The beginning of a line, and a grammar → the label that stands there. One scan over at most a few dozen characters per line; no regex.

/** What the protocol's own labels announce. */
export type ProtocolRole = 'thought' | 'action' | 'input' | 'observation' | 'answer'

/** What a label announces. Those that are not the protocol's own count only where the context says so. */
export type LabelRole =
  | ProtocolRole
  /** `Tool:`, an action only as a pair with an input. */
  | 'tool'
  /** `Input:`, an input only right after an action. */
  | 'weak_input'
  /** `Output:`, `Result of …:`, an observation only after a complete action. */
  | 'result'
  /** `Question:`, `User:`: somebody else's turn. */
  | 'turn'
  /** `AI:`, `Assistant:`: a role prefix, or an answer after a thought that says no tool is needed. */
  | 'speaker'

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

/** How a label is dressed; a label without a colon needs another in the same dress. */
export type Dress = 'plain' | 'bold' | 'heading' | 'numbered'

export interface LabelMatch {
  readonly role: LabelRole
  /** The label's letters, folded. */
  readonly key: string
  /** Where the label's letters begin; decoration stands before. */
  readonly word: number
  /** Where the value begins: after the colon and what decorates it. */
  readonly value: number
  readonly dress: Dress
  readonly colon: boolean
  readonly bullet: boolean
  /** Written twice in a row. */
  readonly doubled: boolean
  /** Decoration opened before the label and not closed right after it: `**Action: search**`. */
  readonly open: string
  /** The label stands as the dialect writes it. */
  readonly plain: boolean
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

const MAX_LABEL = 48
/** What may stand behind a label. */
export const COLONS = ':：﹕∶'

/** Letters and digits only, lower case: `Action_Input`, `action input` and `ActionInput` are one word. */
export function foldWord(text: string): string {
  const lower = text.toLowerCase()
  let folded = ''
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57)) continue
    if (code > 127 && !isSpace(code)) return foldWide(text)
    folded += lower.slice(from, i)
    from = i + 1
  }
  return from === 0 ? lower : folded + lower.slice(from)
}

/** The label that a line begins with, or undefined. `end` is where the line ends. */
export function matchLabel(text: string, start: number, lineEnd: number, grammar: Grammar): LabelMatch | undefined {
  // a carriage return belongs to the line's end
  const end = lineEnd > start && text.charCodeAt(lineEnd - 1) === 13 ? lineEnd - 1 : lineEnd
  let i = start
  let decoration = ''
  let bullet = false
  let heading = false
  const stop = Math.min(end, start + 24)
  for (; i < stop; i++) {
    const char = text[i] as string
    if (char === ' ' || char === '\t') {
      if (i - start >= 8 && decoration === '') return undefined
    } else if (char === '#') heading = true
    else if (char === '>') continue
    else if (char === '*' && text[i + 1] === ' ' && !bullet && decoration === '') bullet = true
    else if (char === '*' || char === '`' || char === '_' || char === '~') decoration += char
    else if ((char === '-' || char === '•' || char === '+' || char === '–') && (text[i + 1] === ' ' || text[i + 1] === '*'))
      bullet = true
    else if (char >= '0' && char <= '9') {
      const after = skipDigits(text, i, stop)
      if ((text[after] === '.' || text[after] === ')') && text[after + 1] === ' ') {
        bullet = true
        i = after
      } else return undefined
    } else break
  }
  if (i >= end) return undefined
  const first = text.charCodeAt(i)
  if (first < 128) {
    const lower = first >= 65 && first <= 90 ? first + 32 : first
    if (!grammar.firstChars.has(String.fromCharCode(lower))) return undefined
  }
  const step = Math.max(i, skipStep(text, i, end, grammar))
  const found = readWord(text, step, end, grammar)
  if (!found) return undefined
  const { role, key, number } = found
  const open = decoration && !found.closed ? decoration : ''
  const dress: Dress = heading
    ? 'heading'
    : number || step > i
      ? 'numbered'
      : decoration.includes('*') || decoration.includes('_')
        ? 'bold'
        : 'plain'
  if (!found.colon && dress === 'plain') return undefined
  let value = found.after
  let doubled = false
  for (;;) {
    const next = readWord(text, skipBlank(text, value, end), end, grammar)
    if (!next?.colon || next.role !== role) break
    value = next.after
    doubled = true
  }
  const plain =
    i === start &&
    dress === 'plain' &&
    !doubled &&
    found.colon &&
    text[found.colonAt] === ':' &&
    grammar.exact.has(text.slice(i, found.colonAt))
  return { role, key, word: i, value, dress, colon: found.colon, bullet, doubled, open, plain }
}

interface Word {
  readonly role: LabelRole
  readonly key: string
  readonly number: boolean
  readonly closed: boolean
  readonly colon: boolean
  readonly colonAt: number
  readonly after: number
}

/** Reads `Word [number] [decoration] colon [decoration]` from `start`. */
function readWord(text: string, start: number, end: number, grammar: Grammar): Word | undefined {
  const stop = Math.min(end, start + MAX_LABEL)
  let letters = start
  let number = false
  let closed = false
  let i = start
  let colon = false
  for (; i < stop; i++) {
    const code = text.charCodeAt(i)
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) {
      if (number || closed) return undefined
      letters = i + 1
    } else if (isColon(code)) {
      colon = true
      break
    } else if (code === 32 || code === 9 || code === 95 || code === 45) continue
    else if (code === 42 || code === 96 || code === 126) closed = i > start
    else if (code >= 48 && code <= 57) number = true
    else if (code === 35 && !number) continue
    else if (code > 127) {
      if (isSpace(code) || (code === 0x2019 && i > start && isElision(text, i, letters))) continue
      if (number || closed) return undefined
      letters = i + 1
    } else if (code === 39 && i > start && isElision(text, i, letters)) continue
    else return undefined
  }
  if (!colon && i < end) return undefined
  if (letters === start) return undefined
  const raw = text.slice(start, letters)
  const key = foldWord(raw)
  const role = grammar.roles.get(key) ?? (colon && isResult(raw, grammar) ? 'result' : undefined)
  if (!role) return undefined
  const colonAt = i
  let after = colon ? i + 1 : i
  // repair: the decoration that closes behind the colon, `**Action:**`
  while (
    after < end &&
    (text[after] === '*' ||
      text[after] === '_' ||
      text[after] === '~' ||
      (text[after] === '`' && text[after + 1] !== '`' && text[start - 1] === '`'))
  ) {
    if (text[after] === '*' && text[start - 1] !== '*') break
    if (text[after] === '_' && text[start - 1] !== '_') break
    if (text[after] === '~' && text[start - 1] !== '~') break
    closed = true
    after++
  }
  return { role, key, number, closed, colon, colonAt, after }
}

/** An apostrophe between two words, as in `Entrée de l'action`. */
function isElision(text: string, at: number, letters: number): boolean {
  return letters === at && /^\p{L}{3}/u.test(text.slice(at + 1, at + 5))
}

/** `Result of the division`, `Results`: the whole word, then anything short. */
export function isResult(raw: string, { resultOf }: Grammar): boolean {
  const blank = raw.indexOf(' ')
  return resultOf.has(foldWord(blank < 0 ? raw : raw.slice(0, blank)))
}

/** Goes over `Step 3 - ` before a label; gives where the label begins, or -1 when `end` comes before that is known. */
export function skipStep(text: string, start: number, end: number, { steps }: Grammar): number {
  const first = text.charAt(start).toLowerCase()
  for (const word of steps) {
    if (word[0] !== first) continue
    const behind = start + word.length
    if (behind >= end) {
      if (word.startsWith(text.slice(start, end).toLowerCase())) return -1
      continue
    }
    if (text.slice(start, behind).toLowerCase() !== word) continue
    const digits = skipBlank(text, behind, Math.min(end, behind + 8))
    if (digits >= end) return -1
    const number = skipDigits(text, digits, Math.min(end, digits + 4))
    if (number === digits) continue
    const dash = skipBlank(text, number, Math.min(end, number + 8))
    if (dash >= end) return -1
    if (!'-–—:.)：、．'.includes(text.charAt(dash))) continue
    const label = skipBlank(text, dash + 1, Math.min(end, dash + 9))
    return label >= end ? -1 : label
  }
  return start
}

function skipDigits(text: string, start: number, end: number): number {
  let i = start
  while (i < end && text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57) i++
  return i
}

export function skipBlank(text: string, start: number, end: number): number {
  let i = start
  while (i < end && isSpace(text.charCodeAt(i))) i++
  return i
}

export function isColon(code: number): boolean {
  return code === 58 || code === 0xff1a || code === 0xfe55 || code === 0x2236
}

export function isSpace(code: number): boolean {
  return (
    code === 32 ||
    (code >= 9 && code <= 13) ||
    code === 0xa0 ||
    code === 0x3000 ||
    code === 0xfeff ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x85 ||
    (code >= 0x2000 && code <= 0x200a)
  )
}

function foldWide(text: string): string {
  let folded = ''
  for (const char of text.normalize('NFC').toLowerCase()) {
    const code = char.codePointAt(0) as number
    if (code > 127 ? !isSpace(code) && code !== 0x2019 : (code >= 97 && code <= 122) || (code >= 48 && code <= 57)) folded += char
  }
  return folded
}
