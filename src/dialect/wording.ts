// A dialect's name and its English wording → its wording in every language there is one for. English travels with the dialect; the others lie
// in wordings/, one module for each language, which is loaded when that language is first wanted.
import type { Wording } from '../core/dialect.js'

/** What models are told about each dialect, by its name. */
export interface Wordings {
  readonly bracket: string
  readonly chat: string
  readonly json: string
  readonly pythonic: string
  readonly xml: string
}

/** The dialect's wording, with those of the other languages to be loaded. */
export function wordingOf(name: keyof Wordings, en: string): Wording {
  const others = Object.entries(LOADERS).map(([language, load]) => [language, async () => (await load()).wordings[name]])
  return { ...Object.fromEntries(others), en }
}

const LOADERS: Readonly<Record<string, () => Promise<{ readonly wordings: Wordings }>>> = {
  zh: () => import('./wordings/zh.js'),
  de: () => import('./wordings/de.js'),
  fr: () => import('./wordings/fr.js'),
  es: () => import('./wordings/es.js'),
  pt: () => import('./wordings/pt.js'),
  it: () => import('./wordings/it.js'),
  ru: () => import('./wordings/ru.js'),
  ja: () => import('./wordings/ja.js'),
  ko: () => import('./wordings/ko.js'),
}
