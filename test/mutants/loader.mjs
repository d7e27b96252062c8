// TypeScript files → modules that are evaluated anew as often as wanted, each compiled once. Of a file that Stryker changed there are two
// versions, with its changes and as it is in the project, since what Stryker writes into a file makes it ten times as slow.
// All this runs in Stryker's sandbox, a copy of the project in which every source is changed, while this file is loaded from the project.
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { Script } from 'node:vm'
import { transformSync } from 'esbuild'

const PROJECT = join(import.meta.dirname, '../..')

/** → a function that evaluates a file and what it imports; what was evaluated before stays. `instead` holds modules by name. */
export function openModules(isChanged, instead) {
  const known = new Map()
  return evaluate

  function evaluate(path) {
    const before = known.get(path)
    if (before) return before.exports
    const module = { exports: {} }
    known.set(path, module)
    compiled(path, isChanged(path)).runInThisContext()(required(path), module, module.exports)
    return module.exports
  }

  function required(from) {
    return name => {
      if (name.startsWith('.')) return evaluate(join(dirname(from), name.replace(/\.js$/, '.ts')))
      return instead[name] ?? packages(name)
    }
  }
}

const packages = createRequire(join(PROJECT, 'package.json'))
const scripts = new Map()

function compiled(path, changed) {
  const file = changed ? path : join(PROJECT, relative(process.cwd(), path))
  const script = scripts.get(file) ?? new Script(`(function (require, module, exports) {${asScript(file, dirname(path))}\n})`)
  scripts.set(file, script)
  return script
}

function asScript(file, folder) {
  const text = fs.readFileSync(file, 'utf8')
  const loader = file.endsWith('.ts') ? 'ts' : file.endsWith('.json') ? 'json' : 'text'
  const define = { 'import.meta.dirname': JSON.stringify(folder) }
  return transformSync(text, { loader, format: 'cjs', platform: 'node', define, supported: { 'dynamic-import': false } }).code
}
