// Label words in other languages than English and Chinese, which are always read: one table each, chosen by name.
import { SaydoError } from '../core/errors.js'
import { nearNames } from '../core/near-names.js'
import type { LabelWords } from '../parse/grammar.js'
import { words as de } from './words/de.js'
import { words as es } from './words/es.js'
import { words as fr } from './words/fr.js'
import { words as it } from './words/it.js'
import { words as ja } from './words/ja.js'
import { words as ko } from './words/ko.js'
import { words as pt } from './words/pt.js'
import { words as ru } from './words/ru.js'

const LANGUAGES: Readonly<Record<string, () => LabelWords>> = { en: none, zh: none, de, fr, es, pt, it, ru, ja, ko }

/** The table of that name. Throws `CONFIG` with the nearest name when there is none. */
export function languageWords(name: string): LabelWords {
  const words = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined
  if (words) return withoutAccents(words())
  const names = Object.keys(LANGUAGES)
  const [near] = nearNames(name, names)
  throw new SaydoError('CONFIG', `There are no labels "${name}".`, {
    hint: near ? `Did you mean "${near}"?` : `Choose one of ${names.join(', ')}.`,
  })
}

/** Whether there is a table of that name. */
export function hasWords(name: string): boolean {
  return Object.hasOwn(LANGUAGES, name)
}

/** Whether its words are read anyway: those of English and Chinese. */
export function isAlwaysRead(name: string): boolean {
  return hasWords(name) && LANGUAGES[name] === none
}

function none(): LabelWords {
  return {}
}

/** Every word also as it is typed on a keyboard without accents. */
function withoutAccents(words: LabelWords): LabelWords {
  const lists = Object.entries(words) as [string, readonly string[]][]
  return Object.fromEntries(lists.map(([name, list]) => [name, [...list, ...list.filter(isAccented).map(bare)]]))
}

/** Latin letters with marks; the marks of other scripts make other letters. */
function isAccented(word: string): boolean {
  return /[\u00c0-\u024f]/.test(word)
}

function bare(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '')
}
