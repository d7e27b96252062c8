// What the agents with a world of their own have in common: how far they go by default, what they say about where they run, and that no two share a world.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import { BrowserAgent } from '../../src/agents/browser-agent.js'
import { MCPAgent } from '../../src/agents/mcp-agent.js'
import { SandboxAgent } from '../../src/agents/sandbox-agent.js'
import { SWEAgent } from '../../src/agents/swe-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'
import { makeWorkspace } from '../support/bwrap.js'
import { act, answer, noticesIn, ownServer } from '../support/mcp.js'

afterEach(() => vi.unstubAllEnvs())

type Make = (options: ToolCallAgentOptions) => ToolCallAgent

const local = () => ({ workspace: makeWorkspace(), backend: 'local' as const })

const MAKERS: readonly (readonly [name: string, make: Make])[] = [
  ['browser', options => new BrowserAgent({ ...options, allowHosts: ['example.com'], program: '/no/such/program' })],
  ['mcp', options => new MCPAgent({ ...options, servers: { a: ownServer() } })],
  ['swe', options => new SWEAgent({ ...options, sandbox: local() })],
  ['sandbox', options => new SandboxAgent({ ...options, sandbox: local() })],
]

async function eventsOf(make: Make, replies: readonly string[], options: Partial<ToolCallAgentOptions> = {}) {
  const agent = make({ model: scriptedModel(replies), ...options })
  const events: AgentEvent[] = []
  try {
    const result = await agent.run('Do it.', { onEvent: event => events.push(event) })
    return { events, result, names: agent.registry.list().map(({ name }) => name) }
  } finally {
    await agent.close()
  }
}

describe.each(MAKERS)('the agent %s', (name, make) => {
  test('takes twenty steps by default, and is called by its name in records', async () => {
    const { events } = await eventsOf(make, [answer('x')])
    expect(events[0]).toMatchObject({ type: 'run_start', agent: name, options: { maxSteps: 20, bundled: name } })
  })

  test('takes as many steps as it is told to', async () => {
    const { events } = await eventsOf(make, [answer('x')], { maxSteps: 3 })
    expect(events[0]).toMatchObject({ options: { maxSteps: 3 } })
  })

  test('keeps the tools that it is given', async () => {
    const own = tool({ name: 'own_tool', description: 'Ours.', run: () => 'ours' })
    const { result, names } = await eventsOf(make, [act('own_tool'), answer('x')], { tools: [own] })
    expect([result.steps[0]?.observations[0]?.text, names.length > 1]).toEqual(['ours', true])
  })
})

test.each(MAKERS.filter(([name]) => name !== 'mcp'))(
  '%s: an observation has ten thousand characters at most',
  async (_, make) => {
    const { events } = await eventsOf(make, [answer('x')])
    expect(events[0]).toMatchObject({ options: { maxObserve: 10_000 } })
  },
)

const UNPROTECTED: readonly (readonly [name: string, shell: string, job: object, make: Make])[] = [
  ['swe', 'bash', { background: true }, options => new SWEAgent({ ...options, sandbox: local() })],
  ['sandbox', 'shell', { background: true, session: 'job' }, options => new SandboxAgent({ ...options, sandbox: local() })],
]

describe.each(UNPROTECTED)('the agent %s without a sandbox', (_, shell, job, make) => {
  const observed = ({ steps }: Awaited<ReturnType<ToolCallAgent['run']>>) =>
    steps.flatMap(({ observations }) => observations.map(({ text }) => text))

  test('says that nothing keeps its commands in', async () => {
    const { events } = await eventsOf(make, [answer('x')])
    expect(noticesIn(events).join('\n')).toMatch(/commands run on this machine, unprotected/)
  })

  test('shares no shell with another one, nor with an earlier run', async () => {
    const agent = (replies: readonly string[]) => make({ model: scriptedModel(replies) })
    const first = agent([act(shell, { command: 'cd ..; export WORD=secret' }), answer('x'), act(shell, WHERE), answer('y')])
    const second = agent([act(shell, WHERE), answer('x')])
    const [, other] = await Promise.all([first.run('Go.'), second.run('Look.')])
    const again = await first.run('Look.')
    await Promise.all([first.close(), second.close()])
    const fresh = [expect.stringMatching(/^\[\] \S+\/saydo-work-\w+\n\[exit code 0\]$/)]
    expect([observed(other), observed(again)]).toEqual([fresh, fresh])
  })

  test('leaves no file and no process behind when its model fails', async () => {
    const replies = [
      act(shell, { command: 'touch begun; sleep 88.125', ...job }),
      act(shell, { command: 'until [ -e begun ]; do sleep 0.05; done' }),
    ]
    const agent = make({ model: scriptedModel(replies) })
    const temporary = mkdtempSync(join(tmpdir(), 'saydo-scenes-'))
    vi.stubEnv('TMPDIR', temporary)
    const seen: (readonly string[])[] = []
    const run = agent.run('Go.', { onEvent: ({ type }) => type === 'call_end' && seen.push(sleeping()) })
    await expect(run).rejects.toThrow()
    await expect.poll(() => [readdirSync(temporary), sleeping()], { timeout: 5000 }).toEqual([[], []])
    expect(seen.at(-1)).not.toEqual([])
  })
})

const WHERE = { command: 'echo "[$WORD] $(pwd)"' }

/** Processes that the failing run had started. */
function sleeping(): readonly string[] {
  return readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && commandLine(pid).includes('88.125'))
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}
