// A page as it stands → the text a model sees of it before each step. A line with a number can be acted on; every line with what the page says begins
// with a sign of ours, so that no page can write such a number, or a line about itself, on its own.
import { fieldValue, labelOf, optionsOf, type PageNode } from './page-node.js'

export interface PageView {
  readonly nodes: readonly PageNode[]
  readonly numbers: ReadonlyMap<PageNode, number>
  readonly fresh: ReadonlySet<number>
}

interface Line {
  readonly text: string
  readonly numbered: boolean
  /** Ends above what can be seen of the page. */
  readonly above: boolean
}

/** Lines of the page within `most` characters. Where there are more, they begin with what can be seen of it, and say what was left out. */
export function pageLines(view: PageView, most: number): readonly string[] {
  const lines: Line[] = []
  for (const node of view.nodes) write(node, view, { lines, depth: 0, above: false })
  const [from, to] = windowOf(lines, most)
  return [
    ...leftOut(lines.slice(0, from), 'above; scroll_up or extract_content shows them'),
    ...lines.slice(from, to).map(({ text }) => text),
    ...leftOut(lines.slice(to), 'below; scroll_down or extract_content shows them'),
    ...(lines.length === 0 ? ['(the page is empty)'] : []),
  ]
}

/** Containers say nothing by themselves. */
const TITLES: ReadonlySet<string> = new Set(['iframe', 'dialog', 'alertdialog', 'form', 'navigation', 'region', 'group', 'table'])
const MOST_OPTIONS = 12
const LONGEST = 300
const DEEPEST_INDENT = 6

interface Writing {
  readonly lines: Line[]
  readonly depth: number
  readonly above: boolean
}

function write(node: PageNode, view: PageView, { lines, depth, above: before }: Writing): void {
  const above = node.span ? node.span[1] <= 0 : before
  const index = view.numbers.get(node)
  const add = (text: string, numbered = false) =>
    void lines.push({ text: `${'  '.repeat(Math.min(depth, DEEPEST_INDENT))}${text}`, numbered, above })
  const inside = (children: readonly PageNode[], deeper: number) => {
    for (const child of children) write(child, view, { lines, depth: depth + deeper, above })
  }
  if (index !== undefined) {
    // a label that stands before its field is said by the field
    if (lines.at(-1)?.text.trimStart() === `· ${clip(labelOf(node))}`) lines.pop()
    add(`${view.fresh.has(index) ? '*' : ''}[${index}] ${elementText(node)}`, true)
    // what it is called stands in its line already
    return inside(
      node.children.filter(child => holdsNumber(child, view)),
      1,
    )
  }
  if (node.role === 'heading') add(`· # ${clip(labelOf(node))}`)
  else if (TITLES.has(node.role)) add(`· (${node.role}${node.name === '' ? '' : ` ${quoted(node.name)}`})`)
  else if (node.role === 'row' && !holdsNumber(node, view)) return add(`· ${clip(node.children.map(labelOf).join(' | '))}`)
  else if (node.role === 'img' && node.name !== '') add(`· (image ${quoted(node.name)})`)
  else if (node.text !== '' && !saysItself(node, lines)) add(`· ${clip(node.text)}`)
  else if (node.children.length === 0 && node.name !== '' && !saysItself(node, lines)) add(`· ${clip(node.name)}`)
  if (node.role === 'heading')
    return inside(
      node.children.filter(child => holdsNumber(child, view)),
      1,
    )
  if (TITLES.has(node.role)) {
    if (node.text !== '') lines.push({ text: `${'  '.repeat(depth + 1)}· ${clip(node.text)}`, numbered: false, above })
    return inside(node.children, 1)
  }
  inside(node.children, 0)
}

/** `button "Save", disabled`, `textbox "Name" = "Ada"`, `combobox "Colour" = "Blue" (options: …)`. */
function elementText(node: PageNode): string {
  const label = labelOf(node)
  const options = optionsOf(node)
  const value = fieldValue(node)
  return [
    `${node.role === 'generic' ? 'clickable' : node.role}${label === '' || (options.length > 0 && node.name === '') ? '' : ` ${quoted(label)}`}`,
    ...(value === '' ? [] : [` = ${quoted(value)}`]),
    ...node.states.map(state => `, ${state}`),
    ...(options.length === 0 ? [] : [` (options: ${optionList(options)})`]),
    ...(node.url === undefined ? [] : [` → ${clip(node.url, 80)}`]),
  ].join('')
}

function optionList(options: readonly PageNode[]): string {
  const names = options.slice(0, MOST_OPTIONS).map(option => quoted(labelOf(option)))
  const rest = options.length - names.length
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ')
}

function holdsNumber(node: PageNode, view: PageView): boolean {
  return (view.numbers.has(node) && node.role !== 'option') || node.children.some(child => holdsNumber(child, view))
}

/** A label beside its field says what the field's own line says. */
function saysItself({ text, name }: PageNode, lines: readonly Line[]): boolean {
  return lines.at(-1)?.text.endsWith(` ${quoted(text || name)}`) ?? false
}

/** The lines that have room: from the first that can be seen on; from the beginning when all have. */
function windowOf(lines: readonly Line[], most: number): readonly [from: number, to: number] {
  const total = lines.reduce((sum, { text }) => sum + text.length + 1, 0)
  const seen = lines.findIndex(({ above }) => !above)
  const from = total <= most || seen === -1 ? 0 : seen
  let room = most
  let to = from
  for (; to < lines.length; to++) {
    room -= (lines[to]?.text.length ?? 0) + 1
    if (room < 0) break
  }
  return [from, to]
}

function leftOut(lines: readonly Line[], where: string): readonly string[] {
  if (lines.length === 0) return []
  const elements = lines.filter(({ numbered }) => numbered).length
  return [`(${lines.length} lines more, ${elements} of them with numbers, ${where})`]
}

function quoted(text: string): string {
  return `"${clip(text)}"`
}

function clip(text: string, most = LONGEST): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}
