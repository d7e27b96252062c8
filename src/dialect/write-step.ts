// A step and a dialect's writer → the turns it takes in a prompt. A clean reply keeps the model's own bytes; any other is written anew, in
// the plainest of the writer's forms that reads back as the same decision. Nothing the model invented comes back.
import type { StepToWrite, WrittenStep } from '../core/dialect.js'
import type { JsonObject } from '../core/json.js'
import type { Decision, ParsedReply } from '../core/reply.js'
import type { Observation, ToolCall } from '../core/tool.js'
import { assembleReply } from '../parse/assemble.js'
import type { Grammar, LabelWords } from '../parse/grammar.js'
import { ENGLISH } from '../parse/label-words.js'
import { CALL_MARKUP } from '../parse/native-words.js'
import { type Toolbox, toolbox } from '../parse/tool-shape.js'
import { escapeLabels, escapeThought, holdsLabel } from './escape-labels.js'
import { escapeTokens } from './escape-tokens.js'

/** Longest name in front of an observation, in UTF-16 code units: one that no tool has may be long. */
const MOST_NAME = 60

/** A call as it is to be written: its input, or the one text that is its input. */
export interface CallToWrite {
  readonly tool: string
  readonly input: JsonObject | string
}

/** How a dialect writes the parts of a step. Texts come in escaped: nothing in them begins a label. */
export interface StepWriter {
  /** A thought, written above what follows it. Unset: `calls` and `answer` hold the thought themselves. */
  readonly thought?: (text: string) => string
  /** `thought` is null when the step has none, and whenever `thought()` writes it. */
  readonly calls: (calls: readonly CallToWrite[], thought: string | null) => string
  readonly answer: (text: string, thought: string | null) => string
  /** What a tool gave back, or a note in its place. */
  readonly observation: (text: string) => string
  /** Breaks what could be read as markup of the dialect in what a tool gave back; labels and control tokens are broken already. */
  readonly guard?: (text: string) => string
  /** An input that is one text may be written as that text alone, wherever this reads back. */
  readonly plainInput?: boolean
  /** Texts stand in JSON strings, where nothing in them can be taken for a label. */
  readonly quoted?: boolean
  /** Whether a reply without anything odd may stay as it is; default: when it is what would be written, but for white space. */
  readonly isClean?: (own: string, parsed: ParsedReply) => boolean
}

/** What the writer's forms are read back by. `words`: the dialect's own, for the form that is safe for any text. */
export interface Reader {
  readonly grammar: Grammar
  readonly words: LabelWords
}

export function writeStep(step: StepToWrite, writer: StepWriter, reader: Reader): WrittenStep {
  const observation = step.observations
    .map(observed => writer.observation(guarded(toldText(observed, step.observations), writer, reader.grammar)))
    .join('\n')
  return { reply: writeReply(step, writer, reader), observation }
}

/** Foreign text as it may stand in a prompt. */
export function guarded(text: string, { guard }: Pick<StepWriter, 'guard'>, grammar: Grammar): string {
  const escaped = escapeTokens(escapeLabels(text, grammar))
  return guard ? guard(escaped) : escaped
}

/** Of several observations each begins with the name of its tool. */
function toldText({ tool, text }: Observation, all: readonly Observation[]): string {
  return all.length > 1 ? `[${tool.slice(0, MOST_NAME)}] ${text}` : text
}

function writeReply({ reply, parsed, tools }: StepToWrite, writer: StepWriter, reader: Reader): string {
  const anew = () => writeAnew(parsed, writer, reader, toolbox(tools))
  if (!reply) return anew()
  if (parsed.decision.kind === 'unclear') return attempt(parsed, writer, reader.grammar) ?? withoutInvented(reply.text, parsed)
  const own = reply.text.slice(parsed.kept[0], parsed.kept[1]).trimEnd()
  return own && (writer.isClean ?? isAsWritten(writer, reader))(own, parsed) ? own : anew()
}

/** Whether a reply is what the dialect would have written, in one of its own forms, but for white space. */
function isAsWritten(writer: StepWriter, reader: Reader): NonNullable<StepWriter['isClean']> {
  return (own, parsed) => isOneOf(own, formsOf(parsed, writer, reader).own)
}

/** Whether a whole reply is what the dialect would have written, in any form, but for white space. */
export function isWritten(reply: string, parsed: ParsedReply, writer: StepWriter, reader: Reader): boolean {
  const { own, safe } = formsOf(parsed, writer, reader)
  return isOneOf(reply, [...own, ...safe])
}

function isOneOf(text: string, forms: Forms['own']): boolean {
  const bare = text.replace(/\s+/g, '')
  return forms.some(form => form().replace(/\s+/g, '') === bare)
}

/** The step in the dialect's own words. */
function writeAnew(parsed: ParsedReply, writer: StepWriter, reader: Reader, box: Toolbox): string {
  const { own, safe } = formsOf(parsed, writer, reader)
  let placeholder: string | undefined
  for (const form of [...own, ...safe]) {
    const text = form()
    const { decision } = assembleReply(text, reader.grammar, box, 'stop')
    if (decision.kind !== 'unclear' && gist(decision) === gist(parsed.decision)) return text
    // the sample of a correction is a placeholder in every form
    if (decision.kind === 'unclear' && decision.problem.code === 'PLACEHOLDER') placeholder ??= text
  }
  return placeholder ?? safe[0]?.() ?? ''
}

/** The ways to write a step: the dialect's own, the plainest first, and those that are safe for any text. */
interface Forms {
  readonly own: readonly (() => string)[]
  readonly safe: readonly (() => string)[]
}

function formsOf({ thought: said, decision }: ParsedReply, writer: StepWriter, reader: Reader): Forms {
  const thought = said ? escapeThought(said, reader.grammar) : null
  switch (decision.kind) {
    case 'act':
      return callForms(decision.calls, thought, writer, reader)
    case 'answer':
      return answerForms(decision.text, thought, writer, reader)
    case 'unclear':
      return { own: [], safe: [() => (thought === null ? '' : (writer.thought?.(thought) ?? thought))] }
  }
}

function callForms(calls: readonly ToolCall[], thought: string | null, writer: StepWriter, { words }: Reader): Forms {
  const written = (list: readonly CallToWrite[]) => () => withThought(writer, thought, rest => writer.calls(list, rest))
  const plain = calls.map(({ tool, input }) => ({ tool, input: onlyText(input) ?? input }))
  const safe = () => labelled(thought, calls, words)
  return { own: [...(writer.plainInput ? [written(plain)] : []), written(calls)], safe: [safe] }
}

function answerForms(text: string, thought: string | null, writer: StepWriter, { grammar, words }: Reader): Forms {
  // a tool may have the first of these names
  const safe = [word(words.answer, 'Final Answer'), ...(ENGLISH.finish ?? [])].map(
    name => () => labelled(thought, [{ tool: name, input: { answer: text } }], words),
  )
  const risky = !writer.quoted && (mayBeEnvelope(text) || holdsLabel(text, grammar) || mayHoldCall(text))
  return { own: risky ? [] : [() => withThought(writer, thought, rest => writer.answer(text, rest))], safe }
}

/** The step under plain labels, which holds any text. */
function labelled(thought: string | null, calls: readonly Pick<ToolCall, 'tool' | 'input'>[], words: LabelWords): string {
  const [action, input] = [word(words.action, 'Action'), word(words.input, 'Action Input')]
  const lines = calls.map(call => `${action}: ${call.tool}\n${input}: ${JSON.stringify(call.input)}`)
  return [...(thought === null ? [] : [`${word(words.thought, 'Thought')}: ${thought}`]), ...lines].join('\n')
}

function withThought(writer: StepWriter, thought: string | null, body: (thought: string | null) => string): string {
  if (thought === null || !writer.thought) return body(thought)
  return `${writer.thought(thought)}\n${body(null)}`
}

function gist(decision: Decision): string {
  if (decision.kind === 'answer') return `answer ${decision.text}`
  return decision.kind === 'act' ? JSON.stringify(decision.calls.map(({ tool, input }) => [tool, input])) : ''
}

/** An input that is one text in one line. */
function onlyText(input: JsonObject): string | undefined {
  const [text, ...rest] = Object.values(input)
  return typeof text === 'string' && rest.length === 0 && text !== '' && text.trim() === text && !/[\n\r]/.test(text)
    ? text
    : undefined
}

function mayBeEnvelope(text: string): boolean {
  return /^(?:`{3,}\w{0,12}\s{0,8})?\{/.test(text.slice(0, 40))
}

/** Something a tool could be called by, whatever tools there are. */
function mayHoldCall(text: string): boolean {
  return /\n[ \t]{0,64}\{/.test(text) || CALL_MARKUP.some(markup => text.includes(markup))
}

/** The call that the model meant and that can't be made, as far as it could be read. */
function attempt({ thought, decision }: ParsedReply, writer: StepWriter, grammar: Grammar): string | undefined {
  if (decision.kind !== 'unclear' || !decision.attempted) return undefined
  const { tool, input } = decision.attempted
  const call = { tool: tool.replace(/\s+/g, ' ').trim(), input: escapeLabels(input.trim(), grammar) }
  return withThought(writer, thought ? escapeThought(thought, grammar) : null, rest => writer.calls([call], rest)).trimEnd()
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

function word(words: readonly string[] | undefined, otherwise: string): string {
  return words?.[0] ?? otherwise
}
