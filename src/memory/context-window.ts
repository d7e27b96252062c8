// Prompts and what an endpoint says about them → whether the next one fits the model's context. Tokens are guessed from the characters; the guess
// is corrected by every count that the endpoint reports.
import { SaydoError } from '../core/errors.js'
import type { Prompt } from '../core/message.js'
import type { Usage } from '../core/model.js'
import { TokenMeter } from './tokens.js'

/** What a reply needs of the context, at most, in tokens. */
const REPLY_TOKENS = 1024

/** The endpoint read less than this share of what the prompt must have at least: it cut the prompt. */
const CUT_SHARE = 0.4

/** Prompts below this many tokens are too short for such a judgement. */
const JUDGED_TOKENS = 1000

export class ContextWindow {
  /** Most tokens of a prompt. */
  #room: number
  #scale = 1
  readonly #meter = new TokenMeter()

  /** `contextTokens`: of prompt and reply together; unset until the endpoint says that a prompt is too long. Throws `CONFIG` for no number. */
  constructor(contextTokens?: number) {
    if (contextTokens !== undefined && !(typeof contextTokens === 'number' && contextTokens > 0))
      throw new SaydoError('CONFIG', `contextTokens must be a positive number, got ${String(contextTokens)}`)
    const whole = contextTokens ?? Number.POSITIVE_INFINITY
    this.#room = whole - Math.min(REPLY_TOKENS, whole / 4)
  }

  fits(prompt: Prompt): boolean {
    return this.#room === Number.POSITIVE_INFINITY || this.#tokens(prompt) <= this.#room
  }

  /** The endpoint refused this prompt: no other of its length will be tried. */
  refused(prompt: Prompt): void {
    this.#room = Math.min(this.#room, this.#tokens(prompt) - 1)
  }

  /** The endpoint read this prompt; gives a sentence when it can't have read all of it. */
  read(prompt: Prompt, usage: Usage | undefined): string | undefined {
    if (!usage || usage.promptTokens <= 0) return undefined
    const guess = this.#meter.ofPrompt(prompt)
    if (guess >= JUDGED_TOKENS && usage.promptTokens < guess * CUT_SHARE)
      return `the endpoint counted ${usage.promptTokens} tokens in a prompt of about ${guess}: it seems to drop what exceeds its context`
    this.#scale = usage.promptTokens / Math.max(1, guess)
    return undefined
  }

  #tokens(prompt: Prompt): number {
    return Math.ceil(this.#meter.ofPrompt(prompt) * this.#scale)
  }
}
