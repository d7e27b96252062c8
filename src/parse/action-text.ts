// The text after an action label → what it asks for: calls, a name whose input stands elsewhere, an answer, or no action at all.
import { isObject } from '../core/json.js'
import { readJson } from './action-input.js'
import { answersBeside, callList, noteIgnored, readCallObject, thoughtBeside } from './call-object.js'
import { foldWord } from './characters.js'
import { type FinishReading, readFinish } from './finish-text.js'
import { type Grammar, isFinish } from './grammar.js'
import { type CallReading, callOf, type Inline, noteName } from './inline-call.js'
import { scanCall } from './json-scan.js'
import { TEXT_AFTER_CALL } from './left-out.js'
import { type NativeReading, readNative } from './native-markup.js'
import { isNativeAt } from './native-words.js'
import { type Notes, type Place, quote, type Refusal, refuse } from './notes.js'
import { cleanName, isRegistered, type ResolvedName, resolveTool } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'
import { unfence } from './unfence.js'

export type ActionReading =
  | {
      readonly kind: 'calls'
      readonly calls: readonly CallReading[]
      readonly end: number
      readonly thought?: string
    }
  /** A tool's name; `inline` is what stands behind it. */
  | { readonly kind: 'name'; readonly tool: ResolvedName; readonly inline?: Inline; readonly end: number; readonly place: Place }
  | FinishReading
  | { readonly kind: 'none'; readonly end: number; readonly place: Place }
  | {
      readonly kind: 'unknown'
      readonly written: string
      readonly input: string | undefined
      readonly end: number
      readonly place: Place
    }
  | { readonly kind: 'native'; readonly native: NativeReading }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Reads the value of an action label, which is `text[start, end)`. */
export function readActionText(
  text: string,
  start: number,
  end: number,
  box: Toolbox,
  grammar: Grammar,
  notes: Notes,
): ActionReading {
  const raw = text.slice(start, end)
  const lead = raw.length - raw.trimStart().length
  let body = raw.trim()
  let at = start + lead
  let wrapped = false
  if (body.startsWith('```')) {
    const inner = unfence(body)
    if (inner.kind) {
      wrapped = true
      at += inner.offset
      body = inner.text
    }
  } else if (/^`[^`\n]{1,4000}`(?=\s|$)/.test(body.slice(0, 4100))) {
    const close = body.indexOf('`', 1)
    if (body.slice(1, close).trim().length > 0 && !box.byName.has(body)) {
      const rest = body.slice(close + 1)
      at += 1
      body = body.slice(1, close) + (rest.trim() ? ` ${rest}` : '')
    }
  }
  if (body.startsWith('{') || /^\[\s{0,40}\{/.test(body.slice(0, 48))) return readObjects(body, at, box, grammar, notes, wrapped)
  if (isNativeAt(text, at, true, box) && !wrapped) return { kind: 'native', native: readNative(text, at, end, box) }
  const newline = body.indexOf('\n')
  const line = newline < 0 ? body : body.slice(0, newline)
  const lineEnd = at + line.length
  const whole = resolveTool(line, box)
  if (whole && (!box.open || isBareName(line))) {
    if (!(box.open && (isFinish(line, grammar) || isNone(line, grammar)))) {
      noteName(whole, { start: at, end: lineEnd }, notes)
      return { kind: 'name', tool: whole, end: lineEnd, place: { start: at, end: lineEnd } }
    }
  }
  const finish = readFinish(body, at, grammar, box)
  if (finish) return finish
  if (isNone(line, grammar)) return { kind: 'none', end: lineEnd, place: { start: at, end: lineEnd } }
  for (const head of [firstBracket(line), lastBracket(line), keywordAt(line)]) {
    const name = nameBefore(line, head)
    const tool = resolveTool(name, box)
    if (!tool || (box.open && (!isBareName(name) || isFinish(name, grammar)))) continue
    noteName(tool, { start: at, end: at + head }, notes)
    const inline = inlineAt(body, line, head, at)
    return { kind: 'name', tool, end: inline.end, place: { start: at, end: inline.end }, inline }
  }
  return readUnknown(body, line, at, box)
}

/** What is written behind a name, from `head` on: in brackets, or as `key="value"` to the end of the line. */
function inlineAt(body: string, line: string, head: number, at: number): Inline {
  const spaced = /\s/.test(body[head - 1] ?? '')
  if (!isBracket(body[head]))
    return {
      text: line.slice(head),
      start: at + head,
      end: at + line.length,
      square: false,
      spaced,
      open: false,
      glued: false,
      bare: true,
    }
  const close = scanCall(body, head, body.length)
  const stop = close < 0 ? body.length : close
  const curly = body[head] === '{'
  return {
    text: curly ? body.slice(head, stop) : body.slice(head + 1, close < 0 ? stop : close - 1),
    start: at + head + (curly ? 0 : 1),
    end: at + stop,
    square: curly || body[head] === '[',
    spaced,
    open: close < 0,
    glued: close >= 0 && goesOn(body, close),
    bare: false,
  }
}

/** A line that names no tool: one that nobody knows, or a sentence in place of a name. */
function readUnknown(body: string, line: string, at: number, box: Toolbox): ActionReading {
  const end = at + line.length
  const place: Place = { start: at, end }
  const bracket = firstBracket(line)
  const name = nameBefore(line, bracket)
  const inline = bracket < 60 && /^[\p{L}\p{N}_ .-]{1,60}$/u.test(name) ? inlineAt(body, line, bracket, at) : undefined
  const wanted = beginsWithTool(line, box)
  const given = argumentsFrom(body, line)
  const words = line.trim().split(/\s+/, 4).length
  if (!wanted && given < 0 && words >= 3 && !(inline && name.split(/\s+/).length < 3)) return { kind: 'none', end, place }
  const written = inline ? name : given >= 0 ? nameBefore(line, given) : line
  return {
    kind: 'unknown',
    written: cleanName(written).slice(0, 200),
    input: inline?.text ?? (given >= 0 ? body.slice(given).trim() : wanted ? '' : undefined),
    end,
    place,
  }
}

/**
 * Where arguments begin on the first line or right below it, an object with a key or `key="value"`; -1 when there are none. Whatever stands before
 * them, who gives arguments calls something.
 */
function argumentsFrom(body: string, line: string): number {
  const brace = body.indexOf('{')
  const between = body.slice(line.length, Math.max(line.length, brace)).replace(/```\w{0,12}/, '')
  const near = brace >= 0 && between.trim() === ''
  if (near && /^\{\s{0,40}["'“]?[\p{L}_][\p{L}\p{N}_ -]{0,63}["'”]?\s{0,8}[:：]/u.test(body.slice(brace, brace + 130)))
    return brace
  return keywordAt(line)
}

/** The name of a tool, although more follows: whoever writes so wants something of a tool, and is no sentence that wants none. */
function beginsWithTool(line: string, box: Toolbox): boolean {
  const [, word, sign] = /^([\p{L}\p{N}_.-]{1,64})(?:\s{1,8}|(?![\p{L}\p{N}_.-]))([^\p{L}\p{N}\s]?)/u.exec(line) ?? []
  if (box.open || word === undefined || word.length === line.length) return false
  // in another spelling it may be a word of a sentence, unless a sign follows
  return box.byName.has(word) || (sign !== '' && isRegistered(word, box))
}

/** Reads a list of call objects, or one. */
export function readObjects(
  body: string,
  at: number,
  box: Toolbox,
  grammar: Grammar,
  notes: Notes,
  wrapped = false,
): ActionReading {
  const found: CallReading[] = []
  let thought: string | undefined
  let offset = 0
  for (let count = 0; count < 64; count++) {
    const piece = body.slice(offset)
    const read = readJson(piece, at + offset, notes)
    if (!read.ok)
      return count === 0
        ? { kind: 'refused', refusal: read }
        : {
            kind: 'calls',
            calls: [...found, { name: '', reading: read, place: read.place, written: quote(piece) }],
            end: at + body.length,
          }
    const placeOf: Place = { start: at + offset, end: at + offset + read.end }
    const list = callList(read.value)
    if (list[0] !== read.value) {
      thought = thoughtBeside(read.value)
      if (answersBeside(read.value))
        return { kind: 'refused', refusal: refuse('AMBIGUOUS_CALL', 'An answer stands among calls.', placeOf) }
    }
    for (const element of list) {
      const object = isObject(element) ? readCallObject(element, box, grammar, true) : undefined
      if (!object)
        return { kind: 'refused', refusal: refuse('MISSING_TOOL', 'The object names no tool.', placeOf, { quote: quote(piece) }) }
      if (object.thought !== undefined) thought = object.thought
      noteIgnored(object.ignored, placeOf, notes)
      if (object.kind === 'answer') {
        if (list.length > 1 || count > 0)
          return { kind: 'refused', refusal: refuse('AMBIGUOUS_CALL', 'An answer stands among calls.', placeOf) }
        return { kind: 'answer', text: object.text, place: placeOf, end: placeOf.end, open: false, envelope: true }
      }
      found.push(callOf(object.name, object.args, placeOf, box, notes))
    }
    offset += read.end
    const rest = body.slice(offset)
    const next = /^[\s,;]{0,200}(?=\{)/.exec(rest)
    if (!next) break
    offset += next[0].length
  }
  const after = body.slice(offset).replace(/^[\s`]+/, '')
  if (after && !wrapped) notes.add('TEXT_AFTER_CALL', TEXT_AFTER_CALL, { start: at + offset, end: at + body.length }, 0)
  return { kind: 'calls', calls: found, end: at + offset, ...(thought === undefined ? {} : { thought }) }
}

/** Behind a bracket an operator, or something glued to it, shows that it was no call's end. */
function goesOn(body: string, close: number): boolean {
  const rest = body.slice(close, close + 40)
  if (/^(?:\*{1,3}|[`_]{1,3})\s{0,8}(?:$|\n)/.test(rest)) return false
  return (
    /^[\w([{"'*+/%^=<>|&-]/.test(rest) || /^[ \t]{1,8}(?:[*+/%^=<>|&]|[=!<>]=|&&|\|\||-(?=\s{0,4}\d))\s{0,4}[\w(["']/.test(rest)
  )
}

/** What an action line says when no tool is wanted. */
export function isNone(line: string, grammar: Grammar): boolean {
  const text = cleanName(line).trim()
  if (!text || text === '-' || text === '–') return text !== ''
  if (text.length <= LONGEST_NONE && grammar.noAction.has(foldWord(text))) return true
  const first = /^[\p{L}/]{1,24}/u.exec(text)?.[0]
  if (!first || first.length === text.length) return false
  const fold = foldWord(first)
  const second = foldWord(text.slice(first.length).trim().split(/\s/, 1)[0] ?? '')
  if (fold === 'none') return true
  if (fold === 'no')
    return ['tool', 'tools', 'action', 'actions', 'need', 'further', 'more', 'additional', 'external'].includes(second)
  return fold.length > 1 && fold !== 'not' && fold !== 'na' && grammar.noAction.has(fold) && !/[a-z]/.test(fold)
}

function firstBracket(line: string): number {
  return line.search(/[[({（]/)
}

function isBracket(char: string | undefined): boolean {
  return char !== undefined && '[({（'.includes(char)
}

/** Where `key="value"` begins behind a space. */
function keywordAt(line: string): number {
  for (const { index } of line.matchAll(/=["'“]/g)) {
    const key = /(?<=\s)[\p{L}_][\p{L}\p{N}_]{0,63}$/u.exec(line.slice(Math.max(0, index - LONGEST_KEY), index))
    if (key) return index - key[0].length
  }
  return -1
}

function lastBracket(line: string): number {
  const at = line.indexOf(' (')
  return at > 0 ? at + 1 : -1
}

/** Words that could be a name when no tools are given: no sentence, and no sign that stands alone. */
function isBareName(line: string): boolean {
  const words = line.trim().split(/\s+/)
  return !/[[({:}\])]/.test(line) && words.length < 6 && !words.some(isSign) && !/[<>="`“”«»‹›]/.test(cleanName(line))
}

function isSign(word: string): boolean {
  return /^[\p{P}\p{Sm}\p{Sk}]{1,4}$/u.test(word)
}

/** The name as it is written before the arguments that begin at `head`, without what only sets it off. */
function nameBefore(line: string, head: number): string {
  return line
    .slice(0, Math.max(0, head))
    .replace(/^[\s*`"']{0,4}/, '')
    .replace(/[\s*`"']{0,4}$/, '')
}

const LONGEST_NONE = 1000
/** Of a key, with the blank before it: its 64 characters may be two code units each. */
const LONGEST_KEY = 129
