// Real MCP servers for tests, and an agent with scripted replies that is connected to them.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { MCPAgent, type MCPAgentOptions } from '../../src/agents/mcp-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import { scriptedModel } from '../../src/model/scripted.js'
import type { McpServerSpec } from '../../src/toolsets/mcp/server.js'

const require = createRequire(import.meta.url)

/** The small server of these tests in one of its moods; `log` gets the messages it is sent. */
export function ownServer(mood = 'good', log?: string, env: Readonly<Record<string, string>> = {}): McpServerSpec {
  return { command: process.execPath, args: [join(import.meta.dirname, 'mcp-server.mjs'), mood, ...(log ? [log] : [])], env }
}

/** The program of a reference server. */
export function referenceServer(name: 'everything' | 'filesystem' | 'memory'): string {
  return join(require.resolve(`@modelcontextprotocol/server-${name}/package.json`), '..', 'dist', 'index.js')
}

export function stdioServer(name: 'everything' | 'filesystem' | 'memory', ...args: readonly string[]): McpServerSpec {
  return { command: process.execPath, args: [referenceServer(name), ...args] }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

const started: ChildProcess[] = []

/** server-everything behind a URL, until `endServers`. */
export async function everythingAt(kind: 'streamableHttp' | 'sse', port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [referenceServer('everything'), kind], { env: { ...process.env, PORT: String(port) } })
  started.push(child)
  await new Promise<void>((resolve, reject) => {
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        said += String(chunk)
        if (said.includes(String(port))) resolve()
      })
    child.on('exit', () => reject(new Error(said)))
  })
  return child
}

export function endServers(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL')
}

export const act = (tool: string, input: object = {}) =>
  `Thought: I try it.\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`
export const answer = (text: string) => `Thought: I know it.\nFinal Answer: ${text}`

export type Given = Omit<MCPAgentOptions, 'model' | 'servers'>

/** One run, after which the agent is closed. */
export async function playMcp(
  servers: MCPAgentOptions['servers'],
  replies: Parameters<typeof scriptedModel>[0],
  options: Given = {},
) {
  const model = scriptedModel(replies)
  const agent = new MCPAgent({ model, servers, ...options })
  const events: AgentEvent[] = []
  try {
    const result = await agent.run('Do it.', { onEvent: event => events.push(event) })
    const observations = result.steps.flatMap(step => step.observations)
    return {
      agent,
      model,
      events,
      result,
      observations,
      notices: noticesIn(events),
      names: agent.registry.list().map(({ name }) => name),
    }
  } finally {
    await agent.close()
  }
}

export function noticesIn(events: readonly AgentEvent[]): readonly string[] {
  return events.flatMap(event => (event.type === 'notice' ? [event.message] : []))
}

/** Whether the process runs that wrote this log. */
export function runs(log: string): boolean {
  try {
    process.kill(Number(readFileSync(log, 'utf8').split('\n')[0]), 0)
    return true
  } catch {
    return false
  }
}

/** What a server was sent. */
export function sentIn(log: string): readonly { readonly method?: string; readonly params?: { readonly requestId?: number } }[] {
  return readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => JSON.parse(line))
}
