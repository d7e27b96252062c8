// What the README and docs/ promise, held against the code. `npm run readme` writes the generated parts anew.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { build } from 'esbuild'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { esbuildBundledText } from '../bundled-text.config.js'
import { EXAMPLE_SIGNATURES } from '../src/catalogue/entry.js'
import { isForgiven, PROBLEM_GROUPS, PROBLEMS } from '../src/catalogue/index.js'
import { readExample } from '../src/catalogue/read-example.js'
import { helpText } from '../src/cli/chat/chat-commands.js'
import { buildProgram } from '../src/cli/main.js'
import { scenes } from '../src/cli/scenes/index.js'
import type { Decision, ProblemCode } from '../src/core/reply.js'
import { loadToolsFile } from '../src/toolsets/load.js'
import { startEndpoint } from './support/endpoint.js'
import { ESCAPES } from './support/sandbox-escapes.js'

const ROOT = join(import.meta.dirname, '..')
const README = join(ROOT, 'README.md')
const readme = readFileSync(README, 'utf8')

const folder = mkdtempSync(join(tmpdir(), 'saydo-readme-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A generated part, between its marks in one of the files, is this text; or becomes it. */
function holdsPart(file: string, part: string, text: string): void {
  const path = join(ROOT, file)
  // read again, since another part may have been written before
  const now = readFileSync(path, 'utf8')
  const [start, end] = [now.indexOf(`<!-- ${part} -->`), now.indexOf(`<!-- /${part} -->`)]
  expect(start).toBeGreaterThan(-1)
  expect(end).toBeGreaterThan(start)
  const from = now.indexOf('\n', start)
  if (process.env.UPDATE_README) writeFileSync(path, `${now.slice(0, from)}\n${text}\n${now.slice(end)}`)
  else expect(now.slice(from, end).trim()).toBe(text)
}

test('every file that they link to is there', () => {
  for (const file of ['README.md', ...readdirSync(join(ROOT, 'docs')).map(name => `docs/${name}`)])
    for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g))
      expect(existsSync(join(ROOT, file, '..', path)), `${file}: ${path}`).toBe(true)
})

describe('the two commands', () => {
  test.each(['npm ci && npx saydo demo', 'npm ci && npm test'])('%s stands at the start of a line of a code block', command => {
    expect(readme).toContain(`\`\`\`sh\n${command}\n\`\`\``)
  })

  test('the demo comes first', () => {
    expect(readme.indexOf('npx saydo demo')).toBeLessThan(readme.indexOf('npm test'))
  })
})

describe('what the parser forgives', () => {
  const list = PROBLEM_GROUPS.map(({ title, codes }) => `**${title}**\n\n${codes.map(code => bullet(code, '../')).join('\n')}`)

  test('is the catalogue, each reply read on the spot', () => {
    holdsPart('docs/forgiveness.md', 'forgives', list.join('\n\n'))
  })

  test('is shown by some of it, and what is asked about again, too', () => {
    const [forgiven, asked] = [SOME.filter(isForgiven), SOME.filter(code => !isForgiven(code))]
    const lines = (codes: readonly ProblemCode[]) => codes.map(code => bullet(code, '')).join('\n')
    holdsPart('README.md', 'some', `${lines(forgiven)}\n\nThe model is asked again instead of guessed at:\n\n${lines(asked)}`)
  })

  test('names the tools of its examples', () => {
    const text = readFileSync(join(ROOT, 'docs', 'forgiveness.md'), 'utf8')
    for (const signature of EXAMPLE_SIGNATURES) expect(text).toContain(`\`${signature}\``)
  })

  test('names a fixture for nearly every code', () => {
    expect(list.join('\n').match(/\]\(\.\.\/fixtures\//g)?.length).toBeGreaterThan(50)
  })
})

/** Those of the README: what small models write most, and what shows the bounds. */
const SOME: readonly ProblemCode[] = [
  'LABEL_DECORATED',
  'LABEL_MIDLINE',
  'CALL_FORM',
  'CALL_OBJECT',
  'NATIVE_MARKUP',
  'TOOL_NAME_FOLDED',
  'INPUT_FENCED',
  'INPUT_REPAIRED',
  'INPUT_COERCED',
  'REASONING_REMOVED',
  'INVENTED_OBSERVATION',
  'TRUNCATED',
  'PLACEHOLDER',
  'AMBIGUOUS_INPUT',
  'AMBIGUOUS_ANSWER',
  'IN_DOUBT',
]

/** One line: the code with its fixture, what it is, what the model writes and what is read. */
function bullet(code: ProblemCode, root: string): string {
  const entry = PROBLEMS[code]
  const name = entry.fixture === undefined ? `\`${code}\`` : `[\`${code}\`](${root}fixtures/replies/${entry.fixture}.txt)`
  const read = isForgiven(code) ? ` → ${wordsFor(readExample(entry).decision)}` : ''
  return `- ${name} ${entry.title.replace('<', '\\<')}: ${quoted(entry.reply)}${read}`
}

/** A text in backticks, on one line and not too long. */
function quoted(text: string): string {
  const line = text.replaceAll('\n', '⏎')
  const short = line.length > 120 ? `${line.slice(0, 60)}…` : line
  const fence = '`'.repeat(Math.max(0, ...[...short.matchAll(/`+/g)].map(([ticks]) => ticks.length)) + 1)
  const gap = /^`|`$/.test(short) ? ' ' : ''
  return fence + gap + short + gap + fence
}

function wordsFor(decision: Decision): string {
  if (decision.kind === 'answer') return `answer ${quoted(decision.text)}`
  if (decision.kind === 'unclear') return 'asked again'
  return quoted(decision.calls.map(call => `${call.tool} ${JSON.stringify(call.input)}`).join(', '))
}

function commandLine(): ReturnType<typeof buildProgram> {
  const io = {
    stdin: Readable.from([]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    env: {},
    cwd: ROOT,
    signal: new AbortController().signal,
  }
  return buildProgram(io, async () => {})
}

test('the command line help is the one the program prints', () => {
  const program = commandLine()
  const run = program.commands.find(command => command.name() === 'run')
  const help = (command: typeof run) => `\`\`\`text\n${command?.helpInformation().trim()}\n\`\`\``
  holdsPart('README.md', 'help', help(program))
  holdsPart('docs/command-line.md', 'run', help(run))
})

test('the commands of a chat are those of its /help', () => {
  const help = `\`\`\`\n${helpText().replace(/^ {2}/gm, '').trimEnd()}\n\`\`\``
  holdsPart('docs/command-line.md', 'chat', help)
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

  test('the parser example gives the decision and the excerpt it shows, in five lines of code', async () => {
    const [block = ''] = blocks.filter(source => source.includes('parseReply'))
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    try {
      await runExample(`${block}\nconsole.log(JSON.stringify(decision))`)
      const printed = log.mock.calls.map(([text]) => String(text))
      const shown = { kind: 'act', calls: [{ id: '1', tool: 'weather', input: { city: 'Oslo' } }] }
      expect(printed.pop()).toBe(JSON.stringify(shown))
      expect(block).toContain("// decision: { kind: 'act', calls: [{ id: '1', tool: 'weather', input: { city: 'Oslo' } }] }")
      const comment = block.split('\n').flatMap(line => (/^\/\/ (?!decision)/.test(line) ? [line.slice(3)] : []))
      expect(printed.at(-1)).toBe(comment.join('\n'))
      const lines = block.split('\n').filter(line => line.trim() !== '' && !line.startsWith('//'))
      expect(lines.length).toBeLessThanOrEqual(5)
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
    plugins: [esbuildBundledText],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    outfile,
    logLevel: 'error',
  })
  return outfile
}

describe('the agents with a world of their own', () => {
  const blocks = readme.match(/^```sh\n[\s\S]*?^```$/gm) ?? []
  const program = commandLine()

  test.each(scenes.map(({ name }) => name))(
    '%s has a recipe: what to install, how to look, a run, what it protects and what not',
    name => {
      const at = blocks.findIndex(block => block.includes(`saydo doctor --agent ${name} `))
      const block = blocks[at] ?? ''
      expect(block).toMatch(/^(?:npm i|apt-get install) /m)
      expect(block).toMatch(new RegExp(`^npx saydo "[^"]+" .*--agent ${name} `, 'm'))
      const [section = ''] = readme.slice(readme.indexOf(block)).split('\n## ', 1)
      expect(section).toMatch(/^- \*It protects[\s\S]*^- \*It does not protect/m)
      expect(section.length).toBeLessThan(3_000)
    },
  )

  test('are called by options that there are', () => {
    const known = (command: string) => program.commands.find(each => each.name() === command)?.options.map(({ long }) => long)
    for (const line of blocks.flatMap(block => block.split('\n')).filter(line => line.includes('--agent ')))
      for (const [flag] of line.matchAll(/--[a-z-]+(?= |$)/g))
        expect(known(/saydo doctor/.test(line) ? 'doctor' : 'run'), line).toContain(flag)
  })

  test('need packages in the versions that they are tested with, here and where one is missing', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
    const named = [README, ...sources.map(file => join(ROOT, 'src', file))].flatMap(file => {
      const text = readFileSync(file, 'utf8')
      const own = /^const PACKAGE = '([^']+)'$/m.exec(text)?.[1] ?? ''
      return [...text.matchAll(/npm i (\$\{PACKAGE\}|@?[\w/-]+)@(\d[\w.-]*\w)/g)].map(([, name, version]) => [
        name?.startsWith('$') ? own : name,
        version,
      ])
    })
    expect(named.length).toBeGreaterThanOrEqual(7)
    for (const [name = '', version] of named) expect([name, devDependencies[name]]).toEqual([name, version])
  })

  test('are held by as many tries as it says', () => {
    expect(readme).toContain(`tries ${Object.keys(ESCAPES).length} ways out`)
  })
})
