// JSON text of one object, and a tool → its input, when the keys are the tool's parameters, the values are of the right types and all that is
// written is plain: no escapes, no key twice, no number that needs care, no text that may be a placeholder; undefined for any other text. Most
// inputs are such, and are read here in half the time that JSON.parse, the look for what it does not say, the check of the types and the copy
// without a prototype take together.
import type { JsonObject, JsonValue } from '../core/json.js'
import { isDigit, isSpace, standsAt } from './characters.js'
import { emptyInput, isExact } from './fit-object.js'
import { NEVER } from './next-place.js'
import { FORBIDDEN_KEYS, type ToolShape } from './tool-shape.js'

/** Reads `text[start, end)`, which begins with a brace. */
export function readPlainInput(text: string, start: number, end: number, shape: ToolShape): JsonObject | undefined {
  if (!shape.plainKeys) return undefined
  const json = new PlainJson(text, start)
  const input = json.input(shape)
  return json.at === end - 1 ? input : undefined
}

/** Reads value after value. Each reading begins at the first character of a value and ends at its last; undefined is for what is not plain. */
class PlainJson {
  at: number
  readonly #text: string
  #depth = 0
  /** The next character that no string may hold as it is. */
  #odd = -1

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  input(shape: ToolShape): JsonObject | undefined {
    const input = emptyInput()
    let required = 0
    let last = -1
    let more = this.#pass() !== CLOSE
    while (more) {
      const index = this.#isAt(QUOTE) ? parameterAt(this.#text, this.at + 1, shape) : -1
      const parameter = shape.parameters[index]
      // what stands in the order of the parameters stands there once
      if (!parameter || (index <= last && parameter.name in input)) return undefined
      last = Math.max(last, index)
      this.at += parameter.name.length + 1
      const value = this.#member()
      if (value === undefined || !isExact(value, parameter)) return undefined
      input[parameter.name] = value
      if (parameter.required) required++
      more = this.#goesOn()
    }
    return this.#isAt(CLOSE) && required === shape.required.length ? input : undefined
  }

  /** The value behind the key that ends here. */
  #member(): JsonValue | undefined {
    if (this.#pass() !== COLON) return undefined
    this.#pass()
    return this.#value()
  }

  #value(): JsonValue | undefined {
    const code = this.#text.charCodeAt(this.at)
    if (code === QUOTE) return this.#string()
    if (code === MINUS || isDigit(code)) return this.#number()
    if (code === OPEN || code === OPEN_LIST) return this.#nested(code)
    if (code === 116) return this.#word('true') ? true : undefined
    return code === 102 && this.#word('false') ? false : undefined
  }

  #nested(open: number): JsonValue | undefined {
    if (this.#depth === DEEPEST) return undefined
    this.#depth++
    const value = open === OPEN ? this.#object() : this.#list()
    this.#depth--
    return value
  }

  #object(): JsonObject | undefined {
    const object = emptyInput()
    let more = this.#pass() !== CLOSE
    while (more) {
      const key = this.#isAt(QUOTE) ? this.#string() : undefined
      // a look at its value is many times faster than `in`
      if (key === undefined || object[key] !== undefined || FORBIDDEN_KEYS.has(key)) return undefined
      const value = this.#member()
      if (value === undefined) return undefined
      object[key] = value
      more = this.#goesOn()
    }
    return this.#isAt(CLOSE) ? object : undefined
  }

  #list(): JsonValue | undefined {
    const list: JsonValue[] = []
    let more = this.#pass() !== CLOSE_LIST
    while (more) {
      const value = this.#value()
      if (value === undefined) return undefined
      list.push(value)
      more = this.#goesOn()
    }
    return this.#isAt(CLOSE_LIST) ? list : undefined
  }

  #string(): string | undefined {
    const text = this.#text
    const from = this.at + 1
    const first = text.charCodeAt(from)
    // a placeholder begins with a bracket, or with a blank before it
    if (first <= 32 || first === 60 || first === OPEN_LIST || first === OPEN || isSpace(first)) return undefined
    const close = text.indexOf('"', from)
    if (this.#odd < from) this.#odd = nextOdd(text, from)
    if (close < 0 || this.#odd < close) return undefined
    this.at = close
    return text.slice(from, close)
  }

  /** A whole number of at most fifteen digits. */
  #number(): number | undefined {
    const text = this.#text
    const minus = text.charCodeAt(this.at) === MINUS
    const from = minus ? this.at + 1 : this.at
    let i = from
    let value = 0
    for (let code = text.charCodeAt(i); isDigit(code); code = text.charCodeAt(++i)) value = value * 10 + code - 48
    const digits = i - from
    const next = text.charCodeAt(i)
    if (digits === 0 || digits > 15 || (digits > 1 && text.charCodeAt(from) === 48)) return undefined
    if (next === 46 || (next | 32) === 101) return undefined
    this.at = i - 1
    return minus ? -value : value
  }

  #word(word: string): boolean {
    if (!standsAt(this.#text, word, this.at)) return false
    this.at += word.length - 1
    return true
  }

  /** Behind a value: goes over a comma, or to what stands there instead. */
  #goesOn(): boolean {
    if (this.#pass() !== COMMA) return false
    this.#pass()
    return true
  }

  #isAt(code: number): boolean {
    return this.#text.charCodeAt(this.at) === code
  }

  /** Goes to the next character that is not blank, and gives its code. */
  #pass(): number {
    const text = this.#text
    let i = this.at + 1
    let code = text.charCodeAt(i)
    while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++i)
    this.at = i
    return code
  }
}

/** Which parameter's name stands at `at`, up to a quote; -1 for none. */
function parameterAt(text: string, at: number, { parameters }: ToolShape): number {
  for (let i = 0; i < parameters.length; i++) {
    const { name } = parameters[i] as { name: string }
    if (text.charCodeAt(at + name.length) === QUOTE && standsAt(text, name, at)) return i
  }
  return -1
}

function nextOdd(text: string, from: number): number {
  ODD.lastIndex = from
  return ODD.test(text) ? ODD.lastIndex - 1 : NEVER
}

const DEEPEST = 8
const OPEN = 123
const CLOSE = 125
const OPEN_LIST = 91
const CLOSE_LIST = 93
const QUOTE = 34
const COLON = 58
const COMMA = 44
const MINUS = 45
/** What JSON writes as an escape, and the escapes themselves. */
const ODD = /[\0-\x1f\\]/g
