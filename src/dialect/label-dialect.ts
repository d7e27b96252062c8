// Label words → a whole dialect in which each part of a step stands behind its label. React and every user's own labels are instances of it.
import type { Dialect, Labels, Wording } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import type { ParsedReply, ProblemCode } from '../core/reply.js'
import type { LabelWords } from '../parse/grammar.js'
import { defineDialect, wordsOf } from './define-dialect.js'
import { plainOrJson } from './json-text.js'

export interface LabelDialectOptions {
  readonly name: string
  /** One word, or several of which the first is written and all are read. English and Chinese labels are read besides. */
  readonly thought: string | readonly string[]
  readonly action: string | readonly string[]
  readonly actionInput: string | readonly string[]
  readonly observation: string | readonly string[]
  readonly finalAnswer: string | readonly string[]
  /** What the task is announced with; default `Question`. */
  readonly question?: string | readonly string[]
  /** Further words: names that end the run, what an action line says when no tool is wanted, other turns. */
  readonly words?: LabelWords
  /** How the model is told to write; default: by the names of the labels, each on its own line. */
  readonly wording?: Wording
}

/** Builds a dialect from label words. Throws `CONFIG` for a part of a step without a word. */
export function labelDialect(options: LabelDialectOptions): Dialect {
  const labels: Labels = {
    thought: given(options, 'thought'),
    action: given(options, 'action'),
    actionInput: given(options, 'actionInput'),
    observation: given(options, 'observation'),
    finalAnswer: given(options, 'finalAnswer'),
  }
  const question = list(options.question ?? 'Question')
  const [thought, action, input] = [word(labels.thought), word(labels.action), word(labels.actionInput)]
  const [observed, answer] = [word(labels.observation), word(labels.finalAnswer)]
  return defineDialect({
    name: options.name,
    labels,
    words: {
      ...options.words,
      ...wordsOf(labels),
      turn: [...question, ...(options.words?.turn ?? [])],
    },
    ...(options.wording ? { wording: options.wording } : {}),
    opener: `${thought}:`,
    stop: [`\n${observed}:`, `\n ${observed}:`],
    question: word(question),
    thought: text => `${thought}: ${text}`,
    calls: calls => calls.map(call => `${action}: ${call.tool}\n${input}: ${plainOrJson(call.input)}`).join('\n'),
    answer: text => `${answer}: ${text}`,
    observation: text => `${observed}: ${text}`,
    isClean,
  })
}

/** A label that is not as the dialect writes it leaves a remark, so no remark is enough: a plain-text input may stay as it is. */
function isClean(_: string, { kept, problems }: ParsedReply): boolean {
  return problems.every(
    ({ code, cost, span }) => cost === 0 && (code === 'INPUT_TO_ONLY_PARAMETER' || (DROPPED.has(code) && span[0] >= kept[1])),
  )
}

function given(options: LabelDialectOptions, part: keyof Labels): readonly string[] {
  const words = list(options[part] ?? [])
  if (words.some(text => text.trim() !== '')) return words
  throw new SaydoError('CONFIG', `The dialect "${options.name}" has no word for ${part}.`, {
    hint: 'Give a word for each of thought, action, actionInput, observation and finalAnswer.',
  })
}

function word(words: readonly string[]): string {
  return words[0] ?? ''
}

function list(words: string | readonly string[]): readonly string[] {
  return typeof words === 'string' ? [words] : words
}

/** Remarks on what was dropped; behind the kept text they leave it as the dialect would write it. */
const DROPPED: ReadonlySet<ProblemCode> = new Set([
  'INVENTED_OBSERVATION',
  'INVENTED_TURN',
  'EARLY_ANSWER',
  'LATER_CALL',
  'SECOND_ANSWER',
  'ACTION_AFTER_ANSWER',
  'STOP_WORD_CUT',
  'TEXT_AFTER_CALL',
])
