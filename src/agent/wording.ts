// The template, texts and examples of an agent → the same, loaded when the first prompt is written: the rooms they live in are heavy, and importing
// the library alone should cost nothing.
import type { Dialect } from '../core/dialect.js'
import type { Message } from '../core/message.js'
import type { Say, ToolDoc } from '../core/text.js'
import type { ToolSpec } from '../core/tool.js'
import { escapeTokens } from '../dialect/escape-tokens.js'
import type { Example, Template } from '../prompt/index.js'
import { describeTool } from '../tools/describe.js'
import { type ReadWith, writeExample } from './example-turns.js'

export interface WordingOptions {
  readonly dialect: Dialect
  readonly language: string
  /** Of the bundled template. */
  readonly name: string
  /** Default: the bundled one of that name and the language. */
  readonly template: Template | undefined
  /** Default: the bundled ones that fit the tools. */
  readonly examples: readonly Example[] | undefined
}

/** What is loaded. */
export interface LoadedWording {
  readonly template: Template
  readonly say: Say
  readonly renderPrompt: typeof import('../prompt/index.js').renderPrompt
  readonly flattenMessages: typeof import('../prompt/index.js').flattenMessages
  /** Told of these tools once, however often it is asked; `onLeftOut` is told of a user's own examples that no such tools can play. */
  readonly show: (readWith: Shown, onLeftOut: (message: string) => void) => Promise<ShownTools>
}

/** What a prompt says of the tools that it shows. */
export interface ShownTools {
  readonly tools: readonly ToolDoc[]
  /** The turns of the examples that these tools can play. */
  readonly examples: readonly (readonly Message[])[]
}

/** The tools that a prompt shows, and the labels that are read. */
type Shown = ReadWith & { readonly tools: readonly ToolSpec[] }

/** Rejects with `CONFIG` or `TEMPLATE` for a wording that is none. */
export async function loadWording({ dialect, language, name, template: own, examples }: WordingOptions): Promise<LoadedWording> {
  const prompts = await import('../prompt/index.js')
  const plain = own ?? (await prompts.bundledTemplate(name, language))
  const template = dialect.wording ? await plain.withWording(dialect.wording) : plain
  // by the list of tools, which is made anew when they change: the head of a prompt stays as it is for as long as they do
  const shown = new WeakMap<readonly ToolSpec[], Promise<ShownTools>>()
  const write = async (readWith: Shown, onLeftOut: (message: string) => void): Promise<ShownTools> => {
    const tools = readWith.tools.map(spec => withoutTokens(describeTool(spec)))
    const { kept, left } = examples ? prompts.chooseExamples(examples, tools) : await prompts.examplesFor(tools, language)
    // the bundled ones fit few tools, which is nothing to tell
    if (examples) for (const { name, reason } of left) onLeftOut(`example ${name} is left out: ${reason}`)
    return { tools, examples: kept.map(example => writeExample(example, dialect, readWith)) }
  }
  return {
    template,
    say: template.say,
    renderPrompt: prompts.renderPrompt,
    flattenMessages: prompts.flattenMessages,
    show(readWith, onLeftOut) {
      const known = shown.get(readWith.tools) ?? write(readWith, onLeftOut)
      shown.set(readWith.tools, known)
      return known
    },
  }
}

/** What a tool says about itself may come from outside. Names and values stay as they are: they are written back. */
function withoutTokens(doc: ToolDoc): ToolDoc {
  return {
    ...doc,
    description: escapeTokens(doc.description),
    parameters: doc.parameters.map(each =>
      each.description === undefined ? each : { ...each, description: escapeTokens(each.description) },
    ),
  }
}
