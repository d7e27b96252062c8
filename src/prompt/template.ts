// A template's name or file, and the data of one prompt → its turns. A template says what stands where; the turns of examples and scratchpad
// are the caller's, already written in the dialect. What changes from step to step stands behind the scratchpad (see render.ts).
import { readFile, stat } from 'node:fs/promises'
import { basename, relative } from 'node:path'
import type { Wording } from '../core/dialect.js'
import { SaydoError } from '../core/errors.js'
import type { Message } from '../core/message.js'
import { didYouMean } from '../core/near-names.js'
import type { Say } from '../core/text.js'
import { LANGUAGES, type Language, loadLanguage } from './bundled.js'
import { type CompiledTemplate, type Engine, openEngine, type TemplateSource } from './engine.js'
import { readFrontMatter } from './front-matter.js'
import { HEAD_NAMES, type HeadData, type PromptData, TEMPLATE_SHAPE, templateData } from './prompt-data.js'
import { createTurnSplitter, type Slots, type TurnSplitter } from './roles.js'
import { sample } from './shape.js'
import { MAX_TEMPLATE_BYTES, templateError } from './syntax.js'
import { loadTexts, readTexts, replaceTexts, type TextSource } from './texts.js'

export interface Template {
  readonly name: string
  /** Where a user's own one was loaded from, seen from the working directory. Records name it. */
  readonly file?: string
  readonly language: string
  /** Whether it shows examples at all. */
  readonly examples: boolean
  /** The texts of its language, with the template's own ones in their place. */
  readonly say: Say
  /**
   * The same template, whose `{{> format}}` tells the model to write in another way. Rejects with `TEMPLATE` for what is wrong in the wording.
   */
  withWording(wording: Wording): Promise<Template>
  /** The turns up to and including the scratchpad, without what changes. */
  render(data: PromptData): readonly Message[]
}

export interface TemplateOptions {
  /** A user's own wording for some of the texts (see `loadTexts`). */
  readonly texts?: TextSource
}

/** A template that travels with saydo. Throws `CONFIG` for an unknown name or language, `TEMPLATE` for what is wrong in `texts`. */
export async function bundledTemplate(name = 'react', language = 'en', { texts }: TemplateOptions = {}): Promise<Template> {
  const key = `${language} ${name}`
  const compiler = bundled.get(key) ?? bundledCompiler(name, language)
  bundled.set(key, compiler)
  const compile = await compiler
  const say = await loadTexts(language, texts)
  return createTemplate(compile, { name, language, examples: compile().uses.has('examples'), say })
}

/** Each is compiled once, however many agents use it. */
const bundled = new Map<string, Promise<BodyCompiler>>()

async function bundledCompiler(name: string, language: string): Promise<BodyCompiler> {
  const spoken = await loadLanguage(language)
  const { templates } = spoken
  const source = Object.hasOwn(templates, name) ? templates[name] : undefined
  if (source === undefined) {
    const known = Object.keys(templates)
    const hint = `Templates in ${language}: ${known.join(', ')}.`
    throw new SaydoError('CONFIG', `no template "${name}"${didYouMean(name, known)}`, { hint })
  }
  const engine = await openEngine()
  return bodyCompiler(engine.parse(source, `${name}.hbs`), spoken, engine)
}

/**
 * A user's own template: Handlebars with, at the top, optional YAML settings (`name`, `language`, `examples`). It may include the bundled
 * `{{> tools}}` and `{{> format}}`, and word any text anew in a `{{#*inline "name"}}` block, which wins over `texts`. It is tried out with
 * little data and with much, so that what is wrong shows now. Throws `CONFIG` when there is no such file, `TEMPLATE` for
 * everything wrong inside.
 */
export async function loadTemplate(path: string, { texts }: TemplateOptions = {}): Promise<Template> {
  const { settings, text } = await readFrontMatter(await readSource(path), path)
  const { language = 'en', name = basename(path), examples = true } = settings
  if (!LANGUAGES.includes(language)) {
    const message = `no language "${language}"${didYouMean(language, LANGUAGES)}`
    throw templateError(path, undefined, message, `Languages: ${LANGUAGES.join(', ')}.`)
  }
  const engine = await openEngine()
  const source = engine.parse(text, path)
  const compile = bodyCompiler(source, await loadLanguage(language), engine)
  const compiled = compile()
  if (!compiled.uses.has('task')) {
    throw templateError(path, undefined, 'the template has no {{task}}, so the model would not see the question')
  }
  tryOut(compiled)
  const say = await replaceTexts(language, [...(texts === undefined ? [] : [await readTexts(texts)]), source])
  return {
    file: relative('', path),
    ...createTemplate(compile, { name, language, examples: examples && compiled.uses.has('examples'), say }),
  }
}

/** The source of `{{> format}}` in a language. Throws `CONFIG` where there is none. */
export async function wordingIn(wording: Wording, language: string): Promise<string> {
  const place = wording[language] === undefined ? 'en' : language
  const told: unknown = wording[place]
  const text: unknown = typeof told === 'function' ? await told() : told
  if (typeof text === 'string') return text
  throw new SaydoError('CONFIG', `wording.${place} of the dialect gives ${text === null ? 'null' : typeof text}, no string`, {
    hint: 'Give Handlebars source, or a function that loads it.',
  })
}

async function readSource(path: string): Promise<string> {
  const file = await stat(path).catch((cause: unknown) => {
    throw new SaydoError('CONFIG', `no prompt template at ${path}`, { hint: 'Give the path of a Handlebars file.', cause })
  })
  if (!file.isFile()) throw new SaydoError('CONFIG', `the prompt template ${path} is no file`)
  if (file.size > MAX_TEMPLATE_BYTES) {
    throw templateError(path, undefined, `the template has ${file.size} bytes, the limit is ${MAX_TEMPLATE_BYTES}`)
  }
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new SaydoError('CONFIG', `the prompt template ${path} cannot be read`, { cause })
  })
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}

/** Gives a template, with another source of `{{> format}}` than its language's when one is given: each is compiled and tried out once. */
type BodyCompiler = (format?: string) => CompiledTemplate

function bodyCompiler(source: TemplateSource, language: Language, engine: Engine): BodyCompiler {
  const known = new Map<string | undefined, CompiledTemplate>()
  const compile = (format?: string): CompiledTemplate => {
    const partials = new Map<string, CompiledTemplate>()
    const sources = format === undefined ? language.partials : { ...language.partials, format }
    for (const [name, text] of Object.entries(sources)) {
      const { body } = engine.parse(text, `partials/${name}.hbs`)
      partials.set(name, engine.compile(body, { name: `partials/${name}.hbs`, variables: TEMPLATE_SHAPE }))
    }
    return engine.compile(source.body, { name: source.name, variables: TEMPLATE_SHAPE, partials })
  }
  return format => {
    const compiled = known.get(format) ?? compile(format)
    if (format !== undefined && !known.has(format)) tryOut(compiled)
    known.set(format, compiled)
    return compiled
  }
}

function createTemplate(compile: BodyCompiler, face: Omit<Template, 'render' | 'withWording'>, format?: string): Template {
  const compiled = compile(format)
  let head: Head | undefined
  return {
    ...face,
    async withWording(wording) {
      return createTemplate(compile, face, await wordingIn(wording, face.language))
    },
    render(data) {
      const slots = slotsOf(data, face)
      head = headOf(data, slots.examples.length > 0, compiled, head)
      return head.splitter.split(head.text, slots)
    },
  }
}

/** A template rendered with everything but the turns that stand in its slots. */
interface Head {
  readonly of: HeadData
  readonly examples: boolean
  readonly splitter: TurnSplitter
  readonly text: string
}

/** The last one, when it was of the same values: within a run only the slots change. Its marks stay in here, so nobody can learn them. */
function headOf(of: HeadData, examples: boolean, compiled: CompiledTemplate, last: Head | undefined): Head {
  if (last && last.examples === examples && HEAD_NAMES.every(name => last.of[name] === of[name])) return last
  const data = templateData(of)
  const splitter = createTurnSplitter()
  const places = { scratchpad: splitter.slot.scratchpad, ...(examples ? { examples: splitter.slot.examples } : {}) }
  const task = splitter.task + data.task
  return { of, examples, splitter, text: compiled.render({ examples: '', ...data, task, ...places }, splitter.marks) }
}

function slotsOf(data: PromptData, { examples, say }: Pick<Template, 'examples' | 'say'>): Slots {
  const omitted = data.omitted ?? 0
  const note: Message[] = omitted > 0 ? [{ role: 'user', text: say('steps_omitted', { omitted }) }] : []
  return { examples: examples ? data.examples.flat() : [], scratchpad: [...note, ...data.scratchpad] }
}

/** Renders a user's template with the least and the most data, and refuses a place for turns that would be filled twice. */
function tryOut(compiled: CompiledTemplate): void {
  for (const fill of ['least', 'full'] as const) {
    const { marks, slot } = createTurnSplitter()
    const text = compiled.render({ ...sample(TEMPLATE_SHAPE, fill), ...slot }, marks)
    for (const [name, mark] of Object.entries(slot)) {
      if (text.split(mark).length > 2) throw templateError(compiled.name, undefined, `{{${name}}} stands twice`)
    }
  }
}
