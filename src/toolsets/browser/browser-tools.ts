// A browser session → the tools that a model works it with. Each checks its own input and says what was done and where the browser is now. Numbers of
// elements and tabs stand in the state of the page, which the model is shown before each step.
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import { actingTools } from './acting-tools.js'
import type { BrowserSession } from './browser-session.js'
import { movingTools } from './moving-tools.js'
import { readingTools } from './reading-tools.js'

export interface BrowserToolOptions {
  /** Where `web_search` looks, with `{query}` in it; without it there is no such tool. */
  readonly searchUrl?: string | undefined
  /** Characters in one part of `extract_content`; default 4,000. */
  readonly partSize?: number | undefined
}

export function browserTools(session: BrowserSession, { searchUrl, partSize = 4_000 }: BrowserToolOptions = {}): readonly Tool[] {
  const actions = [...movingTools(session, searchUrl), ...actingTools(session), ...readingTools(session, partSize)]
  return actions.map(({ effect = 'changes', ...each }) => tool({ ...each, effect, exclusive: true, timeoutMs: CALL_MS }))
}

/** More than any action takes by its own limits. */
const CALL_MS = 60_000
