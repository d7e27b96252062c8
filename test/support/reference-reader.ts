// Whole reply → decision, slowly and obviously, by the protocol's rules of labels (§2) and of what wins (§3.1–3.6). What the parser is held against.
// Shared with the parser is what stands below those rules: the tables of words, and how a name, a call form, an object or an input is read (§4).
// It knows nothing of chunks, problems, costs, reasoning, special tokens, native markup, look-alikes or cut replies.
import type { ToolSpec } from '../../src/core/tool.js'
import { readJson } from '../../src/parse/action-input.js'
import { isNone, readActionText } from '../../src/parse/action-text.js'
import { foldWord } from '../../src/parse/characters.js'
import { compileLabels } from '../../src/parse/compile-labels.js'
import type { InputReading } from '../../src/parse/fit-object.js'
import { isProtocol, LABEL_ROLES, type LabelRole } from '../../src/parse/grammar.js'
import { inlineCall, isIdle } from '../../src/parse/inline-call.js'
import { readActionInput } from '../../src/parse/input-text.js'
import { CHINESE, ENGLISH } from '../../src/parse/label-words.js'
import { Notes } from '../../src/parse/notes.js'
import { noToolAnswer, saysNoTool } from '../../src/parse/tool-question.js'
import { type Toolbox, toolbox } from '../../src/parse/tool-shape.js'

export type Verdict =
  | { readonly kind: 'act'; readonly calls: readonly { readonly tool: string; readonly input: object }[] }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'unclear'; readonly why: string }
type Role = LabelRole | 'clash'
type Label = { readonly role: Role; readonly word: string; readonly start: number; readonly value: number; readonly mid: boolean }
type Calls = readonly { readonly name: string; readonly reading: InputReading }[]
/** What an action and the labels that belong to it come to; `next` is the label behind them, -1 when other text stands before it. */
type Step =
  | { readonly kind: 'calls'; readonly calls: Calls; readonly next: number }
  | { readonly kind: 'none'; readonly below: string; readonly meant: boolean; readonly next: number }
  | Verdict

export function readByTheRules(reply: string, tools?: readonly ToolSpec[]): Verdict {
  const box = toolbox(tools)
  const text = undressed(reply, box)
  const labels = labelsOf(text, box)
  const section = (i: number) => text.slice(labels[i]!.value, labels[i + 1]?.start)
  if (labels.every(({ role }) => role === 'result')) return unlabelled(text, box)
  let forged = false
  let rest = ''
  let none: Extract<Step, { kind: 'none' }> | undefined
  for (let i = 0; i < labels.length; i++) {
    const { role } = labels[i]!
    if (role === 'thought') rest = none ? rest : paragraphBehind(section(i))
    if (role === 'observation' || (none && (role === 'result' || role === 'clash'))) forged ||= !none?.meant
    // a turn that a thought or an answer follows is a new one, unless it opens the reply
    const opened =
      text.slice(0, labels[0]!.start).trim() !== '' ||
      labels.slice(0, i).some(label => ['thought', 'action', 'result'].includes(label.role))
    if (role === 'turn' && opened && ['thought', 'answer'].includes(labels[i + 1]?.role ?? ''))
      return forged ? FORGED : none && rest ? answer(rest, box) : unclear('an invented turn')
    if (role === 'answer') return forged ? FORGED : answerAt(text, labels, i, box)
    if (role !== 'action') continue
    const step = readStep(labels, i, section, box)
    if (step.kind === 'calls') return together(step, labels, section, box)
    if (step.kind !== 'none') return forged && step.kind === 'answer' ? FORGED : step
    rest = step.below.trim()
    none = step
    i = step.next - 1
  }
  return !forged ? answer(rest, box) : FORGED
}

/** §2. A reply that is wholly fenced or quoted is decorated protocol; a role prefix is preamble. */
function undressed(reply: string, box: Toolbox): string {
  const fenced = /^\s*```\w*\n([\s\S]*?)\n```\s*$/.exec(reply)?.[1]
  const quoted = /^(?:\s*>.*(?:\n|$))+\s*$/.test(reply) ? reply.replaceAll(/^ *> ?/gm, '') : undefined
  const inner = fenced ?? quoted
  return (
    inner !== undefined && labelsOf(inner, box).some(({ role }) => role !== 'result' && role !== 'speaker') ? inner : reply
  ).replace(ROLE_PREFIX, '')
}

/** §3.5, 3.6, 3.10. An answer, unless an object that calls or `Finish[` begins one of its lines. */
function unlabelled(text: string, box: Toolbox): Verdict {
  const object = /^[ \t]*(?:\{|\[\s*\{|Finish[[(])[\s\S]*/m.exec(text)?.[0] ?? ''
  const read = readActionText(object, 0, object.length, box, GRAMMAR, new Notes())
  return read.kind === 'calls' ? made(read.calls) : answer(read.kind === 'answer' ? read.text : text, box)
}

/** §2. What the labels are in their places; those that are only text there are left out. */
function labelsOf(text: string, box: Toolbox): readonly Label[] {
  const written = writtenLabels(text)
  const kept: Label[] = []
  const opened = (until: number) => text.slice(kept.at(-1)!.value, until)
  written.forEach((label, i) => {
    const before = kept.at(-1)?.role
    const doing = before === 'action' || before === 'input'
    const next = written[i + 1]
    const line = text.slice(label.value, next?.start)
    const answered = kept.some(isAnswer)
    const role = ((): Role | undefined => {
      if (label.role === 'result' || (label.mid && label.role === 'observation'))
        if (answered) return label.mid ? 'clash' : 'result'
        else if (before === 'input' && kept.some(({ role }) => role === 'action'))
          return isComplete(opened(label.start)) ? 'observation' : 'clash'
        else if (before === 'action') return 'observation'
        else return label.mid ? undefined : 'result'
      if (isInput(label)) {
        const finish =
          before === 'action' &&
          readActionText(opened(label.start), 0, opened(label.start).length, box, GRAMMAR, new Notes()).kind === 'finish'
        if (finish) return 'answer'
        if (label.role === 'input' && !label.mid) return 'input'
        return before === 'action' && !opened(label.start).trim().includes('\n') ? 'input' : undefined
      }
      if (label.role === 'tool')
        return isInput(next) && /^\s*\S[^\n]*\s*$/.test(line) && (!kept.some(isNamedAction) || isWanted(line, next, box))
          ? 'action'
          : undefined
      if (label.mid && label.role === 'action')
        return !box.open && !doing && before !== 'answer' && isWanted(line, next, box) ? 'action' : undefined
      if (label.role === 'speaker' && !answered) {
        if (before === 'input') return 'clash'
        const thought = text.slice(kept.findLast(({ role }) => role === 'thought')?.value, label.start)
        return (!next || next.role === 'turn') && saysNoTool(thought, GRAMMAR) ? 'answer' : 'speaker'
      }
      if (label.role === 'speaker' || label.role === 'turn') return label.role
      return label.mid ? undefined : label.role
    })()
    // the label of the answer in two lines counts once
    const again = role === 'answer' && before === 'answer' && !opened(label.start).trim() && kept.filter(isAnswer).length === 1
    if (role) kept.push({ ...label, role, start: again ? kept.pop()!.start : label.start })
  })
  return kept
}

/** §2. All labels at line starts and within lines, whatever they mean there. What a fence, inline code or quotes hold is mentioned only. */
function writtenLabels(text: string): readonly Label[] {
  const found: (Label & { readonly dress: string; readonly bare: boolean })[] = []
  let start = 0
  let fenced = false
  for (const line of text.split(/(?<=\n)/)) {
    const head = fenced ? null : LINE_LABEL.exec(line)
    const label = (words: Groups, at: number, value: number, mid: boolean) => {
      const { word = '', dress = '', colon } = words
      found.push({ role: ROLES.get(foldWord(word))!, word, start: start + at, value: start + value, mid, dress, bare: !colon })
    }
    const bare = head && !head.groups!.colon && !/[#\d]/.test(head[0])
    if (head && !bare) label(head.groups!, 0, head[0].length, false)
    const from = found.at(-1)?.start === start ? found.at(-1)!.value - start : 0
    for (const match of fenced ? [] : line.slice(from).matchAll(MID_LABEL)) {
      const before = line.slice(0, from + match.index)
      if (!before.trim() || /`[^`]*$/.test(before.replaceAll(/`[^`]*`/g, ''))) continue
      label(match.groups!, from + match.index, from + match.index + match[0].length, true)
    }
    if ((line.match(/```/g)?.length ?? 0) % 2 === 1) fenced = !fenced
    start += line.length
  }
  const bulleted =
    found.some(({ role }) => isProtocol(role) || role === 'tool') && found.every(({ dress, mid }) => mid || BULLET.test(dress))
  const bare = found.filter(label => label.bare && (isProtocol(label.role) || label.role === 'weak_input'))
  // a doubled label counts once
  for (let at = found.length - 1; at > 0; at--) {
    const [one, other] = [found[at - 1]!, found[at]!]
    const between = text.slice(one.value, other.start)
    if (one.role === other.role && /^[^\S\n]*$/.test(between)) found.splice(at - 1, 2, { ...one, value: other.value })
  }
  return found.filter(label => (label.mid || bulleted || !BULLET.test(label.dress)) && (!label.bare || bare.length > 1))
}

/** §3.2, 3.3, 3.6. The calls of the action at `i` and of those right behind it. */
function readStep(labels: readonly Label[], i: number, section: (i: number) => string, box: Toolbox): Step {
  const notes = new Notes()
  const said = section(i)
  const given = labels[i + 1]?.role === 'input' ? section(i + 1) : undefined
  let next = i + (given === undefined ? 1 : 2)
  while (labels[next]?.role === 'input' && section(next).trim() === given?.trim()) next++
  const read = readActionText(said, 0, said.length, box, GRAMMAR, notes)
  const behind = said.slice('end' in read ? read.end : 0).replace(/^\s*`{1,3}/, '')
  const none = {
    kind: 'none',
    below:
      given === undefined
        ? behind
        : (behindValue(given) ?? given.replace(/^[ \t]*\n?/, '').replace(/^\s*```[\s\S]*?```/, '')).replace(/^.*/, ''),
    meant: isNoTool(said),
    next,
  } as const
  if (read.kind === 'refused' || read.kind === 'native') return unclear('an action that nobody can read')
  if (read.kind === 'finish' && labels[next]?.role !== 'answer') return answer(behind, box)
  if (read.kind === 'none' && given !== undefined && !/^(?:\{\s*\}|None)?\s*(?:\n|$)/.test(given.trim()) && !none.meant)
    return unclear('an unknown tool')
  if (read.kind === 'none' || read.kind === 'finish') return none
  if (read.kind === 'unknown')
    return given === undefined && read.input === undefined ? { ...none, below: '' } : unclear('an unknown tool')
  if (read.kind === 'answer') return answer(read.text, box)
  if (read.kind === 'calls') return { kind: 'calls', calls: read.calls, next: behind.trim() || given !== undefined ? -1 : next }
  if (['clash', 'input'].includes(labels[next]?.role ?? '') && !isComplete(given ?? '')) return unclear('a label within an input')
  const { inline, tool, place } = read
  const idle = !inline || isIdle(inline, tool.shape)
  if (given !== undefined && !behind.trim() && !idle) return unclear('two inputs')
  if (!inline || (given !== undefined && idle)) {
    const call = { name: tool.name, reading: readActionInput(given ?? '', 0, tool.shape, notes) }
    const chatter = given === undefined ? behind : behindValue(given)
    return { kind: 'calls', calls: [call], next: chatter?.trim() ? -1 : next }
  }
  const call = inlineCall(tool, inline, place, notes)
  const joint = /^\s*(?:[,;]|and\b)+\s*(?:and\s)?/.exec(behind)
  const chained = joint && /^[\w-]+[[(]/.test(behind.slice(joint[0].length))
  const more = chained ? readStep(labels, i, () => behind.slice(joint[0].length), box) : undefined
  if (more?.kind === 'calls') return { ...more, calls: [call, ...more.calls] }
  return { kind: 'calls', calls: [call], next: behind.trim() ? -1 : next }
}

/** §3.3. The calls that stand next to each other, up to the first that can't be made. */
function together(
  first: Extract<Step, { kind: 'calls' }>,
  labels: readonly Label[],
  section: (i: number) => string,
  box: Toolbox,
): Verdict {
  const calls = [...first.calls]
  for (let { next } = first; labels[next]?.role === 'action'; ) {
    const step = readStep(labels, next, section, box)
    if (step.kind !== 'calls') break
    calls.push(...step.calls)
    next = step.next
  }
  return made(calls)
}

function made(calls: Calls): Verdict {
  const broken = calls.findIndex(({ reading }) => !reading.ok)
  const whole = broken < 0 ? calls : calls.slice(0, broken)
  if (whole.length === 0) return unclear('no call that can be made')
  return { kind: 'act', calls: whole.map(({ name, reading }) => ({ tool: name, input: reading.ok ? reading.input : {} })) }
}

/** §3.4. The answer whose label is the one at `i`: all that follows, up to what is certainly none of it. */
function answerAt(text: string, all: readonly Label[], i: number, box: Toolbox): Verdict {
  const labels = all.filter((label, at) => at <= i || label.role !== 'clash')
  const own = labels[i]!
  const sectionOf = (at: number) => text.slice(labels[at]!.value, labels[at + 1]?.start)
  const acts = (at: number) => labels[at]?.role === 'action' && isWanted(sectionOf(at), labels[at + 1], box)
  const only = ROLES.get(foldWord(own.word)) === 'answer' ? undefined : textWithin(sectionOf(i))
  if (only !== undefined) return answer(only, box)
  const again = (at: number) => labels[at]?.role === 'answer' && isCommon(labels[at]!) === isCommon(own)
  const ends = ({ role }: Label, at: number): boolean => {
    if (at <= i) return false
    if (role === 'turn' || role === 'observation') return labels.some(({ role }, later) => later > at && isProtocol(role))
    if (role !== 'thought') return acts(at)
    const isIdle = (label: Label, n: number) =>
      ['thought', 'result', 'speaker'].includes(label.role) ||
      (label.role === 'input' && labels[n - 1]!.role === 'action') ||
      (label.role === 'action' && isNoTool(sectionOf(n)))
    const step = labels.findIndex((label, behind) => behind > at && !isIdle(label, behind))
    return acts(step) || again(step)
  }
  const end = labels.findIndex(ends)
  const upTo = labels[end]?.start ?? text.length
  const behind = labels[i + 1]
  const clashes = (until: number) => all.some(({ role, start }, at) => at > i && role === 'clash' && start < until)
  const isSecond = behind?.role === 'answer' && (again(i + 1) || !isCommon(behind)) && sectionOf(i).trim() !== ''
  if (clashes(isSecond ? behind.start : upTo)) return unclear('an observation within an answer')
  if (isSecond) return sectionOf(i + 1).trim() === sectionOf(i).trim() ? answer(sectionOf(i), box) : unclear('two answers')
  return answer(text.slice(own.value, upTo), box)
}

/** An answer, out of its envelope; a blank of the prompt's form is none. */
function answer(text: string, box: Toolbox): Verdict {
  const json = /^\s*\{/.test(text) ? readJson(text.trim(), 0, new Notes()) : undefined
  const isObject = json?.ok && json.end === text.trim().length
  const envelope = isObject ? readActionText(text, 0, text.length, box, GRAMMAR, new Notes()) : undefined
  if (envelope?.kind === 'answer') return answer(envelope.text, box)
  if (envelope?.kind === 'calls') return unclear('a call as an answer')
  const said = text.trim()
  const blank = GRAMMAR.placeholders.has(foldWord(said)) || /^(?:<[^<>\n]+>|```\w*\s*```)$/.test(said)
  return said && !blank ? { kind: 'answer', text: said } : unclear('no answer')
}

/** §3.5. What stands behind a completed thought and a blank line, or behind a "no" to the question for a tool. */
function paragraphBehind(thought: string): string {
  const no = noToolAnswer(thought, GRAMMAR)
  const announced = (text: string) => GRAMMAR.openers.some(opener => text.trim().toLowerCase().startsWith(opener))
  if (no)
    return thought
      .slice(no.end)
      .split(/\n[ \t]*\n/)
      .some(announced)
      ? ''
      : thought.slice(no.end).trim()
  const [line = '', ...paragraphs] = thought.split(/\n[ \t]*\n/)
  return !/[\p{L}\p{N},]\s*$/u.test(line) && !paragraphs.some(announced) ? paragraphs.join('\n\n').trim() : ''
}

/** A registered tool that an input follows, in brackets or under a label of its own. */
function isWanted(said: string, next: Label | undefined, box: Toolbox): boolean {
  const read = readActionText(said, 0, said.length, box, GRAMMAR, new Notes())
  if (read.kind !== 'name') return read.kind === 'calls' && !box.open && read.calls.some(({ reading }) => reading.ok)
  return read.inline !== undefined || isInput(next) || read.tool.shape?.parameters.length === 0
}

/** The line of the action says that no tool is wanted. */
function isNoTool(said: string): boolean {
  return isNone(said.trim().split('\n', 1)[0]!, GRAMMAR)
}

/** What stands behind a JSON value, bare or fenced; unset when the text begins with none. */
function behindValue(said: string): string | undefined {
  const text = said.trim()
  if (/^```\w*\s*[{[][\s\S]*?```/.test(text)) return text.replace(/^```[\s\S]*?```/, '')
  const read = /^[{[]/.test(text) ? readJson(text, 0, new Notes()) : undefined
  return read?.ok ? text.slice(read.end) : undefined
}

/** A JSON value, or a fence: what follows is no part of it. */
function isComplete(said: string): boolean {
  return /^\s*```[\s\S]*```\s*$/.test(said) || (/^\s*(?:```\w*\s*)?[{[]/.test(said) && behindValue(said) !== undefined)
}

/** The text of an object that is the input of `Action: Final Answer`. */
function textWithin(said: string): string | undefined {
  const input = /^\s*\{/.test(said) ? readJson(said.trim(), 0, new Notes()) : undefined
  if (!input?.ok) return undefined
  const texts = Object.values(input.value as object).filter(value => typeof value === 'string')
  return texts.length === 1 ? texts[0] : undefined
}

/** A short word for an answer, which is common in other texts, too. */
function isCommon({ word }: Label): boolean {
  return GRAMMAR.common.has(foldWord(word))
}

function isAnswer({ role }: Label): boolean {
  return role === 'answer'
}

/** By its own word, not as one of a pair. */
function isNamedAction({ word }: Label): boolean {
  return ROLES.get(foldWord(word)) === 'action'
}

function isInput(label: Label | undefined): boolean {
  return label?.role === 'input' || label?.role === 'weak_input'
}

function unclear(why: string): Verdict {
  return { kind: 'unclear', why }
}

const FORGED = unclear('an answer from an invented observation')
type Groups = { readonly [name: string]: string | undefined }
const GRAMMAR = compileLabels([ENGLISH, CHINESE])
const ROLES: ReadonlyMap<string, LabelRole> = GRAMMAR.roles
const WORDS = [ENGLISH, CHINESE]
  .flatMap(table => LABEL_ROLES.flatMap(role => table[role] ?? []))
  .sort((a, b) => b.length - a.length)
const WORD = `(?<word>${WORDS.map(word => word.replaceAll(' ', '[ _]*')).join('|')})`
const LINE_LABEL = new RegExp(
  `^(?<dress>[ \\t>*#\`-]*(?:Step \\d+ *- *)?)${WORD}(?: *\\d+)?[*\`]{0,3}[ \\t]*(?:(?<colon>[:：﹕∶])\\*{0,3}[ \\t]*|(?=\\n|$))`,
  'i',
)
const ROLE_PREFIX = /^\s*(?:AI|Assistant): */i
const BULLET = /^[ \t>*#`]*-/
const MID_LABEL = new RegExp(`(?<![\\p{L}\`])${WORD}[ \\t]*(?<colon>[:：﹕∶])`, 'giu')
