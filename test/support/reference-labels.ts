// Text → its labels, line by line, as the rules of where a label counts say it: the half of the reference reader that finds. Slow and obvious.
import { readJson } from '../../src/parse/action-input.js'
import { LABEL_ROLES, type LabelRole, PROTOCOL_ROLES } from '../../src/parse/grammar.js'
import { CHINESE, ENGLISH } from '../../src/parse/label-words.js'
import { Notes } from '../../src/parse/notes.js'
import { resolveTool } from '../../src/parse/tool-name.js'
import type { Toolbox } from '../../src/parse/tool-shape.js'

export interface Label {
  /** `doubt`: an observation where nobody can say whether it is one. */
  readonly role: LabelRole | 'doubt'
  /** The word without case, spaces, `_` and `-`. */
  readonly key: string
  readonly start: number
  readonly value: number
}

export function findLabels(text: string, box: Toolbox): readonly Label[] {
  return inContext(text, withMidline(text, atLineStarts(text), box), box)
}

export function isProtocol({ role }: Label): boolean {
  return (PROTOCOL_ROLES as readonly string[]).includes(role)
}

/** What stands between the label and `end` is a whole call: JSON or a fence behind an input, brackets behind an action, or the end of a call's line. */
export function isComplete(text: string, label: Label, end: number): boolean {
  const value = text.slice(label.value, end).trim()
  if (label.role === 'input' || label.role === 'weak_input')
    return (
      /^```\w*\n(?:[{[][\s\S]*\n```|[\s\S]*\n```$)/.test(value) || (/^[{[]/.test(value) && readJson(value, 0, new Notes()).ok)
    )
  return label.role === 'action' && /^[^\s[(]+(?:\[.*\]|\(.*\))$/.test(value)
}

export function fold(text: string): string {
  return text.toLowerCase().replace(/[\s_'’-]/g, '')
}

interface Found extends Label {
  readonly bullet: boolean
  /** A label without a colon needs another in this dress. */
  readonly dress: string
  readonly colon: boolean
}

function atLineStarts(text: string): readonly Label[] {
  const found: Found[] = []
  const finishes: number[] = []
  let fence = false
  let start = 0
  for (const line of text.split('\n')) {
    const label = fence ? undefined : labelOf(line, start)
    if (label) found.push(label)
    else if (!fence && BARE_FINISH.test(line)) finishes.push(start)
    if (/```/.test(line) && !/```.*```/.test(line) && (label || /(?:^|[:：])\s*```/.test(line))) fence = !fence
    start += line.length + 1
  }
  // among labels in plain dress a heading is a heading
  const plain = found.some(label => isProtocol(label) && label.dress === 'plain' && !label.bullet)
  const bare = (dress: string) => !plain && found.filter(label => label.dress === dress && !BESIDE.has(label.role)).length > 1
  const dressed = found.filter(label => label.colon || bare(label.dress))
  const alike =
    dressed.some(other => isProtocol(other) || other.role === 'tool') && dressed.filter(isProtocol).every(other => other.bullet)
  const counted: Label[] = dressed.filter(label => !label.bullet || alike)
  for (const at of finishes) {
    const before = counted.filter(label => label.start < at).at(-1)
    if (!before || before.role === 'thought') counted.push({ role: 'action', key: 'action', start: at, value: at })
  }
  return counted.sort((one, other) => one.start - other.start)
}

function labelOf(line: string, start: number): Found | undefined {
  const [all, before = '', word = '', number, colon] = LINE.exec(line) ?? BARE.exec(line) ?? []
  if (all === undefined) return undefined
  const key = fold(word)
  const dress = before.includes('#')
    ? 'heading'
    : number || /step/i.test(before)
      ? 'numbered'
      : /[*_]\s*$/.test(before)
        ? 'bold'
        : 'plain'
  if (!colon && (dress === 'plain' || dress === 'bold')) return undefined
  const rest = line.slice(all.length)
  const again = colon ? LINE.exec(rest) : undefined
  const value = start + all.length + (again && fold(again[2]!) === key ? again[0].length : 0)
  const bullet = /^\s*(?:[-*+]\s|\d+[.)])/.test(before)
  return { role: ROLES.get(key)!, key, start, value, bullet, dress, colon: colon !== undefined }
}

/** Labels within a line: an input behind its action, an action with a registered name and an input, an observation. */
function withMidline(text: string, labels: readonly Label[], box: Toolbox): readonly Label[] {
  const all: Label[] = [...labels]
  const add = (pattern: RegExp, judge: (own: Label | undefined, at: number, value: number) => Label['role'] | undefined) => {
    for (const match of text.matchAll(pattern)) {
      const [start, value] = [match.index, match.index + match[0].length]
      const own = all.filter(label => label.start <= start).at(-1)
      const role = own && start < own.value ? undefined : judge(own, start, value)
      if (role) all.push({ role, key: role, start, value })
      all.sort((a, b) => a.start - b.start)
    }
  }
  add(/(?<=[^\n])(?:\bAction|行动)[:：﹕∶]\s*/g, (own, _, value) => {
    const named = ASKS.exec(text.slice(value))?.[1]
    const free = !own || ['thought', 'observation', 'turn'].includes(own.role)
    return free && named && !box.open && resolveTool(named, box) ? 'action' : undefined
  })
  add(new RegExp(`(?<=[^\\n])(?:${INPUT})[:：﹕∶][ \\t]*`, 'gi'), (own, at) => {
    const behind = /^[^\n]*(?:\n\s*[-*+] )?$/.test(text.slice(own?.value ?? at, at).trimStart())
    return behind && (own?.role === 'action' || own?.role === 'tool') ? 'input' : undefined
  })
  add(new RegExp(`(?<=[^\\n])(?:${OBSERVATION})[:：]`, 'g'), (own, at) => {
    if (own && isComplete(text, own, at)) return 'observation'
    const answered = all.some(
      label =>
        label.start < at && (label.role === 'answer' || (/action|tool/.test(label.role) && FINISH.test(text.slice(label.value)))),
    )
    return own && (answered || ['input', 'weak_input'].includes(own.role)) ? 'doubt' : undefined
  })
  return all
}

/** Roles that count only beside others. */
function inContext(text: string, labels: readonly Label[], box: Toolbox): readonly Label[] {
  const kept: Label[] = []
  labels.forEach((label, i) => {
    const [before, after] = [kept.at(-1), labels[i + 1]]
    const own = text.slice(label.value, after?.start ?? text.length).trim()
    const head = before ? text.slice(before.value, label.start).trim() : ''
    const answered = kept.some(
      other => other.role === 'answer' || (other.role === 'action' && FINISH.test(text.slice(other.value).trim())),
    )
    const later = labels.slice(i + 1).some(isProtocol)
    const inText = before?.role === 'input' && !isComplete(text, before, label.start)
    const thought = kept.findLast(other => other.role === 'thought')
    const said = thought ? text.slice(thought.value, labels[labels.indexOf(thought) + 1]?.start).trim() : ''
    const take = (role: Label['role']) => kept.push({ ...label, role })
    // an input behind a tool that does not count
    if (
      label.key === 'input' &&
      labels[i - 1]?.role === 'tool' &&
      kept.some(other => other.role === 'action') &&
      before?.start !== labels[i - 1]?.start
    )
      return
    if (isProtocol(label) || label.role === 'doubt') kept.push(label)
    else if (label.role === 'tool') {
      const named =
        !labels.slice(0, i).some(other => other.role === 'action') || (!box.open && resolveTool(own.split(/[[(]/)[0]!, box))
      if ((after?.role === 'weak_input' || after?.role === 'input') && own && !own.includes('\n') && named) take('action')
    } else if (label.role === 'weak_input') {
      if (before?.role === 'action' && !head.includes('\n')) take('input')
    } else if (label.role === 'result') {
      const called = before?.role === 'action' || (before?.role === 'input' && kept.some(other => other.role === 'action'))
      take(answered || !called ? 'result' : inText ? 'doubt' : 'observation')
    } else if (label.role === 'turn') {
      take(inText && !later && !answered ? 'doubt' : 'turn')
    } else
      take(
        !answered &&
          NO_TOOL.test(said) &&
          (!later || (after?.role === 'turn' && /^(?:thought|answer)$/.test(labels[i + 2]?.role ?? ''))) &&
          before?.role !== 'observation' &&
          !inText
          ? 'answer'
          : inText && !answered
            ? 'doubt'
            : 'speaker',
      )
  })
  return kept
}

const BARE_FINISH = /^\s*(?:finish|final answer|terminate)[[(]/i
const FINISH = /^\s*(?:finish|final answer|terminate|完成|结束|最终答案)/i
export const NO_TOOL = /\btools?\s*\?\W*no\b\W*$/im
const BESIDE: ReadonlySet<string> = new Set(['turn', 'speaker', 'result', 'tool'])
const WORDS = LABEL_ROLES.flatMap(role => [...ENGLISH[role]!, ...CHINESE[role]!].map(word => ({ word, role })))
const ROLES = new Map(WORDS.map(({ word, role }) => [fold(word), role]))
const WORD = WORDS.map(({ word }) => word)
  .sort((a, b) => b.length - a.length)
  .map(word => word.split(' ').join('[ _-]*'))
  .join('|')
const INPUT = [...ENGLISH.input!, ...CHINESE.input!].map(word => word.split(' ').join('[ _]?')).join('|')
const ASKS = new RegExp(`^([\\w-]+)(?:\\s[\\s>*\`_-]*(?:Step \\d - )?(?:${INPUT})[ \\d]*[*\`_]*\\s?[:：﹕∶]|[[(])`, 'i')
const OBSERVATION = [...ENGLISH.observation!, ...CHINESE.observation!].join('|')
const BEFORE = '^([ \\t]{0,8}(?:[>#*`_+-]+[ \\t]*|\\d{1,2}[.)][ \\t]*)*(?:Step \\d{1,2} ?[-–:] ?)?)'
const LINE = new RegExp(`${BEFORE}(${WORD})([ \\t]*\\d{1,3})?([*_\`]*[ \\t]{0,8}[:：﹕∶](?:[*_]|\`(?!\`))*[ \\t]*)`, 'i')
const BARE = new RegExp(`${BEFORE}(${WORD})([ \\t]+\\d{1,3})?[*_\`]*[ \\t]*$`, 'i')
