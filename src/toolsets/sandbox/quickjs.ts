// A piece of JavaScript → what it printed and its value, run in QuickJS: an engine within WebAssembly, which has no process, no require, no network and
// no clock of ours to stop. The door of quickjs-emscripten, an optional package that is loaded with the first piece.
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten'
import { SaydoError } from '../../core/errors.js'

export interface ScriptLimits {
  /** Default 5,000. */
  readonly timeoutMs?: number
  /** Default 64. */
  readonly memoryMiB?: number
}

export interface ScriptResult {
  /** What console.log and its like printed, a line for each call; cut at 100,000 characters. */
  readonly printed: string
  /** The value of the last expression as JSON text, awaited where it is a promise; unset for undefined. */
  readonly value?: string
  /** What it threw, or why it was ended. */
  readonly error?: string
}

const MOST_PRINTED = 100_000
/** Small enough that a script is stopped by it, and not by the stack of this process. */
const STACK = 128 * 1024

/** Rejects with `MISSING_PACKAGE` where quickjs-emscripten is not installed; resolves whatever the script does. */
export async function runScript(code: string, { timeoutMs = 5000, memoryMiB = 64 }: ScriptLimits = {}): Promise<ScriptResult> {
  // one of its own: a script that breaks its engine breaks no other
  const engine = await newEngine()
  const runtime = engine.newRuntime({ memoryLimitBytes: memoryMiB * 1024 * 1024, maxStackSizeBytes: STACK })
  const deadline = performance.now() + timeoutMs
  const isLate = () => performance.now() > deadline
  runtime.setInterruptHandler(isLate)
  const context = runtime.newContext()
  try {
    const printed = new Printed()
    addConsole(context, printed)
    const outcome = await evaluateAny(context, code).catch((error: Error) => ({ error: `the engine broke: ${error.message}` }))
    const late = outcome.error !== undefined && isLate() ? { error: `ended after ${timeoutMs / 1000} s` } : {}
    return { printed: printed.text, ...outcome, ...late }
  } finally {
    // an engine out of memory may have lost track of what it holds, which its end then complains about
    quietly(() => context.dispose())
    quietly(() => runtime.dispose())
  }
}

async function newEngine(): Promise<QuickJSWASMModule> {
  const { newQuickJSWASMModule } = await import('quickjs-emscripten').catch(cause => {
    throw new SaydoError('MISSING_PACKAGE', 'JavaScript snippets need the package quickjs-emscripten.', {
      hint: 'npm i quickjs-emscripten@0.32.0',
      cause,
    })
  })
  return newQuickJSWASMModule()
}

const NO_FUNCTION = 'SyntaxError: return not in a function'

type Outcome = Pick<ScriptResult, 'value' | 'error'>

async function evaluateAny(context: QuickJSContext, code: string): Promise<Outcome> {
  const outcome = await evaluate(context, code)
  // repair: the result is returned, as from a function; of what cannot be parsed, nothing has run yet
  return outcome.error?.startsWith(NO_FUNCTION) ? evaluate(context, `(() => {${code}\n})()`) : outcome
}

async function evaluate(context: QuickJSContext, code: string): Promise<Outcome> {
  const result = context.evalCode(code, 'snippet.js')
  if (result.error) return { error: thrown(context, result.error) }
  const settled = context.resolvePromise(result.value)
  result.value.dispose()
  const jobs = context.runtime.executePendingJobs()
  if (jobs.error) return { error: thrown(context, jobs.error) }
  // what waits for nothing that will come is never settled
  const value = await Promise.race([settled, new Promise<undefined>(resolve => setImmediate(() => resolve(undefined)))])
  if (value === undefined) return { error: 'its promise is never settled: there are no timers and no network' }
  if (value.error) return { error: thrown(context, value.error) }
  return jsonOf(context, value.value)
}

function jsonOf(context: QuickJSContext, handle: QuickJSHandle): Outcome {
  context.setProp(context.global, '__value', handle)
  handle.dispose()
  const text = context.evalCode(
    '(value => (["function", "bigint"].includes(typeof value) ? String(value) : JSON.stringify(value)))(globalThis.__value)',
  )
  if (text.error) return { error: `its value is no JSON: ${thrown(context, text.error)}` }
  const json: unknown = context.dump(text.value)
  text.value.dispose()
  return typeof json === 'string' ? { value: json } : {}
}

function addConsole(context: QuickJSContext, printed: Printed): void {
  const print = context.newFunction('print', (...handles) => {
    printed.add(handles.map(handle => shown(context.dump(handle))).join(' '))
  })
  const console = context.newObject()
  for (const name of ['log', 'info', 'warn', 'error', 'debug']) context.setProp(console, name, print)
  context.setProp(context.global, 'console', console)
  console.dispose()
  print.dispose()
}

class Printed {
  text = ''

  add(line: string): void {
    const room = MOST_PRINTED - this.text.length
    if (room > 0) this.text += line.length < room ? `${line}\n` : `${line.slice(0, room)}\n[… more was printed, and left out]\n`
  }
}

function shown(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'bigint') return `${value}n`
  return JSON.stringify(value) ?? String(value)
}

function thrown(context: QuickJSContext, handle: QuickJSHandle): string {
  const error: unknown = context.dump(handle)
  handle.dispose()
  if (typeof error !== 'object' || error === null) return String(error)
  const { name = 'Error', message = '', stack = '' } = error as Record<string, unknown>
  const line = /snippet\.js:(\d{1,9})/.exec(String(stack).slice(0, 2000))?.[1]
  return `${name}: ${message}${line === undefined ? '' : ` (line ${line})`}`
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // nothing of it is used again
  }
}
