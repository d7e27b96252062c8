// What has to be installed and imported → packages and megabytes with all that they depend on, and how long the import takes beyond an empty
// process. Sizes are those of the files as they lie here, so they need no network.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { digits, median } from '../lib/figures.mjs'
import { table } from '../lib/table.mjs'
import { LOOPS } from '../loops/index.mjs'

const BENCH = fileURLToPath(new URL('..', import.meta.url))
const ROOT = dirname(BENCH.replace(/\/$/, ''))

export const ids = Object.keys(LOOPS).filter(id => LOOPS[id].packages)
/** Nothing is loaded here: each import has a process of its own. */
export const open = async id => ({ id, version: LOOPS[id].packages.map(name => versionAt(find(name, BENCH))).join(' with ') })

export const jobs = {
  async installed({ id }) {
    const seen = new Map()
    for (const name of LOOPS[id].packages) collect(find(name, BENCH), seen)
    const bytes = [...seen.values()].reduce((sum, size) => sum + size, 0)
    return { packages: seen.size, bytes, own: id === 'saydo' ? ownSize(ROOT) : undefined }
  },
  async start({ id }) {
    const imports = LOOPS[id].imports.map(name => (name === 'saydo' ? pathToFileURL(join(ROOT, 'dist/index.js')).href : name))
    return { ms: timeOf(imports), emptyMs: timeOf([]) }
  },
}

function timeOf(imports) {
  const code = imports.map(name => `await import(${JSON.stringify(name)})`).join(';') || '0'
  const started = performance.now()
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', `${code};process.exit(0)`], { cwd: BENCH })
  if (status !== 0) throw new Error('the import failed')
  return performance.now() - started
}

/** The folder of a package as Node finds it from another. */
function find(name, from) {
  if (name === 'saydo') return ROOT
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, 'node_modules', name)
    if (existsSync(join(place, 'package.json'))) return place
    if (folder === dirname(folder)) return undefined
  }
}

/** A package and what it depends on, each folder once. */
function collect(folder, seen) {
  if (folder === undefined || seen.has(folder)) return
  seen.set(folder, folder === ROOT ? ownSize(folder) : sizeOf(folder))
  const { dependencies = {}, optionalDependencies = {} } = manifest(folder)
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) collect(find(name, folder), seen)
}

/** Only what is published. */
function ownSize(folder) {
  const { files } = manifest(folder)
  return [...files, 'package.json'].reduce((sum, name) => sum + sizeOf(join(folder, name)), 0)
}

function sizeOf(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return stat?.size ?? 0
  const names = readdirSync(path).filter(name => name !== 'node_modules')
  return names.reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

const manifest = folder => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

function versionAt(folder) {
  if (folder === undefined) throw new Error('it is not installed')
  const { name, version } = manifest(folder)
  return `${name} ${version}`
}

export async function measure(crew, { rounds }) {
  const installed = {}
  for (const id of crew.ids) installed[id] = await crew.ask(id, 'installed')
  const starts = Object.fromEntries(crew.ids.map(id => [id, []]))
  for (let round = 0; round < rounds; round++) for (const id of crew.ids) starts[id].push(await crew.ask(id, 'start'))
  return Object.fromEntries(
    crew.ids.map(id => [
      id,
      {
        ...installed[id],
        importMs: median(starts[id].map(({ ms, emptyMs }) => ms - emptyMs)),
        emptyMs: median(starts[id].map(({ emptyMs }) => emptyMs)),
      },
    ]),
  )
}

const MB = 1_000_000

export function report(result) {
  const rows = [['', 'packages', 'MB installed', 'of it its own', 'import ms', 'empty process ms']]
  for (const [id, { packages, bytes, own, importMs, emptyMs }] of Object.entries(result))
    rows.push([id, packages, digits(bytes / MB), own ? digits(own / MB) : '', digits(importMs), digits(emptyMs)])
  return table('Size of an installation, and time of the import beyond an empty process', rows)
}

const MOST_MS = 20

export function goals({ saydo }) {
  if (!saydo) return []
  return [
    { goal: `the library is imported in ${MOST_MS} ms`, figure: `${digits(saydo.importMs)} ms`, met: saydo.importMs <= MOST_MS },
  ]
}
