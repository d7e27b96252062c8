// The sandbox agent with a model that writes sloppily and a sandbox that is real: it writes a file, runs it and reads what came of it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SandboxAgent } from '../../src/agents/sandbox-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Sandbox } from '../../src/core/sandbox.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { imageTool } from '../../src/toolsets/sandbox/image-tool.js'
import { openSandbox, sandboxFrom } from '../../src/toolsets/sandbox/open-sandbox.js'
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

describe('an agent that is lent a sandbox', { timeout: 60_000 }, () => {
  const backend = HAS_BWRAP ? 'bwrap' : 'local'

  test('leaves it open, with nothing of its own running in it', async () => {
    const workspace = makeWorkspace()
    const sandbox = await openSandbox({ workspace, backend })
    for (const name of ['first', 'second']) {
      const model = scriptedModel([
        `Action: shell\nAction Input: {"command": "echo ${name} >> names; sleep 78.5", "session": "server", "background": true}`,
        'Action: read_session\nAction Input: {"session": "server", "wait": 0.5}',
        'Final Answer: done',
      ])
      const { steps } = await new SandboxAgent({ model, sandbox }).run('x')
      expect(steps[1]?.observations[0]?.text).toBe('[still running]')
      expect(readdirSync('/proc').filter(isSleeping)).toEqual([])
    }
    expect(new TextDecoder().decode(await sandbox.read('names'))).toBe('first\nsecond\n')
    await sandbox.destroy()
    expect(existsSync(join(workspace, 'names'))).toBe(true)
  })

  test('may be lent one that others made: whatever is a Sandbox will do', async () => {
    const files = new Map<string, string>()
    const elsewhere = {
      ...{ backend: 'cloud', workspace: '/home/box', notes: ['a machine of its own'] },
      exec: async ([, , , , , command]: readonly string[]) => {
        const output = new TextEncoder().encode(`ran ${command}\n`)
        return { code: 0, end: 'exit', stdout: output, stderr: new Uint8Array(), output, ms: 1 }
      },
      stat: async (path: string) => (files.has(path) ? { size: 1 } : undefined),
      write: async (path: string, text: string) => void files.set(path, text),
      destroy: () => Promise.reject(new Error('it is not its own')),
    } as unknown as Sandbox
    const model = scriptedModel([
      'Action: shell\nAction Input: ls -la',
      'Action: create_file\nAction Input: {"path": "a", "content": "text"}',
      'Final Answer: done',
    ])
    const { steps, answer } = await new SandboxAgent({ model, sandbox: elsewhere }).run('x')
    expect(steps.flatMap(({ observations }) => observations.map(({ text }) => text))).toEqual([
      'ran ls -la\n[exit code 0]',
      'Created a: 4 bytes.',
    ])
    expect([answer, files.get('a')]).toEqual(['done', 'text'])
  })

  test('gets what is started through it ended, commands in front as well', async () => {
    const sandbox = await openSandbox({ workspace: makeWorkspace(), backend })
    const lent = await sandboxFrom(sandbox)
    const running = lent.exec('sleep 78.5')
    await expect.poll(() => readdirSync('/proc').filter(isSleeping).length, { timeout: 10_000 }).toBeGreaterThan(0)
    await lent.destroy()
    expect((await running).end).toBe('aborted')
    for (const asked of [
      lent.exec('true'),
      lent.spawn('true'),
      lent.read('a'),
      lent.write('a', ''),
      lent.stat('a'),
      lent.list(''),
    ])
      await expect(asked).rejects.toMatchObject({ code: 'destroyed' })
    expect((await sandbox.exec('true')).code).toBe(0)
    await sandbox.destroy()
  })
})

describe('see_image', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )

  test('shows a model that can see a picture of the workspace, once', async () => {
    const workspace = makeWorkspace()
    writeFileSync(join(workspace, 'plot.png'), PNG)
    const model = scriptedModel([
      'Action: see_image\nAction Input: plot.png',
      'Action: list_files\nAction Input: {}',
      'Final Answer: red',
    ])
    const agent = new SandboxAgent({ model, vision: true, sandbox: { workspace, backend: 'local' } })
    const shown: (number | undefined)[] = []
    const { steps } = await agent.run('x', {
      onEvent: event => event.type === 'prompt' && shown.push(event.images?.length),
    })
    expect(steps[0]?.observations[0]).toMatchObject({ text: 'plot.png: image/png, 70 bytes.', images: [{ alt: 'plot.png' }] })
    expect(shown).toEqual([undefined, 1, undefined])
  })

  test.each([
    ['text.png', 'no picture', 'text.png is no PNG, JPEG or WebP image'],
    ['large.png', Buffer.concat([PNG, Buffer.alloc(3 * 1024 * 1024)]), 'no more than 3145728 can be shown: make a smaller copy'],
    ['missing.png', undefined, 'missing.png does not exist'],
  ])('says why %s is not shown', async (name, bytes, why) => {
    const workspace = makeWorkspace()
    if (bytes !== undefined) writeFileSync(join(workspace, name), bytes)
    const sandbox = await openSandbox({ workspace, backend: 'local' })
    const context = { signal: new AbortController().signal, callId: '1.1' }
    await expect(imageTool(sandbox).run({ path: name } as never, context)).rejects.toThrow(why)
    await sandbox.destroy()
  })

  test('is no tool of a model that can not', async () => {
    const agent = new SandboxAgent({
      model: scriptedModel(['Final Answer: x']),
      sandbox: { workspace: makeWorkspace(), backend: 'local' },
    })
    await agent.run('x')
    expect(agent.registry.has('see_image')).toBe(false)
  })
})

function isSleeping(pid: string): boolean {
  try {
    return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('78.5')
  } catch {
    return false
  }
}

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
