// Trials that the tests make in small (test/support/NAME.ts) → the module. Bundled to a file, since they start it as a program of their own.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..', '..')

export async function importTrials(name) {
  const source = join(root, 'test', 'support', `${name}.ts`)
  const outfile = join(root, 'node_modules', '.cache', 'saydo', `${name}.mjs`)
  mkdirSync(dirname(outfile), { recursive: true })
  await build({
    entryPoints: [source],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    outfile,
    loader: { '.hbs': 'text' },
    define: { 'import.meta.dirname': JSON.stringify(dirname(source)) },
    logLevel: 'error',
  })
  return import(outfile)
}

/** The values of these options as numbers; ends with 2 where one is no whole number from 1. */
export function counts(values, ...names) {
  const numbers = names.map(name => Number(values[name]))
  if (numbers.every(number => Number.isInteger(number) && number > 0)) return numbers
  console.error(`${names.map(name => `--${name}`).join(', ')} want whole numbers from 1`)
  process.exit(2)
}
