// Reads replies without an agent around: one whole text, or chunks as they come. The dialect is react unless another is given.
import type { Dialect, ParserOptions, ReadReply, ReplyParser } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import type { Finish } from '../core/model.js'
import { readWhole } from '../parse/label-parser.js'
import { toolbox } from '../parse/tool-shape.js'
import { rulesOf } from './define-dialect.js'
import { react } from './react.js'

export interface ReadOptions extends ParserOptions {
  /** Default: react. */
  readonly dialect?: Dialect
  /** How the reply ended; default `stop`. */
  readonly finish?: Finish
}

/** Reads one whole reply. Never throws, whatever the text; throws `CONFIG` for what is no text, and for labels, strict codes or a finish nobody knows. */
export function parseReply(text: string, options: ReadOptions = {}): ReadReply {
  // an endpoint gives null where it gives no text
  if (typeof text !== 'string')
    throw new SaydoError('CONFIG', `A reply is a string, not ${text === null ? 'null' : typeof text}.`, {
      hint: "For a reply without text, give ''.",
    })
  requireDialect(options.dialect)
  const { dialect = react, finish, tools } = options
  // a whole text needs no deltas on the way
  const rules = rulesOf(dialect, options)
  if (rules) return readWhole(text, rules.grammar, toolbox(tools), finish, rules.strict)
  const parser = dialect.createParser(options)
  const first = parser.push(text)
  const read = parser.end(finish)
  return first.length === 0 ? read : { ...read, deltas: [...first, ...read.deltas] }
}

/** A parser for one reply that arrives in chunks. Throws `CONFIG` for labels or strict codes nobody knows. */
export function createReplyParser(options: Omit<ReadOptions, 'finish'> = {}): ReplyParser {
  requireDialect(options.dialect)
  return (options.dialect ?? react).createParser(options)
}

/** Throws `CONFIG` for what is no dialect, such as the name of one. */
export function requireDialect(dialect: Dialect | undefined): void {
  if (dialect === undefined || typeof dialect?.createParser === 'function') return
  throw new SaydoError('CONFIG', 'The option dialect is no dialect.', {
    hint: `Give the dialect itself, such as dialectByName('${typeof dialect === 'string' ? dialect : 'react'}').`,
  })
}
