// What reaches a server of what was given for it, and what becomes of a call when its tool, or its server, goes away meanwhile.
import { realpathSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { MCPAgent } from '../../src/agents/mcp-agent.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { makeWorkspace } from '../support/bwrap.js'
import { act, answer, endServers, everythingAt, freePort, ownServer, playMcp, runs } from '../support/mcp.js'

const gates: Server[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  endServers()
  for (const gate of gates.splice(0)) gate.close().closeAllConnections()
})

describe('a server of a command', () => {
  const told = async (...questions: readonly string[]) => {
    const server = { ...ownServer('tells where it runs'), cwd: tmpdir(), env: { GIVEN: 'yes' } }
    const { observations } = await playMcp({ a: server }, [...questions.map(q => act('look', { q })), answer('x')])
    return observations.map(({ text }) => text)
  }

  test('runs in its folder, with its variables', async () => {
    expect(await told('folder', 'GIVEN')).toEqual([realpathSync(tmpdir()), 'GIVEN=yes'])
  })

  test('gets no key of this process', async () => {
    vi.stubEnv('SOME_API_KEY', 'sk-secret')
    const [key, path] = await told('SOME_API_KEY', 'PATH')
    expect([key, path]).toEqual(['SOME_API_KEY=undefined', `PATH=${process.env.PATH}`])
  })
})

describe('a server behind a URL that wants a header', () => {
  test.each([
    ['streamableHttp', '/mcp'],
    ['sse', '/sse'],
  ] as const)(
    'gets it with every request: %s',
    async (kind, path) => {
      const { url, asked } = await gate(await everything(kind))
      const headers = { Authorization: 'Bearer let-me-in' }
      const { observations } = await playMcp({ all: { url: url + path, headers } }, [act('echo', { message: 'a' }), answer('x')])
      expect(observations.map(({ text }) => text)).toEqual(['Echo: a'])
      expect(asked.filter(({ authorization }) => authorization !== headers.Authorization)).toEqual([])
      expect(asked.length).toBeGreaterThan(2)
    },
    30_000,
  )

  test('is not there without it, which is said', async () => {
    const { url } = await gate(await everything('streamableHttp'))
    const { result } = await playMcp({ all: { url: `${url}/mcp` } }, [])
    expect([result.stop, result.message]).toEqual(['service_gone', expect.stringMatching(/all: .*HTTP 401/)])
  }, 30_000)
})

describe('a call under way', () => {
  test('to a tool that its server takes back meanwhile ends with its result; after it the tool is gone', async () => {
    const { observations, events } = await playMcp({ a: ownServer('takes its tool back in a call') }, [
      act('look', { q: '1' }),
      act('look', { q: '2' }),
      act('stays', { q: '3' }),
      answer('x'),
    ])
    expect(observations.map(({ text, failure }) => failure?.code ?? text)).toEqual([
      'look found 1',
      'unknown_tool',
      'stays found 3',
    ])
    const situations = events.flatMap(event => (event.type === 'step_start' ? [event.situation] : []))
    expect(situations[1]).toMatch(/Tools that are gone: look\./)
  })
})

test('a server that does not end holds up no other one when they are closed', async () => {
  const [stubborn, good] = [join(makeWorkspace(), 'log'), join(makeWorkspace(), 'log')]
  const servers = { a: ownServer('one that does not end', stubborn), b: ownServer('good', good) }
  const agent = new MCPAgent({ model: scriptedModel([answer('x')]), servers })
  await agent.run('Do it.')
  const closing = agent.close()
  await expect.poll(() => runs(good), { interval: 20, timeout: 10_000 }).toBe(false)
  expect(runs(stubborn)).toBe(true)
  await closing
  expect(runs(stubborn)).toBe(false)
}, 20_000)

async function everything(kind: 'streamableHttp' | 'sse'): Promise<number> {
  const port = await freePort()
  await everythingAt(kind, port)
  return port
}

/** A server in front of another, which lets through what has the header. */
async function gate(behind: number): Promise<{ readonly url: string; readonly asked: readonly IncomingHttpHeaders[] }> {
  const asked: IncomingHttpHeaders[] = []
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    asked.push(headers)
    if (headers.authorization !== 'Bearer let-me-in') return outgoing.writeHead(401).end()
    const passed = request({ port: behind, host: '127.0.0.1', method, path, headers }, answered => {
      outgoing.writeHead(answered.statusCode ?? 502, answered.headers)
      answered.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  gates.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}
