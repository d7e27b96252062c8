// What the README promises, held against the code. `npm run readme` writes the generated parts anew.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { build } from 'esbuild'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { buildProgram } from '../src/cli/main.js'
import type { ToolSpec } from '../src/core/tool.js'
import { parseReply } from '../src/dialect/read.js'
import { loadToolsFile } from '../src/toolsets/load.js'
import { startEndpoint } from './support/endpoint.js'

const ROOT = join(import.meta.dirname, '..')
const README = join(ROOT, 'README.md')
const readme = readFileSync(README, 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'saydo-readme-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function between(start: string, end: string): string {
  return readme.slice(readme.indexOf(start) + start.length, readme.indexOf(end))
}

describe('the two commands', () => {
  test.each(['npm ci && npx saydo demo', 'npm ci && npm test'])('%s stands at the start of a line of a code block', command => {
    expect(readme).toContain(`\`\`\`sh\n${command}\n\`\`\``)
  })

  test('the demo comes first', () => {
    expect(readme.indexOf('npx saydo demo')).toBeLessThan(readme.indexOf('npm test'))
  })
})

const tools: readonly ToolSpec[] = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  {
    name: 'forecast',
    description: '',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
    },
  },
]

describe('what the parser forgives', () => {
  const rows = between('<!-- forgives -->', '<!-- /forgives -->').trim().split('\n').slice(2)

  test.each(rows)('%s', row => {
    const [, written = '', read = ''] = /^\| (.*) \| (.*) \|$/.exec(row) ?? []
    const { decision } = parseReply(code(written).replaceAll('⏎', '\n'), { tools })
    expect(wordsFor(decision)).toBe(read)
  })
})

function code(cell: string): string {
  return cell.startsWith('`` ') ? cell.slice(3, -3) : cell.slice(1, -1)
}

function wordsFor(decision: ReturnType<typeof parseReply>['decision']): string {
  if (decision.kind === 'answer') return `answer \`${decision.text}\``
  if (decision.kind === 'unclear') return 'asked again'
  return `\`${decision.calls.map(call => `${call.tool} ${JSON.stringify(call.input)}`).join(', ')}\``
}

test('the command line help is the one the program prints', () => {
  const io = {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    cwd: ROOT,
    signal: new AbortController().signal,
  }
  const program = buildProgram(io, async () => {})
  const run = program.commands.find(command => command.name() === 'run')
  const help = [program, run].map(command => `\`\`\`text\n${command?.helpInformation().trim()}\n\`\`\``).join('\n\n')
  if (process.env.UPDATE_README)
    writeFileSync(
      README,
      readme.replace(/<!-- help -->[\s\S]*<!-- \/help -->/, () => `<!-- help -->\n${help}\n<!-- /help -->`),
    )
  else expect(between('<!-- help -->', '<!-- /help -->').trim()).toBe(help)
})

describe('the examples in code', () => {
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, source = '']) => source)
  const library = blocks[0] ?? ''

  test('the library example runs and answers', async () => {
    const endpoint = await startEndpoint({
      replies: [
        'Thought: I need both.\nAction: height\nAction Input: Eiger',
        'Action: height\nAction Input: {"mountain": "Matterhorn"}',
        'Final Answer: The Matterhorn.',
      ],
    })
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    try {
      await runExample(library.replace('http://localhost:8080', endpoint.url))
      expect(log).toHaveBeenCalledWith('The Matterhorn.', 'final_answer', 3)
      expect(JSON.stringify(endpoint.asked.at(-1)?.body)).toContain('4478')
    } finally {
      log.mockRestore()
      await endpoint.close()
    }
  })

  test('the parser example gives the decision it shows', async () => {
    const [block = ''] = blocks.filter(source => source.includes('parseReply'))
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    try {
      await runExample(`${block}\nconsole.log(JSON.stringify(decision), problems.length > 0)`)
      const shown = { kind: 'act', calls: [{ id: '1', tool: 'weather', input: { city: 'Oslo' } }] }
      expect(log).toHaveBeenCalledWith(JSON.stringify(shown), true)
      expect(block).toContain("// decision: { kind: 'act', calls: [{ id: '1', tool: 'weather', input: { city: 'Oslo' } }] }")
    } finally {
      log.mockRestore()
    }
  })

  test('the stream example runs behind the library example', async () => {
    const [block = ''] = blocks.filter(source => source.includes('agent.stream'))
    const endpoint = await startEndpoint({ replies: ['Final Answer: one', 'Thought: Two it is.\nFinal Answer: two'] })
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
    try {
      await runExample(`${library.replace('http://localhost:8080', endpoint.url)}\n${block}`)
      expect(write.mock.calls.map(([text]) => text).join('')).toBe('Two it is.\n')
    } finally {
      write.mockRestore()
      log.mockRestore()
      await endpoint.close()
    }
  })

  test('the tools file is loaded', async () => {
    const source = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    const [tool] = await loadToolsFile(await bundle(source))
    expect(await tool?.run({ text: 'hi' } as never, { signal: new AbortController().signal, callId: '1.1' })).toBe('HI')
  })

  test('it is fifteen lines long', () => {
    expect(
      library
        .trim()
        .split('\n')
        .filter(line => line.trim() !== '').length,
    ).toBeLessThanOrEqual(15)
  })
})

/** Bundles an example against the sources and runs it. */
async function runExample(source: string): Promise<void> {
  await import(await bundle(source))
}

/** Gives the path of the bundled file. */
async function bundle(source: string): Promise<string> {
  const outfile = join(folder, `example-${Math.random().toString(36).slice(2)}.mjs`)
  await build({
    stdin: { contents: source, loader: 'ts', resolveDir: ROOT },
    alias: { saydo: join(ROOT, 'src', 'index.ts') },
    bundle: true,
    platform: 'node',
    format: 'esm',
    loader: { '.hbs': 'text' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outfile,
    logLevel: 'error',
  })
  return outfile
}
