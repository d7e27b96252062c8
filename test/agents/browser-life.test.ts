// How long a browser lives, and what is left of it: after every end of a run and of this program, and where a run goes on without the browser it had.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { BrowserAgent } from '../../src/agents/browser-agent.js'
import { SaydoError } from '../../src/core/errors.js'
import type { AgentEvent } from '../../src/core/event.js'
import { type ScriptedReply, scriptedModel } from '../../src/model/scripted.js'
import { browse } from '../support/browsing.js'
import { CHROMIUM, WITHOUT_CHROMIUM } from '../support/chromium.js'
import { type Site, startSite } from '../support/site.js'

const GONE = { text: '', error: new SaydoError('MODEL_REFUSED', 'the model is gone') }

describe.skipIf(!CHROMIUM)(`a browser${WITHOUT_CHROMIUM}`, { timeout: 120_000 }, () => {
  let site: Site
  let folder: string
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site.close())
  beforeEach(() => {
    // the paths of sockets below it are short
    folder = mkdtempSync('/tmp/saydo-')
    vi.stubEnv('TMPDIR', folder)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  test('leaves no process and no file behind, however its run ends', async () => {
    const act = 'Action: wait\nAction Input: {"seconds": 30}'
    const abort = new AbortController()
    const endings: readonly (() => Promise<unknown>)[] = [
      () => agent(['Final Answer: done']).run('x'),
      () => agent([GONE]).run('x'),
      () => agent([act]).run('x', { signal: abort.signal, onEvent: ({ type }) => type === 'call_start' && abort.abort() }),
      () => agent([act]).run('x', { deadlineMs: 3_000, onEvent: () => {} }),
    ]
    const left: unknown[] = []
    for (const ends of endings) {
      await ends().catch(() => {})
      left.push([await browsersIn(folder), readdirSync(folder)])
    }
    expect(left).toEqual(endings.map(() => [0, []]))
  })

  test('leaves none either when its program is killed', async () => {
    const child = spawn(process.execPath, [await childIn(folder), `${site.url}/welcome.html`, CHROMIUM ?? ''], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: mkdtempSync(join(folder, 'own-')) },
    })
    const [said] = await once(child.stdout, 'data')
    const open = await browsersIn(folder)
    child.kill('SIGKILL')
    expect([String(said), open]).toEqual([expect.stringContaining('Your membership number is 7731.'), 1])
    const left = async () => [await browsersIn(folder), readdirSync(ownIn(folder))]
    for (let round = 0; round < 100 && JSON.stringify(await left()) !== '[0,[]]'; round++) await pause(200)
    expect(await left()).toEqual([0, []])
  })

  test('that is killed between a look and an action is opened anew, and nothing is done in it before it is seen', async () => {
    const web = browse({ start: `${site.url}/login.html` })
    try {
      await web.look()
      await kill(folder)
      await expect(web.run('click_element', { index: web.number('button') })).rejects.toThrow(/not done: the page has changed/)
      expect(await web.look()).toContain('the browser had been closed, and was opened anew')
      expect(await web.run('input_text', { index: web.number('textbox "User"'), text: 'ada' })).toContain('Wrote into')
    } finally {
      await web.close()
    }
  })

  test('that is killed in an action says so in its result, and the run goes on', async () => {
    const model = scriptedModel([
      'Action: wait\nAction Input: {"seconds": 2}',
      'Action: scroll_to_text\nAction Input: {"text": "Sign in"}',
      'Final Answer: there',
    ])
    const agent = new BrowserAgent({ model, start: `${site.url}/login.html`, program: CHROMIUM })
    const onEvent = ({ type }: AgentEvent) => type === 'call_start' && void kill(folder)
    const { stop, steps } = await agent.run('x', { onEvent, maxSteps: 3 })
    expect([stop, steps.length]).toEqual(['final_answer', 3])
    expect(model.prompts[1]?.text).toContain('the browser had been closed, and was opened anew')
  })

  test('is a fresh one in a run that goes on: that is said, and nothing is done by the numbers of the one before', async () => {
    const events: AgentEvent[] = []
    const first = agent(['Action: go_to_url\nAction Input: {"url": "/table.html"}', GONE])
    await first.run('x', { onEvent: event => events.push(event) }).catch(() => {})
    const model = scriptedModel(['Action: click_element\nAction Input: {"index": 1}', 'Final Answer: done'])
    const again = new BrowserAgent({ model, start: `${site.url}/tabs.html`, program: CHROMIUM })
    const { steps } = await again.run(undefined, { resume: events })
    expect(steps.at(-2)?.observations[0]?.text).toContain('not done: the page has changed')
    expect(model.prompts[1]?.messages.at(-1)?.text).toContain('this is a fresh browser')
    expect(model.prompts[1]?.messages.at(-1)?.text).toContain('/tabs.html')
  })

  test('shows what can be seen of its page to a model that sees, and to no other', async () => {
    const images = async (vision: boolean) => {
      const model = scriptedModel(['Action: wait\nAction Input: {"seconds": 0}', 'Final Answer: done'])
      await new BrowserAgent({ model, vision, start: `${site.url}/table.html`, program: CHROMIUM }).run('x')
      return model.prompts.map(({ images = [] }) => images)
    }
    const [one, two] = await images(true)
    expect([one?.length, two?.length, one?.[0]?.mime, one?.[0]?.alt]).toEqual([
      1,
      1,
      'image/jpeg',
      `what can be seen of ${site.url}/table.html`,
    ])
    expect(one?.[0]?.base64.length).toBeLessThan(400_000)
    expect(await images(false)).toEqual([[], []])
  })

  function agent(replies: readonly (string | ScriptedReply)[]): BrowserAgent {
    return new BrowserAgent({ model: scriptedModel(replies), start: `${site.url}/login.html`, program: CHROMIUM })
  }
})

/** The folder that the child was given. */
function ownIn(folder: string): string {
  return join(folder, readdirSync(folder).find(name => name.startsWith('own-')) ?? '')
}

/** A bundle of the child, beside the packages that it needs. */
async function childIn(folder: string): Promise<string> {
  const place = mkdtempSync(join(folder, 'child-'))
  symlinkSync(join(import.meta.dirname, '..', '..', 'node_modules'), join(place, 'node_modules'))
  const outfile = join(place, 'child.mjs')
  await build({
    entryPoints: [join(import.meta.dirname, '..', 'support', 'browser-child.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    packages: 'external',
    logLevel: 'error',
  })
  return outfile
}

async function kill(folder: string): Promise<void> {
  for (const pid of await pidsIn(folder)) process.kill(pid, 'SIGKILL')
  await pause(500)
}

/** How many browsers write there. */
async function browsersIn(folder: string): Promise<number> {
  return (await pidsIn(folder)).length
}

function pidsIn(folder: string): Promise<readonly number[]> {
  return new Promise(resolve => {
    execFile('ps', ['-eo', 'pid=,args=', '-ww'], { maxBuffer: 16 * 1024 * 1024 }, (_, out) => {
      const lines = out.split('\n').filter(line => line.includes(`--user-data-dir=${folder}`) && !line.includes('--type='))
      resolve(lines.map(line => Number.parseInt(line, 10)))
    })
  })
}
