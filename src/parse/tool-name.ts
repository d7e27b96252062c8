// The name a model wrote → the registered tool it means. Only spelling is forgiven, never a different word.
import { foldWord, isDigit, isLatin } from './characters.js'
import { headOf } from './heads.js'
import type { Toolbox, ToolShape } from './tool-shape.js'

export interface ResolvedName {
  readonly name: string
  /** Unset when no tools were given. */
  readonly shape?: ToolShape
  readonly how: 'exact' | 'cleaned' | 'folded'
}

/** Finds the tool that `written` names: exact, then cleaned of decoration, then folded when that leaves exactly one. */
export function resolveTool(written: string, box: Toolbox): ResolvedName | undefined {
  const trimmed = written.trim()
  if (!trimmed || trimmed.length > MAX_NAME) return undefined
  if (box.open) return openName(trimmed)
  const exact = box.byName.get(trimmed)
  if (exact) return { name: exact.name, shape: exact, how: 'exact' }
  const cleaned = cleanName(trimmed)
  const shape = box.byName.get(cleaned)
  if (shape) return { name: shape.name, shape, how: 'cleaned' }
  return foldedName(trimmed, box) ?? foldedName(cleaned, box) ?? quotedName(trimmed, box)
}

/** Whether `written` names a tool that was given. */
export function isRegistered(written: string, box: Toolbox): boolean {
  return !box.open && resolveTool(written, box) !== undefined
}

/** Strips quotes, backticks, brackets, prefixes and trailing punctuation around a name. */
export function cleanName(written: string): string {
  let name = written.trim()
  for (let again = 0; again < 6; again++) {
    const before = name
    const first = name.charAt(0)
    const pair = PAIRS[first]
    if (pair && name.length > 1 && name.endsWith(pair)) name = name.slice(1, -1).trim()
    else if ('*_`'.includes(first) && first !== '_' && name.length > 1) name = name.slice(1).trim()
    for (const prefix of PREFIXES) if (name.startsWith(prefix)) name = name.slice(prefix.length)
    if (name.endsWith('()')) name = name.slice(0, -2).trim()
    while (name.length > 1 && TRAILING.includes(name.charAt(name.length - 1))) name = name.slice(0, -1).trimEnd()
    if (name === before) break
  }
  return name
}

/**
 * Where a bracket opens right behind the name of a registered tool, whatever characters that name holds, at the beginning of `text`; -1 when
 * none does.
 */
export function bracketBehindName(text: string, box: Toolbox): number {
  const bracket = text.slice(0, MAX_NAME).search(/[[({\n]/)
  if (box.open || bracket <= 0) return -1
  const tool = text[bracket] === '\n' ? undefined : resolveTool(text.slice(0, bracket), box)
  return tool === undefined || tool.how === 'cleaned' ? -1 : bracket
}

function openName(written: string): ResolvedName | undefined {
  const name = cleanName(written)
  if (!name || name.includes('\n')) return undefined
  return { name, how: name === written ? 'exact' : 'cleaned' }
}

function foldedName(written: string, box: Toolbox): ResolvedName | undefined {
  const head = headOf(written)
  if ((head !== undefined && !box.heads.has(head)) || holdsMore(written, box.longest)) return undefined
  // an invisible or look-alike character is not a matter of spelling
  const same = box.byFold.get(foldWord(written))
  const shape = same?.length === 1 ? same[0] : undefined
  if (!shape || !sameLetters(written, shape.name)) return undefined
  return { name: shape.name, shape, how: 'folded' }
}

/** More letters and digits than `most`, by the first characters; false where that takes more than counting. */
function holdsMore(text: string, most: number): boolean {
  let count = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 127) return false
    if ((isLatin(code) || isDigit(code)) && ++count > most) return true
  }
  return false
}

/** Nothing but case, `_`, `-` and space may differ. */
function sameLetters(written: string, name: string): boolean {
  return strip(written) === strip(name)
}

function strip(text: string): string {
  let out = ''
  for (const char of text.toLowerCase()) if (char !== '_' && char !== '-' && char !== ' ') out += char
  return out
}

/** `Use the "search" tool` → search, when exactly one quoted word stands there. */
function quotedName(written: string, box: Toolbox): ResolvedName | undefined {
  for (const mark of ['"', '`', "'"]) {
    const open = written.indexOf(mark)
    const close = open < 0 ? -1 : written.indexOf(mark, open + 1)
    if (close < 0 || written.indexOf(mark, close + 1) >= 0) continue
    const shape = box.byName.get(written.slice(open + 1, close).trim())
    if (shape) return { name: shape.name, shape, how: 'cleaned' }
  }
  return undefined
}

/** No name is longer, in UTF-16 code units. */
const MAX_NAME = 400
const PAIRS: { readonly [open: string]: string | undefined } = {
  '"': '"',
  "'": "'",
  '`': '`',
  '[': ']',
  '<': '>',
  '(': ')',
  '“': '”',
  '‘': '’',
  '「': '」',
  '*': '*',
  '{': '}',
}
const PREFIXES = ['functions.', 'tools.', 'function.', 'tool.']
const TRAILING = '.,;:!*`。，；：'
