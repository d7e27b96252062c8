// The library bundled into one file still finds its prompts, wherever that file lies; and its own build keeps its types.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'
import { esbuildBundledText } from '../bundled-text.config.js'
import config from '../tsdown.config.js'

const folder = mkdtempSync(join(tmpdir(), 'saydo-bundle-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('one bundled file runs in another folder, and its prompts are found', async () => {
  const root = join(import.meta.dirname, '..')
  const entry = join(folder, 'entry.mjs')
  writeFileSync(
    entry,
    `import { ToolCallAgent, scriptedModel, tool } from ${JSON.stringify(join(root, 'src', 'index.ts'))}
     const twice = tool({ name: 'twice', description: 'Doubles.', input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, run: ({ n }) => n * 2 })
     for (const language of ['en', 'zh']) {
       const model = scriptedModel(['Action: twice\\nAction Input: {"n": "21"}', 'Action: nothing', 'Final Answer: 42'])
       const { answer } = await new ToolCallAgent({ model, tools: [twice], language }).run('Twice 21?')
       console.log(answer, model.prompts[0].messages[0].text.length > 100, model.prompts[1].messages.at(-1).text.includes('42'))
     }`,
  )
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'elsewhere', 'app.mjs'),
    loader: { '.hbs': 'text' },
    plugins: [esbuildBundledText],
    // what some CommonJS packages inside expect of a Node file
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
  const output = execFileSync(process.execPath, [join(folder, 'elsewhere', 'app.mjs')], { cwd: folder, encoding: 'utf8' })
  expect(output).toBe('42 true true\n42 true true\n')
})

test('no group of the code takes a file of types, which would then be missing', () => {
  const groups = [config].flat().flatMap(({ outputOptions }) => (outputOptions as Output).codeSplitting.groups)
  expect(groups.some(({ test }) => test.test('/a/src/core/reply.ts'))).toBe(true)
  for (const { test } of groups)
    for (const file of ['core/reply.d.ts', 'transcript/transcript.d.ts', 'index.d.ts', 'cli/main.d.ts'])
      expect(test.test(`/a/src/${file}`)).toBe(false)
})

interface Output {
  readonly codeSplitting: { readonly groups: readonly { readonly test: RegExp }[] }
}
