// What the public face does not show, straight from its source: a path in the project → the module, bundled in memory. `define` as esbuild has it:
// what stands for an expression, such as the folder of a module that looks for files beside it.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export async function importSource(path, define = {}) {
  const entry = fileURLToPath(new URL(`../../${path}`, import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    define,
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
