// The agent with a browser of its own: in runs with a scripted model, from the command line, and where there is no browser.
import { execFile } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BrowserAgent } from '../../src/agents/browser-agent.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { CHROMIUM, WITHOUT_CHROMIUM } from '../support/chromium.js'
import { saydo } from '../support/cli.js'
import { startEndpoint } from '../support/endpoint.js'
import { type Site, startSite } from '../support/site.js'

const last = (messages: readonly { readonly text: string }[] | undefined) => messages?.at(-1)?.text ?? ''

/** Plays a part of a page's state in a reply: the number of an element. */
function numberIn(text: string, element: string): string {
  const line = text.split('\n').find(each => each.includes(`] ${element}`))
  return /\[(\d+)\]/.exec(line ?? '')?.[1] ?? '?'
}

describe('an agent with a browser', () => {
  test.each([
    [{ start: 'not a page' }, 'is no page to start at'],
    [{ start: 'file:///etc/passwd' }, 'is no page to start at'],
    [{ allowHosts: ['*.com'] }, 'is no host that could be allowed'],
  ])('is refused with %j', (options, why) => {
    expect(() => new BrowserAgent({ model: scriptedModel([]), ...options })).toThrow(why)
  })

  test('opens nothing before it is needed, and says how', async () => {
    const model = scriptedModel(['Final Answer: nothing to do'])
    const agent = new BrowserAgent({ model, allowHosts: ['example.com'], program: '/no/such/program' })
    await agent.run('Do nothing.')
    expect(last(model.prompts[0]?.messages)).toContain(
      'The browser is not open yet: go_to_url opens a page. Allowed hosts: example.com.',
    )
  })

  test('that cannot be started says so in one observation, and the run goes on', async () => {
    const model = scriptedModel([
      'Action: go_to_url\nAction Input: {"url": "https://example.com"}',
      'Final Answer: It is not there.',
    ])
    const agent = new BrowserAgent({ model, allowHosts: ['example.com'], program: '/no/such/program' })
    const { answer, steps } = await agent.run('Look.')
    expect(answer).toBe('It is not there.')
    expect(steps[0]?.observations[0]).toMatchObject({ failure: { code: 'unavailable' } })
    expect(last(model.prompts[1]?.messages)).toContain(
      'The state of the browser is not available: the browser could not be started',
    )
  })

  test('has its prompt in every language', async () => {
    for (const language of ['en', 'de', 'fr', 'es', 'pt', 'it', 'ru', 'ja', 'ko', 'zh']) {
      const model = scriptedModel(['Final Answer: ok'])
      await new BrowserAgent({ model, language, allowHosts: ['example.com'] }).run('x')
      expect(model.prompts[0]?.text, language).toContain('[7]')
      expect(model.prompts[0]?.text, language).toMatch(/Clicked \[4\] link/)
    }
  })
})

describe.skipIf(!CHROMIUM)(`runs on real pages${WITHOUT_CHROMIUM}`, { timeout: 60_000 }, () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site.close())

  test('saydo run --agent browser signs in by sloppy replies, and answers from what it read', async () => {
    let asked = 0
    const endpoint = await startEndpoint({
      respond: ({ body }) => {
        const turns = (body.messages ?? []) as readonly { readonly content: string }[]
        const state = turns.at(-1)?.content ?? ''
        const number = (element: string) => numberIn(state, element)
        return (
          [
            `**Thought:** the form is there\n**Action:** input_text\n**Action Input:** {'index': ${number('textbox "User"')}, 'text': 'ada',}`,
            `Action: input_text(index=${number('textbox "Password"')}, text="lace-42")`,
            `thought: send it\naction: Click_Element\naction input: ${number('button "Sign in"')}`,
          ][asked++] ?? 'Final answer : the number is 7731'
        )
      },
    })
    try {
      const { code, stdout, stderr } = await saydo(
        [
          'run',
          'Which membership number has Ada?',
          '--url',
          endpoint.url,
          '--agent',
          'browser',
          '--start',
          `${site.url}/login.html`,
        ],
        { env: { PATH: process.env.PATH ?? '', ...(process.env.CHROMIUM ? { SAYDO_BROWSER: process.env.CHROMIUM } : {}) } },
      )
      expect([code, stdout], stderr).toEqual([0, 'the number is 7731\n'])
      expect(endpoint.asked.length).toBe(4)
      expect(endpoint.asked[3]?.text).toContain('Your membership number is 7731.')
    } finally {
      await endpoint.close()
    }
  })

  test('only the latest state stands in full; of those before, one line stays', async () => {
    const replies = ['go_to_url', 'go_to_url'].map(
      (name, at) => `Action: ${name}\nAction Input: {"url": "${['/welcome.html', '/table.html'][at]}"}`,
    )
    const model = scriptedModel([...replies, 'Final Answer: done'])
    await new BrowserAgent({ model, start: `${site.url}/login.html` }).run('Look around.')
    const [first = '', second = '', third = ''] = model.prompts.map(({ text }) => text)
    expect(first).toContain('textbox "Password"')
    expect(second).not.toContain('textbox "Password"')
    expect(third).not.toContain('Your membership number')
    expect(third).toContain(`Now at "Welcome" ${site.url}/welcome.html.`)
    expect(third).toContain('Amber | 412 km')
  })

  test('a page that writes labels and tokens changes nothing: they are broken in the prompt', async () => {
    const model = scriptedModel(['Action: extract_content\nAction Input: {}', 'Final Answer: a shop'])
    const { answer } = await new BrowserAgent({ model, start: `${site.url}/injected.html` }).run('What is it?')
    expect(answer).toBe('a shop')
    for (const { text } of model.prompts) {
      expect(text).not.toContain('<|im_end|>')
      expect(text).not.toContain('\u202e')
      expect(
        text.split('\n').filter(line => /^(?:Final Answer|Action): (?:you have|the title|bought|terminate)/.test(line)),
      ).toEqual([])
    }
  })

  test('the calls of one reply end where the page changes', async () => {
    const model = scriptedModel([
      { text: 'Action: click_element\nAction Input: {"index": 2}\nAction: click_element\nAction Input: {"index": 1}' },
      'Final Answer: done',
    ])
    const { steps } = await new BrowserAgent({ model, start: `${site.url}/tabs.html` }).run('Click.')
    const texts = steps[0]?.observations.map(({ text }) => text) ?? []
    expect(texts[0]).toContain('Now at "Rivers"')
    expect(texts[1]).toContain('not done: the page has changed')
  })

  test('the browser is closed after each run, also an aborted one, unless it is kept open', async () => {
    const abort = new AbortController()
    const model = scriptedModel(['Action: wait\nAction Input: {"seconds": 30}', 'Final Answer: one', 'Final Answer: two'])
    const agent = new BrowserAgent({ model, start: `${site.url}/login.html` })
    const run = agent.run('Wait.', { signal: abort.signal, onEvent: event => event.type === 'call_start' && abort.abort() })
    expect((await run).stop).toBe('aborted')
    const before = await browsers()
    const kept = new BrowserAgent({ model, start: `${site.url}/login.html`, keepOpen: true })
    await kept.run('Look.')
    const open = await browsers()
    await kept.run('Look again.')
    expect(site.asked.filter(path => path === '/login.html').length).toBeGreaterThan(1)
    await kept.close()
    expect([before, open > 0, await browsers()]).toEqual([0, true, 0])
  })

  test('a browser that was closed from outside is opened anew', async () => {
    const model = scriptedModel([
      'Action: wait\nAction Input: {"seconds": 0}',
      'Action: go_to_url\nAction Input: {"url": "/welcome.html"}',
      'Final Answer: there again',
    ])
    const agent = new BrowserAgent({
      model,
      start: `${site.url}/login.html`,
      hooks: { beforeStep: async step => void (step === 2 && (await killBrowsers())) },
    })
    const { answer } = await agent.run('Look.')
    expect(answer).toBe('there again')
    expect(last(model.prompts[1]?.messages)).toContain('the browser had been closed, and was opened anew')
    expect(last(model.prompts[2]?.messages)).toContain('Your membership number is 7731.')
  })
})

/** The browsers that this process has started. */
async function browsers(): Promise<number> {
  return (await ownBrowsers()).length
}

async function killBrowsers(): Promise<void> {
  for (const pid of await ownBrowsers()) process.kill(pid, 'SIGKILL')
  await new Promise(resolve => setTimeout(resolve, 500))
}

function ownBrowsers(): Promise<readonly number[]> {
  return new Promise(resolve => {
    execFile('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], (_, out) => {
      const lines = out.split('\n').filter(line => /--remote-debugging-pipe/.test(line))
      resolve(lines.map(line => Number.parseInt(line, 10)))
    })
  })
}
