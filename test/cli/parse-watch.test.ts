// `saydo parse --watch`: a file that an editor rewrites, replaces or takes away, and text that comes in piece by piece.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { Io } from '../../src/cli/command.js'
import { main } from '../../src/cli/main.js'
import { emptyFolder } from '../support/cli.js'

function open(flags: readonly string[], stdin: Io['stdin'] = new PassThrough()) {
  const abort = new AbortController()
  const written = { out: '', err: '' }
  const stdout = new PassThrough().on('data', chunk => (written.out += String(chunk)))
  const stderr = new PassThrough().on('data', chunk => (written.err += String(chunk)))
  const cwd = emptyFolder()
  const file = join(cwd, 'reply.txt')
  const start = () => main(['parse', '--watch', ...flags], { stdin, stdout, stderr, env: {}, cwd, signal: abort.signal })
  return { abort, written, file, start }
}

const shows = (written: { out: string; err: string }, text: string) =>
  vi.waitFor(() => expect(written.out + written.err).toContain(text), { timeout: 10_000, interval: 20 })

describe('saydo parse --watch FILE', () => {
  test('reads again when the file is rewritten, replaced, taken away and back, and ends with the signal', async () => {
    const { abort, written, file, start } = open(['reply.txt'])
    writeFileSync(file, 'Final Answer: one')
    const done = start()
    await shows(written, 'answer   one\n')
    writeFileSync(file, 'Final Answer: two!')
    await shows(written, 'answer   two!\n')
    writeFileSync(`${file}.new`, 'Final Answer: three')
    renameSync(`${file}.new`, file)
    await shows(written, 'answer   three\n')
    rmSync(file)
    await shows(written, 'reply.txt is not there; waiting for it\n')
    writeFileSync(file, 'Thought: four')
    await shows(written, 'unclear  ONLY_THOUGHT')
    abort.abort()
    expect(await done).toBe(1)
    writeFileSync(file, 'Final Answer: five')
    await wait(300)
    expect(written.out).not.toContain('five')
  }, 60_000)

  test('waits for a file that is not there yet', async () => {
    const { abort, written, file, start } = open(['reply.txt', '--json'])
    const done = start()
    await shows(written, 'waiting for it')
    writeFileSync(file, 'Final Answer: 42')
    await shows(written, '"text":"42"')
    abort.abort()
    expect(await done).toBe(0)
    expect(written.out.trim().split('\n')).toHaveLength(1)
  }, 60_000)
})

describe('saydo parse --watch', () => {
  test('reads again with each line that is typed', async () => {
    const stdin = new PassThrough()
    const { written, start } = open([], stdin)
    const done = start()
    stdin.write('Thought: I look.\n')
    await shows(written, 'unclear  ONLY_THOUGHT')
    stdin.write('Action: search\n')
    await shows(written, 'call     search {}')
    stdin.end('Action Input: x\n')
    expect(await done).toBe(0)
    expect(written.out).toContain('call     search {"input":"x"}')
  })

  test('ends with the signal while a person thinks', async () => {
    const { abort, written, start } = open([], Object.assign(new PassThrough(), { isTTY: true }))
    const done = start()
    await shows(written, 'Ctrl-D ends')
    abort.abort()
    expect(await done).toBe(1)
  })
})
