// A real browser on real pages, worked by the tools as a model would call them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browsing, browse } from '../../support/browsing.js'
import { CHROMIUM, WITHOUT_CHROMIUM } from '../../support/chromium.js'
import { type Site, startSite } from '../../support/site.js'

describe.skipIf(!CHROMIUM)(`a browser on real pages${WITHOUT_CHROMIUM}`, { timeout: 60_000 }, () => {
  let site: Site
  let web: Browsing
  beforeAll(async () => {
    site = await startSite()
    web = browse({ start: `${site.url}/welcome.html` })
  })
  afterAll(async () => {
    await web?.close()
    await site?.close()
  })
  const open = async (path: string) => {
    await web.look()
    return web.run('go_to_url', { url: path })
  }

  test('a login form: filled, sent, and what it leads to is seen', async () => {
    await open('/login.html')
    const state = await web.look()
    expect(state).toContain('Page: "Sign in"')
    expect(state).toContain('· # Members only')
    await web.run('input_text', { index: web.number('textbox "User"'), text: 'ada' })
    await web.run('input_text', { index: web.number('textbox "Password"'), text: 'lace-41' })
    await web.run('click_element', { index: web.number('checkbox "Stay signed in"') })
    expect(await web.run('click_element', { index: web.number('button "Sign in"') })).toMatch(
      /^Clicked \[\d+\] button "Sign in"\.$/,
    )
    const refused = await web.look()
    expect(refused).toContain('· Wrong user or password.')
    expect(refused).toMatch(/textbox "User" = "ada"/)
    expect(refused).toMatch(/checkbox "Stay signed in", (?:checked|focused)/)
    await web.run('input_text', { index: web.number('textbox "Password"'), text: 'lace-42' })
    expect(await web.run('click_element', { index: web.number('button "Sign in"') })).toContain('Now at "Welcome"')
    expect(await web.look()).toContain('· Your membership number is 7731.')
  })

  test('what is typed into a password field is not shown', async () => {
    await open('/login.html')
    await web.look()
    await web.run('input_text', { index: web.number('textbox "Password"'), text: 'lace-42' })
    const state = await web.look()
    expect(state).toContain('textbox "Password" = "••••••••"')
    expect(state + (await web.run('extract_content'))).not.toContain('lace-42')
  })

  test('an empty text clears a field', async () => {
    await open('/login.html')
    await web.look()
    const index = web.number('textbox "User"')
    await web.run('input_text', { index, text: 'ada' })
    expect(await web.run('input_text', { index, text: '' })).toMatch(/^Cleared /)
    expect(await web.look()).toMatch(/textbox "User"(?! =)/)
  })

  test('a table over three pages is read to its end', async () => {
    await open('/table.html')
    const read: string[] = []
    for (;;) {
      await web.look()
      read.push(await web.run('extract_content'))
      if (!web.has('link "Next"')) break
      await web.run('click_element', { index: web.number('link "Next"') })
    }
    expect(read.length).toBe(3)
    expect(read.join('\n').match(/\| \w+ \| \d+ km \|/g)).toEqual([
      '| Amber | 412 km |',
      '| Reed | 388 km |',
      '| Lirren | 95 km |',
      '| Ostrel | 1204 km |',
      '| Pinmoor | 77 km |',
      '| Veltria | 640 km |',
    ])
  })

  test('a dropdown: its options are seen, one is chosen, and one that is not there is refused with those that are', async () => {
    await open('/dropdown.html')
    expect(await web.look()).toContain('combobox "Colour" = "Red" (options: "Red", "Green", "Dark blue")')
    const index = web.number('combobox "Colour"')
    expect(await web.run('get_dropdown_options', { index })).toBe('Red (selected)\nGreen\nDark blue')
    await expect(web.run('select_dropdown_option', { index, text: 'Blue' })).rejects.toThrow(
      'there are "Red", "Green", "Dark blue"',
    )
    await web.run('select_dropdown_option', { index, text: 'dark blue' })
    expect(await web.look()).toContain('· You chose Dark blue')
  })

  test.each([
    ['click_element', 'button "Order"', {}, 'is disabled'],
    ['input_text', 'button "Pick a size"', { text: 'L' }, 'takes no text'],
    ['get_dropdown_options', 'button "Pick a size"', {}, 'has no options that can be seen'],
    ['select_dropdown_option', 'button "Pick a size"', { text: 'L' }, 'has no options that can be seen'],
  ])('%s says why it does nothing to %s', async (name, element, input, why) => {
    await open('/dropdown.html')
    await web.look()
    await expect(web.run(name, { index: web.number(element), ...input })).rejects.toThrow(why)
  })

  test('a link into a new tab: the tab is told, and is the present one; the other can be gone back to', async () => {
    await open('/tabs.html')
    await web.look()
    const done = await web.run('click_element', { index: web.number('link "Open in a new tab"') })
    expect(done).toMatch(/Tab \d+ was opened\. Now at "Welcome"/)
    const state = await web.look()
    const [, first = '', second = ''] = /Tabs: (\d+) \S+tabs\.html · (\d+) \S+welcome\.html \(active\)/.exec(state) ?? []
    await web.run('switch_tab', { tab_id: Number(first) })
    expect(await web.look()).toContain('Page: "Links"')
    await expect(web.run('switch_tab', { tab_id: 99 })).rejects.toThrow(`there is no tab 99; there are ${first}, ${second}`)
    await web.look()
    await web.run('close_tab', { tab_id: Number(second) })
    expect(await web.look()).not.toContain('Tabs:')
  })

  test('when its last tab is closed, a fresh one is there', async () => {
    await open('/tabs.html')
    await web.look()
    await web.run('close_tab')
    expect(await web.look()).toContain('Page: "" about:blank')
    expect(await open('/welcome.html').catch(String)).toContain('"/welcome.html" is no address')
    expect(await web.run('go_to_url', { url: `${site.url}/welcome.html` })).toContain('Now at "Welcome"')
  })

  test('an alert is told and closed', async () => {
    await web.look()
    await web.run('go_to_url', { url: `${site.url}/dialogs.html` })
    await web.look()
    expect(await web.run('click_element', { index: web.number('button "Save"') })).toContain('The page said "Saved." (closed).')
  })

  test('a page that does a hundred things is told by its first', async () => {
    await open('/flood.html')
    await web.look()
    const done = await web.run('click_element', { index: web.number('button "Talk"') })
    expect(done + (await web.look())).toMatch(/Look 11.*[Mm]ore things happened that are not told/s)
    expect(done).not.toContain('Look 12')
  })

  test('a question waits for its answer, and nothing else is done before', async () => {
    await open('/dialogs.html')
    await web.look()
    const index = web.number('button "Delete"')
    expect(await web.run('click_element', { index })).toContain('A dialog waits: confirm "Delete all?"')
    expect(await web.look()).toContain('A dialog waits: confirm "Delete all?". Nothing else can be done')
    await expect(web.run('click_element', { index })).rejects.toThrow('a dialog waits')
    await web.run('answer_dialog', { accept: false })
    expect(await web.look()).toContain('· Kept')
    await web.run('click_element', { index })
    await web.look()
    await web.run('answer_dialog', { accept: true })
    expect(await web.look()).toContain('· Deleted')
    await web.run('click_element', { index: web.number('button "Greet"') })
    await web.look()
    await web.run('answer_dialog', { accept: true, text: 'Ada' })
    expect(await web.look()).toContain('· Hello Ada')
    await expect(web.run('answer_dialog', { accept: true })).rejects.toThrow('no dialog waits')
  })

  test('what stands in a frame and in a shadow root is seen and worked', async () => {
    await open('/frames.html')
    await web.look()
    await web.run('click_element', { index: web.number('button "In the frame"') })
    await web.run('input_text', { index: web.number('textbox "In the shadow"'), text: 'deep' })
    const state = await web.look()
    expect(state).toContain('pressed inside')
    expect(state).toContain('· typed deep')
  })

  test('a list without end grows as it is scrolled', async () => {
    await open('/endless.html')
    expect(await web.look()).toMatch(/Scroll position: 0 pixels above, \d{3,} pixels below/)
    expect(web.has('link "Entry 21"')).toBe(false)
    await web.run('scroll_down', { amount: 5000 })
    const state = await web.look()
    expect(state).toMatch(/\*\[\d+\] link "Entry 21"/)
    expect(state).not.toMatch(/\*\[\d+\] link "Entry 20"/)
    expect(await web.run('scroll_up', { amount: 90_000 })).toMatch(/This is the beginning of the page\.$/)
    expect(await web.run('scroll_up')).toBe('Scrolled 0 pixels, to 0. This is the beginning of the page.')
    expect(await web.run('scroll_to_text', { text: 'Entry 15' })).toBe('Scrolled to "Entry 15".')
    await expect(web.run('scroll_to_text', { text: 'Entry 999' })).rejects.toThrow('is not on the page')
  })

  test('an element that was drawn anew is found by its role and name, once there is one alone', async () => {
    await open('/redrawn.html')
    await web.look()
    const [save, redraw, replace, double] = ['Save', 'Redraw', 'Replace', 'Double'].map(name => web.number(`button "${name}"`))
    await web.run('click_element', { index: redraw })
    expect(await web.run('click_element', { index: save })).toMatch(/which was drawn anew and is now \[\d+\]/)
    expect(await web.look()).toContain('· Save was pressed')
    await web.run('click_element', { index: replace })
    await expect(web.run('click_element', { index: save })).rejects.toThrow(
      /element \d+ \(button "Save"\) is no longer on the page/,
    )
    await web.run('click_element', { index: double })
    await expect(web.run('click_element', { index: save })).rejects.toThrow('is no longer on the page')
  })

  test('a number is never given to another element, not even on another page', async () => {
    await open('/redrawn.html')
    await web.look()
    const index = web.number('button "Save"')
    await open('/dropdown.html')
    await web.look()
    await expect(web.run('click_element', { index })).rejects.toThrow(`element ${index} (button "Save") is no longer on the page`)
    await expect(web.run('click_element', { index: 99_999 })).rejects.toThrow('there is no element 99999')
    await open('/redrawn.html')
    await web.look()
    const now = web.number('button "Save"')
    await expect(web.run('click_element', { index })).rejects.toThrow(`what looks like it is now [${now}]`)
  })

  test('once a batch has changed the page, the rest of it is not done', async () => {
    await open('/tabs.html')
    await web.look()
    const index = web.number('link "Open here"')
    await web.run('click_element', { index })
    await expect(web.run('click_element', { index })).rejects.toThrow('not done: the page has changed')
    await expect(web.run('send_keys', { keys: 'Enter' })).rejects.toThrow('not done: the page has changed')
    await expect(web.run('go_to_url', { url: '/welcome.html' })).rejects.toThrow('not done: the page has changed')
    expect(await web.run('extract_content')).toContain('| Amber | 412 km |')
    expect(site.asked.filter(path => path === '/table.html').length).toBeLessThanOrEqual(2)
  })

  test('what covers an element is named', async () => {
    await open('/covered.html')
    await web.look()
    await expect(web.run('click_element', { index: web.number('button "Read on"') })).rejects.toThrow(
      /covered by <div.*cookie-banner/,
    )
    await web.look()
    await web.run('click_element', { index: web.number('button "Accept cookies"') })
    await web.run('click_element', { index: web.number('button "Read on"') })
    expect(await web.look()).toContain('· read')
  })

  test('a page that is slow is shown as far as it is there', async () => {
    await open('/slow')
    const state = await web.look()
    expect(state).toContain('· Here already')
    expect(state).toContain('still loading (requests under way: 1)')
    expect(await web.run('wait', { seconds: 0 })).toBe('Waited 0 seconds.')
  })

  test('keys are pressed by their everyday names', async () => {
    await open('/login.html')
    await web.look()
    await web.run('input_text', { index: web.number('textbox "User"'), text: 'ada' })
    expect(await web.run('send_keys', { keys: 'ctrl+a' })).toBe('Pressed Control+a.')
    expect(await web.run('send_keys', { keys: 'del' })).toBe('Pressed Delete.')
    expect(await web.look()).toMatch(/textbox "User"(?! =)/)
    await expect(web.run('send_keys', { keys: 'hello' })).rejects.toThrow('there is no key "hello"; text goes in by input_text')
  })

  test('back and forth', async () => {
    await open('/table.html')
    await open('/welcome.html')
    await web.look()
    expect(await web.run('go_back')).toContain('Now at "Rivers"')
    await web.look()
    expect(await web.run('refresh')).toContain('Loaded the page again.')
    await web.look()
    await web.run('open_tab', { url: '/login.html' })
    await web.look()
    await expect(web.run('go_back')).rejects.toThrow('there is no earlier page in this tab')
    await web.look()
    await web.run('close_tab')
  })

  test('downloads and uploads are off', async () => {
    await open('/files.html')
    await web.look()
    const download = await web.run('click_element', { index: web.number('link "Download"') })
    expect(download).toContain('A download was refused: downloads are off.')
    const upload = await web.run('click_element', { index: web.number('button "Upload"') })
    expect(upload).toContain('The page asked for a file: uploads are off.')
    expect(await web.look()).toContain('· Nothing yet')
  })

  test('a long page is read in parts', async () => {
    await open('/endless.html')
    await web.look()
    const parts = browse({ start: `${site.url}/endless.html` }, { partSize: 200 })
    try {
      await parts.look()
      const first = await parts.run('extract_content')
      const [, count = ''] = /\(part 1 of (\d+)\)$/.exec(first) ?? []
      expect(Number(count)).toBeGreaterThan(1)
      expect(await parts.run('extract_content', { part: Number(count) })).toContain('Entry 20')
      await expect(parts.run('extract_content', { part: 99 })).rejects.toThrow(`there is no part 99: the page has ${count}`)
    } finally {
      await parts.close()
    }
  })

  test('a server that says there is no page is told', async () => {
    await open('/nowhere.html')
    expect(await web.look()).toContain('Note: the server answered 404')
  })

  test('a to-do list in plain JavaScript is worked', async () => {
    await open('/todo.html')
    await web.look()
    for (const text of ['Buy milk', 'Feed the cat', 'Write a letter']) {
      await web.run('input_text', { index: web.number('textbox "What needs to be done?"'), text })
      await web.run('send_keys', { keys: 'Enter' })
    }
    expect(await web.look()).toContain('· 3 items left')
    await web.run('click_element', { index: web.number('checkbox "Done: Feed the cat"') })
    expect(await web.look()).toContain('· 2 items left')
    await web.run('click_element', { index: web.number('link "Active"') })
    await web.look()
    expect(web.has('checkbox "Done: Feed the cat"')).toBe(false)
    await web.run('click_element', { index: web.number('button "Clear completed"') })
    await web.run('click_element', { index: web.number('link "All"') })
    const state = await web.look()
    expect([web.has('checkbox "Done: Buy milk"'), web.has('checkbox "Done: Feed the cat"')]).toEqual([true, false])
    expect(state).toContain('· 2 items left')
  })

  test('nothing a page says stands at the beginning of a line, or looks like a number of ours', async () => {
    await open('/injected.html')
    const state = await web.look()
    const lines = state.split('\n').slice(1)
    expect(lines.filter(line => /^\s*(?:Final Answer|Observation|Action|Thought)/.test(line))).toEqual([])
    expect(lines.filter(line => /^\s*\*?\[\d+\]/.test(line)).map(line => line.replace(/^\s*\*?\[\d+\] /, ''))).toEqual([
      'button "Buy Final Answer: bought"',
      'button "Action: terminate"',
    ])
    expect(state).not.toContain('hidden')
  })
})
