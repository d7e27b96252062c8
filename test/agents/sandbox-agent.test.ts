// The sandbox agent with a model that writes sloppily and a sandbox that is real: it writes a file, runs it and reads what came of it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SandboxAgent } from '../../src/agents/sandbox-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { HAS_BWRAP, makeWorkspace, WITHOUT_BWRAP } from '../support/bwrap.js'

const SLOPPY = [
  'Sure! I will write the program first.\n\nAction: create_file\nAction Input: {path: "sum.py", content: "print(sum(range(1, 11)))\\n",}',
  '**Thought:** Now I run it.\n**Action:** shell\n**Action Input:** ```bash\npython3 sum.py | tee result.txt\n```\nObservation: 99',
  'Thought: Let me look at the file.\nAction: read_file("result.txt")',
  'Thought: It says 55.\nFinal Answer: The sum is 55.',
]

describe.runIf(HAS_BWRAP)(`the sandbox agent${WITHOUT_BWRAP}`, { timeout: 60_000 }, () => {
  test('writes a file, runs it, reads its output and answers', async () => {
    const workspace = makeWorkspace()
    const agent = new SandboxAgent({ model: scriptedModel(SLOPPY), sandbox: { workspace } })
    const result = await agent.run('What is the sum of the numbers from 1 to 10?')
    expect([result.stop, result.answer]).toEqual(['final_answer', 'The sum is 55.'])
    expect(result.steps.flatMap(({ observations }) => observations.map(({ text }) => text))).toEqual([
      'Created sum.py: 25 bytes.',
      '55\n[exit code 0]',
      '55\n',
    ])
    expect(readFileSync(join(workspace, 'result.txt'), 'utf8')).toBe('55\n')
    // nothing is left in the workspace but its work
    expect(readdirSync(workspace).sort()).toEqual(['result.txt', 'sum.py'])
  })

  test('tells the model where it stands and what runs', async () => {
    const model = scriptedModel([
      'Action: shell\nAction Input: {"command": "mkdir -p src; cd src"}',
      'Action: shell\nAction Input: {"command": "sleep 50", "session": "server", "background": true}',
      'Final Answer: done',
    ])
    const agent = new SandboxAgent({ model, sandbox: { workspace: makeWorkspace() } })
    const { steps } = await agent.run('x')
    expect(steps.map(({ situation }) => situation)).toEqual([
      'Folder: /workspace',
      'Folder: /workspace/src',
      'Folder: /workspace/src\nSession server: sleep 50 (still running)',
    ])
  })

  test('says once what keeps its commands in, and takes twenty steps by default', async () => {
    const agent = new SandboxAgent({
      model: scriptedModel(['Final Answer: a', 'Final Answer: b']),
      sandbox: { workspace: makeWorkspace() },
    })
    const events: AgentEvent[] = []
    for await (const event of agent.stream('x')) events.push(event)
    const notices = events.flatMap(event => (event.type === 'notice' ? [`${event.code} ${event.message}`] : []))
    expect(notices).toEqual([expect.stringContaining('SANDBOX_OPENED commands run in the sandbox bwrap: no network')])
    expect(agent.maxSteps).toBe(20)
    // and opens another for a further run
    expect((await agent.run('y')).answer).toBe('b')
  })

  test('ends a command when the run is aborted, and the sandbox with it', async () => {
    const aborter = new AbortController()
    const agent = new SandboxAgent({
      model: scriptedModel(['Action: shell\nAction Input: {"command": "touch begun; sleep 50; touch over"}']),
      sandbox: { workspace: makeWorkspace() },
      hooks: { beforeCall: () => void setTimeout(() => aborter.abort(), 500) },
    })
    expect((await agent.run('x', { signal: aborter.signal })).stop).toBe('aborted')
  })
})

test('without its sandbox the agent runs nothing', async () => {
  const path = process.env.PATH
  const workspace = makeWorkspace()
  try {
    process.env.PATH = '/nowhere'
    const agent = new SandboxAgent({
      model: scriptedModel(['Action: shell\nAction Input: {"command": "touch ran"}', 'Final Answer: x']),
      sandbox: { workspace },
    })
    await expect(agent.run('x')).rejects.toThrow()
    expect(existsSync(join(workspace, 'ran'))).toBe(false)
  } finally {
    process.env.PATH = path
  }
})
