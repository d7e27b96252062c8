// The page of a run, looked at in a real browser.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/event.js'
import { transcriptsOf } from '../../src/transcript/transcript.js'
import { pageOf } from '../../src/viewer/page.js'
import { tracesOf } from '../../src/viewer/trace.js'
import { CHROMIUM, launchChromium, WITHOUT_CHROMIUM } from '../support/chromium.js'
import { hostileEvents, longEvents } from '../support/hostile-run.js'
import { playRun, RUN_SCRIPTS, type RunScript } from '../support/recorded-runs.js'

const folder = mkdtempSync(join(tmpdir(), 'saydo-page-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function pageText(events: readonly AgentEvent[]): Promise<string> {
  return pageOf(await tracesOf(transcriptsOf(events)))
}

async function eventsOf(name: string | RunScript): Promise<readonly AgentEvent[]> {
  return (await playRun(typeof name === 'string' ? (RUN_SCRIPTS[name] ?? { replies: [] }) : name)).events
}

function fileFor(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('the file of a page', () => {
  test('allows what stands in it, by its hash, and nothing else', async () => {
    const text = await pageText(await eventsOf('a call and an answer'))
    expect(text).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-[\w+/=]{44}'; style-src 'sha256-[\w+/=]{44}'; /,
    )
    expect(text).not.toMatch(/https?:\/\/(?!www\.w3\.org\/)|\bsrc=|@import|url\(/)
  })

  test('ends its data nowhere but at the end, whatever stands in it', async () => {
    const text = await pageText(hostileEvents())
    expect(text.match(/<\/script>/g)).toHaveLength(2)
    expect(text).not.toMatch(/<img|<svg|[\u2028\u2029]/)
  })

  test('is small beside its data', async () => {
    const events = await eventsOf('an answer at once')
    expect((await pageText(events)).length).toBeLessThan(80_000)
  })
})

describe.skipIf(CHROMIUM === undefined)(`a page in a browser${WITHOUT_CHROMIUM}`, () => {
  let browser: Browser
  let page: Page
  /** What a page must never do. */
  let misdeeds: string[]

  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    await page.context().close()
    expect(misdeeds).toEqual([])
  })

  async function open(text: string, hash = ''): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    page = await context.newPage()
    misdeeds = []
    const file = pathToFileURL(fileFor('page.html', text)).href
    page.on('console', message => misdeeds.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', error => misdeeds.push(error.message))
    page.on('dialog', dialog => {
      misdeeds.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('request', request => {
      if (request.url().split('#')[0] !== file) misdeeds.push(`request ${request.url()}`)
    })
    await page.goto(file + hash)
    await page.locator('h1').waitFor()
  }

  const openRun = async (name: string | RunScript, hash?: string) => open(await pageText(await eventsOf(name)), hash)
  const selected = () => page.locator('.turn.selected .number').textContent()
  const press = (key: string) => page.keyboard.press(key)

  test('shows the task, the answer, and how it ended', async () => {
    await openRun('reasoning and counts')
    expect(await page.locator('h1').textContent()).toBe('What is the capital of Veltria?')
    expect(await page.locator('.outcome pre').textContent()).toBe('Ostrava Bay')
    expect(await page.locator('.head .figures').textContent()).toMatch(/✓ final_answer[\s\S]*2 steps[\s\S]*21 \+ 7 tokens/)
  })

  test('shows every character of a reply, each as what became of it', async () => {
    const script = RUN_SCRIPTS['odd replies'] ?? { replies: [] }
    await openRun(script)
    const replies = (await page.locator('pre.raw').all()).map(async pre =>
      (await pre.locator('.segment').allTextContents()).join(''),
    )
    expect(await Promise.all(replies)).toEqual(script.replies)
  })

  test('shows what was read, each problem with its explanation, and what the model was told', async () => {
    await openRun('odd replies')
    const first = page.locator('#t0')
    expect(await first.locator('.reading').textContent()).toContain('I should look.')
    expect(await first.locator('.problems .code').allTextContents()).toEqual(['ONLY_THOUGHT'])
    expect(await first.locator('.remark.nudge pre').textContent()).toContain('Reply again')
    expect(await page.locator('article').last().locator('.reading').textContent()).toContain('Ostrava Bay')
  })

  test('links a place of the reply with what was read of it, both ways and by the keyboard too', async () => {
    await openRun('a call and an answer')
    await page.locator('#t0 .segment', { hasText: /^capital$/ }).hover()
    expect(await page.locator('#t0 .row.lit').textContent()).toBe('Toolcapital')
    await page.locator('#t0 .row', { hasText: '"Veltria"' }).hover()
    expect(await page.locator('#t0 .segment.lit').allTextContents()).toEqual(['Veltria'])
    await openRun('odd replies')
    await page.locator('#t0-p0').press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('t0-r0')
    expect(await page.locator('#t0 .problems li.lit').count()).toBe(1)
  })

  test('shows what is new in a prompt, what left it, and the whole of it', async () => {
    await openRun('odd replies')
    const sent = page.locator('#t2 .sent')
    await sent.locator('summary').click()
    expect(await sent.locator('.messages.gone').textContent()).toContain('I should look.')
    expect(await sent.locator('.messages.new .role').allTextContents()).not.toHaveLength(0)
    expect(await sent.locator('.sections').textContent()).toMatch(/scratchpad \d+/)
    await sent.getByRole('button', { name: 'The whole prompt' }).click()
    expect(await sent.locator('.messages:not(.gone) .message').first().textContent()).toContain('system')
  })

  test('shows where the run went in circles, and links the evidence', async () => {
    await openRun('circles')
    expect(await page.locator('.circles p').first().textContent()).toContain(
      'The same calls and results as in steps 1, 2: the model was told.',
    )
    await page.locator('.circles a').first().click()
    expect(await selected()).toBe('3')
  })

  test('tells of a run that broke off what was under way', async () => {
    const events = await eventsOf('a call and an answer')
    await open(await pageText(events.slice(0, events.findIndex(({ type }) => type === 'call_start') + 1)))
    expect(await page.locator('.outcome.bad').textContent()).toContain('capital was called, and the outcome is unknown')
    expect(await page.locator('.head .command').allTextContents()).toContain('saydo resume run-1')
  })

  test('offers the commands that make a test of the run, and another run from a step on', async () => {
    await openRun('a call and an answer')
    expect(await page.locator('.head .command').allTextContents()).toContain('saydo fixtures from run-1 --test')
    expect(await page.locator('#t1 .command').allTextContents()).toContain('saydo resume run-1 --from 2')
  })

  test('shows a conversation run by run, by links that can be passed on, the last one first', async () => {
    const [one, two] = await Promise.all([eventsOf('odd replies'), eventsOf('a call and an answer')])
    const later = two.map(event => (event.type === 'run_start' ? { ...event, task: 'And of Morn?' } : event))
    const text = await pageText([...one, ...later])
    await open(text)
    expect(await page.locator('.talk a').allTextContents()).toEqual(['What is the capital of Veltria?', 'And of Morn?'])
    expect(await page.locator('h1').textContent()).toBe('And of Morn?')
    await page.locator('.talk a').first().click()
    expect(await page.locator('h1').textContent()).toBe('What is the capital of Veltria?')
    await press('j')
    expect([await selected(), await page.evaluate('location.hash')]).toEqual(['1', '#turn=1&step=1'])
    expect((await page.locator('.command').allTextContents()).filter(each => each.includes('--from'))).toEqual([])
    expect(await page.locator('#t0 .command').allTextContents()).toContain('saydo trace run-1 --turn 1 --step 1')
    await open(text, '#turn=1&step=3')
    expect([await page.locator('h1').textContent(), await selected()]).toEqual(['What is the capital of Veltria?', '3'])
  })

  test('goes from turn to turn, repair to repair and error to error by the keyboard', async () => {
    await openRun('odd replies')
    await press('j')
    await press('j')
    expect(await selected()).toBe('1.2')
    await press('k')
    expect(await selected()).toBe('1')
    await press('r')
    expect(await page.evaluate('[document.activeElement.id, location.hash]')).toEqual(['t0-r0', '#step=1&r=1'])
    await press('e')
    expect(await selected()).toBe('1.2')
    await press('/')
    await page.keyboard.type('jj')
    expect(await page.locator('#search').inputValue()).toBe('jj')
    await press('Escape')
    expect(await page.locator('#search').inputValue()).toBe('')
    await press('?')
    await page.locator('dialog').waitFor({ state: 'visible' })
    await press('Escape')
    await page.locator('dialog').waitFor({ state: 'hidden' })
  })

  test('finds turns by their words, their tools, their codes and their trouble', async () => {
    await openRun('odd replies')
    const shown = async (text: string) => {
      await page.locator('#search').fill(text)
      return page.locator('article .number').allTextContents()
    }
    expect(await shown('OSTRAVA')).toEqual(['3', '4'])
    expect(await shown('code:only_thought')).toEqual(['1'])
    expect(await shown('tool:capitol')).toEqual(['1.2'])
    expect(await shown('nothing like it')).toEqual([])
    expect(await page.locator('main').textContent()).toBe('No turn has that.')
    await page.locator('#search').fill('')
    await page.getByText('! Errors').click()
    expect(await page.locator('article .number').allTextContents()).toEqual(['1', '1.2', '2'])
    await page.getByText('~ Repairs').click()
    expect(await page.locator('article').count()).toBeGreaterThan(1)
  })

  test('opens at the place that its address names', async () => {
    await openRun('odd replies', '#step=1.2&r=1')
    expect(await selected()).toBe('1.2')
    expect(await page.evaluate('document.activeElement.id')).toBe('t1-r0')
  })

  test('compares with a second run, from a record or another page', async () => {
    await openRun('a call and an answer')
    const other = await eventsOf('a limit')
    const record = fileFor('other.jsonl', other.map(event => JSON.stringify(event)).join('\n'))
    await page.locator('input[type=file]').setInputFiles(record)
    const rows = page.locator('.compare tbody tr')
    expect(await rows.evaluateAll(all => all.map(row => row.className))).toEqual(['same', 'only', 'other-result'])
    expect(await page.locator('#divergence').textContent()).toContain('"Morn"')
    expect(await page.locator('.compare .figures').textContent()).toMatch(/steps 2 → 3/)
    await page
      .locator('input[type=file]')
      .setInputFiles(fileFor('same.html', await pageText(await eventsOf('a call and an answer'))))
    await page.locator('.compare', { hasText: 'Both did the same throughout.' }).waitFor()
    await page.locator('input[type=file]').setInputFiles(fileFor('none.jsonl', 'hello'))
    expect(await page.getByRole('alert').textContent()).toContain('none.jsonl: this is no run')
  })

  test('takes a second run that is dropped on it', async () => {
    await openRun('a call and an answer')
    const lines = (await eventsOf('a limit')).map(event => JSON.stringify(event)).join('\n')
    const data = await page.evaluateHandle(text => {
      const transfer = new (
        globalThis as never as { DataTransfer: new () => { items: { add(file: unknown): void } } }
      ).DataTransfer()
      transfer.items.add(new File([text], 'dropped.jsonl'))
      return transfer
    }, lines)
    await page.dispatchEvent('main', 'drop', { dataTransfer: data })
    await page.locator('.compare h2').waitFor()
    expect(await page.locator('.compare h2').textContent()).toBe('Beside dropped.jsonl')
  })

  test('puts a step on the clipboard: as Markdown, as a fixture, as an example, as a command', async () => {
    await openRun('a call and an answer')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('#t0 .take summary').click()
    const copied = async (name: string) => {
      await page.locator('#t0').getByRole('button', { name, exact: true }).click()
      await page.locator('#t0 .done', { hasText: 'copied' }).first().waitFor()
      return page.evaluate<string>('navigator.clipboard.readText()')
    }
    expect(await copied('Copy Markdown')).toContain('### Step 1')
    expect(await copied('Copy fixture step')).toMatch(/^- model: \|-\n/)
    expect(JSON.parse(await copied('Copy example'))).toMatchObject({ observations: ['Ostrava Bay'] })
    expect(await page.locator('#t0 .command').first().textContent()).toContain('saydo trace run-1 --step 1')
  })

  test('is light or dark as the system is, until one is chosen', async () => {
    await openRun('a call and an answer')
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await paper()
    await page.emulateMedia({ colorScheme: 'light' })
    const light = await paper()
    expect(light).not.toBe(dark)
    await page.getByRole('button', { name: 'Theme: as the system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).click()
    expect(await paper()).toBe(dark)
  })

  test('fits a narrow screen, and four times enlarged', async () => {
    await openRun('odd replies')
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
  })

  test('names all that can be used, for those who do not see it', async () => {
    await openRun('odd replies')
    const nameless = await page
      .locator('button, a, input, summary')
      .evaluateAll(all =>
        all.filter(element => !(element.textContent?.trim() || element.ariaLabel)).map(element => element.outerHTML),
      )
    expect(nameless.filter(html => !html.includes('type="file"') && !html.includes('type="radio"'))).toEqual([])
    expect(await page.getByRole('article').count()).toBeGreaterThan(3)
  })

  test('shows a hostile run as text: nothing runs, nothing is asked for, no link leads away', async () => {
    await open(await pageText(hostileEvents()))
    expect(await page.locator('script').count()).toBe(2)
    expect(await page.locator('img, iframe, object, embed, svg, form, link').count()).toBe(0)
    expect(
      await page.locator('a').evaluateAll(all => all.map(a => a.getAttribute('href')).filter(href => !href?.startsWith('#'))),
    ).toEqual([])
    expect(await page.locator('pre.raw').first().textContent()).toContain('</script><img src=x onerror=alert(1)>')
    expect(await page.locator('.unseen').count()).toBeGreaterThan(0)
    for (const details of await page.locator('details:visible > summary').all()) await details.click()
    expect(await page.locator('#page').textContent()).not.toMatch(/[\u202e\u200b\u2028]/)
  })

  test('folds an observation of ten megabytes, and shows more of it when asked', async () => {
    const events = hostileEvents(`begin ${'0123456789'.repeat(1_000_000)}`)
    await open(await pageText(events))
    const observation = page.locator('#t0 .observation')
    expect((await observation.locator('pre').textContent())?.length).toBeLessThan(10_000)
    await observation.getByRole('button').click()
    expect((await observation.locator('pre').textContent())?.length).toBeGreaterThan(200_000)
    expect(await observation.getByRole('button').textContent()).toMatch(/more of 10\.0 MB/)
  })

  test('of a thousand steps draws what is near, and goes anywhere at once', async () => {
    await open(await pageText(longEvents(1000)))
    expect(await page.locator('article').count()).toBe(1001)
    await page.locator('pre.raw').first().waitFor()
    expect(await page.locator('pre.raw').count()).toBeLessThan(40)
    await page.evaluate('location.hash = "#step=900"')
    await page.locator('#t899 pre.raw').waitFor()
    const top = await page.locator('#t899').evaluate(element => element.getBoundingClientRect().top)
    expect(top).toBeGreaterThan(-5)
    expect(top).toBeLessThan(400)
    await page.locator('#search').fill('fact number 777.')
    expect(await page.locator('article').count()).toBe(1)
    await page.locator('#search').fill('')
  })

  test('of a long run prints all', async () => {
    await open(await pageText(longEvents(60)))
    expect(await page.locator('pre.raw').count()).toBeLessThan(40)
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    await page.locator('#t50 pre.raw').waitFor({ state: 'attached' })
    expect(await page.locator('pre.raw').count()).toBe(61)
  })
})
