// `--agent browser` from the command line, a browser that runs already, and what is left when the program is killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browse } from '../support/browsing.js'
import { CHROMIUM, WITHOUT_CHROMIUM } from '../support/chromium.js'
import { saydo } from '../support/cli.js'
import { type Site, startSite } from '../support/site.js'

const AGENT = ['--agent', 'browser']
/** A run that is refused before anything is asked. */
const REFUSED = ['run', 'x', '--url', 'http://localhost:1', '--model', 'm', ...AGENT]

describe('saydo --agent browser', () => {
  test.each([
    ['no host', [], 'error CONFIG: no host is allowed — give --start https://example.com/, or --allow-host example.com'],
    ['no page', ['--start', 'a b'], 'error CONFIG: "a b" is no page to start at'],
    ['no rule', ['--allow-host', '*.com'], 'error CONFIG: "*.com" is no host that could be allowed'],
  ])('with %s is refused', async (_, args, why) => {
    const { code, verdict } = await saydo([...REFUSED, '--browser', '/bin/true', ...args])
    expect([code, verdict]).toEqual([2, expect.stringContaining(why)])
  })

  test('without a Chromium on this machine says how to get one', async () => {
    const { code, verdict } = await saydo([...REFUSED, '--start', 'https://example.com'])
    expect([code, verdict]).toEqual([
      2,
      expect.stringContaining('there is no Chromium on this machine — apt-get install -y chromium'),
    ])
  })

  test('lists its tools without opening a browser', async () => {
    const { code, stdout } = await saydo([
      'tools',
      ...AGENT,
      '--allow-host',
      'example.com',
      '--browser',
      '/no/such/program',
      '--json',
    ])
    const names = (JSON.parse(stdout) as { readonly name: string }[]).map(({ name }) => name)
    expect([code, names]).toEqual([
      0,
      [
        ...['go_to_url', 'go_back', 'refresh', 'open_tab', 'switch_tab', 'close_tab'],
        ...['click_element', 'input_text', 'select_dropdown_option', 'send_keys', 'answer_dialog'],
        ...['scroll_down', 'scroll_up', 'scroll_to_text', 'get_dropdown_options', 'extract_content', 'wait'],
      ],
    ])
  })

  test('saydo doctor says that a browser does not start', async () => {
    const { code, stdout } = await saydo(['doctor', ...AGENT, '--allow-host', 'example.com', '--browser', '/no/such/program'])
    expect(stdout).toContain('browser: the browser could not be started')
    expect(code).not.toBe(0)
  })
})

describe.skipIf(!CHROMIUM)(`with a Chromium${WITHOUT_CHROMIUM}`, { timeout: 60_000 }, () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site.close())

  test('saydo doctor opens the page', async () => {
    const { code, stdout } = await saydo(['doctor', ...AGENT, '--start', `${site.url}/welcome.html`, '--browser', CHROMIUM ?? ''])
    expect([code, stdout]).toEqual([0, expect.stringContaining(`opened ${site.url}/welcome.html`)])
  })

  test('a browser that runs already gets a context of its own behind the same proxy, and goes on afterwards', async () => {
    const forbidden = await startSite({}, '127.0.0.2')
    const profile = mkdtempSync(join(tmpdir(), 'saydo-cdp-'))
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
    const chromium = spawn(CHROMIUM ?? '', [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] })
    try {
      const web = browse({ cdp: await debuggingUrl(chromium), start: `${site.url}/welcome.html` })
      expect(await web.look()).toContain('Your membership number is 7731.')
      await expect(web.run('go_to_url', { url: forbidden.url })).rejects.toThrow('not on the list of allowed hosts')
      await web.close()
      expect([chromium.exitCode, forbidden.connections()]).toEqual([null, 0])
    } finally {
      chromium.kill('SIGKILL')
      await new Promise(resolve => chromium.once('close', resolve))
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
      await forbidden.close()
    }
  })
})

function debuggingUrl({ stderr }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    stderr?.on('data', chunk => {
      text += String(chunk)
      const found = /DevTools listening on ws:\/\/([\d.:]+)\//.exec(text)
      if (found) resolve(`http://${found[1]}`)
    })
    stderr?.on('close', () => reject(new Error(text)))
  })
}
