// `--agent browser`: a web browser on this machine, or one that runs already, and the hosts it may reach.
import { SaydoError } from '../../core/errors.js'
import type { BrowserOptions } from '../../toolsets/browser/browser-options.js'
import { type Finding, faultFinding } from '../doctor/finding.js'
import { ALLOW_HOST } from './sandbox-options.js'
import type { Scene, Stage } from './scene.js'

export const browser: Scene = {
  name: 'browser',
  summary: 'a web browser',
  options: [
    { flags: '--start <url>', description: 'the page to begin at; its host is allowed' },
    ALLOW_HOST,
    { flags: '--browser <path>', description: 'the program of Chromium, or one of its family (default: the one in PATH)' },
    { flags: '--cdp <url>', description: 'a browser that runs already, such as http://127.0.0.1:9222' },
    { flags: '--headed', description: 'show the window of the browser' },
  ],
  async build(parts, stage) {
    const options = browserOptions(stage)
    const [{ BrowserAgent }, { findChromium, GET_CHROMIUM }] = await Promise.all([
      import('../../agents/browser-agent.js'),
      import('../../toolsets/browser/find-chromium.js'),
    ])
    const program = options.program ?? (options.cdp === undefined ? findChromium(stage.io.env) : undefined)
    if (program === undefined && options.cdp === undefined)
      throw new SaydoError('CONFIG', 'there is no Chromium on this machine', { hint: GET_CHROMIUM })
    return new BrowserAgent({ ...parts, ...options, program })
  },
  async needs(stage) {
    const options = browserOptions(stage)
    const [{ requirePlaywright }, { findChromium, GET_CHROMIUM }, { BrowserSession }] = await Promise.all([
      import('../../toolsets/page.js'),
      import('../../toolsets/browser/find-chromium.js'),
      import('../../toolsets/browser/browser-session.js'),
    ])
    try {
      requirePlaywright()
    } catch (error) {
      return [faultFinding('package', error, { state: 'broken', fatal: true })]
    }
    const there: Finding = { name: 'package', state: 'fine', seen: 'playwright-core is there' }
    const program = options.program ?? findChromium(stage.io.env)
    if (program === undefined && options.cdp === undefined)
      return [
        there,
        { name: 'browser', state: 'broken', seen: 'there is no Chromium on this machine', fix: GET_CHROMIUM, fatal: true },
      ]
    const session = new BrowserSession({ ...options, program })
    const started = performance.now()
    try {
      const seen = await session.act(async ({ page }) => page.url(), { reads: true, signal: stage.io.signal })
      return [
        there,
        { name: 'browser', state: 'fine', seen: `${options.cdp ?? program} opened ${seen}`, ms: performance.now() - started },
      ]
    } catch (error) {
      const fix =
        options.cdp === undefined
          ? 'Run the program by hand: it says what is missing.'
          : 'Start the browser with --remote-debugging-port=9222.'
      return [there, { name: 'browser', state: 'broken', seen: (error as Error).message, fix, fatal: true }]
    } finally {
      await session.close()
    }
  },
}

/** Throws `CONFIG` when no host may be reached. */
function browserOptions({ settings: { options } }: Stage): BrowserOptions {
  const { start, allowHost, browser: program, cdp, headed } = options
  const allowHosts = (Array.isArray(allowHost) ? allowHost : []).map(String)
  if (typeof start !== 'string' && allowHosts.length === 0)
    throw new SaydoError('CONFIG', 'no host is allowed', {
      hint: 'give --start https://example.com/, or --allow-host example.com',
    })
  return {
    ...(typeof start === 'string' ? { start } : {}),
    allowHosts,
    ...(typeof program === 'string' ? { program } : {}),
    ...(typeof cdp === 'string' ? { cdp } : {}),
    headed: headed === true,
  }
}
