// The project's source → every regular expression in it: literals, and patterns given to RegExp, with their place.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

export interface FoundRegex {
  readonly source: string
  readonly flags: string
  /** `file:line` from the project's root; of the first place, when the same expression stands in several. */
  readonly place: string
}

/** Runs the patterns of a user's schema, which nobody knows before: each within a time of its own (see `tools/validate.test.ts`). */
const OTHERS = 'src/tools/pattern.ts'

/** All regular expressions under `folder`, each once. A pattern that is put together from others has a letter in each gap. */
export function regexesIn(folder: string, root: string): readonly FoundRegex[] {
  const found = new Map<string, FoundRegex>()
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts')) continue
    const path = join(folder, file)
    if (relative(root, path) === OTHERS) continue
    const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.ESNext, true)
    const visit = (node: ts.Node): void => {
      const regex = regexOf(node)
      const place = `${relative(root, path)}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
      if (regex && !found.has(`${regex.source}/${regex.flags}`)) found.set(`${regex.source}/${regex.flags}`, { ...regex, place })
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return [...found.values()]
}

function regexOf(node: ts.Node): { source: string; flags: string } | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const close = node.text.lastIndexOf('/')
    return { source: node.text.slice(1, close), flags: node.text.slice(close + 1) }
  }
  const built = (ts.isNewExpression(node) || ts.isCallExpression(node)) && ts.isIdentifier(node.expression)
  if (!built || (node.expression as ts.Identifier).text !== 'RegExp') return undefined
  const [pattern, flags] = node.arguments ?? []
  return { source: pattern ? textOf(pattern) : '', flags: flags ? textOf(flags) : '' }
}

function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) throw new Error(`A pattern nobody can read before it runs: ${node.getText()}`)
  return node.head.text + node.templateSpans.map(span => `x${span.literal.text}`).join('')
}
