// A browser session → the tools that decide which page is looked at: addresses, back and forth, tabs.
import type { ToolContext } from '../../core/tool.js'
import { addressOf } from './address.js'
import type { BrowserSession } from './browser-session.js'
import { Plain } from './plain.js'
import type { Tab } from './tabs.js'
import { type Action, integer, object, string } from './tool-shapes.js'

export function movingTools(session: BrowserSession, searchUrl: string | undefined): readonly Action[] {
  const go = (url: string, { signal }: ToolContext) =>
    session.act(
      async tab => {
        await session.go(tab, url)
        return `Opened ${url}.`
      },
      { signal, leaves: true },
    )
  const search: Action = {
    name: 'web_search',
    description: 'Searches the web and opens the page of results.',
    effect: 'none',
    input: object({ query: string('What to search for.') }),
    run: ({ query }: { query: string }, context) => go((searchUrl ?? '').replace('{query}', encodeURIComponent(query)), context),
  }
  return [
    {
      name: 'go_to_url',
      description: 'Opens a web page in the present tab.',
      effect: 'none',
      input: object({ url: string('Its address, or a path of the present site.') }),
      run: ({ url }: { url: string }, { signal }) =>
        session.act(
          async tab => {
            const address = requireAddress(url, tab)
            await session.go(tab, address)
            return `Opened ${address}.`
          },
          { signal, leaves: true },
        ),
    },
    ...(searchUrl === undefined ? [] : [search]),
    {
      name: 'go_back',
      description: 'Goes back to the page before this one.',
      effect: 'none',
      run: (_, { signal }) =>
        session.act(
          async ({ page }) => {
            const from = page.url()
            await page.goBack({ waitUntil: 'domcontentloaded' })
            // the blank page that a tab begins with is none
            if (page.url() === 'about:blank') await page.goForward({ waitUntil: 'domcontentloaded' })
            if (page.url() === from) throw new Plain('there is no earlier page in this tab')
            return 'Went back.'
          },
          { signal },
        ),
    },
    {
      name: 'refresh',
      description: 'Loads the present page again.',
      run: (_, { signal }) =>
        session.act(
          async ({ page }) => {
            await page.reload({ waitUntil: 'domcontentloaded' })
            return 'Loaded the page again.'
          },
          { signal },
        ),
    },
    {
      name: 'open_tab',
      description: 'Opens a web page in a new tab.',
      effect: 'none',
      input: object({ url: string('Its address.') }),
      run: ({ url }: { url: string }, { signal }) =>
        session.act(
          async (tab, tabs) => {
            const address = requireAddress(url, tab)
            await session.go(await tabs.open(), address)
            return `Opened ${address}.`
          },
          { signal, leaves: true },
        ),
    },
    {
      name: 'switch_tab',
      description: 'Makes another tab the present one.',
      effect: 'none',
      input: object({ tab_id: integer('Number of the tab.') }),
      run: ({ tab_id }: { tab_id: number }, { signal }) =>
        session.act(
          async (_, tabs) => {
            if (!(await tabs.show(tab_id))) throw noTab(tab_id, tabs.all)
            return `Tab ${tab_id} is the present one.`
          },
          { signal, leaves: true },
        ),
    },
    {
      name: 'close_tab',
      description: 'Closes a tab.',
      input: object({ tab_id: integer('Number of the tab; the present one when left out.') }, []),
      run: ({ tab_id }: { tab_id?: number }, { signal }) =>
        session.act(
          async (tab, tabs) => {
            const id = tab_id ?? tab.id
            if (!(await tabs.close(id))) throw noTab(id, tabs.all)
            return `Closed tab ${id}.`
          },
          { signal, leaves: true },
        ),
    },
  ]
}

function requireAddress(text: string, { page }: Tab): string {
  const url = addressOf(text, page.url())
  if (url === undefined) throw new Plain(`${JSON.stringify(text)} is no address`)
  return url
}

function noTab(id: number, tabs: readonly Tab[]): Error {
  return new Plain(`there is no tab ${id}; there are ${tabs.map(tab => tab.id).join(', ')}`)
}
