// Reads replies without an agent around: one whole text, or chunks as they come. The dialect is react unless another is given.
import type { Dialect, ReadReply, ReplyParser } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import type { Finish } from '../core/model.js'
import { nearNames } from '../core/near-names.js'
import type { ToolSpec } from '../core/tool.js'
import { createLabelParser, readWhole } from '../parse/label-parser.js'
import { CHINESE, ENGLISH } from '../parse/label-words.js'
import { compileLabels, type Grammar } from '../parse/labels.js'
import { toolbox } from '../parse/tool-shape.js'
import { grammarOf } from './label-dialect.js'
import { LANGUAGES } from './languages.js'
import { react } from './react.js'

export interface ReadOptions {
  /** The tools that can be called. Unset (not empty): names are taken as written and plain text becomes `{input: text}`. */
  readonly tools?: readonly ToolSpec[]
  /** Default: react. */
  readonly dialect?: Dialect
  /** Label words of one language besides English and Chinese: `de`, `fr`, `es`, `pt`, `it`, `ru`, `ja`, `ko`. */
  readonly labels?: string
  /** How the reply ended; default `stop`. */
  readonly finish?: Finish
}

/** Reads one whole reply. Never throws, whatever the text; throws `CONFIG` for labels nobody knows. */
export function parseReply(text: string, options: ReadOptions = {}): ReadReply {
  const grammar = options.labels === undefined ? grammarOf(options.dialect ?? react) : translated(options.labels, options.dialect)
  if (grammar) return readWhole(text, grammar, toolbox(options.tools), options.finish)
  const parser = createReplyParser(options)
  const first = parser.push(text)
  const read = parser.end(options.finish)
  return first.length === 0 ? read : { ...read, deltas: [...first, ...read.deltas] }
}

/** A parser for one reply that arrives in chunks. */
export function createReplyParser(options: Omit<ReadOptions, 'finish'> = {}): ReplyParser {
  if (options.labels === undefined) return (options.dialect ?? react).createParser(options.tools ? { tools: options.tools } : {})
  return createLabelParser(translated(options.labels, options.dialect), toolbox(options.tools))
}

function translated(labels: string, dialect: Dialect = react): Grammar {
  const key = `${dialect.name}/${labels}`
  const known = grammars.get(key)
  if (known) return known
  const words = Object.hasOwn(LANGUAGES, labels) ? LANGUAGES[labels] : undefined
  if (!words) {
    const names = Object.keys(LANGUAGES)
    const [near] = nearNames(labels, names)
    throw new SaydoError('CONFIG', `There are no labels "${labels}".`, {
      hint: near ? `Did you mean "${near}"?` : `Choose one of ${names.join(', ')}.`,
    })
  }
  const own = dialect.labels
  const grammar = compileLabels([
    words,
    { thought: own.thought, action: own.action, input: own.actionInput, observation: own.observation, answer: own.finalAnswer },
    ENGLISH,
    CHINESE,
  ])
  grammars.set(key, grammar)
  return grammar
}

const grammars = new Map<string, Grammar>()
