// What happens in a browser → the lines and sentences that tell of it. What pages say in them stays on one line.
import type { Tab } from './tabs.js'

/** The first lines of a state. */
export function headLines(tab: Tab, { title, tabs, notes }: { title: string; tabs: readonly Tab[]; notes: readonly string[] }) {
  const listedTabs = tabs.filter((each, at) => at < MOST_TABS || each === tab)
  const list = listedTabs.map(each => `${each.id} ${oneLine(each.page.url())}${each === tab ? ' (active)' : ''}`)
  return [
    `Page: ${placeText(tab, title)}`,
    ...(tabs.length > 1 ? [`Tabs: ${[...list, ...andMore(tabs.length - list.length)].join(' · ')}`] : []),
    ...notes.map(note => `Note: ${oneLine(note)}`),
  ]
}

/** `"Title" URL`. */
export function placeText({ page }: Tab, title: string): string {
  return `${JSON.stringify(oneLine(title))} ${oneLine(page.url())}`
}

export function dialogText({ dialog }: Tab): string {
  return `${dialog?.type()} ${JSON.stringify(oneLine(dialog?.message() ?? ''))}`
}

export function hostsAllowed(hosts: readonly string[]): string {
  return hosts.length === 0 ? 'No host is allowed.' : `Allowed hosts: ${listed(hosts, MOST_HOSTS, ', ')}.`
}

export function notLoaded(reasons: readonly string[]): readonly string[] {
  return reasons.length === 0 ? [] : [`not loaded: ${listed(reasons, MOST_REASONS, '; ')}`]
}

/** Of an event, such as `tab 2 was opened`. */
export function sentence(event: string): string {
  const line = oneLine(event)
  return `${line.slice(0, 1).toUpperCase()}${line.slice(1)}.`
}

const MOST_REASONS = 5
const MOST_TABS = 20
const MOST_HOSTS = 12
const LONGEST = 300

function listed(items: readonly string[], most: number, between: string): string {
  return [...items.slice(0, most), ...andMore(items.length - most)].join(between)
}

function andMore(rest: number): readonly string[] {
  return rest > 0 ? [`and ${rest} more`] : []
}

function oneLine(text: string): string {
  return text
    .slice(0, 10 * LONGEST)
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
}
