// The nodes of a page → its text, like Markdown, and the parts of it that fit a result.
import { FIELDS, fieldValue, labelOf, type PageNode } from './page-node.js'

/** One block a paragraph; tables in rows, links with where they lead. */
export function markdownOf(nodes: readonly PageNode[]): string {
  return blocksOf(nodes)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Part `part`, from 1, of a text, cut at ends of lines; each of at most `size` characters but for a line that is longer. */
export function partOf(text: string, part: number, size: number): { readonly text: string; readonly parts: number } {
  const parts: string[] = []
  let now = ''
  for (const line of text.split('\n').flatMap(line => cut(line, size))) {
    if (now !== '' && now.length + line.length + 1 > size) {
      parts.push(now)
      now = ''
    }
    now = now === '' ? line : `${now}\n${line}`
  }
  parts.push(now)
  return { text: parts[part - 1] ?? '', parts: parts.length }
}

function blocksOf(nodes: readonly PageNode[]): readonly string[] {
  const blocks: string[] = []
  let line: string[] = []
  const endLine = () => {
    if (line.length > 0) blocks.push(line.join(' '))
    line = []
  }
  for (const node of nodes) {
    const inline = INLINE[node.role]?.(node)
    if (inline !== undefined) {
      if (inline !== '') line.push(inline)
      continue
    }
    endLine()
    blocks.push(...blockOf(node))
  }
  endLine()
  return blocks
}

const INLINE: Readonly<Record<string, (node: PageNode) => string>> = {
  text: ({ text }) => text,
  strong: node => `**${labelOf(node)}**`,
  emphasis: node => `*${labelOf(node)}*`,
  code: node => `\`${labelOf(node)}\``,
  link: node => (node.url ? `[${labelOf(node)}](${node.url})` : labelOf(node)),
  img: ({ name }) => (name === '' ? '' : `![${name}]`),
  option: () => '',
}

function blockOf(node: PageNode): readonly string[] {
  switch (node.role) {
    case 'heading':
      return ['', `${'#'.repeat(levelOf(node))} ${labelOf(node)}`, '']
    case 'paragraph':
      return [...inner(node), '']
    case 'listitem':
      return indented(inner(node), '- ', '  ')
    case 'row':
      return [`| ${node.children.map(cellText).join(' | ')} |`]
    case 'table':
    case 'list':
      return [...inner(node), '']
    case 'separator':
      return ['', '---', '']
    case 'iframe':
      return ['', ...inner(node), '']
    default:
      if (FIELDS.has(node.role)) return [`(${node.role} ${JSON.stringify(node.name)}: ${JSON.stringify(fieldValue(node))})`]
      return node.children.length === 0 && node.text === '' && node.name !== '' ? [node.name] : inner(node)
  }
}

function inner(node: PageNode): readonly string[] {
  return [...(node.text === '' ? [] : [node.text]), ...blocksOf(node.children)]
}

function cellText(cell: PageNode): string {
  const text = inner(cell).join(' ').trim() || cell.name
  return text.replaceAll('|', '\\|')
}

function levelOf({ states }: PageNode): number {
  const level = Number(states.find(state => state.startsWith('level '))?.slice(6) ?? 2)
  return Math.min(6, Math.max(1, level))
}

function indented(lines: readonly string[], first: string, then: string): readonly string[] {
  return lines.map((line, at) => (at === 0 ? first : then) + line)
}

function cut(line: string, size: number): readonly string[] {
  if (line.length <= size) return [line]
  return Array.from({ length: Math.ceil(line.length / size) }, (_, at) => line.slice(at * size, (at + 1) * size))
}
