// What a tool-calling agent is made of: its parts, of which the model alone is needed.
import type { Dialect } from '../core/dialect.js'
import type { Model } from '../core/model.js'
import type { ProblemCode } from '../core/reply.js'
import type { Tool } from '../core/tool.js'
import type { Example, Template } from '../prompt/index.js'
import type { Confirm } from '../tools/approval.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { AnswerSchema } from './answer-form.js'
import type { ReActAgentOptions } from './react-agent.js'
import type { ToolChoice } from './tool-choice.js'

/** One that is not there is refused with `CONFIG`; a class below `ToolCallAgent` may have further ones. */
export interface ToolCallAgentOptions extends ReActAgentOptions {
  readonly model: Model
  /** Default none: the model can only answer. */
  readonly tools?: Iterable<Tool> | ToolRegistry
  /** Whether tools may be called; default `auto`. */
  readonly toolChoice?: ToolChoice
  /**
   * What every answer must fit: a JSON Schema of any type, or a schema of a library such as zod. An answer that doesn't is asked about again;
   * `RunResult.value` holds it as data, `answer` as JSON text. Default: any text.
   */
  readonly answer?: AnswerSchema
  /** Default `react`. */
  readonly dialect?: Dialect
  /** Language of everything the model is told: `en`, `zh`, `de`, `fr`, `es`, `pt`, `it`, `ru`, `ja` or `ko`; default the template's, or `en`. */
  readonly language?: string
  /**
   * A language whose labels are read in replies, besides the dialect's own, English and Chinese ones: `de`, `fr`, `es`, `pt`, `it`, `ru`,
   * `ja` or `ko`; default the agent's language. Throws `CONFIG` for another.
   */
  readonly labels?: string
  /** Default the bundled `react` template in the agent's language; `loadTemplate()` gives one from a file. */
  readonly template?: Template
  /** Few-shot examples; default the bundled ones. Those whose tools are not registered are left out. `[]` for none. */
  readonly examples?: readonly Example[]
  /**
   * The model's context in tokens, prompt and reply together: what has no room leaves the prompt, earlier tasks and steps first. Default: nothing
   * leaves until the endpoint says that a prompt is too long.
   */
  readonly contextTokens?: number
  /** Longest observation in characters; default no limit. */
  readonly maxObserve?: number
  /**
   * The model can see: images that tools and the agent's world show are sent with the last turn of each prompt. Default false, and then none is ever
   * sent. An endpoint that takes no images is asked without them, which a notice says.
   */
  readonly vision?: boolean
  /** Time for one call in ms, unless the tool has its own; default 30,000. */
  readonly toolTimeoutMs?: number
  /**
   * Asked before a call of a tool that wants it (`confirm`), about one call at a time; without it such a call is denied. Whatever it says that
   * is no `Approval` denies the call, and so does what it throws.
   */
  readonly confirm?: Confirm
  /**
   * Forgivenesses of the reader that are not wanted, such as `['INPUT_REPAIRED']`: a reply that needs one is asked about again. Default none.
   * Throws `CONFIG` for a code that does not exist.
   */
  readonly strict?: readonly ProblemCode[]
  /** Run the calls of one reply side by side; default one after the other. */
  readonly parallel?: boolean
  /** Most calls at a time when `parallel`; default 4. Throws `CONFIG` unless it is a whole number from 1. */
  readonly concurrency?: number
}
