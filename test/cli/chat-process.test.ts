import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { emptyFolder } from '../support/cli.js'
import { type EndpointOptions, silentBefore, startEndpoint, type TestEndpoint } from '../support/endpoint.js'
import { buildSaydo, type ProcessOptions, type Saydo, type } from '../support/process.js'

let saydo: Saydo
beforeAll(async () => {
  saydo = await buildSaydo()
}, 60_000)

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

async function chat(endpointOptions: EndpointOptions, options: (endpoint: TestEndpoint) => ProcessOptions) {
  const endpoint = await startEndpoint(endpointOptions)
  open.push(endpoint)
  const argv = ['chat', '--url', endpoint.url, '--model', 'm', '--tool', 'calculator']
  return saydo(argv, { cwd: emptyFolder(), ...options(endpoint) })
}

describe('a chat over a pipe', () => {
  test('waits for the next line, and ends when no more can come', async () => {
    const { code, stdout } = await chat({ replies: ['Final Answer: one', 'Final Answer: two'] }, () => ({
      during(child: ChildProcess) {
        child.stdin?.write('first\n')
        child.stdout?.once('data', () => child.stdin?.end('second'))
      },
    }))
    expect([code, stdout]).toEqual([0, 'one\ntwo\n'])
  })

  test.each(['in a turn', 'between turns'])('ends with 130 at an interrupt %s, and asks no more', async where => {
    const moods = where === 'in a turn' ? (['silent'] as const) : (['good'] as const)
    let asked = 0
    const { code } = await chat({ moods }, endpoint => ({
      async during(child) {
        child.stdin?.write(where === 'in a turn' ? 'first\nsecond\n' : 'first\n')
        if (where === 'in a turn') await expect.poll(() => endpoint.asked.length, { timeout: 10_000 }).toBe(1)
        else await new Promise(resolve => child.stdout?.once('data', resolve))
        child.kill('SIGINT')
        child.on('close', () => {
          asked = endpoint.asked.length
        })
      },
    }))
    expect([code, asked]).toEqual([130, 1])
  })
})

// util-linux gives a command a terminal of its own
describe.runIf(existsSync('/usr/bin/script') && process.platform === 'linux')('a chat at a terminal', () => {
  const PROMPT = '\u001b[?2004h'
  const at = (...typing: readonly (readonly [string, string])[]): ProcessOptions => ({
    terminal: true,
    env: { TERM: 'xterm', NO_COLOR: '1' },
    during: child => type(child, typing),
  })

  test('Ctrl-C ends the turn alone, the keyboard is free meanwhile, and Ctrl-D leaves with 0', async () => {
    const { code, stdout } = await chat({ moods: [silentBefore('second')] }, () =>
      at([PROMPT, 'first\r'], ['waiting for the model', '\u0003'], [PROMPT, 'second\r'], [PROMPT, '\u0004']),
    )
    expect(code).toBe(0)
    expect(stdout).toContain('aborted:')
    expect(stdout).toContain('2 turns, 1 answered')
  })

  test('--step gives the keyboard to the question, and back to the prompt', async () => {
    const { code, stdout } = await chat({}, () =>
      at([PROMPT, '/step\r'], [PROMPT, 'first\r'], ['a, ?] ', '\r'], [PROMPT, '\u0004']),
    )
    expect(code).toBe(0)
    expect(stdout).toContain('1 turn, 1 answered')
  })

  test('Ctrl-D at a question leaves, too', async () => {
    const { code, stdout } = await chat({}, () => at([PROMPT, '/step\r'], [PROMPT, 'first\r'], ['a, ?] ', '\u0004']))
    expect(code).toBe(0)
    expect(stdout).toContain('1 turn, 0 answered')
  })
})
