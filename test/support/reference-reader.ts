// Whole reply → decision, slowly and obviously: labels cut the text into sections, the rules of what wins decide. What the parser is held
// against; of its code it shares only the argument ladder, call objects, names, and the tables of words. It knows no deltas, problems, costs,
// reasoning, special tokens, native markup, look-alikes or cut replies.
import type { JsonObject, JsonValue } from '../../src/core/json.js'
import type { ToolSpec } from '../../src/core/tool.js'
import { readJson } from '../../src/parse/action-input.js'
import { readCallArguments } from '../../src/parse/call-arguments.js'
import { readCallObject } from '../../src/parse/call-object.js'
import { foldWord } from '../../src/parse/characters.js'
import { compileLabels } from '../../src/parse/compile-labels.js'
import type { InputReading } from '../../src/parse/fit-object.js'
import { readActionInput } from '../../src/parse/input-text.js'
import { CHINESE, ENGLISH } from '../../src/parse/label-words.js'
import { Notes } from '../../src/parse/notes.js'
import { resolveTool } from '../../src/parse/tool-name.js'
import { type Toolbox, toolbox } from '../../src/parse/tool-shape.js'
import { findLabels, isProtocol, type Label, NO_TOOL } from './reference-labels.js'

export type Verdict =
  | { readonly kind: 'act'; readonly calls: readonly Made[] }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'unclear'; readonly why: string }

/** Everything but calls. */
type Unmade = Exclude<Verdict, { kind: 'act' }>
interface Made {
  readonly tool: string
  readonly input: JsonObject
}
interface Step {
  readonly calls: readonly (Made | Unmade)[]
  /** Where to go on: the label behind the input. */
  readonly next: number
  /** Nothing but white space follows before that label. */
  readonly adjacent: boolean
}
/** No action: what stands below it, and whether it was none on purpose. */
interface None {
  readonly below: string
  readonly last: number
  readonly meant: boolean
}

export function readByTheRules(written: string, tools?: readonly ToolSpec[]): Verdict {
  const box = toolbox(tools)
  const reply = withoutMarks(written, box)
  const inner = /^\s*```\w*\n([\s\S]*?)\n```\s*$/.exec(reply)?.[1]
  const text = inner !== undefined && holdsProtocol(inner, findLabels(inner, box)) ? inner : reply
  const labels = findLabels(text, box)
  // a call object on a line of its own counts before any label, and under a thought
  const spoken = labels.findIndex(label => !['thought', 'speaker', 'result'].includes(label.role))
  const object = /^[ \t]*[{[]/m.exec(text.slice(0, labels[spoken]?.start))
  const sectionOf = (i: number) => text.slice(labels[i]!.value, labels[i + 1]?.start ?? text.length)
  if (!labels.some(isProtocol)) return unlabelled(text, labels.find(label => label.role === 'turn') ?? labels[0], box)
  if (object) {
    const read = objects(text.slice(object.index, labels[spoken]?.start).trim(), 0, box)
    if ('calls' in read) return together(text, [], read, box)
    if (read.kind === 'answer' || read.why === 'an unknown tool') return read
  }
  let forged = false
  let orphan = false
  let foreign = false
  let none: None | undefined
  let below = ''
  for (let i = 0; i < labels.length; i++) {
    const { role } = labels[i]!
    // somebody else's turn with a step of its own: nothing behind it is the model's answer to this task
    const preface = text.slice(0, labels[0]!.start).trim()
    const spokenYet =
      none ||
      preface ||
      labels.slice(0, i).some((other, n) => /^(?:thought|result|speaker)$/.test(other.role) && sectionOf(n).trim())
    if (role === 'turn' && opensTask(labels, i) && spokenYet && !/[:：]$/.test(preface)) {
      foreign = true
      break
    }
    if (role === 'observation' && !none?.meant) forged = true
    if ((role === 'result' || role === 'doubt') && none && !none.meant) forged = true
    if (role === 'input') orphan = true
    if (role === 'answer' && labels[i + 1]?.role === 'answer' && !sectionOf(i).trim()) continue
    if (role === 'answer' && orphan && !none) return unclear('an input without an action')
    if (role === 'answer') return forged ? unclear('an answer after an invention') : answer(text, labels, i, box)
    if (role !== 'action') continue
    const read = readStep(text, labels, i, box)
    if ('calls' in read) return together(text, labels, read, box)
    if ('kind' in read) return forged && read.kind === 'answer' ? unclear('an answer after an invention') : read
    none = read
    below = read.below || below
    i = read.last
  }
  if (below) return forged ? unclear('an answer after an invention') : checked(below)
  const last = labels.length - 1
  if (none || foreign || labels[last]!.role !== 'thought' || forged || orphan) return unclear('no action and no answer')
  const said = sectionOf(last).trim()
  const works = (text: string) => text.split(/\n\s*\n/).some(announces) || WEAK.test(text)
  const [line = ''] = said.split('\n')
  const rest = said.slice(line.length).trim()
  if (NO_TOOL.test(line) && rest) return works(rest) ? unclear('only a thought') : checked(rest)
  const [first = '', ...paragraphs] = said.split(/\n[ \t]*\n\s*/)
  if (paragraphs.length === 0 || !/[.!?。！？"”)\]]$/.test(first) || paragraphs.some(works)) return unclear('only a thought')
  return checked(said.slice(first.length).trim())
}

/** A reply that holds the protocol, and quote marks before each of its lines, stands in them like in a fence. */
function withoutMarks(reply: string, box: Toolbox): string {
  const lines = reply.split('\n').filter(line => line.trim() !== '')
  const bare = reply.replace(/^[ \t]{0,8}> ?/gm, '')
  return lines.every(line => /^\s{0,8}>/.test(line)) && findLabels(bare, box).some(isProtocol) ? bare : reply
}

/** A further turn with a thought or an answer of its own. */
function opensTask(labels: readonly Label[], i: number): boolean {
  const next = labels[i + 1]
  return (
    labels[i]?.role === 'turn' &&
    (next?.role === 'thought' || (next?.role === 'answer' && !/^(?:ai|assistant|助手)$/.test(next.key)))
  )
}

/** A short word for an answer is common in other texts, too, unless it comes first. */
function holdsProtocol(text: string, labels: readonly Label[]): boolean {
  const spoken = labels.filter(label => label.role !== 'turn' && label.role !== 'speaker')
  return spoken.some(
    (label, i) =>
      isProtocol(label) &&
      ((i === 0 && (labels.length > spoken.length || !text.slice(0, label.start).trim())) ||
        !/^(?:answer|response)$/.test(label.key)),
  )
}

/** One action label and its input: its calls, an answer, something unclear, or no action. */
function readStep(text: string, labels: readonly Label[], i: number, box: Toolbox): Step | Unmade | None {
  const own = text.slice(labels[i]!.value, labels[i + 1]?.start ?? text.length).trim()
  const label = labels[i + 1]?.role === 'input' ? labels[i + 1]! : undefined
  let next = label ? i + 2 : i + 1
  const given = label && text.slice(label.value, labels[next]?.start ?? text.length)
  if (!own) return given === undefined ? { below: '', last: i, meant: false } : unclear('an input without an action')
  if (/^(?:```\w*\s*)?[{[]\s*["'{]/.test(own)) return objects(own.replace(/^```\w*\s*/, ''), next, box, given !== undefined)
  const [line = '', ...more] = own.split('\n')
  const head = line.replace(/^[*_`\s]+|[*_`.\s]+$/g, '')
  const form = bracket(line)
  const written = (form ? form.name : head).trim()
  const tool = resolveTool(written, box)
  const registered = tool?.shape !== undefined
  const below = more.join('\n').trim()
  const lines = (given ?? '').split('\n')
  const under = lines
    .slice(!lines[0]?.trim() && lines[1]?.trim() ? 2 : 1)
    .join('\n')
    .trim()
  const afterInput = given === undefined ? below : given.trim().startsWith('```') ? '' : under
  const told = /^([^:：]{1,20})[:：]([\s\S]+)$/.exec(own)
  if (!registered && GRAMMAR.noAction.has(foldWord(head))) return { below: afterInput, last: next - 1, meant: true }
  if (!registered && (GRAMMAR.finish.has(foldWord(written)) || (told && GRAMMAR.finish.has(foldWord(told[1]!)))))
    return finishing(
      form?.inner ?? (told && GRAMMAR.finish.has(foldWord(told[1]!)) ? told[2] : undefined),
      given,
      below,
      labels[next],
      text,
      labels,
      next,
      box,
    )
  const sentence = line.split(/\s+/).length > (box.open ? 5 : 2) || (box.open && /[:：]/.test(line))
  if (!tool || (box.open ? sentence : !registered)) {
    const [asked = ''] = given?.trim().split('\n') ?? []
    const nothing = !asked || /^[{(]\s*[})]$/.test(asked) || GRAMMAR.noAction.has(foldWord(asked))
    if (!nothing || form || (given !== undefined && !sentence)) return unclear('an unknown tool')
    return { below: sentence ? afterInput : '', last: next - 1, meant: false }
  }
  if (labels[next]?.role === 'doubt') return unclear('an observation or a turn within a text')
  // an object with other words behind it: there the call ends
  const object = given?.trim().startsWith('{') ? readJson(given.trim(), 0, new Notes()) : undefined
  const talks = object?.ok === true && /^[\s`)\]*;,]*(?!and\b)[\p{L}\p{N}]/u.test(given!.trim().slice(object.end))
  const second = labels[next]
  if (second?.role === 'input' && !talks) {
    const again = text.slice(second.value, labels[next + 1]?.start ?? text.length)
    if (again.trim() !== given?.trim()) return unclear('two inputs')
    next++
    if (labels[next]?.role === 'doubt') return unclear('an observation or a turn within a text')
  }
  const notes = new Notes(position => position)
  const one = (reading: InputReading): Made | Unmade =>
    reading.ok ? { tool: tool.name, input: reading.input } : unclear(reading.code)
  const echo = !form || form.inner.split(',').every(part => !part.trim() || tool.shape?.byName.has(part.trim()))
  if (given !== undefined) {
    if (form && !echo && !/\s$/.test(form.name)) return unclear('two inputs')
    const own = talks ? given.trim().slice(0, object.end) : given
    const call = one(readActionInput(own, 0, tool.shape, notes))
    return { calls: [call], next, adjacent: !talks && !notes.since(0).some(problem => problem.code === 'TEXT_AFTER_CALL') }
  }
  if (!form)
    return { calls: [one(readActionInput(/^(?:\{|```)/.test(below) ? below : '', 0, tool.shape, notes))], next, adjacent: !below }
  if (!form.closed || /\s$/.test(form.name)) return unclear('brackets that may be no input')
  const first = one(readCallArguments(echo ? '' : form.inner, 0, tool.shape, form.square, notes))
  const glue = /^\s*(?:[,;]\s*(?:and\s)?|and\s)\s*/.exec(form.rest)?.[0]
  const further = glue && bracket(form.rest.slice(glue.length)) ? `Action: ${form.rest.slice(glue.length)}` : undefined
  const rest = further ? readStep(further, [{ role: 'action', key: 'action', start: 0, value: 8 }], 0, box) : undefined
  const others = rest && 'calls' in rest ? rest.calls : rest && 'kind' in rest ? [rest] : []
  const adjacent = !below && (rest ? 'calls' in rest && rest.adjacent : !form.rest.trim())
  return { calls: [first, ...others], next, adjacent }
}

/** `Action: Final Answer`, `Finish[…]`: what stands in brackets, else behind the colon, under the input label, below, or under an answer label. */
function finishing(
  inside: string | undefined,
  given: string | undefined,
  below: string,
  following: Label | undefined,
  text: string,
  labels: readonly Label[],
  next: number,
  box: Toolbox,
): Unmade {
  if (inside !== undefined) return checked(unquoted(inside.trim()), true)
  if (!given?.trim() && !below && following?.role === 'answer') {
    const empty = labels[next + 1]?.role === 'answer' && !text.slice(following.value, labels[next + 1]!.start).trim()
    return answer(text, labels, empty ? next + 1 : next, box)
  }
  if (given === undefined || below) return checked(unquoted(below), true)
  const read = readJson(given.trim(), 0, new Notes())
  const texts = read.ok && isObject(read.value) ? Object.values(read.value).filter(each => typeof each === 'string') : []
  if (given.trim().startsWith('{'))
    return texts.length === 1 ? checked(texts[0] as string, true) : unclear('which field is the answer')
  return answer(text, labels, next - 1, box)
}

/** The calls of adjacent actions, up to the first that can't be made. */
function together(text: string, labels: readonly Label[], first: Step, box: Toolbox): Verdict {
  const calls = [...first.calls]
  let step = first
  while (step.adjacent && !calls.some(call => 'kind' in call) && labels[step.next]?.role === 'action') {
    const more = readStep(text, labels, step.next, box)
    if (!('calls' in more)) break
    calls.push(...more.calls)
    step = more
  }
  const broken = calls.findIndex(call => 'kind' in call)
  const good = (broken < 0 ? calls : calls.slice(0, broken)) as Made[]
  return good.length > 0 ? { kind: 'act', calls: good } : (calls[0] as Unmade)
}

/** Call objects behind the label: the whole of it; what follows them is chatter. */
function objects(own: string, next: number, box: Toolbox, more = false): Step | Unmade {
  let end = own.length
  while (end > 0 && json(own.slice(0, end)) === undefined) end--
  const value = json(own.slice(0, end))
  const calls = (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map((each): Made | Unmade => {
    const call = isObject(each) ? readCallObject(each, box, GRAMMAR, true) : undefined
    if (!call) return unclear('an object that is no call')
    if (call.kind === 'answer') return checked(call.text)
    const tool = resolveTool(call.name, box)
    if (!tool) return unclear('an unknown tool')
    const input = call.args === undefined ? '' : typeof call.args === 'string' ? call.args : JSON.stringify(call.args)
    const reading = readActionInput(input, 0, tool.shape, new Notes(position => position))
    return reading.ok ? { tool: tool.name, input: reading.input } : unclear(reading.code)
  })
  const [only] = calls
  return only && 'kind' in only ? only : { calls, next, adjacent: !more && !own.slice(end).replace(/[\s`]/g, '') }
}

/** From the label to the end of the reply, but for what the rules cut off. */
function answer(text: string, all: readonly Label[], at: number, box: Toolbox): Unmade {
  const own = all[at]!
  const finish = (end: number) =>
    all.some(label => label.role === 'doubt' && label.start >= own.value && label.start < end)
      ? unclear('an observation within an answer')
      : checked(unwrapped(text.slice(own.value, end).trim()), own.role === 'input')
  const labels = all.filter(label => !['doubt', 'result', 'speaker'].includes(label.role))
  const i = labels.indexOf(own)
  const declines = (at: number): boolean => {
    const { role } = labels[at]!
    const step = role === 'action' ? readStep(text, all, all.indexOf(labels[at]!), box) : undefined
    return (
      (step !== undefined && 'below' in step && step.meant) ||
      (role === 'input' && at > i + 1 && labels[at - 1]!.role === 'action' && declines(at - 1))
    )
  }
  for (let k = i + 1; k < labels.length; k++) {
    const { role, start } = labels[k]!
    let step = k
    while (step > i + 1 && (labels[step - 1]!.role === 'thought' || declines(step - 1))) step--
    while (step < k && labels[step]!.role !== 'thought') step++
    const [thought, later] = [step < k, labels.slice(k + 1).some(isProtocol)]
    if (role === 'answer' && thought) return sameKind(own, labels[k]!) ? finish(labels[step]!.start) : unclear('two answers')
    if (role === 'answer' && k === i + 1 && (sameKind(own, labels[k]!) || isLong(labels[k]!))) {
      const second = text.slice(labels[k]!.value, all[all.indexOf(labels[k]!) + 1]?.start ?? text.length).trim()
      return second === text.slice(own.value, start).trim() ? finish(start) : unclear('two answers')
    }
    if ((role === 'turn' || role === 'observation') && later) return finish(start)
    if (role !== 'action') continue
    const called = readStep(text, all, all.indexOf(labels[k]!), box)
    const section = text.slice(labels[k]!.value, labels[k + 1]?.start).trimStart()
    const [name = ''] = section.split(/[\n[(]/)
    if ('below' in called || ('kind' in called && called.kind === 'answer')) continue
    const object = /^(?:```\w*\s*)?[{[]/.test(section)
    if (object ? box.open || !('calls' in called) : !resolveTool(name, box)) continue
    if (GRAMMAR.finish.has(foldWord(name)) && !box.byName.has(name)) continue
    const given = object || all[all.indexOf(labels[k]!) + 1]?.role === 'input' || bracket(section)
    const asks = given || (!box.open && (!('calls' in called) || called.calls.some(call => !('kind' in call))))
    if (asks) return finish(labels[step]!.start)
  }
  return finish(text.length)
}

function unlabelled(text: string, first: Label | undefined, box: Toolbox): Verdict {
  if (first?.role === 'turn') return unclear("nothing but somebody else's turn")
  const own = first?.role === 'speaker' && !text.slice(0, first.start).trim() ? text.slice(first.value) : text
  const open = own.search(/^[ \t]*[{[]/m)
  const read = open < 0 ? unclear('no object') : objects(own.slice(open).trim(), 0, box)
  if ('calls' in read) return together(text, [], read, box)
  if (read.kind === 'answer' || read.why === 'an unknown tool') return read
  return /\bAction[ _]?Input:/i.test(text) ? unclear('an input without an action') : checked(own.trim())
}

/** `name[…]` or `name(…)` at the start of a line, up to its own closer. */
function bracket(line: string) {
  const head = /^\s*([^\s[({:"'`][^[({:"'`\n]{0,60})([[(])/.exec(line)
  if (!head) return undefined
  const square = head[2] === '['
  const end = line.indexOf(square ? ']' : ')', head[0].length)
  const inner = line.slice(head[0].length, end < 0 ? undefined : end)
  return { name: head[1]!, inner, rest: end < 0 ? '' : line.slice(end + 1), square, closed: end >= 0 }
}

/** An answer that says something. */
function checked(text: string, finish = false): Unmade {
  if (!/[^`~\s]/.test(text.replace(/^```\w*\n/, ''))) return unclear('an empty answer')
  const placeholder =
    /^(?:```\w*)?[\s#]*(?:(?:Final ?)?Answer|最[终終]答案)[\s`]*$/i.test(text) ||
    /^<[^<>\n]{0,40}answer[^<>\n]{0,40}>$/i.test(text) ||
    (finish && text === 'answer') ||
    /^最[终終]答案$/.test(text)
  return placeholder ? unclear('a placeholder') : { kind: 'answer', text }
}

/** `{"action": "Final Answer", "action_input": …}` → its text. */
function unwrapped(text: string): string {
  const value = text.startsWith('{') ? json(text) : undefined
  const call = isObject(value) ? readCallObject(value, toolbox([]), GRAMMAR, true) : undefined
  return call?.kind === 'answer' ? call.text : text
}

function announces(text: string): boolean {
  return GRAMMAR.openers.some(opener => text.trim().toLowerCase().startsWith(opener))
}

function unquoted(text: string): string {
  return /^"[^"]*"$|^'[^']*'$/.test(text) ? text.slice(1, -1).trim() : text
}

function sameKind(one: Label, other: Label): boolean {
  return one.key === other.key || (isLong(one) && isLong(other))
}

function isLong({ key }: Label): boolean {
  return !GRAMMAR.common.has(key)
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function json(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unclear(why: string): Unmade {
  return { kind: 'unclear', why }
}

const WEAK = /^\W*(?:step \d - )?(?:tool|input|tool input)\W*[:：﹕∶]/im
const GRAMMAR = compileLabels([ENGLISH, CHINESE])
