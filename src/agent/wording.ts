// The template, texts and examples of an agent → the same, loaded when the first prompt is written: the rooms they live in are heavy, and importing
// the library alone should cost nothing.
import type { Dialect } from '../core/dialect.js'
import type { Message } from '../core/message.js'
import type { Say } from '../core/text.js'
import type { ToolSpec } from '../core/tool.js'
import type { Example, Template } from '../prompt/index.js'
import { describeTool } from '../tools/describe.js'
import { type ReadWith, writeExample } from './example-turns.js'

export interface WordingOptions {
  readonly dialect: Dialect
  readonly language: string
  /** Default: the bundled one of the language. */
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
  /** The turns of the examples that these tools can play; `onLeftOut` is told of a user's own ones that none can. */
  readonly examplesFor: (readWith: Shown, onLeftOut: (message: string) => void) => Promise<readonly (readonly Message[])[]>
}

/** The tools that a prompt shows, and the labels that are read. */
type Shown = ReadWith & { readonly tools: readonly ToolSpec[] }

export class Wording {
  readonly #options: WordingOptions
  #loaded: Promise<LoadedWording> | undefined

  constructor(options: WordingOptions) {
    this.#options = options
  }

  load(): Promise<LoadedWording> {
    this.#loaded ??= load(this.#options)
    return this.#loaded
  }
}

async function load({ dialect, language, template: own, examples }: WordingOptions): Promise<LoadedWording> {
  const prompts = await import('../prompt/index.js')
  const plain = own ?? (await prompts.bundledTemplate('react', language))
  const template = dialect.wording ? await plain.withWording(dialect.wording) : plain
  // by the list of tools, which is made anew when they change: the head of a prompt stays as it is for as long as they do
  const written = new WeakMap<readonly ToolSpec[], Promise<readonly (readonly Message[])[]>>()
  const write = async (readWith: Shown, onLeftOut: (message: string) => void) => {
    const docs = readWith.tools.map(describeTool)
    const { kept, left } = examples ? prompts.chooseExamples(examples, docs) : await prompts.examplesFor(docs, language)
    // the bundled ones fit few tools, which is nothing to tell
    if (examples) for (const { name, reason } of left) onLeftOut(`example ${name} is left out: ${reason}`)
    return kept.map(example => writeExample(example, dialect, readWith))
  }
  return {
    template,
    say: template.say,
    renderPrompt: prompts.renderPrompt,
    flattenMessages: prompts.flattenMessages,
    examplesFor(readWith, onLeftOut) {
      const known = written.get(readWith.tools) ?? write(readWith, onLeftOut)
      written.set(readWith.tools, known)
      return known
    },
  }
}
