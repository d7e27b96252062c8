// Label words → a whole dialect: parser, writer and stop strings. React and every user's own labels are instances of it.
import type { Dialect, Labels, ParserOptions, StepToWrite, WrittenStep } from '../core/dialect.js'
import type { ParsedReply, ProblemCode } from '../core/reply.js'
import type { Observation } from '../core/tool.js'
import { assembleReply } from '../parse/assemble.js'
import { createLabelParser } from '../parse/label-parser.js'
import { CHINESE, ENGLISH } from '../parse/label-words.js'
import { compileLabels, type Grammar, type LabelWords } from '../parse/labels.js'
import { CALL_MARKUP } from '../parse/native-words.js'
import { strictCodes } from '../parse/not-exact.js'
import { toolbox } from '../parse/tool-shape.js'
import { escapeLabels, escapeThought, holdsLabel } from './escape-labels.js'
import { languageWords } from './languages.js'

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
}

/** Seldom in an answer, common as a rule between texts. */
const TASK_BREAK = '====='

/** Builds a dialect from label words. */
export function labelDialect(options: LabelDialectOptions): Dialect {
  const labels: Labels = {
    thought: list(options.thought),
    action: list(options.action),
    actionInput: list(options.actionInput),
    observation: list(options.observation),
    finalAnswer: list(options.finalAnswer),
  }
  const question = list(options.question ?? 'Question')
  const own: LabelWords = {
    ...options.words,
    thought: labels.thought,
    action: labels.action,
    input: labels.actionInput,
    observation: labels.observation,
    answer: labels.finalAnswer,
    turn: [...question, ...(options.words?.turn ?? [])],
    finish: [...labels.finalAnswer, ...(options.words?.finish ?? [])],
  }
  // compiled with the first reply: importing the library should not pay for it
  const compiled = new Map<string, Grammar>()
  const grammar = (language = '') => {
    const known = compiled.get(language)
    if (known) return known
    const made = compileLabels([...(language === '' ? [] : [languageWords(language)]), own, ENGLISH, CHINESE])
    compiled.set(language, made)
    return made
  }
  const [ask, opener, observed] = [word(question), `${word(labels.thought)}:`, word(labels.observation)]
  const dialect: Dialect = {
    name: options.name,
    labels,
    opener,
    stop: [`\n${observed}:`, `\n ${observed}:`],
    textStop: [`\n${ask}:`, TASK_BREAK],
    taskBreak: TASK_BREAK,
    createParser: ({ tools, labels: language, strict }: ParserOptions = {}) =>
      createLabelParser(grammar(language), toolbox(tools), strictCodes(strict)),
    formatTask: task => `${ask}: ${task}`,
    answerOpener: `${word(labels.finalAnswer)}:`,
    formatNote: text => `${observed}: ${text}`,
    formatStep: step => formatStep(step, labels, grammar()),
  }
  grammars.set(dialect, grammar)
  return dialect
}

/** The grammar of a dialect made of labels, with the words of one more language; undefined for any other dialect. */
export function grammarOf(dialect: Dialect, language?: string): Grammar | undefined {
  return grammars.get(dialect)?.(language)
}

function formatStep(step: StepToWrite, labels: Labels, grammar: Grammar): WrittenStep {
  return { reply: writeReply(step, labels, grammar), observation: writeObservations(step.observations, labels, grammar) }
}

function writeReply({ reply, parsed }: StepToWrite, labels: Labels, grammar: Grammar): string {
  if (!reply) return writeAnew(parsed, labels, grammar)
  const own = reply.text.slice(parsed.kept[0], parsed.kept[1]).trimEnd()
  if (parsed.decision.kind === 'unclear') return writeUnclear(withoutInvented(reply.text, parsed), parsed, labels, grammar)
  const end = parsed.kept[1]
  const clean = parsed.problems.every(
    ({ code, cost, span }) => cost === 0 && (code === 'INPUT_TO_ONLY_PARAMETER' || (DROPPED.has(code) && span[0] >= end)),
  )
  return clean && own ? own : writeAnew(parsed, labels, grammar)
}

/** The step in the dialect's own words. */
function writeAnew(parsed: ParsedReply, labels: Labels, grammar: Grammar): string {
  const thought = parsed.thought ? [`${word(labels.thought)}: ${escapeThought(parsed.thought, grammar)}`] : []
  if (parsed.decision.kind === 'answer') return [...thought, writeAnswer(parsed.decision.text, labels, grammar)].join('\n')
  if (parsed.decision.kind === 'unclear') return thought.join('\n')
  const calls = parsed.decision.calls.map(
    call => `${word(labels.action)}: ${call.tool}\n${word(labels.actionInput)}: ${JSON.stringify(call.input)}`,
  )
  return [...thought, ...calls].join('\n')
}

/** The answer under its label; in an envelope when its text would not survive there. */
function writeAnswer(text: string, labels: Labels, grammar: Grammar): string {
  const plain = `${word(labels.finalAnswer)}: ${text}`
  if (/^(?:`{3,}\w{0,12}\s{0,8})?\{/.test(text.slice(0, 40)) || holdsLabel(text, grammar) || mayHoldCall(text))
    return writeEnvelope(text, labels)
  const back = assembleReply(plain, grammar, toolbox(undefined), 'stop').decision
  if (back.kind === 'answer' && back.text === text) return plain
  return writeEnvelope(text, labels)
}

/** Something a tool could be called by, whatever tools there are. */
function mayHoldCall(text: string): boolean {
  return /\n[ \t]{0,64}\{/.test(text) || CALL_MARKUP.some(markup => text.includes(markup))
}

function writeEnvelope(text: string, labels: Labels): string {
  return `${word(labels.action)}: ${word(labels.finalAnswer)}\n${word(labels.actionInput)}: ${JSON.stringify({ answer: text })}`
}

/** What was attempted, or the model's own text without what it invented. */
function writeUnclear(own: string, parsed: ParsedReply, labels: Labels, grammar: Grammar): string {
  if (parsed.decision.kind === 'unclear' && parsed.decision.attempted) {
    const { tool, input } = parsed.decision.attempted
    const thought = parsed.thought ? [`${word(labels.thought)}: ${escapeThought(parsed.thought, grammar)}`] : []
    return [
      ...thought,
      `${word(labels.action)}: ${oneLine(tool)}`,
      `${word(labels.actionInput)}: ${escapeLabels(input.trim(), grammar)}`,
    ]
      .join('\n')
      .trimEnd()
  }
  return own
}

/** The kept text without what the model wrote in somebody else's name. */
function withoutInvented(text: string, { kept, problems }: ParsedReply): string {
  let out = ''
  let from = kept[0]
  for (const { code, span } of problems) {
    if ((code !== 'INVENTED_OBSERVATION' && code !== 'INVENTED_TURN') || span[1] <= from || span[0] >= kept[1]) continue
    out += text.slice(from, Math.max(from, span[0]))
    from = span[1]
  }
  return (out + text.slice(from, Math.max(from, kept[1]))).trim()
}

function writeObservations(observations: readonly Observation[], labels: Labels, grammar: Grammar): string {
  return observations.map(observation => `${word(labels.observation)}: ${escapeLabels(observation.text, grammar)}`).join('\n')
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
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
])
const grammars = new WeakMap<Dialect, (language?: string) => Grammar>()
