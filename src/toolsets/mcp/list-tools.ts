// A connection → the tools that its server has, page by page, of which those are taken that can be used and are wanted; what is left out is told.
import type { JsonValue } from '../../core/json.js'
import type { McpWire } from '../mcp-client.js'
import { type ListedTool, listedTool, type Unlisted } from './listed-tool.js'
import type { McpServer } from './server.js'
import type { ConnectionSettings } from './settings.js'

/** Most pages of the list, and most tools that are looked at. */
const MOST_PAGES = 64
const MOST_LISTED = 20_000

/** Most tools whose fault is told one by one. */
const MOST_TOLD = 5

export interface Listing extends Pick<ConnectionSettings, 'maxTools' | 'connectMs'> {
  readonly signal: AbortSignal
  readonly report: (message: string) => void
}

/** Rejects with `WireError`, and with an Error for an answer that is no list. */
export async function listTools(server: McpServer, wire: McpWire, listing: Listing): Promise<readonly ListedTool[]> {
  if (wire.capabilities.tools === undefined) return []
  const { connectMs, signal, report } = listing
  const values: JsonValue[] = []
  const late = AbortSignal.timeout(connectMs)
  let cursor: JsonValue | undefined
  let pages = 0
  do {
    const page = await wire.request('tools/list', typeof cursor === 'string' ? { cursor } : {}, {
      signal: AbortSignal.any([signal, late]),
      idleMs: connectMs,
    })
    if (!Array.isArray(page.tools)) throw new Error('its answer holds no list of tools')
    values.push(...(page.tools as JsonValue[]).slice(0, MOST_LISTED))
    cursor = page.nextCursor
    pages += 1
  } while (typeof cursor === 'string' && pages < MOST_PAGES && values.length < MOST_LISTED && !late.aborted)
  if (typeof cursor === 'string') report(`${server.name}: its list of tools has no end; the rest is left out`)
  return chosen(values, server, listing)
}

function chosen(
  values: readonly JsonValue[],
  { name, tools: wanted }: McpServer,
  { maxTools, report }: Listing,
): readonly ListedTool[] {
  const all = values.map(readTool)
  const good = all.filter((tool): tool is ListedTool => !('why' in tool))
  const bad = all.filter((tool): tool is Unlisted => 'why' in tool)
  const once = [...new Map(good.map(tool => [tool.name, tool])).values()]
  const taken = wanted ? once.filter(tool => wanted.includes(tool.name)) : once
  const missing = (wanted ?? []).filter(tool => !once.some(({ name }) => name === tool))
  for (const { name: tool, why } of bad.slice(0, MOST_TOLD)) report(`${name}: the tool ${tool} is left out: ${why}`)
  if (bad.length > MOST_TOLD) report(`${name}: ${bad.length - MOST_TOLD} more tools are left out, which can't be used`)
  if (once.length < good.length) report(`${name}: ${good.length - once.length} of its tools have the name of another`)
  if (missing.length > 0) report(`${name} has no tool ${missing.join(', ')}`)
  if (taken.length > maxTools)
    report(`${name} has ${taken.length} tools, of which the first ${maxTools} are taken; choose with "tools": […]`)
  return taken.slice(0, maxTools)
}

function readTool(value: JsonValue): ListedTool | Unlisted {
  try {
    return listedTool(value)
  } catch {
    // nested deeper than a stack is
    return { name: '?', why: "it can't be read" }
  }
}
