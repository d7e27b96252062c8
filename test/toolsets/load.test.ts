// Loading is tried in a Node of its own, on the built module: a test runner brings its own way to import.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Loaded {
  readonly names: readonly string[]
  readonly notices: readonly string[]
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'saydo-load-'))
  const entry = `import { loadToolsFile } from ${JSON.stringify(join(process.cwd(), 'src/toolsets/load.ts'))}
    const notices = []
    const answer = await loadToolsFile(process.argv[2], { onNotice: message => notices.push(message) }).then(
      tools => ({ loaded: { names: tools.map(tool => tool.name), notices } }),
      ({ code, message, hint }) => ({ error: { code, message, hint } }),
    )
    console.log(JSON.stringify(answer))`
  await build({
    stdin: { contents: entry, resolveDir: process.cwd() },
    outfile: join(folder, 'load-one.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    // what some CommonJS packages inside expect of a Node file
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'silent',
  })
})
afterAll(() => rm(folder, { recursive: true }))

async function loadToolsFile(path: string): Promise<Loaded> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'load-one.mjs'), path])
  const { loaded, error } = JSON.parse(stdout) as { loaded?: Loaded; error?: object }
  if (loaded === undefined) throw error
  return loaded
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}
const literal = (name: string) =>
  `{ name: '${name}', description: 'd', parameters: { type: 'object', properties: {} }, run: () => 1 }`

describe('loadToolsFile', () => {
  it('takes exported tools, lists of tools and the default export', async () => {
    const path = await file(
      'all.mjs',
      `export const a = ${literal('a')}\nexport const list = [${literal('b')}, ${literal('c')}, 7]\nexport const other = 5\nexport default ${literal('d')}`,
    )
    expect([...(await loadToolsFile(path)).names].sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('takes a tool once that is exported twice', async () => {
    const path = await file('twice.mjs', `export const a = ${literal('a')}\nexport default [a]`)
    expect((await loadToolsFile(path)).names).toEqual(['a'])
  })

  it('leaves alone what throws when it is looked at', async () => {
    const hostile = `new Proxy({}, { get() { throw new Error('hands off') } })`
    const path = await file('hostile.mjs', `export const a = ${literal('a')}\nexport const b = ${hostile}`)
    expect((await loadToolsFile(path)).names).toEqual(['a'])
  })

  it('tells about functions that are no tools', async () => {
    const path = await file('function.mjs', `export const a = ${literal('a')}\nexport const weather = input => 1`)
    const { notices } = await loadToolsFile(path)
    expect(notices).toEqual([`${path}: the export weather is a function, not a tool; wrap it in tool({…}) to make it one.`])
  })

  it.each<[string, string | null, RegExp, RegExp]>([
    ['missing.mjs', null, /There is no file .*missing\.mjs/, /working directory/],
    ['tools.yaml', 'a: 1', /tools\.yaml is no module/, /\.mjs/],
    ['empty.mjs', 'export const x = 1', /exports no tools/, /tool\(\{/],
    ['only.mjs', 'export function weather() {}', /only functions: weather/, /weatherTool = tool\(\{ name: 'weather'/],
    [
      'broken.mjs',
      'export const a = 1\nexport const b = {\nexport const c = 3\n',
      /broken\.mjs cannot be loaded: SyntaxError: .*\(line 3\)/,
      /syntax/i,
    ],
    [
      'throws.mjs',
      'const a = 1\n\nthrow new RangeError("at start")',
      /throws\.mjs cannot be loaded: RangeError: at start \(line 3\)/,
      /Run the file/,
    ],
    ['imports.mjs', 'import "no-such-package-here"', /imports\.mjs cannot be loaded/, /Install/],
    [
      'nearly.mjs',
      `export const a = ${literal('a')}\nexport const b = { name: 'b', description: 'd', input: {}, run: () => 1 }`,
      /"b" cannot be used: it needs/,
      /tool\(\{/,
    ],
    [
      'circle.mjs',
      `const a = ${literal('a')}\na.parameters.properties.a = a.parameters\nexport { a }`,
      /"a" cannot be used: its input is not plain JSON/,
      /JSON Schema/,
    ],
    ['bad-name.mjs', `export const a = ${literal(' a')}`, /" a" cannot be written/, /blanks/],
  ])('%s gives an error that names it and the fix', async (name, text, message, hint) => {
    const path = text === null ? join(folder, name) : await file(name, text)
    await expect(loadToolsFile(path)).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    })
  })

  it('loads TypeScript where Node strips types, and says so where it does not', async () => {
    const path = await file(
      'typed.ts',
      `interface A { a: number }\nexport const a = ${literal('a')} satisfies object as object & Partial<A>`,
    )
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const strips = major > 22 || (major === 22 && minor >= 18)
    if (strips) expect((await loadToolsFile(path)).names).toEqual(['a'])
    else await expect(loadToolsFile(path)).rejects.toMatchObject({ code: 'CONFIG', hint: expect.stringMatching(/22\.18/) })
  })
})
