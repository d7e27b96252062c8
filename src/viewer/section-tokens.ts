// The prompts of a run → about how many tokens each of their sections takes. A turn is looked at once, however many prompts it stands in.
import type { Message } from '../core/message.js'
import { estimateTokens } from '../memory/tokens.js'
import { type Included, type PlacedTurn, placeTurns, SECTIONS, type Section, sectionTexts } from '../prompt/sections.js'

/** Only sections that are there, in the order of `SECTIONS`. */
export type SectionTokens = readonly (readonly [section: Section, tokens: number])[]

export class SectionMeter {
  readonly #included: Included
  readonly #known = new WeakMap<Message, { readonly place: Section; readonly tokens: SectionTokens }>()

  constructor(included: Included) {
    this.#included = included
  }

  count(messages: readonly Message[]): SectionTokens {
    const sums = new Map<Section, number>()
    const placed = placeTurns(messages)
    messages.forEach((message, at) => {
      for (const [section, tokens] of this.#tokensOf(message, placed[at])) sums.set(section, (sums.get(section) ?? 0) + tokens)
    })
    return SECTIONS.flatMap(section => {
      const tokens = sums.get(section)
      return tokens === undefined ? [] : [[section, tokens] as const]
    })
  }

  #tokensOf(message: Message, turn: PlacedTurn | undefined): SectionTokens {
    if (turn === undefined) return []
    const known = this.#known.get(message)
    if (known?.place === turn.place) return known.tokens
    const tokens = [...sectionTexts([turn], this.#included)].map(
      ([section, texts]) => [section, estimateTokens(texts.join(''))] as const,
    )
    this.#known.set(message, { place: turn.place, tokens })
    return tokens
  }
}
