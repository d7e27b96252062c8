// A browser session with its tools, called as a model would call them: by name, with what stands in the state.
import type { BrowserOptions } from '../../src/toolsets/browser/browser-options.js'
import { BrowserSession } from '../../src/toolsets/browser/browser-session.js'
import { type BrowserToolOptions, browserTools } from '../../src/toolsets/browser/browser-tools.js'

export interface Browsing {
  readonly session: BrowserSession
  /** The state before a step. */
  look(): Promise<string>
  /** Rejects with what the model would be told. */
  run(name: string, input?: object): Promise<string>
  /** Of an element of the last state, by the beginning of what stands behind its number. */
  number(element: string): number
  has(element: string): boolean
  close(): Promise<void>
}

export function browse(options: BrowserOptions, toolOptions: BrowserToolOptions = {}): Browsing {
  const session = new BrowserSession({ program: process.env.CHROMIUM, ...options })
  const tools = new Map(browserTools(session, toolOptions).map(tool => [tool.name, tool]))
  let state = ''
  const find = (element: string) =>
    state.split('\n').flatMap(line => {
      const [, index, text] = /^\s*\*?\[(\d+)\] (.*)$/.exec(line) ?? []
      return text?.startsWith(element) ? [Number(index)] : []
    })[0]
  return {
    session,
    look: async () => {
      state = await session.state()
      return state
    },
    run: async (name, input = {}) => {
      const { signal } = new AbortController()
      return String(await tools.get(name)?.run(input as never, { signal, callId: '1.1' }))
    },
    number: element => {
      const index = find(element)
      if (index === undefined) throw new Error(`no ${element} in:\n${state}`)
      return index
    },
    has: element => find(element) !== undefined,
    close: () => session.close(),
  }
}
