// Where the MCP SDK is not installed.
import { expect, test, vi } from 'vitest'
import { emptyFolder, saydo } from '../../support/cli.js'
import { ownServer, playMcp } from '../../support/mcp.js'

vi.mock('@modelcontextprotocol/sdk/client/index.js', () => {
  throw new Error('Cannot find package')
})

test('a run says which package is missing, and how to get it', async () => {
  await expect(playMcp({ a: ownServer() }, [])).rejects.toMatchObject({
    code: 'MISSING_PACKAGE',
    hint: 'npm i @modelcontextprotocol/sdk@1.32.2',
  })
})

test('saydo exits 2 with it, and saydo doctor finds it', async () => {
  const { command, args } = ownServer()
  const cwd = emptyFolder()
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${cwd}/servers.json`, JSON.stringify({ a: { command, args } }))
  const run = await saydo(
    ['run', 'task', '--url', 'http://localhost:1', '--model', 'm', '--agent', 'mcp', '--mcp', 'servers.json'],
    { cwd },
  )
  expect([run.code, run.verdict]).toEqual([
    2,
    expect.stringMatching(/^error MISSING_PACKAGE: .* — npm i @modelcontextprotocol\/sdk@1\.32\.2$/),
  ])
  const doctor = await saydo(['doctor', '--agent', 'mcp', '--mcp', 'servers.json'], { cwd })
  expect([doctor.code, doctor.stdout]).toEqual([3, expect.stringMatching(/✗ package: .*\n.*npm i @modelcontextprotocol/)])
})
