// The languages and templates that travel with saydo, as one table. Adding a template is one file and one line here; so is a language.
import formatEn from '../../prompts/partials/format.hbs'
import toolsEn from '../../prompts/partials/tools.hbs'
import reactEn from '../../prompts/react.hbs'
import textsEn from '../../prompts/texts/en.hbs'
import textsZh from '../../prompts/texts/zh.hbs'
import formatZh from '../../prompts/zh/partials/format.hbs'
import toolsZh from '../../prompts/zh/partials/tools.hbs'
import reactZh from '../../prompts/zh/react.hbs'
import { SaydoError } from '../core/errors.js'
import { didYouMean } from '../core/near-names.js'
import { english } from './examples/en.js'
import { chinese } from './examples/zh.js'
import type { Example } from './examples.js'

export interface Language {
  /** Source of the texts a model sees besides its own turns. */
  readonly texts: string
  /** Sources of the templates, by the name to ask for them. */
  readonly templates: Readonly<Record<string, string>>
  /** Sources of what a template may include with `{{> name}}`; a user's own template may too. */
  readonly partials: Readonly<Record<string, string>>
  readonly examples: readonly Example[]
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: { texts: textsEn, templates: { react: reactEn }, partials: { tools: toolsEn, format: formatEn }, examples: english },
  zh: { texts: textsZh, templates: { react: reactZh }, partials: { tools: toolsZh, format: formatZh }, examples: chinese },
}

/** Throws `CONFIG`, naming the languages there are. */
export function languageOf(name: string): Language {
  const language = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined
  if (language !== undefined) return language
  const known = Object.keys(LANGUAGES)
  throw new SaydoError('CONFIG', `no language "${name}"${didYouMean(name, known)}`, { hint: `Languages: ${known.join(', ')}.` })
}
