// `--agent` and the options of each scene: where they are shown, and where they are refused.
import { describe, expect, test } from 'vitest'
import { saydo } from '../support/cli.js'

describe('--agent', () => {
  test('has its options in a part of the help of their own', async () => {
    const { stdout } = await saydo(['run', '--help'])
    expect(stdout).toMatch(/\nOptions of --agent mcp:\n +--mcp <file>/)
  })

  test.each([
    ['run', ['task', '--url', 'http://localhost:1']],
    ['prompt', ['task']],
    ['tools', []],
    ['doctor', ['--url', 'http://localhost:1']],
  ])('must be given for its options: saydo %s', async (command, args) => {
    const { code, verdict } = await saydo([command, ...args, '--mcp', 'servers.json'])
    expect([code, verdict]).toEqual([2, 'error CONFIG: --mcp is an option of --agent mcp — add --agent mcp'])
  })

  test('names the agents there are', async () => {
    const { code, stderr } = await saydo(['run', 'task', '--agent', 'mpc'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Allowed choices are mcp')])
  })
})
