// The parts of a dialect, as data and small writers → the whole dialect. Every dialect is made here: they differ in how a step is written,
// while one reader understands them all, so that a model which slips into another way of writing is understood as well.
import type { Dialect, Labels, ParserOptions, Wording } from '../core/dialect.js'
import { compileLabels } from '../parse/compile-labels.js'
import type { Grammar, LabelWords } from '../parse/grammar.js'
import { createLabelParser } from '../parse/label-parser.js'
import { CHINESE, ENGLISH } from '../parse/label-words.js'
import { type Strict, strictCodes } from '../parse/not-exact.js'
import { toolbox } from '../parse/tool-shape.js'
import { isAlwaysRead, languageWords } from './languages.js'
import { guarded, isWritten, type StepWriter, writeStep } from './write-step.js'

export interface DialectParts extends StepWriter {
  readonly name: string
  /** What a prompt calls the parts of a step: a template's `{{labels.thought}}` is the first of its words. Default: what most models call them. */
  readonly labels?: Labels
  /** Label words that are read as this dialect's own, besides those that are always understood; default: those of react. */
  readonly words?: LabelWords
  /** How the model is told to write; default: by the names of the labels, each on its own line. */
  readonly wording?: Wording
  /** What a reply begins with, e.g. `Thought:`; a completions endpoint is given it to go on from. */
  readonly opener: string
  /** Where the model must stop: what an observation begins with, in both spellings. */
  readonly stop: readonly string[]
  /** What a task is announced with; default `Question`. */
  readonly question?: string
}

/** Labels as most models write them. */
const LABELS: Labels = {
  thought: ['Thought'],
  action: ['Action'],
  actionInput: ['Action Input'],
  observation: ['Observation'],
  finalAnswer: ['Final Answer'],
}

/** Seldom in an answer, common as a rule between texts. */
const TASK_BREAK = '====='

/** Builds a dialect from its parts. */
export function defineDialect(parts: DialectParts): Dialect {
  const { name, labels = LABELS, words = wordsOf(LABELS), wording, opener, stop, question = 'Question' } = parts
  // compiled with the first reply: importing the library should not pay for it
  const compiled = new Map<string, Grammar>()
  const grammar = (labels = ''): Grammar => {
    const known = compiled.get(labels)
    if (known) return known
    const language = isAlwaysRead(labels) ? '' : labels
    // the dialect's own names for an answer and a task are known, whatever else its words say
    const own: LabelWords = { finish: words.answer ?? [], turn: [question] }
    const tables = [words, own, ...(language === '' ? [] : [languageWords(language)]), ENGLISH, CHINESE]
    const made = language === labels ? compileLabels(tables) : grammar(language)
    compiled.set(labels, made)
    return made
  }
  const rules = ({ labels: language, strict }: Pick<ParserOptions, 'labels' | 'strict'>): Rules => {
    const [read, codes] = [grammar(language), strictCodes(strict)]
    if (!codes) return { grammar: read, strict: undefined }
    return {
      grammar: read,
      strict: { codes, isWritten: (reply, parsed) => isWritten(reply, parsed, parts, { grammar: read, words }) },
    }
  }
  const dialect: Dialect = {
    name,
    labels,
    ...(wording ? { wording } : {}),
    opener,
    stop,
    textStop: [`\n${question}:`, TASK_BREAK],
    taskBreak: TASK_BREAK,
    createParser: (options: ParserOptions = {}) => {
      const { grammar, strict } = rules(options)
      return createLabelParser(grammar, toolbox(options.tools), strict)
    },
    formatTask: task => `${question}: ${task}`,
    formatNote: text => parts.observation(text),
    formatSituation: (text, labels) => guarded(text, parts, grammar(labels)),
    formatStep: step => writeStep(step, parts, { grammar: grammar(step.labels), words }),
  }
  rulesOfAll.set(dialect, rules)
  return dialect
}

/** The label words that a dialect writes, as the reader names them. */
export function wordsOf({ thought, action, actionInput, observation, finalAnswer }: Labels): LabelWords {
  return { thought, action, input: actionInput, observation, answer: finalAnswer }
}

/** What a dialect's replies are read by. */
export interface Rules {
  readonly grammar: Grammar
  readonly strict: Strict | undefined
}

/** The rules for replies of a dialect that was built here; undefined for any other. */
export function rulesOf(dialect: Dialect, options: Pick<ParserOptions, 'labels' | 'strict'> = {}): Rules | undefined {
  return rulesOfAll.get(dialect)?.(options)
}

const rulesOfAll = new WeakMap<Dialect, (options: Pick<ParserOptions, 'labels' | 'strict'>) => Rules>()
