import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { readTask } from '../../src/cli/task.js'
import { emptyFolder, saydo } from '../support/cli.js'

const BOM = '\uFEFF'

describe('files are UTF-8, and a byte order mark is no part of them', () => {
  test.each([
    ['the config file', 'saydo.config.json5', "{ model: '模型', lang: 'zh' }", []],
    ['.env', '.env', 'SAYDO_MODEL=模型', []],
    ['a template', 'own.hbs', '模型 {{task}}', ['--prompt', 'own.hbs']],
    [
      'the schema of an answer',
      'schema.json',
      '{"type":"object","properties":{"模型":{"type":"number"}}}',
      ['--answer-schema', 'schema.json'],
    ],
  ])('%s', async (_, file, content, flags) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, file), BOM + content)
    const { code, stdout } = await saydo(['prompt', 'x', ...flags], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('模型')
    expect(stdout).not.toContain('feff')
  })
})

describe('what is piped in', () => {
  async function task(...pieces: readonly Buffer[]) {
    const stderr = new PassThrough()
    const io = {
      stdin: Readable.from(pieces),
      stdout: new PassThrough(),
      stderr,
      env: {},
      cwd: '.',
      signal: new AbortController().signal,
    }
    const text = await readTask([], io)
    return { text, said: String(stderr.read() ?? '') }
  }

  test('is UTF-8, wherever its bytes are cut, without a byte order mark', async () => {
    const bytes = Buffer.from(`${BOM}天气 😀`)
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))
    expect(await task(...pieces)).toEqual({ text: '天气 😀', said: '' })
  })

  test('loses no more than the bytes that are none, and that is said', async () => {
    const { text, said } = await task(Buffer.from('Gr\xfc\xdfe', 'latin1'))
    expect(text).toBe('Gr\uFFFD\uFFFDe')
    expect(said).toMatch(/not all UTF-8/)
  })
})
