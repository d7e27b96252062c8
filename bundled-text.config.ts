// `import text from './x.program'` gives the module x.ts, bundled with all it imports, as the text of one program. The same for each bundler in use.
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'

const PROGRAM = /\.program$/

async function bundle(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.replace(PROGRAM, '.ts')],
    bundle: true,
    write: false,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // heavy packages are no part of it: what they check is checked before
    external: ['ajv', 'ajv-formats'],
  })
  return outputFiles[0]?.text ?? ''
}

/** For rolldown and vite. */
export const bundledText = {
  name: 'bundled-text',
  enforce: 'pre',
  resolveId: (source: string, importer?: string) => (PROGRAM.test(source) && importer ? join(dirname(importer), source) : null),
  load: async (id: string) => (PROGRAM.test(id) ? `export default ${JSON.stringify(await bundle(id))}` : null),
} as const

/** For esbuild. */
export const esbuildBundledText: Plugin = {
  name: bundledText.name,
  setup({ onLoad, onResolve }) {
    onResolve({ filter: PROGRAM }, ({ path, resolveDir }) => ({ path: join(resolveDir, path) }))
    onLoad({ filter: PROGRAM }, async ({ path }) => ({ contents: await bundle(path), loader: 'text' }))
  },
}
