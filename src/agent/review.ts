// What a reply comes to once everything that has a say in it was asked: its reader, the tool choice, the form the answer must have.
import type { JsonValue } from '../core/json.js'
import type { Observation, ToolCall } from '../core/tool.js'

export type Review =
  /** `remark`: what the model is told about a part that was left out. */
  | { readonly kind: 'act'; readonly calls: readonly ToolCall[]; readonly remark?: string }
  | { readonly kind: 'answer'; readonly text: string; readonly value?: JsonValue }
  /** Calls that can't be made (unknown tool, invalid input): the model reads why in the place of their results. */
  | { readonly kind: 'observe'; readonly observations: readonly Observation[] }
  | Refused

/** Nothing to go on with: the model is told why and asked again within the same step. */
export interface Refused {
  readonly kind: 'refused'
  readonly nudge: string
  /** The reason for people, a few words. */
  readonly fault: string
  /** There was nothing to read at all, which is counted apart. */
  readonly empty?: true
  /** The text of an answer that did not count, not empty: better than nothing when the run ends without another. */
  readonly spare?: string
  /** An answer without tools would not do either, so the last turn is not asked for. */
  readonly final?: true
}
