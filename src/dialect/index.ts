// The table of dialects. A further one is a file of its own and a line here.
import type { Dialect } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import { nearNames } from '../core/near-names.js'
import { bee } from './bee.js'
import { bracket } from './bracket.js'
import { chat } from './chat.js'
import { json } from './json.js'
import { pythonic } from './pythonic.js'
import { react } from './react.js'
import { xml } from './xml.js'

export { type DialectParts, defineDialect } from './define-dialect.js'
export { type LabelDialectOptions, labelDialect } from './label-dialect.js'
export { createReplyParser, parseReply, type ReadOptions } from './read.js'
export { react }

/** All dialects by name. */
export const DIALECTS: ReadonlyMap<string, Dialect> = new Map(
  [react, bracket, json, xml, pythonic, bee, chat].map(dialect => [dialect.name, dialect]),
)

/** The dialect of that name. Throws `CONFIG` with the nearest name when there is none. */
export function dialectByName(name: string): Dialect {
  const found = DIALECTS.get(name)
  if (found) return found
  const names = [...DIALECTS.keys()]
  const [near] = nearNames(name, names)
  throw new SaydoError('CONFIG', `There is no dialect "${name}".`, {
    hint: near ? `Did you mean "${near}"?` : `Choose one of ${names.join(', ')}.`,
  })
}
