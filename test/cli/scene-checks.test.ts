// What each agent with a world needs on a machine, as `saydo doctor` says it; its tools and its first prompt, without a run; and its runs played again.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { HAS_BWRAP, WITHOUT_BWRAP } from '../support/bwrap.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(open.splice(0).map(endpoint => endpoint.close()))
})

/** A folder with a folder `work` in it. */
function place(): string {
  const cwd = emptyFolder()
  mkdirSync(join(cwd, 'work'))
  return cwd
}

const WORK = ['--workspace', 'work']

describe.each(['swe', 'sandbox'])('saydo doctor --agent %s', { timeout: 30_000 }, agent => {
  const doctor = (cwd: string, ...args: readonly string[]) => saydo(['doctor', '--agent', agent, ...args], { cwd })

  test.runIf(HAS_BWRAP)(`finds nothing where its sandbox holds, and leaves nothing behind${WITHOUT_BWRAP}`, async () => {
    const cwd = place()
    const { code, stdout, verdict } = await doctor(cwd, ...WORK)
    expect(verdict).toMatch(/^fine: (?:1 check|2 checks)$/)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^✓ sandbox bwrap: no network; .*limits: /)])
    expect(existsSync(join(cwd, 'work', '.saydo'))).toBe(false)
  })

  test('says that nothing is kept in without one', async () => {
    const { code, stdout } = await doctor(place(), ...WORK, '--sandbox', 'local')
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^! sandbox local: commands run on this machine, unprotected/)])
  })

  test('says how to get what is missing', async () => {
    const cwd = place()
    mkdirSync(join(cwd, 'bin'))
    symlinkSync('/bin/sh', join(cwd, 'bin', 'sh'))
    vi.stubEnv('PATH', join(cwd, 'bin'))
    const { code, stdout, verdict } = await doctor(cwd, ...WORK)
    expect([code, verdict]).toEqual([3, expect.stringContaining('sandbox bwrap')])
    expect(stdout).toMatch(/^✗ sandbox bwrap: .*\n +→ .*bubblewrap/)
    const json = JSON.parse((await doctor(cwd, ...WORK, '--json')).stdout)
    expect([json.exit, json.findings[0].state]).toEqual([3, 'broken'])
  })

  test('wants a folder to look at', async () => {
    const { code, verdict } = await doctor(place())
    expect([code, verdict]).toEqual([2, expect.stringMatching(/no workspace is named — give --workspace DIR/)])
  })
})

test('saydo doctor --agent sandbox looks for JavaScript, too', async () => {
  const { stdout } = await saydo(['doctor', '--agent', 'sandbox', ...WORK, '--sandbox', 'local'], { cwd: place() })
  expect(stdout).toMatch(/^✓ run_js: quickjs-emscripten is there$/m)
})

test('saydo doctor --agent browser says how to get a browser', async () => {
  const { code, stdout } = await saydo(['doctor', '--agent', 'browser', '--start', 'https://example.com'])
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/^✓ package: .*\n✗ browser: there is no Chromium on this machine\n +→ apt-get install -y chromium/),
  ])
})

describe('a browser is started', () => {
  /** A program that writes down what it is started with, and is no browser. */
  const startedWith = async (...args: readonly string[]) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'program'), `#!/bin/sh\nprintf '%s\\n' "$@" > ${join(cwd, 'given')}\nexit 1\n`)
    chmodSync(join(cwd, 'program'), 0o755)
    const call = ['doctor', '--agent', 'browser', '--allow-host', 'example.com', '--browser', join(cwd, 'program'), ...args]
    const { code } = await saydo(call, { cwd })
    return { code, given: readFileSync(join(cwd, 'given'), 'utf8').split('\n') }
  }

  test('without a window, and behind a proxy of its own for loopback addresses, too', async () => {
    const { code, given } = await startedWith()
    expect([code, given]).toEqual([3, expect.arrayContaining([expect.stringMatching(/^--headless/)])])
    expect(given).toEqual(
      expect.arrayContaining([expect.stringMatching(/^--proxy-server=.*127\.0\.0\.1:\d+$/), '--disable-quic']),
    )
    expect(given.join('\n')).not.toMatch(/--disable-web-security|--allow-file-access/)
  })

  test('with a window when that is asked for', async () => {
    const { given } = await startedWith('--headed')
    expect(given.filter(arg => arg.startsWith('--headless'))).toEqual([])
  })
})

const SCENES: readonly (readonly [name: string, args: readonly string[], tools: readonly string[]])[] = [
  ['swe', [...WORK, '--sandbox', 'local'], ['bash', 'job', 'str_replace_editor', 'find_file', 'search_dir']],
  [
    'sandbox',
    [...WORK, '--sandbox', 'local'],
    [
      ...['shell', 'read_session', 'kill_session', 'create_file', 'read_file', 'str_replace', 'rewrite_file', 'delete_file'],
      ...['list_files', 'run_js'],
    ],
  ],
  [
    'browser',
    ['--allow-host', 'example.com', '--browser', '/no/such/program'],
    ['go_to_url', 'click_element', 'extract_content'],
  ],
]

describe.each(SCENES)('--agent %s', { timeout: 30_000 }, (agent, args, tools) => {
  test('has these tools', async () => {
    const { code, stdout } = await saydo(['tools', '--agent', agent, ...args, '--json'], { cwd: place() })
    const names = (JSON.parse(stdout) as { readonly name: string }[]).map(({ name }) => name)
    expect([code, names]).toEqual([0, expect.arrayContaining([...tools])])
  })

  test('has them in its first prompt, with examples of its own', async () => {
    const { code, stdout } = await saydo(['prompt', 'Do it.', '--agent', agent, ...args, '--text'], { cwd: place() })
    expect(code).toBe(0)
    for (const tool of tools) expect(stdout).toMatch(new RegExp(`^- ${tool}\\b`, 'm'))
    expect(stdout.match(/^Action: /gm)?.length).toBeGreaterThan(1)
  })

  const record = async (cwd: string, ...replies: readonly string[]) => {
    const endpoint = await startEndpoint({ replies: [...replies] })
    open.push(endpoint)
    await saydo(['run', 'Do it.', '--url', endpoint.url, '--agent', agent, ...args, '--record', 'run.jsonl'], { cwd })
    return readFileSync(join(cwd, 'run.jsonl'), 'utf8')
  }
  const CALL = {
    swe: 'Action: bash\nAction Input: {"command": "mkdir below; cd below; echo made"}',
    sandbox: 'Action: shell\nAction Input: {"command": "mkdir below; cd below; echo made"}',
    browser: 'Action: go_to_url\nAction Input: {"url": "https://example.com"}',
  }[agent] as string

  test('is recorded, and becomes a fixture that plays without its world', async () => {
    const cwd = place()
    await record(cwd, CALL, 'Final Answer: x')
    await saydo(['fixtures', 'from', 'run.jsonl', '--name', agent], { cwd })
    const { code, stdout } = await saydo(['fixtures', 'check'], { cwd, env: { PATH: '/nowhere' } })
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok /)])
    expect(existsSync(join(cwd, 'work', 'below'))).toBe(agent !== 'browser')
  })

  test('goes on where a record of it was cut short, and does no call again', async () => {
    const cwd = place()
    const text = await record(cwd, CALL, 'Final Answer: x')
    writeFileSync(join(cwd, 'run.jsonl'), text.slice(0, text.indexOf('\n', text.indexOf('"call_end"')) + 1))
    const endpoint = await startEndpoint({ replies: ['Final Answer: found'] })
    open.push(endpoint)
    const { code, stdout, stderr } = await saydo(['resume', 'run.jsonl', '--url', endpoint.url, '--agent', agent, ...args], {
      cwd,
    })
    expect([code, stdout], stderr).toEqual([0, 'found\n'])
    expect(endpoint.asked.length).toBe(1)
  })
})
