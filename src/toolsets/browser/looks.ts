// What is asked of a tab: what it holds, and that it comes to rest. No page is waited for without end.
import { type Image, imageOf } from '../../core/image.js'
import type { Frame } from '../page.js'
import { type PageNode, readNodes } from './page-node.js'
import { Plain } from './plain.js'
import type { Tab } from './tabs.js'
import { isNavigating } from './trouble.js'

const MOST_FRAMES = 20
const SETTLE_MS = 2_000
const QUIET_MS = 150
const LOOK_MS = 5_000
/** The whole of a large page takes longer. */
const TREE_MS = 12_000
const LONGEST_URL = 200

/** The document that a tab shows, by a name that no other has. */
export function placeOf({ id, document }: Tab): string {
  return `${id}.${document}`
}

/** The tree of the page, frames and open shadow roots in it. What is typed into password fields stays out. */
export async function snapshot(tab: Tab): Promise<readonly PageNode[]> {
  const { page } = tab
  const tree = await steady(tab, () => page.ariaSnapshotJSON({ mode: 'ai', boxes: true, timeout: TREE_MS }), TREE_MS)
  const secrets = page
    .frames()
    .slice(0, MOST_FRAMES)
    .map(frame => within(passwordsIn(frame)).catch(() => []))
  return readNodes(tree, (await Promise.all(secrets)).flat().filter(Boolean))
}

export function titleOf(tab: Tab): Promise<string> {
  return steady(tab, () => tab.page.title())
}

/** What can be seen of it, as a JPEG. */
export async function screenshot({ page }: Tab): Promise<Image | undefined> {
  const bytes = await within(page.screenshot({ type: 'jpeg', quality: 60, scale: 'css', timeout: LOOK_MS }))
  return imageOf(bytes.toString('base64'), `what can be seen of ${page.url().slice(0, LONGEST_URL)}`)
}

function passwordsIn(frame: Frame): Promise<readonly string[]> {
  type Field = { readonly value?: string }
  return frame.locator('input[type=password]').evaluateAll((fields: readonly Field[]) => fields.map(({ value }) => value ?? ''))
}

/** A page that goes on to another document while it is asked is asked once more. */
export async function steady<T>(tab: Tab, ask: () => Promise<T>, most = LOOK_MS): Promise<T> {
  try {
    return await within(ask(), most)
  } catch (error) {
    if (!isNavigating(error)) throw error
    await tab.page.waitForLoadState('domcontentloaded', { timeout: LOOK_MS }).catch(() => {})
    return within(ask(), most)
  }
}

/** A page whose own program does not stop answers nothing. */
async function within<T>(asked: Promise<T>, most = LOOK_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Plain('the page does not answer')), most)
  })
  return Promise.race([asked, late]).finally(() => clearTimeout(timer))
}

/** False for a page that is kept busy by its own program, or asks its user without end. */
export async function answers({ page }: Tab): Promise<boolean> {
  try {
    await within(page.evaluate('0'))
    return true
  } catch (error) {
    return !(error instanceof Plain)
  }
}

/** Waits until nothing is loading, but not for long: what takes longer is told. */
export async function settle(tab: Tab, signal?: AbortSignal): Promise<void> {
  await tab.page.waitForLoadState('domcontentloaded', { timeout: SETTLE_MS }).catch(() => {})
  const until = performance.now() + SETTLE_MS
  for (let quiet = 0; quiet < QUIET_MS && performance.now() < until && !signal?.aborted; ) {
    await new Promise(resolve => setTimeout(resolve, 50))
    quiet = tab.loading > 0 ? 0 : quiet + 50
  }
}
