// A file after an edit → what its language says against it. Each language is asked by a program that only reads it and leaves nothing behind; where
// that program is not in the sandbox, nothing is said.
import type { Sandbox, SandboxCommand } from '../../core/sandbox.js'

const CHECK_MS = 10_000
const MOST_SHOWN = 1000
const PYTHON = `import ast, sys, traceback
try: ast.parse(open(sys.argv[1], "rb").read(), sys.argv[1])
except SyntaxError as error: sys.exit("".join(traceback.format_exception_only(type(error), error)))`
/** TypeScript is read by the compiler of the workspace, if it has one; nothing but the syntax is looked at. */
const TYPESCRIPT = `const file = process.argv[1]
let ts
try { ts = require(require.resolve('typescript', { paths: [process.cwd()] })) } catch { process.exit(0) }
const text = require('fs').readFileSync(file, 'utf8')
const found = ts.transpileModule(text, { fileName: file, reportDiagnostics: true, compilerOptions: { jsx: 1 } }).diagnostics
for (const { start, messageText } of found) console.error(file + ':' + (text.slice(0, start).split('\\n').length) + ': ' + ts.flattenDiagnosticMessageText(messageText, ' '))
process.exit(found.length > 0 ? 1 : 0)`

/** Where node has noticed it, and which node. */
const OF_NODE = /^ {4}at .{0,300}\(node:.{0,200}\)$|^Node\.js v.{0,40}$/gm

const PROGRAMS: Readonly<Record<string, (file: string) => SandboxCommand>> = {
  js: file => ['node', '--check', file],
  mjs: file => ['node', '--check', file],
  cjs: file => ['node', '--check', file],
  ts: file => ['node', '-e', TYPESCRIPT, file],
  tsx: file => ['node', '-e', TYPESCRIPT, file],
  jsx: file => ['node', '-e', TYPESCRIPT, file],
  py: file => ['python3', '-I', '-c', PYTHON, file],
  sh: file => ['bash', '-n', file],
  bash: file => ['bash', '-n', file],
}

/** Undefined when nothing is wrong, or nobody can tell. `file` as programs see it. */
export async function syntaxError(sandbox: Sandbox, file: string, bytes: Buffer): Promise<string | undefined> {
  const name = file.slice(file.lastIndexOf('/') + 1)
  const kind = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  if (kind === 'json') return /^(?:ts|js)config\b/.test(name) ? undefined : jsonError(bytes)
  const command = Object.hasOwn(PROGRAMS, kind) ? PROGRAMS[kind]?.(file) : undefined
  if (command === undefined) return undefined
  const ran = await sandbox.exec(command, { timeoutMs: CHECK_MS }).catch(() => undefined)
  // 126 and 127: the program is not there
  if (ran === undefined || ran.end !== 'exit' || ran.code === 0 || ran.code > 125) return undefined
  const said = Buffer.from(ran.stderr).toString('utf8').replace(OF_NODE, '')
  return said.trim().slice(0, MOST_SHOWN) || undefined
}

function jsonError(bytes: Buffer): string | undefined {
  try {
    JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
