// `--agent mcp` as a process: whatever ends it, in whatever phase, no server is left.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startEndpoint } from '../support/endpoint.js'
import { ownServer } from '../support/mcp.js'
import { buildSaydo, isAlive, type Saydo } from '../support/process.js'

let saydo: Saydo
let url: string
let close: () => Promise<void>

beforeAll(async () => {
  saydo = await buildSaydo()
  const endpoint = await startEndpoint({ replies: Array.from({ length: 20 }, () => 'Action: look\nAction Input: {"q": "1"}') })
  url = endpoint.url
  close = () => endpoint.close()
}, 60_000)
afterAll(() => close())

/** Ends a run as soon as stderr shows a text; gives how it ended, and the servers that are left. */
async function ended(mood: string, shown: RegExp, signals: readonly NodeJS.Signals[]) {
  const cwd = mkdtempSync(join(tmpdir(), 'saydo-mcp-process-'))
  const log = join(cwd, 'log')
  writeFileSync(join(cwd, 'servers.json'), JSON.stringify({ mcpServers: { a: ownServer(mood, log) } }))
  const result = await saydo(['run', 'Do it.', '--url', url, '--agent', 'mcp', '--mcp', 'servers.json'], {
    cwd,
    during: child => {
      let said = ''
      child.stderr?.on('data', chunk => {
        const before = shown.test(said)
        said += String(chunk)
        if (before || !shown.test(said)) return
        for (const [at, signal] of signals.entries()) setTimeout(() => child.kill(signal), 400 + at * 200)
      })
    },
  })
  const started = readFileSync(log, 'utf8')
    .split('\n')
    .filter(line => /^\d+$/.test(line))
    .map(Number)
  expect(started.length).toBeGreaterThan(0)
  return { result, left: () => started.filter(isAlive) }
}

describe('nothing is left of a server', () => {
  test.each<[string, string, RegExp, readonly NodeJS.Signals[], number | null]>([
    ['Ctrl-C in a call', 'silence in a call', /Action: look/, ['SIGINT'], 130],
    ['Ctrl-C twice in a call', 'silence in a call', /Action: look/, ['SIGINT', 'SIGINT'], 130],
    ['Ctrl-C while it is reached again', 'a crash in a call', /is not available/, ['SIGINT'], 130],
    ['Ctrl-C while it is connected', 'silence at the start', /without a sandbox/, ['SIGINT'], 130],
    ['kill -9 in a call', 'silence in a call', /Action: look/, ['SIGKILL'], null],
    ['kill -9, where it heeds no end', 'one that does not end', /Action: look/, ['SIGKILL'], null],
  ])(
    'after %s',
    async (_, mood, shown, signals, code) => {
      const { result, left } = await ended(mood, shown, signals)
      expect(result.code).toBe(code)
      await expect.poll(left, { timeout: 5_000 }).toEqual([])
    },
    30_000,
  )
})
