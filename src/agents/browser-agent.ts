// The agent that works a web browser. The page as it is now stands before each step; the browser is opened when it is first needed and closed after the
// run. What the browser may reach is a list of hosts, whatever a page or the model wants.
import type { ActiveRun } from '../agent/active-run.js'
import type { Looked } from '../agent/run-options.js'
import { ToolCallAgent } from '../agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../agent/tool-call-options.js'
import type { BrowserOptions } from '../toolsets/browser/browser-options.js'
import { BrowserSession } from '../toolsets/browser/browser-session.js'
import { type BrowserToolOptions, browserTools } from '../toolsets/browser/browser-tools.js'
import { requirePlaywright } from '../toolsets/page.js'

export interface BrowserAgentOptions extends ToolCallAgentOptions, BrowserOptions, Pick<BrowserToolOptions, 'searchUrl'> {}

/**
 * 20 steps by default, and observations of at most 10,000 characters. With `vision` the model sees what can be seen of the page before each step, as a
 * JPEG of 1280 × 800 pixels. With `keepOpen` the browser stays as it is for the next run. Throws `CONFIG` for a
 * host or an address that is none; `run` rejects with `MISSING_PACKAGE` where playwright-core is not installed.
 */
export class BrowserAgent extends ToolCallAgent {
  readonly #browser: BrowserSession

  constructor({ start, allowHosts, program, cdp, headed, maxState, searchUrl, resolve, ...options }: BrowserAgentOptions) {
    const browser = new BrowserSession({ start, allowHosts, program, cdp, headed, maxState, resolve })
    super({ maxObserve: 10_000, ...options }, 'browser', 20)
    this.#browser = browser
    for (const tool of browserTools(browser, { searchUrl })) this.registry.register(tool)
  }

  protected override get bundledPrompt(): string {
    return 'browser'
  }

  protected override async onOpen({ past }: ActiveRun): Promise<void> {
    requirePlaywright()
    if (past)
      this.#browser.replaces('the run was cut short, and this is a fresh browser: what was open or written before is not in it')
  }

  protected override async onClose(): Promise<void> {
    await this.#browser.close()
  }

  protected override async beforeStep(): Promise<Looked> {
    const text = await this.#browser.state()
    const picture = this.options.vision ? await this.#browser.picture() : undefined
    return picture === undefined ? text : { kind: 'situation', text, images: [picture] }
  }
}
