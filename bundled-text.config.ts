// Two kinds of imports that give a module, bundled with all it imports, as text. `./x.program`: x.ts as one program for Node. `./x.page`: x.tsx as
// `{script, style}` for a browser. The same for each bundler in use.
import { dirname, join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

const BUNDLED = /\.(?:program|page)$/

const SHARED = { bundle: true, write: false, minify: true, logLevel: 'error' } satisfies BuildOptions

async function bundle(path: string): Promise<unknown> {
  return path.endsWith('.page') ? bundlePage(path.replace(BUNDLED, '.tsx')) : bundleProgram(path.replace(BUNDLED, '.ts'))
}

async function bundleProgram(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: [entry],
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // heavy packages are no part of it: what they check is checked before
    external: ['ajv', 'ajv-formats'],
  })
  return outputFiles[0]?.text ?? ''
}

async function bundlePage(entry: string): Promise<{ readonly script: string; readonly style: string }> {
  const { outputFiles } = await build({
    ...SHARED,
    entryPoints: [entry],
    // nothing is written; named so that styles have a place
    outdir: 'page',
    platform: 'browser',
    format: 'iife',
    charset: 'ascii',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
  })
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text.trim() ?? ''
  return { script: textOf('.js'), style: textOf('.css') }
}

/** For rolldown and vite. */
export const bundledText = {
  name: 'bundled-text',
  enforce: 'pre',
  resolveId: (source: string, importer?: string) => (BUNDLED.test(source) && importer ? join(dirname(importer), source) : null),
  load: async (id: string) => (BUNDLED.test(id) ? `export default ${JSON.stringify(await bundle(id))}` : null),
} as const

/** For esbuild. */
export const esbuildBundledText: Plugin = {
  name: bundledText.name,
  setup({ onLoad, onResolve }) {
    onResolve({ filter: BUNDLED }, ({ path, resolveDir }) => ({ path: join(resolveDir, path) }))
    onLoad({ filter: BUNDLED }, async ({ path }) => ({ contents: JSON.stringify(await bundle(path)), loader: 'json' }))
  },
}
