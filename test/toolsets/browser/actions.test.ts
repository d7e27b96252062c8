// What holds for every action in a browser: its input is looked at before a browser is, one is done at a time, and a page that moves on meanwhile is met.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { BrowserAgent } from '../../../src/agents/browser-agent.js'
import type { Tool } from '../../../src/core/tool.js'
import { scriptedModel } from '../../../src/model/scripted.js'
import { steady } from '../../../src/toolsets/browser/looks.js'
import type { Tab } from '../../../src/toolsets/browser/tabs.js'
import { troubleOf } from '../../../src/toolsets/browser/trouble.js'
import { type Browsing, browse } from '../../support/browsing.js'
import { CHROMIUM, WITHOUT_CHROMIUM } from '../../support/chromium.js'
import { act, answer } from '../../support/mcp.js'
import { type Route, type Site, startSite } from '../../support/site.js'

describe('without a browser', () => {
  const given = { allowHosts: ['example.com'], program: '/no/such/program', searchUrl: 'https://example.com/?q={query}' }

  const required = ({ parameters }: Tool) => (parameters.required ?? []) as readonly string[]
  const needy = new BrowserAgent({ model: scriptedModel([]), ...given }).registry.list().filter(tool => required(tool).length > 0)

  test('eleven actions need something', () => expect(needy.length).toBe(11))

  test.each(needy)('$name without what it needs is not tried, and what it needs is said', async tool => {
    const model = scriptedModel([act(tool.name), answer('x')])
    const { steps } = await new BrowserAgent({ model, ...given }).run('Do it.')
    const { observations = [], nudge = '' } = steps[0] ?? {}
    expect(observations.map(({ failure }) => failure?.code)).toEqual([])
    for (const field of required(tool)) expect(nudge).toContain(field)
  })

  test.each([
    ['a number that is none', 'click_element', { index: 'the button' }],
    ['an amount that is none', 'scroll_down', { amount: 'far' }],
    ['a time that is too long', 'wait', { seconds: 3600 }],
    ['a field that there is not', 'refresh', { hard: true }],
  ])('%s is refused', async (_, name, input) => {
    const model = scriptedModel([act(name, input), answer('x')])
    const { steps } = await new BrowserAgent({ model, ...given }).run('Do it.')
    expect(steps[0]?.observations[0]?.failure?.code).toBe('invalid_input')
  })
})

const html =
  (body: string): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Try</title>${body}`)

describe('what is asked of a page that goes on to another one', () => {
  const moving = () =>
    Promise.reject(new Error('page.evaluate: Execution context was destroyed, most likely because of a navigation'))
  const tab = { page: { waitForLoadState: async () => {} } } as unknown as Tab
  const asking = (...answers: readonly (() => Promise<unknown>)[]) => {
    const ask = vi.fn(() => answers[ask.mock.calls.length - 1]?.() ?? moving())
    return { ask, told: steady(tab, ask).catch(troubleOf) }
  }

  test('is asked once more, of the page that is there then', async () => {
    const { ask, told } = asking(moving, async () => 'there')
    expect([await told, ask.mock.calls.length]).toEqual(['there', 2])
  })

  test('is not asked for ever: that the page changed is told', async () => {
    const { ask, told } = asking()
    expect([await told, ask.mock.calls.length]).toEqual(['the page went on to another one meanwhile', 2])
  })

  test('is not asked again where it failed for another reason', async () => {
    const { ask, told } = asking(() => Promise.reject(new Error('page.evaluate: it is broken')))
    expect([await told, ask.mock.calls.length]).toEqual(['it is broken', 1])
  })
})

describe.skipIf(!CHROMIUM)(`with a browser${WITHOUT_CHROMIUM}`, { timeout: 60_000 }, () => {
  let site: Site
  let web: Browsing
  beforeAll(async () => {
    site = await startSite({
      '/empty': html(''),
      '/never-full': html('<script>fetch("/never.png")</script>'),
      '/results': (incoming, response) =>
        html(`<p>Results for ${new URL(incoming.url ?? '', site.url).searchParams.get('q')}`)(incoming, response),
      // each look at it comes upon a page that has just begun to go on
      '/restless': html(
        '<button>Go</button><script>setTimeout(() => location.replace("/restless?" + Math.random()), 120)</script>',
      ),
      '/rest': html('<button onclick="location.href = \'/welcome.html\'">Go on</button>'),
    })
    web = browse({ start: `${site.url}/welcome.html` }, { searchUrl: `${site.url}/results?q={query}` })
  })
  afterAll(async () => {
    await web?.close()
    await site?.close()
  })
  const open = async (path: string) => {
    await web.look()
    return web.run('go_to_url', { url: site.url + path })
  }

  test('a search opens the page of its results', async () => {
    await web.look()
    await web.run('web_search', { query: 'red kites & more' })
    expect(await web.look()).toContain('· Results for red kites & more')
  })

  test('a search is held to the allowed hosts, as everything is', async () => {
    const strict = browse({ start: `${site.url}/welcome.html` }, { searchUrl: 'http://127.0.0.3/?q={query}' })
    try {
      await strict.look()
      await expect(strict.run('web_search', { query: 'x' })).rejects.toThrow('not on the list of allowed hosts')
    } finally {
      await strict.close()
    }
  })

  test('two actions at once are done one after the other', async () => {
    await open('/login.html')
    await web.look()
    const index = web.number('textbox "User"')
    await Promise.all(['ada', 'grace'].map(text => web.run('input_text', { index, text })))
    expect(await web.look()).toContain('textbox "User" = "grace"')
    const waited: string[] = []
    await Promise.all([
      web.run('wait', { seconds: 1 }).then(() => waited.push('long')),
      web.run('wait', { seconds: 0 }).then(() => waited.push('short')),
    ])
    expect(waited).toEqual(['long', 'short'])
  })

  test('a page without text says so, or that it is still coming', async () => {
    await open('/empty')
    expect(await web.run('extract_content')).toBe('The page has no text.')
    await open('/never-full')
    expect(await web.run('extract_content')).toBe('The page has no text yet: it is still loading.')
  })

  test('a page that goes on and on by itself is told as it is at some moment, or that it is not still', async () => {
    await open('/restless')
    const told = /^Page: "[^"]*" \S+\/restless|^The state of the browser is not available: \w.+/
    for (let look = 0; look < 3; look++) expect(await web.look()).toMatch(told)
    // how far it has come by now decides whether it is left at once
    const leave = () => web.run('go_to_url', { url: `${site.url}/rest` }).catch(() => {})
    await expect.poll(() => leave().then(() => web.look()), { timeout: 15_000 }).toContain('button "Go on"')
    expect(await web.run('click_element', { index: web.number('button "Go on"') })).toContain('Now at "Welcome"')
  })

  test('what the last action gave stands once in the prompt', async () => {
    const model = scriptedModel([act('go_to_url', { url: '/table.html' }), act('scroll_down'), answer('x')])
    await new BrowserAgent({ model, start: `${site.url}/welcome.html`, program: CHROMIUM }).run('Look.')
    const last = model.prompts.at(-1)?.text ?? ''
    expect(last.split(`Opened ${site.url}/table.html. Now at "Rivers"`).length).toBe(2)
    expect(last.split('Scrolled 0 pixels').length).toBe(2)
  })
})
