// The sections of a prompt → how many tokens each takes: counted by a server when there is a counter, else estimated from characters.
import { estimateTokens } from '../memory/tokens.js'
import type { Section } from '../prompt/sections.js'

/** Resolves to the tokens of a text. */
export type TokenCounter = (text: string) => Promise<number>

export interface TokenTable {
  readonly sections: readonly {
    readonly section: Section
    readonly characters: number
    readonly tokens: number
  }[]
  readonly total: { readonly characters: number; readonly tokens: number }
  readonly estimated: boolean
}

/** `whole` is the text that the total is counted on; without one the total is the sum, since only the server knows what stands between turns. */
export async function countSections(
  texts: ReadonlyMap<Section, readonly string[]>,
  whole: string | undefined,
  count?: TokenCounter,
): Promise<TokenTable> {
  const tokensOf = count ?? (async (text: string) => estimateTokens(text))
  const sections: TokenTable['sections'][number][] = []
  for (const [section, pieces] of texts) {
    const text = pieces.join('')
    sections.push({ section, characters: text.length, tokens: await tokensOf(text) })
  }
  const sum = { characters: 0, tokens: 0 }
  for (const { characters, tokens } of sections) {
    sum.characters += characters
    sum.tokens += tokens
  }
  const total = whole === undefined ? sum : { characters: whole.length, tokens: await tokensOf(whole) }
  return { sections, total, estimated: count === undefined }
}

/** Aligned lines with a head. */
export function writeTable({ sections, total, estimated }: TokenTable): string {
  const about = estimated ? '~' : ''
  const rows = [
    ['section', 'characters', 'tokens', 'share'],
    ...sections.map(({ section, characters, tokens }) => [
      section,
      String(characters),
      about + tokens,
      `${Math.round((100 * tokens) / Math.max(1, total.tokens))} %`,
    ]),
    ['all', String(total.characters), about + total.tokens, ''],
  ]
  const widths = [0, 1, 2, 3].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows
    .map(row =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
