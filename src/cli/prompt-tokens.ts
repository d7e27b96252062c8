// A prompt → how many tokens its sections take, counted by the server of --url where it can.
import { SaydoError } from '../core/errors.js'
import { placeTurns, sectionTexts } from '../prompt/sections.js'
import { includedTexts } from '../viewer/included-texts.js'
import type { Stage } from './scenes/scene.js'
import type { ShownPrompt } from './shown-prompt.js'
import { countSections, type TokenCounter, type TokenTable } from './token-table.js'

export interface Counting {
  /** The prompt goes out as one text. */
  readonly asText: boolean
  readonly byServer: boolean
}

export async function countPrompt(shown: ShownPrompt, { asText, byServer }: Counting, showing: Stage): Promise<TokenTable> {
  const texts = sectionTexts(placeTurns(shown.prompt.messages), await includedTexts(shown))
  const counter = byServer ? await serverCounter(shown, showing) : undefined
  return countSections(texts, asText ? shown.prompt.text : undefined, counter)
}

/** Undefined, and said, when the server cannot count. */
async function serverCounter({ model }: ShownPrompt, { settings, io, say }: Stage): Promise<TokenCounter | undefined> {
  const [{ modelOptions }, { countTokens }] = await Promise.all([import('./build-agent.js'), import('../model/tokenize.js')])
  const options = { ...modelOptions(settings), model, signal: io.signal }
  const counted = async (text: string): Promise<number> => {
    const tokens = await countTokens(text, options)
    if (tokens === undefined) throw new SaydoError('MODEL_BAD_RESPONSE', 'its /tokenize answers with no tokens')
    return tokens
  }
  try {
    await counted('a')
    return counted
  } catch (error) {
    if (io.signal.aborted) throw error
    say(`the server does not count tokens: ${(error as Error).message}`)
    return undefined
  }
}
