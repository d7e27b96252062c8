// A JSON value → the calls or the answer it stands for, or undefined when it is plain data. Keys are compared folded.
import { isObject, type JsonObject, type JsonValue } from '../core/json.js'
import { foldWord } from './characters.js'
import { type Grammar, isFinish } from './grammar.js'
import type { Notes, Place } from './notes.js'
import { isRegistered, resolveTool } from './tool-name.js'
import type { Toolbox } from './tool-shape.js'

export interface CallObject {
  readonly kind: 'call'
  readonly name: string
  /** Unset: the object has no argument key. */
  readonly args: JsonValue | undefined
  readonly thought: string | undefined
  /** Keys that say nothing about the call. */
  readonly ignored: readonly string[]
}

export interface AnswerObject {
  readonly kind: 'answer'
  readonly text: string
  readonly thought: string | undefined
  readonly ignored: readonly string[]
}

/** Reads one object. `labelled`: it stands where a call is expected, so that a name key alone is enough. */
export function readCallObject(
  value: JsonObject,
  box: Toolbox,
  grammar: Grammar,
  labelled: boolean,
  depth = 0,
): CallObject | AnswerObject | undefined {
  const entries = entriesOf(value)
  const thought = thoughtIn(entries)
  const blank = blankKeys(entries)
  const said = entries.filter(({ fold, inner }) => !THOUGHT_KEYS.has(fold) && !(blank.has(fold) && isNothing(inner)))
  const nameEntry = pickName(said, box, grammar)
  const name = nameEntry?.inner as string
  const resolved = nameEntry && resolveTool(name, box)
  const shape = resolved?.shape
  const enveloped = said.some(({ fold }) => ARGUMENT_KEYS.has(fold))
  const isAside = ({ key, fold }: Entry) => IGNORED_KEYS.has(fold) && (enveloped || !shape?.byName.has(key))
  const rest = said.filter(entry => !isAside(entry))
  const ignored = said.filter(isAside).map(({ key }) => key)
  if (depth < 3) {
    const wrapper = rest.find(
      entry => isObject(entry.inner) && (entry.fold === 'command' || (rest.length === 1 && WRAPPERS.has(entry.fold))),
    )
    if (wrapper) {
      const inner = readCallObject(wrapper.inner as JsonObject, box, grammar, true, depth + 1)
      const beside = rest.filter(entry => entry !== wrapper).map(({ key }) => key)
      return inner && { ...inner, thought: inner.thought ?? thought, ignored: [...ignored, ...beside, ...inner.ignored] }
    }
  }
  if (nameEntry) {
    const others = rest.filter(entry => entry !== nameEntry)
    const argEntry = others.find(entry => ARGUMENT_KEYS.has(entry.fold))
    const registered = resolved !== undefined && !box.open
    if (!registered && isFinish(name, grammar)) {
      const text = onlyText(argEntry ? argEntry.inner : Object.fromEntries(others.map(entry => [entry.key, entry.inner])))
      const beside = argEntry ? others.filter(entry => entry !== argEntry).map(({ key }) => key) : []
      return text === undefined ? undefined : { kind: 'answer', text, thought, ignored: [...ignored, ...beside] }
    }
    if (argEntry) {
      const extra = others.filter(entry => entry !== argEntry)
      // repair: a comment on the call is a part of the thought
      if (!extra.every(entry => COMMENT_KEYS.has(entry.fold) && typeof entry.inner === 'string')) return undefined
      const thoughts = [...(thought === undefined ? [] : [thought]), ...extra.map(entry => entry.inner as string)]
      return { kind: 'call', name, args: argEntry.inner, thought: thoughts.length > 0 ? thoughts.join('\n') : undefined, ignored }
    }
    if (others.length === 0) return registered || labelled ? { kind: 'call', name, args: undefined, thought, ignored } : undefined
    // repair: the arguments stand beside the name
    if (shape && others.every(entry => shape.byName.has(entry.key))) {
      return { kind: 'call', name, args: Object.fromEntries(others.map(entry => [entry.key, entry.inner])), thought, ignored }
    }
    return registered && labelled
      ? { kind: 'call', name, args: Object.fromEntries(others.map(entry => [entry.key, entry.inner])), thought, ignored }
      : undefined
  }
  const answer = rest.length === 1 && ANSWER_KEYS.has(rest[0]?.fold ?? '') ? rest[0] : undefined
  if (answer && (thought !== undefined || rest.length < entries.length || answer.fold !== 'answer' || labelled)) {
    // a structured answer is its JSON
    const text =
      onlyText(answer.inner) ??
      (answer.fold === 'finalanswer' && !looksLikeCall(answer.inner, box) ? structure(answer.inner) : undefined)
    return text === undefined ? undefined : { kind: 'answer', text, thought, ignored }
  }
  return undefined
}

/** Keys that say nothing when they hold nothing: those of a call beside an answer, those of an answer beside a call. */
function blankKeys(entries: readonly Entry[]): ReadonlySet<string> {
  const filled = (keys: ReadonlySet<string>) => entries.some(({ fold, inner }) => keys.has(fold) && !isNothing(inner))
  if (filled(NAME_KEYS)) return ANSWER_KEYS
  if (!entries.some(({ fold }) => ANSWER_KEYS.has(fold))) return NONE
  return entries.some(({ fold }) => NAME_KEYS.has(fold) || LISTS.has(fold)) ? CALL_KEYS : NONE
}

/** An object that was meant as a call, whether or not it can be read as one: it has a name key and an argument key, or a tool's name. */
export function looksLikeCall(value: JsonValue, box: Toolbox): boolean {
  if (Array.isArray(value))
    return value.length > 0 && (value as readonly JsonValue[]).every(element => looksLikeCall(element, box))
  if (!isObject(value)) return false
  const entries = entriesOf(value)
  if (
    entries.length <= 3 &&
    entries.some(
      entry =>
        (WRAPPERS.has(entry.fold) || LISTS.has(entry.fold) || ANSWER_KEYS.has(entry.fold) || entry.fold === 'command') &&
        looksLikeCall(entry.inner, box),
    )
  )
    return true
  if (entries.length > 0 && entries.every(entry => THOUGHT_KEYS.has(entry.fold))) return true
  if (isStep(new Set(entries.map(({ fold }) => fold)))) return true
  const name = entries.find(names)
  if (!name) return false
  return entries.some(entry => ARGUMENT_KEYS.has(entry.fold)) || isRegistered(name.inner as string, box)
}

/** Keys that stand together in steps and not in data. */
function isStep(keys: ReadonlySet<string>): boolean {
  if (keys.has('finalanswer') || (keys.has('action') && keys.has('actioninput'))) return true
  return (keys.has('thought') || keys.has('thoughts')) && (keys.has('action') || keys.has('actions') || keys.has('tool'))
}

/** A call, or a list of calls, of which one names a registered tool. */
export function callsKnown(value: JsonValue, box: Toolbox): boolean {
  if (box.open || !looksLikeCall(value, box)) return false
  return callList(value).some(call => {
    const name = isObject(call) ? entriesOf(call).find(names)?.inner : undefined
    return typeof name === 'string' && isRegistered(name, box)
  })
}

/** `{"tool_calls": […]}`, a list of calls, or one object → the objects. */
export function callList(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) return value
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value))
      if (LISTS.has(foldWord(key)) && Array.isArray(inner) && inner.length > 0) return inner
  }
  return [value]
}

/** The key may name a tool. */
function names({ fold, inner }: Entry): boolean {
  return NAME_KEYS.has(fold) && typeof inner === 'string'
}

function isNothing(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || (typeof value === 'string' && ['', 'none', 'null', 'na'].includes(foldWord(value)))
}

interface Entry {
  readonly key: string
  readonly fold: string
  readonly inner: JsonValue
}

function entriesOf(object: JsonObject): readonly Entry[] {
  return Object.entries(object).map(([key, inner]) => ({ key, fold: foldWord(key), inner }))
}

/** The key that names the tool: one with a known tool or Final Answer wins over one that merely could. */
function pickName(entries: readonly Entry[], box: Toolbox, grammar: Grammar): Entry | undefined {
  const named = entries.filter(names)
  if (named.length < 2) return named[0]
  return (
    named.find(
      entry => resolveTool(entry.inner as string, box)?.shape !== undefined || isFinish(entry.inner as string, grammar),
    ) ?? named[0]
  )
}

function structure(value: JsonValue): string | undefined {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined
}

/** Remarks on keys that say nothing about a call or an answer. */
export function noteIgnored(keys: readonly string[], place: Place, notes: Notes): void {
  if (keys.length === 0) return
  const named = keys.slice(0, 8).map(key => `"${key.slice(0, 40)}"`)
  notes.add('KEY_IGNORED', `What stands under ${named.join(', ')} was left out.`, place, 0)
}

/** The thought that stands beside a list of calls in one object. */
export function thoughtBeside(value: JsonValue): string | undefined {
  return isObject(value) ? thoughtIn(entriesOf(value)) : undefined
}

/** All thoughts; one in parts, such as a plan and its criticism, is their texts. */
function thoughtIn(entries: readonly Entry[]): string | undefined {
  const texts = entries
    .filter(({ fold }) => THOUGHT_KEYS.has(fold))
    .flatMap(({ inner }) => (isObject(inner) ? Object.values(inner) : [inner]))
    .filter(text => typeof text === 'string')
  return texts.length > 0 ? texts.join('\n') : undefined
}

/** An answer stands beside a list of calls in one object. */
export function answersBeside(value: JsonValue): boolean {
  return isObject(value) && Object.entries(value).some(([key, inner]) => ANSWER_KEYS.has(foldWord(key)) && !isNothing(inner))
}

/** The one text in an answer's envelope, whatever its key. */
export function onlyText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!isObject(value)) return undefined
  const texts = Object.entries(value).filter(([key]) => foldWord(key) !== 'status')
  const only = texts.length === 1 ? texts[0]?.[1] : undefined
  return typeof only === 'string' || typeof only === 'number' ? String(only) : undefined
}

const NAME_KEYS = new Set(['action', 'tool', 'name', 'toolname', 'function', 'functionname', 'actionname'])
const ARGUMENT_KEYS = new Set([
  'actioninput',
  'input',
  'arguments',
  'args',
  'parameters',
  'toolinput',
  'kwargs',
  'functioninput',
  'actionarguments',
  'params',
  'actionargs',
])
const LISTS = new Set(['toolcalls', 'functioncalls', 'actions', 'calls'])
/** Any of those that make a call. */
const CALL_KEYS: ReadonlySet<string> = new Set([...NAME_KEYS, ...ARGUMENT_KEYS, ...LISTS])
const NONE: ReadonlySet<string> = new Set()
const WRAPPERS = new Set(['toolcall', 'functioncall', 'function', 'call', 'action', 'tool', 'command'])
const THOUGHT_KEYS = new Set(['thought', 'thoughts', 'reasoning', 'thinking', '思考'])
const COMMENT_KEYS = new Set(['explanation', 'reason', 'rationale', 'justification', 'purpose', 'comment', 'plan', 'why'])
const ANSWER_KEYS = new Set(['finalanswer', 'answer', 'response', '最终答案', '答案'])
const IGNORED_KEYS = new Set(['id', 'type', 'callid', 'toolcallid', 'index'])
