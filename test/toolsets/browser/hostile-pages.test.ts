// Pages that do their worst: each can be left, what it did is told, and no prompt grows without end.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { troubleOf } from '../../../src/toolsets/browser/trouble.js'
import { type Browsing, browse } from '../../support/browsing.js'
import { CHROMIUM, WITHOUT_CHROMIUM } from '../../support/chromium.js'
import { type Route, type Site, startSite } from '../../support/site.js'

const page =
  (body: string): Route =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<title>Hostile</title>${body}`)

const ROUTES: Readonly<Record<string, Route>> = {
  '/popups': page('<button onclick="for (let i = 0; i < 40; i++) window.open(\'/welcome.html?\' + i)">open</button>'),
  '/alerts': page('<button onclick="while (true) alert(\'again\')">tell</button>'),
  '/busy': page('<button onclick="while (true);">hang</button>'),
  '/onward': page("<p>going</p><script>location.href = '/onward?' + Math.random()</script>"),
  '/pdf': (_, response) => void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4\n%%EOF'),
  '/private': (_, response) =>
    void response.writeHead(401, { 'www-authenticate': 'Basic realm="x"', 'content-type': 'text/html' }).end('<p>no'),
  '/options': page(`<select>${Array.from({ length: 2_000 }, (_, at) => `<option>Option ${at}`).join('')}</select>`),
}

describe.skipIf(!CHROMIUM)(`a page${WITHOUT_CHROMIUM}`, { timeout: 120_000 }, () => {
  let site: Site
  let web: Browsing
  beforeAll(async () => {
    site = await startSite(ROUTES)
  })
  afterEach(() => web.close())
  afterAll(() => site.close())

  async function at(path: string): Promise<void> {
    web = browse({ start: `${site.url}${path}` })
    await web.look()
  }

  const left = async () => {
    expect(await web.run('go_to_url', { url: '/welcome.html' })).toContain('Opened')
    return web.look()
  }

  test('that opens tab after tab gets twenty, and that is said', async () => {
    await at('/popups')
    const clicked = await web.run('click_element', { index: web.number('button') }).catch(String)
    const count = () => web.session.act(async (_, tabs) => String(tabs.all.length), { reads: true }).catch(String)
    await expect.poll(count, { timeout: 15_000 }).toBe('20')
    const state = await web.look()
    // by the click, or behind it: as the browser goes
    const told = `${clicked}\n${state}`
    expect(told).toMatch(/opened, \d+ to 20\b|tab 20 was opened/i)
    expect(told).toMatch(/a further tab was closed at once: 20 are open/i)
    expect(state.length).toBeLessThan(9_000)
  })

  test.each([
    ['/alerts', 'says the same without end', 'the page said "again" (closed), '],
    ['/busy', 'does not come to an end', 'does not answer'],
  ])('%s, which %s, has its click told as done, cannot be seen, and can be left', async (path, _, told) => {
    await at(path)
    await expect(web.run('click_element', { index: web.number('button') })).rejects.toThrow('it was done')
    const state = await web.look()
    expect(state).toContain(told)
    expect(state).toContain('What the page holds cannot be seen: the page does not answer. go_to_url leaves it.')
    expect(await left()).toContain('Your membership number is 7731.')
  })

  test('that goes on and on by itself can be left', async () => {
    await at('/onward')
    // how far it has come by now decides whether this is done at once
    await web.run('go_to_url', { url: '/welcome.html' }).catch(() => {})
    await web.look()
    expect(await left()).toContain('Your membership number is 7731.')
  })

  test('that is a PDF says so, and does not pass for an empty one', async () => {
    await at('/pdf')
    await web.run('go_to_url', { url: '/pdf' })
    expect(await web.look()).toContain('Note: this is a PDF, whose text cannot be seen here')
    await expect(web.run('go_to_url', { url: '/private' })).rejects.toThrow('wants a user and a password')
  })

  test('with very many options names the first, and finds the last', async () => {
    await at('/options')
    expect((await web.look()).length).toBeLessThan(1_000)
    const index = web.number('combobox')
    expect(await web.run('select_dropdown_option', { index, text: 'Option 1999' })).toContain('Chose "Option 1999"')
    await expect(web.run('select_dropdown_option', { index, text: 'none' })).rejects.toThrow(/and 1900 more$/)
  })
})

describe('what the driver throws', () => {
  test.each([
    [
      'a click whose page was silent afterwards',
      'locator.click: Timeout 5000ms exceeded.\nCall log:\n  - scrolling into view if needed\n  - performing click action',
      'it was done, but the page has not answered since: see what came of it before it is done again',
    ],
    [
      'a click that hit what covers it',
      'locator.click: Timeout 5000ms exceeded.\nCall log:\n  - performing click action\n  - <div id="c">…</div> intercepts pointer events\n  - retrying click action',
      'it is covered by <div id="c">…</div>: close or answer that first',
    ],
    [
      'a browser that ends at once',
      'browserType.launchPersistentContext: Target closed\nBrowser logs:\n[pid=1][err] [1:1:1201/0.1:FATAL:chrome/browser/x.cc:315] Socket path too long: /tmp/x',
      'it ended at once: Socket path too long: /tmp/x',
    ],
    [
      'a library that is missing',
      'browserType.launchPersistentContext: Target closed\n[pid=1][err] /opt/chrome: error while loading shared libraries: libnss3.so: cannot open',
      'it ended at once: error while loading shared libraries: libnss3.so: cannot open',
    ],
  ])('is told: %s', (_, thrown, told) => {
    expect(troubleOf(new Error(thrown))).toBe(told)
  })
})
