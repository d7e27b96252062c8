// The options of a browser → the browser, opened: a context whose traffic goes through a gateway, and its tabs.
import { ToolUnavailableError } from '../../tools/tool-unavailable-error.js'
import type { CheckedOptions } from './browser-options.js'
import { findChromium, GET_CHROMIUM } from './find-chromium.js'
import { openGateway, type Refusal } from './gateway.js'
import { Tabs } from './tabs.js'
import { troubleOf } from './trouble.js'

export interface OpenBrowser {
  readonly tabs: Tabs
  /** False once the browser is gone. */
  isOpen(): boolean
  close(): Promise<void>
}

/** Rejects with `ToolUnavailableError` when there is no browser, or it doesn't start; with `MISSING_PACKAGE` without playwright-core. */
export async function openBrowser(options: CheckedOptions, onRefused: (refusal: Refusal) => void): Promise<OpenBrowser> {
  const { cdp, headed, resolve, rules } = options
  const program = options.program ?? (cdp === undefined ? findChromium() : undefined)
  if (cdp === undefined && program === undefined)
    throw new ToolUnavailableError(`there is no browser on this machine: ${GET_CHROMIUM}`)
  const { openContext } = await import('../page.js')
  const gateway = await openGateway(rules, { resolve, onRefused })
  try {
    const pages = await openContext({ program, cdp, headed, proxy: gateway.url })
    return {
      tabs: new Tabs(pages.context),
      isOpen: pages.isOpen,
      close: async () => {
        await pages.close().catch(() => {})
        await gateway.close()
      },
    }
  } catch (error) {
    await gateway.close()
    throw new ToolUnavailableError(`the browser could not be started: ${troubleOf(error)}`, { cause: error })
  }
}
