// A template file → its settings and its text. Settings are YAML between two `---` lines at the top; the text keeps its line numbers.
// The only importer of yaml here, which is loaded when a file has settings.
import type { JsonObject } from '../core/json.js'
import { didYouMean } from '../core/near-names.js'
import { templateError } from './syntax.js'

export interface TemplateSettings {
  /** What to call the template; default its file. */
  readonly name?: string
  /** Language of the texts besides the template; default `en`. */
  readonly language?: string
  /** Whether the template's `{{examples}}` are filled; default true. */
  readonly examples?: boolean
}

const TYPES = { name: 'string', language: 'string', examples: 'boolean' } as const

/** Throws `TEMPLATE` for settings that are no YAML mapping, for an unknown one (naming the nearest) and for a value of another type. */
export async function readFrontMatter(source: string, file: string): Promise<{ settings: TemplateSettings; text: string }> {
  const found = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/.exec(source)
  if (found === null) return { settings: {}, text: source }
  const blank = '\n'.repeat(found[0].split('\n').length - 1)
  return { settings: await readSettings(found[1] ?? '', file), text: blank + source.slice(found[0].length) }
}

async function readSettings(yaml: string, file: string): Promise<TemplateSettings> {
  const { isMap, isScalar, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(yaml, { lineCounter: lines })
  /** The settings begin in the file's second line. */
  const placeOf = (offset = 0) => {
    const { line, col } = lines.linePos(offset)
    return { line: line + 1, column: col - 1 }
  }
  const [error] = document.errors
  if (error !== undefined) {
    const said = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? ''
    throw templateError(file, placeOf(error.pos[0]), said, undefined, error)
  }
  if (document.contents === null) return {}
  if (!isMap(document.contents)) throw templateError(file, placeOf(), 'the settings at the top are no YAML mapping')

  const settings: Record<string, string | boolean> = {}
  for (const { key, value } of document.contents.items) {
    const name = isScalar(key) ? String(key.value) : String(key)
    const place = placeOf(isScalar(key) ? key.range?.[0] : undefined)
    const known = Object.keys(TYPES)
    if (!isSetting(name))
      throw templateError(file, place, `unknown setting "${name}"${didYouMean(name, known)}`, `Settings: ${known.join(', ')}.`)
    const plain: unknown = isScalar(value) ? value.value : undefined
    if (typeof plain !== TYPES[name]) throw templateError(file, place, `"${name}" must be a ${TYPES[name]}`)
    settings[name] = plain as string | boolean
  }
  return settings satisfies JsonObject as TemplateSettings
}

const isSetting = (name: string): name is keyof typeof TYPES => Object.hasOwn(TYPES, name)
