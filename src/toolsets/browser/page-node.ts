// What the driver says about a page (its accessibility tree, frames and open shadow roots included) → nodes in document order, as they are shown and
// found again. Nothing the page says is trusted to have a shape.
import { isObject } from '../../core/json.js'

export interface PageNode {
  readonly role: string
  /** On one line. */
  readonly name: string
  /** Its text when that is all there is in it; the value of a field. */
  readonly text: string
  /** By which the driver finds it, while it is drawn. */
  readonly ref?: string
  readonly url?: string
  /** Such as `checked`, `disabled`, `level 2`. */
  readonly states: readonly string[]
  /** The mouse says that it can be clicked. */
  readonly pointer: boolean
  /** Where it begins and ends, in px below the top of the view; undefined within frames. */
  readonly span?: readonly [top: number, bottom: number]
  readonly children: readonly PageNode[]
}

/** `secrets`: values that are not to be shown. */
export function readNodes(snapshot: unknown, secrets: readonly string[] = []): readonly PageNode[] {
  const list = Array.isArray(snapshot) ? snapshot : [snapshot]
  return list.flatMap(each => readNode(each, { secrets, framed: false, depth: 0 }))
}

/** All of them, each before its children. */
export function* everyNode(nodes: readonly PageNode[]): Generator<PageNode> {
  for (const node of nodes) {
    yield node
    yield* everyNode(node.children)
  }
}

/** Roles that are acted on; whatever the mouse says can be clicked is, too. */
const ACTED_ON: ReadonlySet<string> = new Set([
  ...['button', 'link', 'textbox', 'searchbox', 'combobox', 'listbox', 'checkbox', 'radio', 'switch', 'slider', 'spinbutton'],
  ...['tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'treeitem', 'option', 'gridcell'],
])

/** Roles whose text is a value. */
export const FIELDS: ReadonlySet<string> = new Set(['textbox', 'searchbox', 'combobox', 'slider', 'spinbutton'])

export function isInteractive({ role, ref, pointer }: PageNode): boolean {
  return ref !== undefined && (ACTED_ON.has(role) || pointer)
}

/** How it is called, by itself and, where it has no name, by the text in it. */
export function labelOf({ name, text, children, role }: PageNode): string {
  if (name !== '') return name
  if (text !== '' && !FIELDS.has(role)) return text
  return children.map(labelOf).filter(Boolean).join(' ').slice(0, LONGEST_LABEL)
}

/** The options of a list, as far as they are drawn. */
export function optionsOf(node: PageNode): readonly PageNode[] {
  return [...everyNode(node.children)].filter(({ role }) => role === 'option')
}

/** What a field holds: what was typed, or the options that are chosen. */
export function fieldValue(node: PageNode): string {
  if (!FIELDS.has(node.role)) return ''
  const chosen = optionsOf(node).filter(({ states }) => states.includes('selected'))
  return node.text || chosen.map(({ name }) => name).join(', ')
}

const LONGEST_LABEL = 120
const DEEPEST = 200
const FLAGS = ['checked', 'disabled', 'expanded', 'active', 'invalid', 'pressed', 'selected'] as const
const SHOWN: Readonly<Record<string, string>> = { active: 'focused' }

interface Place {
  readonly secrets: readonly string[]
  readonly framed: boolean
  readonly depth: number
}

function readNode(value: unknown, place: Place): readonly PageNode[] {
  if (typeof value === 'string') return textNode(oneLine(value))
  if (!isObject(value) || place.depth > DEEPEST) return []
  if (value.role === 'text') return textNode(oneLine(value.text))
  const role = oneLine(value.role)
  const text = oneLine(value.text)
  const below = { ...place, framed: place.framed || role === 'iframe', depth: place.depth + 1 }
  const children = (Array.isArray(value.children) ? value.children : []).flatMap(child => readNode(child, below))
  const box = isObject(value.box) && !place.framed ? value.box : undefined
  return [
    {
      role,
      name: oneLine(value.name),
      text: FIELDS.has(role) && place.secrets.includes(text) ? '•'.repeat(8) : text,
      ...(typeof value.ref === 'string' ? { ref: value.ref } : {}),
      ...(typeof value.url === 'string' ? { url: oneLine(value.url) } : {}),
      states: statesOf(value),
      pointer: value.cursor === 'pointer',
      ...(box ? { span: [Number(box.y), Number(box.y) + Number(box.height)] as const } : {}),
      children,
    },
  ]
}

function textNode(text: string): readonly PageNode[] {
  return text === '' ? [] : [{ role: 'text', name: '', text, states: [], pointer: false, children: [] }]
}

function statesOf(value: Readonly<Record<string, unknown>>): readonly string[] {
  const flags = FLAGS.filter(flag => flag in value && value[flag] !== undefined).flatMap(flag => {
    const state = value[flag]
    const word = SHOWN[flag] ?? flag
    return state === true ? [word] : state === false ? (flag === 'active' ? [] : [`not ${word}`]) : [`${word} ${oneLine(state)}`]
  })
  return typeof value.level === 'number' ? [...flags, `level ${value.level}`] : flags
}

/** No line break of any script, and no control character. */
function oneLine(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  return String(value)
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
}
