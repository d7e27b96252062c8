// Pages and a reader's place among them: which page was found last, and how far a word was followed in it. The answers are the ones of the
// encyclopedia environment in the ReAct paper (https://arxiv.org/abs/2210.03629): a search gives a page's beginning, a lookup one sentence.
import { nearNames } from '../../core/near-names.js'
import { BRIGHTWATER, type Page } from './brightwater.js'

const FIRST_SENTENCES = 4
const MOST_SIMILAR = 5

export class World {
  readonly #pages: readonly Page[]
  readonly #byName = new Map<string, Page>()
  #page: Page | undefined
  #term = ''
  #results: readonly string[] = []
  #next = 0

  constructor(pages: readonly Page[] = BRIGHTWATER) {
    this.#pages = pages
    for (const page of pages) for (const name of [page.title, ...(page.also ?? [])]) this.#byName.set(fold(name), page)
  }

  /** Finds a page by its title or another of its names, whatever the case and the accents; gives its first four sentences. */
  search(query: string): string {
    const page = this.#byName.get(fold(query))
    if (page === undefined) return this.#notFound(query)
    this.#page = page
    this.#term = ''
    const redirected = fold(page.title) === fold(query) ? '' : `(Redirected to ${page.title}) `
    return redirected + page.sentences.slice(0, FIRST_SENTENCES).join(' ')
  }

  /** Gives the next sentence with the term in the page found last; the same term again goes on, another one begins anew. */
  lookup(term: string): string {
    if (this.#page === undefined) return 'No page is open. Search for a page first.'
    const wanted = fold(term)
    if (wanted === '') return 'There is no word to look up.'
    if (wanted !== this.#term) {
      this.#term = wanted
      this.#results = this.#page.sentences.filter(sentence => fold(sentence).includes(wanted))
      this.#next = 0
    }
    if (this.#results.length === 0) return `No results for "${term.trim()}" in the page ${this.#page.title}.`
    const sentence = this.#results[this.#next]
    if (sentence === undefined) return 'No more results.'
    this.#next++
    return `(Result ${this.#next} / ${this.#results.length}) ${sentence}`
  }

  #notFound(query: string): string {
    const similar = this.#similar(query)
    const quoted = `Could not find "${query.trim().slice(0, 100)}".`
    return similar.length === 0
      ? `${quoted} No title is similar.`
      : `${quoted} Similar: ${similar.map(title => `"${title}"`).join(', ')}.`
  }

  // names spelt like the query and titles with a word of it; without any, the pages that mention most of it
  #similar(query: string): string[] {
    const near = nearNames(query, [...this.#byName.keys()]).map(name => this.#byName.get(name)?.title ?? '')
    const words = fold(query)
      .split(' ')
      .filter(word => word.length > 3)
    const named = [...new Set([...near, ...this.#titlesBy(({ title }) => countWords(title, words))])]
    const titles = named.length > 0 ? named : this.#titlesBy(({ sentences }) => countWords(sentences.join(' '), words))
    return titles.slice(0, MOST_SIMILAR)
  }

  #titlesBy(score: (page: Page) => number): string[] {
    const scored = this.#pages.map(page => ({ title: page.title, score: score(page) })).filter(({ score }) => score > 0)
    return scored.sort((a, b) => b.score - a.score).map(({ title }) => title)
  }
}

function countWords(text: string, words: readonly string[]): number {
  const folded = fold(text)
  return words.filter(word => folded.includes(word)).length
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
