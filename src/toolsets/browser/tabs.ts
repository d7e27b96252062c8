// A browser's context → its tabs by number, which of them is looked at, and what happened in them since somebody last asked: new tabs, dialogs, files that
// were not taken. A number means one tab for ever.
import type { BrowserContext, Dialog, Page, Request } from '../page.js'

export interface Tab {
  readonly id: number
  readonly page: Page
  /** Counts its documents: what was seen of another is not there any more. */
  document: number
  /** Requests under way. */
  loading: number
  /** Waits for an answer; until then nothing else in the tab goes on. */
  dialog: Dialog | undefined
}

export class Tabs {
  readonly #context: BrowserContext
  readonly #tabs = new Map<Page, Tab>()
  #active: Tab | undefined
  #next = 1
  /** Numbers of tabs that were opened; only ever growing. */
  #opened: number[] = []
  /** How often each happened. */
  #events = new Map<string, number>()
  #untold = 0
  /** Tabs that are being opened by us. */
  #wanted = 0
  readonly #asked = new Set<string>()
  #onDialog: () => void = () => {}

  constructor(context: BrowserContext) {
    this.#context = context
    for (const page of context.pages()) this.#add(page)
    context.on('page', page => this.#onPage(page))
  }

  get all(): readonly Tab[] {
    return [...this.#tabs.values()]
  }

  /** The one that is looked at; a fresh one when all were closed. */
  async active(): Promise<Tab> {
    return this.#active ?? this.open()
  }

  async open(): Promise<Tab> {
    this.#wanted += 1
    try {
      return this.#add(await this.#context.newPage())
    } finally {
      this.#wanted -= 1
    }
  }

  /** Undefined when there is no such tab. */
  async show(id: number): Promise<Tab | undefined> {
    const tab = this.#withId(id)
    if (tab) await tab.page.bringToFront()
    this.#active = tab ?? this.#active
    return tab
  }

  /** A fresh one in place of one that answers nothing any more. */
  async replace({ page, id }: Tab): Promise<Tab> {
    const fresh = await this.open()
    page.close().catch(() => {})
    this.#note(`tab ${id} did not answer and was closed`)
    return fresh
  }

  async close(id: number): Promise<Tab | undefined> {
    const tab = this.#withId(id)
    await tab?.page.close()
    return tab
  }

  /** Settles with the next dialog that has to be answered. */
  nextDialog(): Promise<void> {
    return new Promise(resolve => {
      this.#onDialog = resolve
    })
  }

  /** What happened since this was last asked for, one sentence each; the first of them where a page made many. */
  takeEvents(): readonly string[] {
    const told = openedText(this.#opened)
    const events = [...this.#events].map(([event, times]) => (times === 1 ? event : `${event}, ${times} times`))
    const rest = this.#untold
    this.#opened = []
    this.#events.clear()
    this.#untold = 0
    return rest === 0 ? [...told, ...events] : [...told, ...events, `${rest} more things happened that are not told`]
  }

  #note(event: string): void {
    const times = this.#events.get(event) ?? 0
    if (times > 0 || this.#events.size < MOST_EVENTS) this.#events.set(event, times + 1)
    else this.#untold += 1
  }

  /** Whether a page asked for something there; a browser asks for things of its own, too. */
  hasAsked(host: string): boolean {
    return this.#asked.has(host)
  }

  #noteHost(request: Request): void {
    if (this.#asked.size < MOST_HOSTS && URL.canParse(request.url())) this.#asked.add(new URL(request.url()).hostname)
  }

  #withId(id: number): Tab | undefined {
    return this.all.find(tab => tab.id === id)
  }

  /** By a page, or by us. */
  #onPage(page: Page): void {
    if (this.#wanted > 0 || this.#tabs.size < MOST_TABS) return void this.#add(page)
    page.close().catch(() => {})
    this.#note(`a further tab was closed at once: ${MOST_TABS} are open`)
  }

  /** A tab that a page opens is looked at, as in any browser. */
  #add(page: Page): Tab {
    const known = this.#tabs.get(page)
    if (known) return known
    const tab: Tab = { id: this.#next++, page, document: 0, loading: 0, dialog: undefined }
    this.#tabs.set(page, tab)
    if (this.#active) this.#opened.push(tab.id)
    this.#active = tab
    const count = (by: number) => (request: Request) => {
      if (!ENDLESS.has(request.resourceType())) tab.loading = Math.max(0, tab.loading + by)
    }
    page.on('domcontentloaded', () => {
      tab.document += 1
    })
    page.on('request', request => this.#noteHost(request))
    page.on('request', count(1)).on('requestfinished', count(-1)).on('requestfailed', count(-1))
    page.on('dialog', dialog => this.#onOpened(tab, dialog))
    page.on('download', download => {
      this.#note('a download was refused: downloads are off')
      download.cancel().catch(() => {})
    })
    // a chooser that is listened to stays closed
    page.on('filechooser', () => this.#note('the page asked for a file: uploads are off'))
    page.on('crash', () => {
      this.#note(`the page of tab ${tab.id} crashed`)
      page.close().catch(() => {})
    })
    page.on('close', () => this.#remove(tab))
    return tab
  }

  #onOpened(tab: Tab, dialog: Dialog): void {
    const kind = dialog.type()
    if (kind === 'confirm' || kind === 'prompt') {
      tab.dialog = dialog
      this.#onDialog()
      return
    }
    if (kind === 'alert') this.#note(`the page said ${JSON.stringify(dialog.message().slice(0, MOST_SAID))} (closed)`)
    dialog.accept().catch(() => {})
  }

  #remove(tab: Tab): void {
    this.#tabs.delete(tab.page)
    if (this.#active === tab) this.#active = this.all.at(-1)
  }
}

const MOST_SAID = 500
const MOST_TABS = 20
const MOST_EVENTS = 12
const MOST_HOSTS = 10_000

/** Requests that stay open are not waited for. */
const ENDLESS: ReadonlySet<string> = new Set(['eventsource', 'websocket', 'ping', 'media'])

function openedText(ids: readonly number[]): readonly string[] {
  if (ids.length < 2) return ids.map(id => `tab ${id} was opened`)
  return [`${ids.length} tabs were opened, ${ids[0]} to ${ids.at(-1)}`]
}
