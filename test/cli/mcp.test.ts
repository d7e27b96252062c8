// `--agent mcp` on the command line, with real servers, an endpoint that replies sloppily, and files of servers as people write them.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { sceneReturned } from '../../src/cli/scenes/index.js'
import { emptyFolder, saydo } from '../support/cli.js'
import { startEndpoint, type TestEndpoint } from '../support/endpoint.js'
import { ownServer, stdioServer } from '../support/mcp.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

async function folderWith(servers: object, ...replies: readonly string[]) {
  const endpoint = await startEndpoint({ replies: [...replies] })
  open.push(endpoint)
  const cwd = emptyFolder()
  const text = JSON.stringify({ mcpServers: servers }).replace('{', '{ // as people write it\n')
  writeFileSync(join(cwd, 'servers.json'), text.replace(/\}$/, ',}'))
  return { cwd, url: endpoint.url }
}

const SERVERS = ['--agent', 'mcp', '--mcp', 'servers.json']

describe('saydo run --agent mcp', () => {
  test('answers with the tools of its servers, from sloppy replies', async () => {
    const { cwd, url } = await folderWith(
      { all: stdioServer('everything'), files: stdioServer('filesystem', emptyFolder()) },
      'Sure! I will add them.\n**Action**: `get-sum`\n**Action Input**: {a: 17, b: 25,}\nObservation: 99\nFinal Answer: 99',
      'Thought: I have it.\nFinal Answer: 42',
    )
    const { code, stdout, stderr } = await saydo(['run', 'What is 17 + 25?', '--url', url, ...SERVERS], { cwd })
    expect([code, stdout]).toEqual([0, '42\n'])
    expect(stderr).toMatch(/the MCP server all runs on this machine, without a sandbox/)
    expect(stderr).toMatch(/The sum of 17 and 25 is 42/)
  }, 20_000)

  test('asks about a call that destroys, and denies it where nobody can be asked', async () => {
    const work = emptyFolder()
    const write = `Action: write_file\nAction Input: {"path": "${join(work, 'a.txt')}", "content": "x"}`
    const { cwd, url } = await folderWith({ files: stdioServer('filesystem', work) }, write, 'Final Answer: I could not.')
    const { stderr } = await saydo(['run', 'Write.', '--url', url, ...SERVERS], { cwd })
    expect(stderr).toMatch(/The call of write_file was not allowed/)
    const second = await folderWith({ files: stdioServer('filesystem', work) }, write, 'Final Answer: done')
    const trusted = await saydo(['run', 'Write.', '--url', second.url, ...SERVERS, '--mcp-trust', 'files'], { cwd: second.cwd })
    expect([trusted.stdout, trusted.stderr]).toEqual(['done\n', expect.stringMatching(/Successfully wrote/)])
  }, 20_000)

  test('what the file of servers calls secret stands in no record, also when a server tells it', async () => {
    const server = { ...stdioServer('everything'), env: { BOARD_TOKEN: 'tok-31415926535' } }
    const { cwd, url } = await folderWith({ all: server }, 'Action: get-env\nAction Input: {}', 'Final Answer: x')
    await saydo(['run', 'Do it.', '--url', url, ...SERVERS, '--record', 'run.jsonl'], { cwd })
    const text = readFileSync(join(cwd, 'run.jsonl'), 'utf8')
    expect(text).not.toContain('31415926535')
    expect(text).toContain('[secret BOARD_TOKEN of all]')
  }, 20_000)

  test('asks the person what a server wants to know, and tells it the folder of the work', async () => {
    const { cwd, url } = await folderWith(
      { all: stdioServer('everything') },
      'Action: trigger-elicitation-request\nAction Input: {}',
      'Action: get-roots-list\nAction Input: {}',
      'Final Answer: x',
    )
    const { stderr } = await saydo(['run', 'Do it.', '--url', url, ...SERVERS, '--workspace', '.', '-v'], {
      cwd,
      person: [['Answer it', 'n\n']],
    })
    expect(stderr).toMatch(/The MCP server all asks: Please provide inputs/)
    expect(stderr).toMatch(/declined/)
    expect(stderr).toContain(`file://${cwd}`)
  }, 20_000)

  test('ends with 1 where no server can be reached, and says why', async () => {
    const { cwd, url } = await folderWith({ bad: ownServer('a crash at the start') })
    const { code, verdict } = await saydo(['run', 'Do it.', '--url', url, ...SERVERS], { cwd })
    expect([code, verdict]).toEqual([
      1,
      expect.stringMatching(/^no answer \(service_gone\): no MCP server is there \(bad: it ended with exit code 3/),
    ])
  })

  test('a record that was cut short goes on with the servers that it began with', async () => {
    const { cwd, url } = await folderWith({ a: ownServer() }, 'Action: look\nAction Input: {"q": "1"}', 'Final Answer: x')
    await saydo(['run', 'Do it.', '--url', url, ...SERVERS, '--record', 'run.jsonl'], { cwd })
    const text = readFileSync(join(cwd, 'run.jsonl'), 'utf8')
    writeFileSync(join(cwd, 'run.jsonl'), text.slice(0, text.indexOf('\n', text.indexOf('"call_end"')) + 1))
    const endpoint = await startEndpoint({ replies: ['Final Answer: found'] })
    open.push(endpoint)
    const { code, stdout } = await saydo(['resume', 'run.jsonl', '--url', endpoint.url], { cwd })
    expect([code, stdout]).toEqual([0, 'found\n'])
  }, 20_000)

  test('a record brings back nothing that is trusted no more than itself', async () => {
    const server = { ...ownServer(), env: { API_TOKEN: 'tok-31415926535' } }
    const { cwd, url } = await folderWith({ a: server }, 'Action: look\nAction Input: {"q": "1"}', 'Final Answer: x')
    const trusting = [...SERVERS, '--mcp-trust', 'a', '--sandbox', 'local']
    await saydo(['run', 'Do it.', '--url', url, ...trusting, '--record', 'run.jsonl'], { cwd })
    const text = readFileSync(join(cwd, 'run.jsonl'), 'utf8')
    expect(JSON.parse(text.slice(text.indexOf('{'), text.indexOf('\n'))).options.given).toEqual({ mcp: 'servers.json' })
    const start = JSON.parse(text.slice(text.indexOf('{'), text.indexOf('\n')))
    const foreign = { mcp: '../elsewhere.json', mcpTrust: ['a'], sandbox: 'local', workspace: '/' }
    expect(sceneReturned({ ...start, options: { given: foreign } }, cwd)).toEqual({ agent: 'mcp' })
  }, 20_000)
})

test('a recorded run becomes a fixture that plays without its servers', async () => {
  const { cwd, url } = await folderWith(
    { a: ownServer('changing') },
    'Action: next\nAction Input: {}',
    'Action: fresh\nAction Input: {"q": "1"}',
    'Final Answer: x',
  )
  await saydo(['run', 'Do it.', '--url', url, ...SERVERS, '--record', 'run.jsonl'], { cwd })
  await saydo(['fixtures', 'from', 'run.jsonl', '--name', 'changing'], { cwd })
  const { code, stdout } = await saydo(['fixtures', 'check'], { cwd })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok /)])
}, 20_000)

describe('bad input: one clear message, its fix, exit code 2', () => {
  test.each([
    ['no server', [], /no MCP server is named — give --mcp servers\.json/],
    ['a file that is not there', ['--mcp', 'nowhere.json'], /nowhere\.json can't be read/],
    ['a file without servers', ['--mcp', 'empty.json'], /there are no servers/],
    ['a file that is no JSON', ['--mcp', 'broken.json'], /broken\.json is not JSON5/],
    [
      'a trusted server that is none',
      ['--mcp-url', 'http://localhost:1', '--mcp-trust', 'x'],
      /--mcp-trust names x, which is no server/,
    ],
    ['a URL that is none', ['--mcp-url', 'localhost'], /the url of the server server is no http URL/],
  ])('%s', async (_, argv, message) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'empty.json'), '{"mcpServers": {}}')
    writeFileSync(join(cwd, 'broken.json'), '{"mcpServers": ')
    const { code, verdict } = await saydo(
      ['run', 'task', '--url', 'http://localhost:1', '--model', 'm', '--agent', 'mcp', ...argv],
      { cwd },
    )
    expect([code, verdict]).toEqual([2, expect.stringMatching(message)])
  })
})

test('saydo tools --agent mcp lists the tools as a run would have them', async () => {
  const { cwd } = await folderWith({ a: ownServer('changing'), b: ownServer() })
  const { code, stdout } = await saydo(['tools', ...SERVERS, '--json'], { cwd })
  expect([code, JSON.parse(stdout).map(({ name }: { name: string }) => name)]).toEqual([0, ['next', 'a__look', 'old', 'b__look']])
})

test('saydo prompt --agent mcp shows the first prompt with them', async () => {
  const { cwd } = await folderWith({ a: ownServer() })
  const { stdout } = await saydo(['prompt', 'Do it.', ...SERVERS, '--text'], { cwd })
  expect(stdout).toMatch(/^- look: The tool look\.$/m)
})

test('saydo doctor --agent mcp looks at each server', async () => {
  const { cwd } = await folderWith({
    a: ownServer(),
    bad: ownServer('a crash at the start'),
    odd: ownServer('ten thousand tools'),
  })
  const { code, stdout, verdict } = await saydo(['doctor', ...SERVERS], { cwd })
  expect(stdout).toMatch(
    /✓ package: .*\n✓ a: test server 1, 1 tool \(\d+ ms\)\n✗ bad: it ended with exit code 3; it said: no licence was found/,
  )
  expect(stdout).toMatch(/! odd: test server 1, 128 tools; odd has 10000 tools/)
  expect([code, verdict]).toEqual([1, 'usable, but 2 of 4 checks found something: bad, odd'])
})

describe('--sandbox', () => {
  const bwrap = existsSync('/usr/bin/bwrap')

  test.skipIf(!bwrap)(
    'keeps servers to their workspace: what lies beside it is not there',
    async () => {
      const { cwd, url } = await folderWith(
        {
          a: { command: 'bash', args: ['-c', 'ls /home /root /etc/shadow 1>&2; exit 3'] },
          b: { command: 'node', args: ['server.mjs'] },
        },
        'Action: look\nAction Input: {"q": "1"}',
        'Final Answer: found',
      )
      copyFileSync(join(import.meta.dirname, '..', 'support', 'mcp-server.mjs'), join(cwd, 'server.mjs'))
      const argv = ['run', 'Do it.', '--url', url, ...SERVERS, '--sandbox', 'bwrap', '--workspace', '.', '-v']
      const { code, stdout, stderr } = await saydo(argv, { cwd })
      expect([code, stdout]).toEqual([0, 'found\n'])
      expect(stderr).toMatch(/the MCP server b runs in the sandbox bwrap: node/)
      expect(stderr).toMatch(/a can't be reached: it ended with exit code 3; it said: .*No such file or directory/)
      expect(stderr).toMatch(/look found 1/)
    },
    30_000,
  )
})
