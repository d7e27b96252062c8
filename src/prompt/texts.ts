// A file of named texts → `say(name, data)`. Each text is a block `{{#*inline "name"}}…{{/inline}}` of prompts/texts/<language>.hbs; a
// user's own file may replace any of them. All are checked when loaded, so that a run never ends over a wording.
import { SaydoError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { didYouMean } from '../core/near-names.js'
import { type Say, TEXT_NAMES, type TextName } from '../core/text.js'
import { loadLanguage } from './bundled.js'
import { type Engine, openEngine, type TemplateSource } from './engine.js'
import { sample } from './shape.js'
import { templateError } from './syntax.js'
import { TEXT_SHAPES } from './text-shapes.js'

type Texts = ReadonlyMap<TextName, (data: JsonObject) => string>

/** A user's own wording: the source, and what to call it in messages (its file). */
export interface TextSource {
  readonly name: string
  readonly source: string
}

const bundled = new Map<string, Promise<Texts>>()

/**
 * The texts of a language, some of them replaced by those in `override`. Throws `TEMPLATE` for a text that has no such name or names data
 * it doesn't get, `CONFIG` for an unknown language.
 */
export async function loadTexts(language: string, override?: TextSource): Promise<Say> {
  return replaceTexts(language, override === undefined ? [] : [await readTexts(override)])
}

/** A file of nothing but named texts. */
export async function readTexts({ name, source }: TextSource): Promise<TemplateSource> {
  const parsed = (await openEngine()).parse(source, name)
  for (const statement of parsed.body.body) {
    if (statement.type === 'CommentStatement' || (statement.type === 'ContentStatement' && statement.value.trim() === ''))
      continue
    throw templateError(name, statement.loc?.start, 'outside of the {{#*inline "name"}} blocks stands something nobody would see')
  }
  return parsed
}

/** The texts of a language, some replaced by the blocks of other sources; the last one wins. Each block is tried out first. */
export async function replaceTexts(language: string, sources: readonly TemplateSource[]): Promise<Say> {
  const engine = await openEngine()
  const texts = new Map(await bundledTexts(language, engine))
  for (const source of sources) {
    for (const [name, render] of compileTexts(source, engine)) {
      for (const fill of ['least', 'full'] as const) render(sample(TEXT_SHAPES[name], fill))
      texts.set(name, render)
    }
  }
  return sayFrom(texts)
}

function bundledTexts(language: string, engine: Engine): Promise<Texts> {
  const loaded = bundled.get(language) ?? readBundledTexts(language, engine)
  bundled.set(language, loaded)
  return loaded
}

async function readBundledTexts(language: string, engine: Engine): Promise<Texts> {
  const name = `prompts/texts/${language}.hbs`
  const texts = compileTexts(engine.parse((await loadLanguage(language)).texts, name), engine)
  const missing = TEXT_NAMES.filter(each => !texts.has(each))
  if (missing.length > 0) throw templateError(name, undefined, `no text named ${missing.join(', ')}`)
  return texts
}

function compileTexts(source: TemplateSource, engine: Engine): Texts {
  const texts = new Map<TextName, (data: JsonObject) => string>()
  for (const [name, block] of source.blocks) {
    if (!isTextName(name)) {
      const hint = `Texts: ${TEXT_NAMES.join(', ')}.`
      throw templateError(source.name, block.loc?.start, `unknown text "${name}"${didYouMean(name, TEXT_NAMES)}`, hint)
    }
    const compiled = engine.compile(block.program, { name: source.name, variables: TEXT_SHAPES[name] })
    texts.set(name, data => trimLineEnds(compiled.render(data)))
  }
  return texts
}

function sayFrom(texts: Texts): Say {
  return (name, data = {}) => {
    const text = texts.get(name)
    if (text === undefined) throw new SaydoError('TEMPLATE', `no text named "${name}"${didYouMean(name, texts.keys())}`)
    return text(data)
  }
}

const isTextName = (name: string): name is TextName => Object.hasOwn(TEXT_SHAPES, name)

/** A block's own first and last line break belong to the file, not to the text. */
const trimLineEnds = (text: string): string => text.replace(/^\n/, '').replace(/\n$/, '')
