// The languages that travel with saydo, as one table; each is loaded when it is first wanted. A language is a file in languages/ and one line
// here.
import { SaydoError } from '../core/errors.js'
import { didYouMean } from '../core/near-names.js'
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

const LOADERS: Readonly<Record<string, () => Promise<{ readonly language: Language }>>> = {
  en: () => import('./languages/en.js'),
  zh: () => import('./languages/zh.js'),
  de: () => import('./languages/de.js'),
  fr: () => import('./languages/fr.js'),
  es: () => import('./languages/es.js'),
  pt: () => import('./languages/pt.js'),
  it: () => import('./languages/it.js'),
  ru: () => import('./languages/ru.js'),
  ja: () => import('./languages/ja.js'),
  ko: () => import('./languages/ko.js'),
}

/** Their codes, such as `en`. */
export const LANGUAGES: readonly string[] = Object.keys(LOADERS)

/** Rejects with `CONFIG`, naming the languages there are. */
export async function loadLanguage(name: string): Promise<Language> {
  const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined
  if (load !== undefined) return (await load()).language
  const message = `no language "${name}"${didYouMean(name, LANGUAGES)}`
  throw new SaydoError('CONFIG', message, { hint: `Languages: ${LANGUAGES.join(', ')}.` })
}
