// Where playwright-core is not installed.
import type * as nodeModule from 'node:module'
import { expect, test, vi } from 'vitest'
import { BrowserAgent } from '../../../src/agents/browser-agent.js'
import { scriptedModel } from '../../../src/model/scripted.js'
import { saydo } from '../../support/cli.js'

vi.mock('node:module', async original => {
  const real = await original<typeof nodeModule>()
  const createRequire = (from: string | URL) => {
    const require = real.createRequire(from)
    const resolve = (name: string) => {
      if (name === 'playwright-core') throw new Error(`Cannot find module '${name}'`)
      return require.resolve(name)
    }
    return Object.assign((name: string) => require(name), require, { resolve })
  }
  return { ...real, default: { ...real, createRequire }, createRequire }
})

const CALL = ['--agent', 'browser', '--start', 'https://example.com', '--browser', '/bin/true']

test('a run says which package is missing, and how to get it', async () => {
  const agent = new BrowserAgent({ model: scriptedModel([]), allowHosts: ['example.com'] })
  await expect(agent.run('Look.')).rejects.toMatchObject({ code: 'MISSING_PACKAGE', hint: 'npm i playwright-core@1.65.1' })
})

test('saydo exits 2 with it, and saydo doctor finds it', async () => {
  const run = await saydo(['run', 'task', '--url', 'http://localhost:1', '--model', 'm', ...CALL])
  expect([run.code, run.verdict]).toEqual([
    2,
    expect.stringMatching(/^error MISSING_PACKAGE: .* — npm i playwright-core@1\.65\.1$/),
  ])
  const doctor = await saydo(['doctor', ...CALL])
  expect([doctor.code, doctor.stdout]).toEqual([3, expect.stringMatching(/✗ package: .*\n.*npm i playwright-core@/)])
})
