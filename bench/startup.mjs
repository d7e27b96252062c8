// How much longer than an empty process it takes to import the library and to print the version. Run after a build: node bench/startup.mjs
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const dist = name => fileURLToPath(new URL(`../dist/${name}`, import.meta.url))
const subjects = {
  'empty process': ['--input-type=module', '-e', '0'],
  "import('saydo')": ['--input-type=module', '-e', `await import(${JSON.stringify(dist('index.js'))})`],
  'saydo --version': [dist('cli.js'), '--version'],
}
const rounds = Number(process.argv[2] ?? 21)
const times = Object.fromEntries(Object.keys(subjects).map(name => [name, []]))

// interleaved, so that a busy moment of the machine hits all alike
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(subjects)) {
    const started = performance.now()
    const { status } = spawnSync(process.execPath, args)
    if (status !== 0) throw new Error(`${name} failed`)
    times[name].push(performance.now() - started)
  }
}

const median = list => list.toSorted((a, b) => a - b)[list.length >> 1]
const empty = median(times['empty process'])
for (const [name, list] of Object.entries(times)) {
  const ms = median(list)
  console.log(`${name.padEnd(18)} ${ms.toFixed(1).padStart(7)} ms   +${(ms - empty).toFixed(1)} ms   ×${(ms / empty).toFixed(2)}`)
}
