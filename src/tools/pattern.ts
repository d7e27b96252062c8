// A pattern of a schema → the same pattern, which gives up on a text that takes it too long: matching holds the whole process, and no deadline or
// abort could end it. Only another context of the engine can be interrupted, so the pattern runs in one.
import { type Context, createContext, Script } from 'node:vm'

/** Time for one text, in ms. */
const MATCH_MS = 200

/** No pattern takes long over a text of so few UTF-16 code units. */
const QUICK_UNITS = 20

export interface Pattern {
  /** Throws when the match takes too long. */
  test(text: string): boolean
  toString(): string
}

/** Throws a `SyntaxError` for what is no pattern. */
export function boundedPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags)
  return {
    test: text => (text.length <= QUICK_UNITS ? pattern.test(text) : testWithin(pattern, text)),
    // what tells one pattern of a schema from another
    toString: () => pattern.toString(),
  }
}

const match = new Script('pattern.test(text)')
let place: Context | undefined

function testWithin(pattern: RegExp, text: string): boolean {
  place ??= createContext()
  Object.assign(place, { pattern, text })
  try {
    return match.runInContext(place, { timeout: MATCH_MS }) === true
  } catch (cause) {
    throw new Error(`the pattern ${pattern} took too long over a text of ${text.length} characters`, { cause })
  } finally {
    Object.assign(place, { pattern: undefined, text: undefined })
  }
}
