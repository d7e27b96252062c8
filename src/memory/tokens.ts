// A text → about how many tokens it takes. No tokenizer is asked: a guess is enough to keep a limit.
import type { Prompt } from '../core/message.js'

/** What the estimate goes by, for people. */
export const ESTIMATE_RULE = 'a quarter of a token for each Latin letter, three quarters for each character of other scripts'

/** A guess between tokenizers: four characters of a Latin text to a token, fewer of any other script; a run of blanks counts once. */
export function estimateTokens(text: string): number {
  let quarters = 0
  let blank = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isBlank = code === 32 || code === 10
    if (!(isBlank && blank)) quarters += code < 0x250 ? 1 : 3
    blank = isBlank
  }
  return Math.ceil(quarters / 4)
}

/** What a model takes for an image of the size of a screen, about. */
const IMAGE_TOKENS = 1_200

/** Guesses texts that mostly begin as the last one did, as prompts of a run do: then only what is new is looked at. */
export class TokenMeter {
  #text = ''
  #tokens = 0

  estimate(text: string): number {
    // a slice is compared at once, `startsWith` character by character, which takes several times as long
    const grown = this.#text !== '' && text.slice(0, this.#text.length) === this.#text
    this.#tokens = grown ? this.#tokens + estimateTokens(text.slice(this.#text.length)) : estimateTokens(text)
    this.#text = text
    return this.#tokens
  }
  /** With its images. */
  ofPrompt({ text, images = [] }: Pick<Prompt, 'text' | 'images'>): number {
    return this.estimate(text) + IMAGE_TOKENS * images.length
  }
}
