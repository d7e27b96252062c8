// Bytes of servers: lines of any length, answers over HTTP of any length, and how a command is started on Windows.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { cappedFetch } from '../../../src/toolsets/mcp/capped-fetch.js'
import { LineReader } from '../../../src/toolsets/mcp/line-reader.js'
import { commandFor } from '../../../src/toolsets/mcp/windows-command.js'

function read(chunks: readonly Buffer[], most: number) {
  const lines: string[] = []
  const tooLong: [string, string][] = []
  const reader = new LineReader({ most, onLine: line => lines.push(line), onTooLong: (head, tail) => tooLong.push([head, tail]) })
  for (const chunk of chunks) reader.push(chunk)
  return { lines, tooLong, reader }
}

describe('lines', () => {
  test('are the same however the bytes are cut', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 30 }), { maxLength: 10 })
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const wanted = parts.map(part => part.replace(/[\r\n]/g, ''))
        const bytes = Buffer.from(wanted.map(line => `${line}\n`).join(''))
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
          bytes.subarray(at * size, (at + 1) * size),
        )
        expect(read(chunks, 1_000).lines).toEqual(wanted)
      }),
    )
  })

  test('that are too long are passed over, but for both of their ends; the next one is read', () => {
    const long = `${'a'.repeat(300)}${'b'.repeat(5_000)}${'c'.repeat(300)}`
    const chunks = (`${long}\nnext\n`.match(/[\s\S]{1,100}/g) ?? []).map(part => Buffer.from(part))
    const { lines, tooLong } = read(chunks, 1_000)
    expect([lines, tooLong]).toEqual([['next'], [['a'.repeat(256), 'c'.repeat(256)]]])
  })

  test('end with a line feed, with or without a carriage return', () => {
    expect(read([Buffer.from('a\r\nb\nc')], 10)).toMatchObject({ lines: ['a', 'b'], reader: { open: 1 } })
  })
})

describe('an answer over HTTP', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  async function fetched(type: string, body: readonly string[], most: number): Promise<string> {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': type })
      for (const part of body) response.write(part)
      response.end()
    }).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    return (await cappedFetch({ most })(`http://127.0.0.1:${port}/x`)).text()
  }

  test('comes through as it is', async () => {
    expect(await fetched('application/json', ['{"a":1}'], 100)).toBe('{"a":1}')
  })

  test('that is too long ends with an error', async () => {
    await expect(fetched('application/json', ['x'.repeat(3_000)], 2_048)).rejects.toThrow(/longer than 2 kB/)
  })

  test('of many events may be of any length, as long as no event is too long', async () => {
    const events = Array.from({ length: 100 }, (_, at) => `data: ${at}\r\n\r\n`)
    expect(await fetched('text/event-stream', events, 100)).toBe(events.join(''))
    await expect(fetched('text/event-stream', ['data: 1\n\n', `data: ${'x'.repeat(200)}`], 100)).rejects.toThrow(/longer than/)
  })
})

describe('on Windows a command', () => {
  const machine = (...files: readonly string[]) => ({
    platform: 'win32',
    env: { PATH: 'C:\\bin;C:\\node', PATHEXT: '.EXE;.CMD', ComSpec: 'C:\\cmd.exe' },
    exists: (path: string) => files.includes(path),
  })

  test('is found along the PATH by its endings', () => {
    expect(commandFor({ command: 'node', args: ['a b'] }, machine('C:\\node\\node.exe'))).toEqual({
      command: 'C:\\node\\node.exe',
      args: ['a b'],
      verbatim: false,
    })
  })

  test('that is a script is run by the shell, with each part quoted for it', () => {
    const { command, args, verbatim } = commandFor({ command: 'npx', args: ['-y', 'a&b'] }, machine('C:\\node\\npx.cmd'))
    expect([command, args.slice(0, 3), verbatim]).toEqual(['C:\\cmd.exe', ['/d', '/s', '/c'], true])
    expect(args[3]).toBe('"^^^"C:\\node\\npx.cmd^^^" ^^^"-y^^^" ^^^"a^^^&b^^^""')
  })

  test('that is not there is left as it is, and elsewhere always', () => {
    expect(commandFor({ command: 'npx' }, machine())).toMatchObject({ command: 'npx', verbatim: false })
    expect(commandFor({ command: 'npx' }, { ...machine('C:\\node\\npx.cmd'), platform: 'linux' })).toMatchObject({
      command: 'npx',
    })
  })
})
