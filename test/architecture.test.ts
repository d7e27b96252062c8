// The house rules as facts: imports go down the floors, outside packages enter by their doors, no cycles, every file says what it is for.
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '..', 'src')

/** Rooms by floor; a file may import its own room and the floors below. */
const FLOORS: Readonly<Record<string, number>> = {
  core: 0,
  parse: 1,
  model: 1,
  tools: 1,
  prompt: 1,
  dialect: 2,
  toolsets: 2,
  transcript: 2,
  memory: 2,
  agent: 3,
  catalogue: 3,
  agents: 4,
  testing: 4,
  viewer: 4,
  cli: 5,
}
const ROOF = 6

/** Which file an outside package may be imported by. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  '@modelcontextprotocol/sdk': ['toolsets/mcp-client.ts'],
  openai: ['model/connection.ts'],
  'eventsource-parser': ['model/body.ts'],
  handlebars: ['prompt/engine.ts'],
  yaml: ['prompt/front-matter.ts', 'transcript/fixture-file.ts', 'transcript/located.ts'],
  chalk: ['cli/paint.ts'],
  commander: ['cli/main.ts'],
  json5: ['parse/action-input.ts', 'cli/json5-file.ts'],
  jsonrepair: ['parse/action-input.ts'],
  ajv: ['tools/validate.ts'],
  'ajv-formats': ['tools/validate.ts'],
  'expr-eval-fork': ['toolsets/calculator.ts'],
  diff: ['toolsets/unified-diff.ts'],
  preact: ['viewer/page/preact.tsx'],
  vitest: ['testing/test-runner.ts'],
  '@anthropic-ai/sandbox-runtime': ['toolsets/sandbox/srt.ts'],
  'playwright-core': ['toolsets/page.ts'],
  'quickjs-emscripten': ['toolsets/sandbox/quickjs.ts'],
}

/** What is bundled into a text by the build, and so never installed by a user. */
const BUNDLED = ['preact']

/** Rooms that may touch the disk; processes are started in toolsets/ alone. */
const DISK = ['prompt', 'transcript', 'memory', 'toolsets', 'cli', 'viewer', 'testing']

/** Rooms that hold wording: each dialect brings what a model is told about it. */
const PROMPTS = ['prompt', 'dialect']

interface Import {
  readonly from: string
  readonly to: string
  /** Of types only: it is gone at run time. */
  readonly typeOnly: boolean
}

const files = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map(entry => relative(SRC, join(entry.parentPath, entry.name)).split(sep).join('/'))
  .sort()
const imports = files.flatMap(importsOf)

function importsOf(file: string): Import[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  const found = text.matchAll(/^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm)
  return [...found].map(match => ({ from: file, to: match[2] ?? match[3] ?? match[4] ?? '', typeOnly: match[1] !== undefined }))
}

function roomOf(file: string): string {
  return file.includes('/') ? (file.split('/')[0] ?? '') : ''
}

function floorOf(file: string): number {
  return roomOf(file) === '' ? ROOF : (FLOORS[roomOf(file)] ?? Number.NaN)
}

function inside(edge: Import): string | undefined {
  if (!edge.to.startsWith('.')) return undefined
  const path = join(dirname(edge.from), edge.to).split(sep).join('/')
  const [source, markup] = [path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')]
  return files.includes(markup) ? markup : source
}

function packageOf(name: string): string {
  return name.startsWith('@') ? name.split('/').slice(0, 2).join('/') : (name.split('/')[0] ?? '')
}

describe('architecture', () => {
  test('there is something to look at', () => {
    expect(files.length).toBeGreaterThan(40)
    expect(imports.length).toBeGreaterThan(100)
  })

  test('every room stands on a floor, and there are no others', () => {
    const rooms = new Set(files.map(roomOf).filter(room => room !== ''))
    expect([...rooms].sort()).toEqual(Object.keys(FLOORS).sort())
  })

  test('imports stay in the room or go down', () => {
    const wrong = imports.flatMap(edge => {
      const to = inside(edge)
      if (to === undefined || to.startsWith('..') || roomOf(to) === roomOf(edge.from)) return []
      return floorOf(to) < floorOf(edge.from) ? [] : [`${edge.from} → ${to}`]
    })
    expect(wrong).toEqual([])
  })

  test('nothing outside src is imported but package.json and, by their rooms, prompts', () => {
    const wrong = imports.flatMap(edge => {
      const to = inside(edge)
      if (to === undefined || !to.startsWith('..')) return []
      return to === '../package.json' || (to.startsWith('../prompts/') && PROMPTS.includes(roomOf(edge.from)))
        ? []
        : [`${edge.from} → ${to}`]
    })
    expect(wrong).toEqual([])
  })

  test('every outside package enters by its door', () => {
    const wrong = imports
      .filter(edge => !edge.to.startsWith('.') && !edge.to.startsWith('node:'))
      .filter(edge => !(DOORS[packageOf(edge.to)] ?? []).includes(edge.from))
      .map(edge => `${edge.from} → ${edge.to}`)
    expect(wrong).toEqual([])
  })

  test('a dependency that nothing imports is not in package.json, and none is missing there', () => {
    const { dependencies, devDependencies, peerDependencies } = JSON.parse(
      readFileSync(join(SRC, '..', 'package.json'), 'utf8'),
    ) as Record<'dependencies' | 'devDependencies' | 'peerDependencies', Record<string, string>>
    const used = new Set(
      imports.filter(edge => !edge.to.startsWith('.') && !edge.to.startsWith('node:')).map(edge => packageOf(edge.to)),
    )
    expect([...Object.keys({ ...dependencies, ...peerDependencies }), ...BUNDLED].sort()).toEqual([...used].sort())
    expect(BUNDLED.filter(name => devDependencies[name] === undefined)).toEqual([])
  })

  test('built-in modules are named node:…', () => {
    expect(imports.filter(edge => builtinModules.includes(edge.to)).map(edge => `${edge.from} → ${edge.to}`)).toEqual([])
  })

  test('the disk is touched in few rooms, processes are started in toolsets alone', () => {
    const disk = imports.filter(({ to }) => /^node:fs/.test(to)).filter(({ from }) => !DISK.includes(roomOf(from)))
    const processes = imports
      .filter(({ to }) => /^node:(child_process|worker_threads)/.test(to))
      .filter(({ from }) => roomOf(from) !== 'toolsets')
    expect([...disk, ...processes].map(edge => `${edge.from} → ${edge.to}`)).toEqual([])
  })

  test('no file reaches itself through its imports', () => {
    const next = new Map(
      files.map(file => [file, imports.filter(edge => edge.from === file && !edge.typeOnly).flatMap(edge => inside(edge) ?? [])]),
    )
    expect(files.filter(file => reaches(file, file, next))).toEqual([])
  })

  test('every file begins by saying what it is for', () => {
    const silent = files.filter(file => !/^(#![^\n]*\n)?\/\/ \S/.test(readFileSync(join(SRC, file), 'utf8')))
    expect(silent).toEqual([])
  })
})

function reaches(start: string, goal: string, next: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>()
  const open = [...(next.get(start) ?? [])]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (file === goal) return true
    if (seen.has(file)) continue
    seen.add(file)
    open.push(...(next.get(file) ?? []))
  }
  return false
}
