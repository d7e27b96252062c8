// What the public face does not show, straight from its source: a path in the project → the module, bundled in memory.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export async function importSource(path) {
  const entry = fileURLToPath(new URL(`../../${path}`, import.meta.url))
  const { outputFiles } = await build({ entryPoints: [entry], bundle: true, write: false, format: 'esm', platform: 'node' })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
