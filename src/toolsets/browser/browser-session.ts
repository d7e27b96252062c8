// A browser, opened when it is first needed → what it shows, as text, and actions in it, each told in one text. What acts on a page acts on what the model
// has seen of it: once there is another page, the rest of a batch is not done. One thing at a time.
import type { Image } from '../../core/image.js'
import { ToolUnavailableError } from '../../tools/tool-unavailable-error.js'
import type { Locator, Response } from '../page.js'
import { type BrowserOptions, type CheckedOptions, checkedOptions } from './browser-options.js'
import { answers, placeOf, screenshot, settle, snapshot, steady, titleOf } from './looks.js'
import { describe, Numbering } from './numbering.js'
import type { OpenBrowser } from './open-browser.js'
import { everyNode, type PageNode } from './page-node.js'
import { MEASURE, type Scroll } from './page-scripts.js'
import { Plain } from './plain.js'
import { dialogText, headLines, hostsAllowed, notLoaded, placeText, sentence } from './sentences.js'
import { pageLines } from './state-text.js'
import type { Tab, Tabs } from './tabs.js'
import { isGone, isInterrupted, REFUSED_HEADER, troubleOf } from './trouble.js'

/** An element that an action is about. */
export interface Element {
  readonly locator: Locator
  readonly node: PageNode
  /** Such as `[3] button "Save"`. */
  readonly label: string
}

export interface ActionOptions {
  readonly signal?: AbortSignal
  /** It does nothing to the page and needs nothing that the model has seen: it is done in any case. */
  readonly reads?: boolean
  /** It is about no page: where the page went on by itself it is done all the same, but not once an earlier action of the batch has led elsewhere. */
  readonly leaves?: boolean
  /** It answers the dialog that stops everything else. */
  readonly answers?: boolean
}

const MAX_STATE = 8_000
/** What is seen once an action has led to another page. */
const ELSEWHERE = ''
/** Elements named in place of one that is gone. */
const MOST_ALIKE = 5

export class BrowserSession {
  readonly #options: CheckedOptions
  readonly #numbering = new Numbering()
  /** By host, why. */
  readonly #refused = new Map<string, string>()
  #opening: Promise<OpenBrowser> | undefined
  #notes: string[] = []
  /** The document that the model has seen: none before the first state, and once an action has led elsewhere. */
  #seen: string | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** Throws `CONFIG` for a host or an address that is none. */
  constructor(options: BrowserOptions = {}) {
    this.#options = checkedOptions(options)
  }

  /** What the model is told before a step. Never rejects: a browser that can't be looked at is told, too. */
  state(): Promise<string> {
    return this.#alone(async () => {
      const { start, allowed } = this.#options
      if (!this.#opening && start === undefined)
        return `The browser is not open yet: go_to_url opens a page. ${hostsAllowed(allowed)}`
      try {
        return await this.#look()
      } catch (error) {
        return `The state of the browser is not available: ${reasonOf(error)}`
      }
    })
  }

  /** What can be seen of the page whose state was given last; undefined where that can't be looked at. */
  picture(): Promise<Image | undefined> {
    return this.#alone(async () => {
      if (this.#seen === undefined || !(await this.#isOpen())) return undefined
      const tab = await (await this.#open()).tabs.active()
      if (tab.dialog || this.#seen !== placeOf(tab)) return undefined
      return screenshot(tab).catch(() => undefined)
    })
  }

  /** The model remembers another browser, which is gone: nothing is done before it has seen this one. */
  replaces(why: string): void {
    this.#notes.push(why)
    this.#seen = ELSEWHERE
  }

  /** Does something in the present tab. `work` says what was done; rejects with what the model should know. */
  act(
    work: (tab: Tab, tabs: Tabs) => Promise<string>,
    { reads = false, leaves = false, answers = false, signal }: ActionOptions = {},
  ): Promise<string> {
    return this.#alone(async () => {
      signal?.throwIfAborted()
      const { tabs } = await this.#open()
      const tab = await tabs.active()
      if (tab.dialog && !answers) throw new Error(`not done: a dialog waits (${dialogText(tab)}); answer_dialog answers it`)
      if (!reads && !answers && !this.#isKnown(tab, leaves))
        throw new Error('not done: the page has changed, so look at it as it is now first')
      const before = markOf(tab)
      const dialog = tabs.nextDialog()
      try {
        const working = work(tab, tabs)
        // a dialog holds everything up until it is answered
        working.catch(() => {})
        const done = await Promise.race([working, dialog.then(() => 'Done.')])
        const after = await tabs.active()
        if (!after.dialog) await settle(after, signal)
        return reads ? done : await this.#told(done, before, tabs)
      } catch (error) {
        if (isGone(error) && !(await this.#isOpen()))
          throw new ToolUnavailableError('the browser was closed; it is opened anew for the next action')
        if (!reads && markOf(await tabs.active()) !== before) this.#seen = ELSEWHERE
        throw new Error(reasonOf(error), { cause: error })
      }
    })
  }

  /** The element of a number, as the page is now. Rejects when it is gone. */
  async element(index: number, tab: Tab): Promise<Element> {
    await this.nodes(tab)
    const found = this.#numbering.find(index)
    if (found.kind === 'unknown') throw new Plain(`there is no element ${index}: the numbers stand in the state of the page`)
    if (found.kind === 'gone')
      throw new Plain(`element ${index} (${found.was}) is no longer on the page: ${whatInstead(found.now)}`)
    const { node, index: now } = found.numbered
    const label = `[${index}] ${describe(node)}${found.kind === 'again' ? `, which was drawn anew and is now [${now}]` : ''}`
    return { node, label, locator: tab.page.getByRef(node.ref ?? '') }
  }

  /** What the page holds now; its elements are numbered by it. */
  async nodes(tab: Tab): Promise<readonly PageNode[]> {
    const nodes = await snapshot(tab)
    this.#numbering.look(everyNode(nodes), placeOf(tab))
    return nodes
  }

  /** Opens a URL in a tab. Rejects with why it was not. */
  async go(tab: Tab, url: string): Promise<void> {
    const { rules, allowed } = this.#options
    const refusal = rules.refusalOfUrl(url)
    if (refusal !== undefined) throw new Plain(`not opened: ${refusal}. ${hostsAllowed(allowed)}`)
    const { tabs } = await this.#open()
    this.#refused.clear()
    const present = (await answers(tab)) ? tab : await tabs.replace(tab)
    const answered = await opened(present, url)
      // a page that goes on and on by itself is not to be left in its own tab
      .catch(async error => (isInterrupted(error) ? opened(await tabs.replace(present), url) : Promise.reject(error)))
      .catch((error: unknown) => {
        const [why] = this.#refusals(tabs)
        throw why === undefined ? error : new Plain(`not opened: ${why}`)
      })
    // what is slow is there all the same
    const { page } = await tabs.active()
    await page.waitForLoadState('domcontentloaded').catch(() => {})
    const why = answered && (await answered.headerValue(REFUSED_HEADER))
    if (why) throw new Plain(decodeURIComponent(why))
    if (/^application\/pdf/i.test((await answered?.headerValue('content-type')) ?? ''))
      this.#notes.push('this is a PDF, whose text cannot be seen here')
    if (answered && answered.status() >= 400) this.#notes.push(`the server answered ${answered.status()}`)
  }

  /** Safe to call twice. What was open is closed; the next action opens a fresh one. */
  async close(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    this.#seen = undefined
    const opened = await opening?.catch(() => undefined)
    await opened?.close()
  }

  #isKnown(tab: Tab, leaves: boolean): boolean {
    return this.#seen === undefined || this.#seen === placeOf(tab) || (leaves && this.#seen !== ELSEWHERE)
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }

  async #isOpen(): Promise<boolean> {
    const opened = await this.#opening?.catch(() => undefined)
    return opened?.isOpen() ?? false
  }

  /** A browser that could not be started is not tried again before it is closed. */
  async #open(): Promise<OpenBrowser> {
    if (this.#opening && !(await this.#opening).isOpen()) {
      await this.close()
      this.replaces('the browser had been closed, and was opened anew')
    }
    if (this.#opening) return this.#opening
    this.#opening = import('./open-browser.js').then(({ openBrowser }) =>
      openBrowser(this.#options, ({ host, reason }) => this.#refused.set(host, reason)),
    )
    const { tabs } = await this.#opening
    const tab = await tabs.active()
    const { start } = this.#options
    if (start !== undefined)
      await this.go(tab, start).catch(error => this.#notes.push(`${start} was not opened: ${reasonOf(error)}`))
    return this.#opening
  }

  async #look(): Promise<string> {
    const { tabs } = await this.#open()
    const tab = await tabs.active()
    if (!tab.dialog) await settle(tab)
    this.#seen = placeOf(tab)
    const title = tab.dialog ? '' : await titleOf(tab).catch(error => error as Error)
    const head = headLines(tab, { title: title instanceof Error ? '' : title, tabs: tabs.all, notes: this.#takeNotes(tabs) })
    if (tab.dialog)
      return [...head, `A dialog waits: ${dialogText(tab)}. Nothing else can be done before answer_dialog answers it.`].join('\n')
    const nodes = title instanceof Error ? title : await snapshot(tab).catch(error => error as Error)
    if (nodes instanceof Error)
      return [...head, `What the page holds cannot be seen: ${reasonOf(nodes)}. go_to_url leaves it.`].join('\n')
    const numbers = this.#numbering.look(everyNode(nodes), placeOf(tab))
    const scroll = (await steady(tab, () => tab.page.evaluate(MEASURE))) as Scroll
    const view = { nodes, numbers, fresh: this.#numbering.show() }
    return [
      ...head,
      `Scroll position: ${scroll.above} pixels above, ${scroll.below} pixels below what can be seen`,
      ...(tab.loading > 0 ? [`The page is still loading (requests under way: ${tab.loading}); wait gives it time.`] : []),
      'Elements that can be acted on have a number, * marks new ones; · marks what the page says:',
      ...pageLines(view, this.#options.maxState ?? MAX_STATE),
    ].join('\n')
  }

  #takeNotes(tabs: Tabs): readonly string[] {
    const notes = [...this.#notes, ...tabs.takeEvents(), ...notLoaded(this.#refusals(tabs))]
    this.#notes = []
    this.#refused.clear()
    return notes
  }

  /** Of what pages asked for. */
  #refusals(tabs: Tabs): readonly string[] {
    return [...this.#refused].filter(([host]) => tabs.hasAsked(host)).map(([, reason]) => reason)
  }

  /** What was done, and where the browser is now: the one line that stays of a state. */
  async #told(done: string, before: string, tabs: Tabs): Promise<string> {
    const tab = await tabs.active()
    const isElsewhere = markOf(tab) !== before
    if (tab.dialog || isElsewhere) this.#seen = ELSEWHERE
    const events = tabs.takeEvents().map(sentence)
    if (tab.dialog) return [done, ...events, `A dialog waits: ${dialogText(tab)}.`].join(' ')
    if (!isElsewhere) return [done, ...events].join(' ')
    return [done, ...events, `Now at ${placeText(tab, await titleOf(tab).catch(() => ''))}.`].join(' ')
  }
}

function opened({ page }: Tab, url: string): Promise<Response | null> {
  return page.goto(url, { waitUntil: 'commit' })
}

/** Of an element that is gone. */
function whatInstead(alike: readonly number[]): string {
  if (alike.length === 0) return 'choose among those of its present state'
  return `what looks like it is now ${alike
    .slice(0, MOST_ALIKE)
    .map(index => `[${index}]`)
    .join(', ')}`
}

function markOf(tab: Tab): string {
  return JSON.stringify([placeOf(tab), tab.page.url()])
}

function reasonOf(error: unknown): string {
  return error instanceof Plain || error instanceof ToolUnavailableError ? error.message : troubleOf(error)
}
