// Problems of one reading, as they are met. Takes them back when a reading was only tried.
import type { JsonObject } from '../core/json.js'
import type { Problem, ProblemCode, UnclearCode } from '../core/reply.js'

/** Where in the text that is being read, [start, end). */
export interface Place {
  readonly start: number
  readonly end: number
}

/** What makes a reading end without a decision. */
export interface Refusal {
  readonly ok: false
  readonly code: UnclearCode
  readonly message: string
  readonly place: Place
  readonly data?: JsonObject
}

export class Notes {
  readonly #list: Problem[] = []
  readonly #original: (position: number) => number

  /** `original` turns a position of the cleaned text into one of the reply; default: they are the same. */
  constructor(original: (position: number) => number = unmoved) {
    this.#original = original
  }

  add<Code extends ProblemCode>(
    code: Code,
    message: string,
    place: Place,
    cost: number,
    data?: JsonObject,
  ): Problem & { readonly code: Code } {
    const start = this.#original(place.start)
    const problem = {
      code,
      message,
      span: [start, Math.max(start, this.#original(place.end))] as const,
      cost,
      ...(data ? { data } : {}),
    }
    this.#list.push(problem)
    return problem
  }

  /** Adds one whose span is already a span of the reply. */
  addOriginal(problem: Problem): void {
    this.#list.push(problem)
  }

  get mark(): number {
    return this.#list.length
  }

  /** What was noted since `mark`. */
  since(mark: number): readonly Problem[] {
    return this.#list.slice(mark)
  }

  /** Forgets what was noted since `mark`. */
  rewind(mark: number): void {
    this.#list.length = mark
  }

  /** The sum of all costs since `mark`. */
  costSince(mark: number): number {
    let sum = 0
    for (let i = mark; i < this.#list.length; i++) sum += this.#list[i]?.cost ?? 0
    return sum
  }

  list(): readonly Problem[] {
    return this.#list.length < 2 ? this.#list : [...this.#list].sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])
  }
}

/** The position itself, where the text is the reply's own. */
export function unmoved(position: number): number {
  return position
}

export function refuse(code: UnclearCode, message: string, place: Place, data?: JsonObject): Refusal {
  return { ok: false, code, message, place, ...(data ? { data } : {}) }
}

/** Where `text[from, to)` stands without the white space around it. */
export function trimmed(text: string, from: number, to: number): Place {
  const value = text.slice(from, to)
  const start = from + value.length - value.trimStart().length
  return { start, end: Math.max(start, from + value.trimEnd().length) }
}

/** At most 80 characters of a text, for a correction. */
export function quote(text: string): string {
  const bare = text.trim()
  const flat = bare.slice(0, 80).replace(/\s/g, ' ')
  return bare.length <= 80 ? flat : `${flat.slice(0, 79).replace(/[\ud800-\udbff]$/, '')}…`
}
