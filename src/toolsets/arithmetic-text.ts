// Arithmetic as models and people write it → the same in one plain notation, or an error that says what to write instead. Whatever could
// mean two things is refused: a wrong number is worse than another try.

const MOST_CHARS = 1000
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

const SIGNS: readonly (readonly [written: string, meant: string])[] = [
  ['×✕⋅·∙＊', '*'],
  ['÷∕⁄／', '/'],
  ['−–—－', '-'],
  ['＋', '+'],
  ['＾', '^'],
  ['％', '%'],
  ['（', '('],
  ['）', ')'],
  ['，', ', '],
  ['．', '.'],
  ['＝', '='],
  ['²', '^2'],
  ['³', '^3'],
  ['π', ' pi '],
  ['≤', '<='],
  ['≥', '>='],
]
const SIGN_MEANT = new Map(SIGNS.flatMap(([written, meant]) => [...written].map(char => [char, meant] as const)))

// each part is anchored where reading stands, so one pass reads any text
const TOKEN =
  /(?<blank>\s+)|(?<number>(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\d_]*)|(?<sign>[<>=]=|[-+*/^%!(),<>])/uy

type Kind = 'blank' | 'number' | 'name' | 'sign'
interface Token {
  readonly kind: Kind
  text: string
}

/** Which names may stand in an expression: functions before a parenthesis, constants alone. */
export interface Names {
  readonly functions: ReadonlySet<string>
  readonly constants: ReadonlySet<string>
}

/**
 * Gives the expression with `+ - * / ^ % ! ( ) ,`, one comparison, lower-case names and bare numbers.
 *
 * Outside of a function's parentheses `1,234` is one thousand two hundred and thirty-four; inside them a comma separates.
 *
 * @throws Error with a sentence for the model
 */
export function readArithmetic(expression: string, names: Names): string {
  if (expression.length > MOST_CHARS) throw new Error(`the expression is too long: at most ${MOST_CHARS} characters`)
  const text = plainSigns(expression)
  const percent = /^(\d+(?:\.\d+)?) ?% of (\d+(?:\.\d+)?)$/i.exec(text)
  if (percent) return `${percent[1]} / 100 * ${percent[2]}`
  const tokens = joinThousands(tokensOf(text))
  if (tokens.length === 0) throw new Error('there is no expression')
  checkNeighbours(tokens, names)
  return tokens.map(({ text }) => text).join(' ')
}

function plainSigns(expression: string): string {
  return (
    [...expression]
      .map(char => SIGN_MEANT.get(char) ?? (/[０-９]/.test(char) ? char.normalize('NFKC') : char))
      .join('')
      .replaceAll('**', '^')
      .replace(/√ ?(\d+(?:\.\d+)?)/g, 'sqrt($1)')
      .replace(/√ ?\(/g, 'sqrt(')
      .replace(/\bmath\./gi, '')
      // repair: "= 2 + 2" of a spreadsheet, and "2 + 2 =" or "2 + 2 = ?"
      .replace(/^\s*=(?!=)/, '')
      .replace(/=\s?\??\s*$/, '')
      .trim()
  )
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const groups = TOKEN.exec(text)?.groups
    if (groups === undefined) throw new Error(unreadable(text.slice(at)))
    const [kind, part = ''] = Object.entries(groups).find(([, part]) => part !== undefined) ?? ['blank']
    tokens.push({ kind: kind as Kind, text: kind === 'number' ? part.replaceAll('_', '') : part })
  }
  return tokens
}

function unreadable(rest: string): string {
  const [char = ''] = rest
  if (char === '=') return 'there are no assignments here: write only what is to be calculated'
  if (char === '"' || char === "'") return 'there is no text here: write only numbers and operators'
  return `${JSON.stringify(char)} cannot be read: write only numbers, operators and parentheses, without units`
}

interface Parenthesis {
  readonly isCall: boolean
  /** Has a comma that could stand in a number. */
  tight: boolean
  /** Has a comma with a blank behind it. */
  loose: boolean
}

// takes the blanks out, makes one number of 1,234,567 and leaves the commas between arguments
function joinThousands(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  const open: Parenthesis[] = []
  for (const [at, token] of tokens.entries()) {
    const last = joined.at(-1)
    const inside = open.at(-1)
    if (token.kind === 'blank') continue
    if (token.text === '(') open.push({ isCall: last?.kind === 'name', tight: false, loose: false })
    if (token.text === ')') open.pop()
    if (token.text === ',' && inside?.isCall) noteSeparator(inside, tokens, at)
    else if (token.text === ',') {
      if (!isThousands(tokens, at))
        throw new Error('a comma is in the wrong place: write decimals with a point, and numbers without separators')
      continue
    }
    if (last?.kind === 'number' && tokens[at - 1]?.text === ',' && !inside?.isCall) last.text += token.text
    else joined.push({ ...token })
  }
  return joined
}

function noteSeparator(inside: Parenthesis, tokens: readonly Token[], comma: number): void {
  inside.tight ||= isThousands(tokens, comma)
  inside.loose ||= tokens[comma + 1]?.kind === 'blank'
  if (inside.tight && inside.loose)
    throw new Error('it is not clear which commas separate arguments: write numbers without thousands separators')
}

function isThousands(tokens: readonly Token[], comma: number): boolean {
  const before = tokens[comma - 1]
  const after = tokens[comma + 1]
  // behind a point there are no groups: 1.234,567
  const isFirst = tokens[comma - 2]?.text !== ','
  const startsWell = before?.kind === 'number' && (isFirst ? /^\d{1,3}$/ : /^\d{3}$/).test(before.text)
  return startsWell && after?.kind === 'number' && /^\d{3}(?:\.\d*)?$/.test(after.text)
}

function checkNeighbours(tokens: Token[], names: Names): void {
  let comparisons = 0
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1]
    const after = tokens[at + 1]
    if (token.kind === 'number') checkNumber(token.text, before)
    if (token.kind === 'name') token.text = nameOf(token.text, before, after, names)
    if (token.text === '(' && endsOperand(before))
      throw new Error(`there is no operator between ${before.text} and the parenthesis`)
    if (token.text === '%' && !startsOperand(after))
      throw new Error('% is the remainder of a division; for 15 % of 80 write 15 / 100 * 80')
    if (token.text === '!' && after?.text === '!') throw new Error('!! is not known: write the factorials with parentheses')
    if (/^[<>]=?$|^==$/.test(token.text) && ++comparisons > 1) throw new Error('compare two values at a time')
  }
}

function checkNumber(text: string, before: Token | undefined): void {
  if (before?.kind === 'number') throw new Error(`there is no operator between ${before.text} and ${text}`)
  if (before?.text === ')') throw new Error(`there is no operator before ${text}`)
  if (/^0\d/.test(text))
    throw new Error(`${text} begins with a zero: write numbers without leading zeros and thousands separators`)
  if (/^\d+$/.test(text) && BigInt(text) > LARGEST) throw new Error(`${text} has more digits than can be calculated with exactly`)
}

function nameOf(name: string, before: Token | undefined, after: Token | undefined, { functions, constants }: Names): string {
  const known = name.toLowerCase()
  // there are no variables, so an x between two operands can only mean "times"
  if (known === 'x' && endsOperand(before) && startsOperand(after)) return '*'
  if (known === 'log') throw new Error('log can mean two things: write ln(…) for base e, log10(…) for base 10')
  if (endsOperand(before)) throw new Error(`there is no operator before ${name}`)
  if (constants.has(known)) return known
  if (!functions.has(known)) throw new Error(`${name} is not known; known are ${[...functions, ...constants].join(', ')}`)
  if (after?.text !== '(') throw new Error(`${name} needs parentheses: ${name}(…)`)
  return known
}

function endsOperand(token: Token | undefined): token is Token {
  return (
    token !== undefined && (token.kind === 'number' || token.text === ')' || token.text === '!' || /^(?:pi|e)$/i.test(token.text))
  )
}

function startsOperand(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === 'number' || token.kind === 'name' || token.text === '(')
}
