// The door of playwright-core, which is loaded with the first page. A Chromium of this machine, or one that runs elsewhere → a context of its own in it,
// all of whose traffic goes through the given proxy; nothing of it can be downloaded or uploaded.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { SaydoError } from '../core/errors.js'
import { openFolder } from './browser/own-folder.js'

export type { BrowserContext, Dialog, Frame, Locator, Page, Request, Response } from 'playwright-core'

export interface PageOptions {
  /** A program of Chromium's family. */
  readonly program?: string | undefined
  /** In its place: the address of a browser that runs already, such as `http://127.0.0.1:9222`. */
  readonly cdp?: string | undefined
  /** Shows a window; default none. */
  readonly headed?: boolean | undefined
  /** Through which all traffic goes. */
  readonly proxy: string
}

export interface OpenContext {
  readonly context: BrowserContext
  /** False once the browser is gone. */
  isOpen(): boolean
  close(): Promise<void>
}

const PACKAGE = 'playwright-core'

/** @throws SaydoError `MISSING_PACKAGE` when playwright-core is not installed */
export function requirePlaywright(): void {
  try {
    createRequire(import.meta.url).resolve(PACKAGE)
  } catch (cause) {
    throw new SaydoError('MISSING_PACKAGE', `a browser needs ${PACKAGE}`, { hint: `npm i ${PACKAGE}@1.65.1`, cause })
  }
}

/** Rejects with what Chromium said when it doesn't start. */
export async function openContext({ program, cdp, headed = false, proxy }: PageOptions): Promise<OpenContext> {
  requirePlaywright()
  const { chromium } = await import('playwright-core')
  // loopback addresses go through it, too
  const options = { proxy: { server: proxy, bypass: '<-loopback>' }, acceptDownloads: false, viewport: VIEWPORT }
  if (cdp) return connected(await chromium.connectOverCDP(cdp, { timeout: START_MS }), options)
  const folder = await openFolder()
  try {
    const context = await chromium.launchPersistentContext(join(folder.path, 'profile'), {
      ...options,
      ...(program === undefined ? {} : { executablePath: program }),
      headless: !headed,
      args: FLAGS,
      artifactsDir: join(folder.path, 'artifacts'),
      env: { ...process.env, ...folder.env },
      timeout: START_MS,
      // its own sandbox is not to be had for root
      chromiumSandbox: process.getuid?.() !== 0,
      // whoever runs this closes it
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    })
    return opened(context, async () => {
      await context.close().catch(() => {})
      await folder.close()
    })
  } catch (error) {
    await folder.close()
    throw error
  }
}

/** Of a browser that ran before, the context and the connection alone are closed. */
async function connected(browser: Browser, options: BrowserContextOptions): Promise<OpenContext> {
  try {
    const context = await browser.newContext(options)
    return opened(context, async () => {
      await context.close().catch(() => {})
      await browser.close()
    })
  } catch (error) {
    await browser.close().catch(() => {})
    throw error
  }
}

function opened(context: BrowserContext, close: () => Promise<void>): OpenContext {
  let isOpen = true
  context.once('close', () => {
    isOpen = false
  })
  context.setDefaultTimeout(ACTION_MS)
  context.setDefaultNavigationTimeout(NAVIGATION_MS)
  return { context, isOpen: () => isOpen, close }
}

const VIEWPORT = { width: 1280, height: 800 }
const START_MS = 20_000
const ACTION_MS = 5_000
const NAVIGATION_MS = 20_000

/** Whatever would speak to the network past the proxy, or on behalf of no page. */
const FLAGS = [
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--disable-gpu',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // names are resolved by the proxy alone
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
]
