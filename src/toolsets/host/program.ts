// The program of a tool host: runs in a process of its own, loads the tools of one file, and answers questions about them until its parent is gone.
// What a tool does to its process (exit, crash, compute for ever) it does here. Bundled into one text, see `host-process.ts`.
import { AsyncLocalStorage } from 'node:async_hooks'
import { Worker } from 'node:worker_threads'
import { SaydoError } from '../../core/errors.js'
import type { JsonObject } from '../../core/json.js'
import type { Tool } from '../../core/tool.js'
import { collect } from '../../tools/collect.js'
import { copyInput } from '../../tools/copy-input.js'
import { specOf } from '../../tools/registry.js'
import { messageOf, readResult } from '../../tools/result.js'
import { truncate } from '../../tools/truncate.js'
import { loadToolsFile } from '../load.js'
import type { Answer, FromHost, HostedCheck, HostedTool, Question, ToHost } from './messages.js'

/** Most text of one result that leaves this process, in code points; the run may cut it further. */
const MOST_TEXT = 1024 * 1024

const [, file = ''] = process.argv
const send = process.send?.bind(process)
const tools = new Map<string, Tool>()
const running = new Map<number, AbortController>()
/** Which tool's doing is going on: what it leaves behind is told under its name. */
const doing = new AsyncLocalStorage<string>()

process.title = `saydo tools ${file}`
listen()
// a tool should not find a channel that is not its own
delete process.send
watchParent()
await open()

function tell(message: FromHost): void {
  // fails when the parent is gone, and then nobody listens
  send?.(message, undefined, undefined, () => {})
}

function listen(): void {
  process.on('message', (message: ToHost) => {
    if (message.kind === 'question') void answer(message.id, message.question)
    else running.get(message.id)?.abort(new DOMException(message.reason, 'AbortError'))
  })
  process.on('disconnect', () => {
    // after whatever the tools do at the end: what they started ends with them
    process.on('exit', killGroup)
    process.exit()
  })
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (fault: unknown) => {
      const tool = doing.getStore()
      tell({ kind: 'stray', message: messageOf(fault), ...(tool === undefined ? {} : { tool }) })
    })
  }
}

async function open(): Promise<void> {
  const notices: string[] = []
  try {
    const loaded = await loadToolsFile(file, { onNotice: notice => notices.push(notice) })
    for (const tool of loaded) tools.set(tool.name, tool)
    tell({ kind: 'ready', tools: loaded.map(describe), notices })
  } catch (error) {
    const { code, hint } = error instanceof SaydoError ? error : { code: 'CONFIG' as const, hint: undefined }
    tell({ kind: 'broken', error: { code, message: messageOf(error), ...(hint === undefined ? {} : { hint }) } })
  }
}

function describe(tool: Tool): HostedTool {
  const { timeoutMs, maxCallsPerRun, maxCallsPerMinute, maxCallsPerStep, exclusive, confirm } = tool
  const facts = Object.entries({ timeoutMs, maxCallsPerRun, maxCallsPerMinute, maxCallsPerStep, exclusive })
  return {
    ...specOf(tool),
    ...Object.fromEntries(facts.filter(([, fact]) => fact !== undefined)),
    confirms: confirm === undefined ? 'never' : confirm === true ? 'always' : 'asks',
    checks: tool.check !== undefined,
    ends: tool.ending !== undefined,
  }
}

async function answer(id: number, question: Question): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  const given = await doing.run(question.tool, () => ask(question, controller.signal)).then(succeeded, failed)
  running.delete(id)
  tell({ kind: 'answer', id, ...given })
}

function succeeded(value: unknown): Answer {
  return { ok: true, value }
}

function failed(thrown: unknown): Answer {
  return { ok: false, message: messageOf(thrown), name: nameOf(thrown) }
}

async function ask(question: Question, signal: AbortSignal): Promise<unknown> {
  const tool = tools.get(question.tool)
  if (tool === undefined) throw new Error(`its file has no tool ${question.tool} any more`)
  const input = copyInput(question.input)
  switch (question.kind) {
    case 'check': {
      const { ok, issues } = await check(tool, input, signal)
      return (ok ? { ok } : { ok, issues }) satisfies HostedCheck
    }
    case 'confirm':
      return typeof tool.confirm === 'function' ? (await tool.confirm(input, signal)) !== false : true
    case 'ending':
      return plainEnding(await tool.ending?.(input, question.observation, signal))
    case 'run': {
      // a check may have made something of the input that no message could carry
      const checked = await check(tool, input, signal)
      if (!checked.ok) throw new Error('its input no longer fits')
      const context = Object.freeze({ signal, callId: question.callId })
      return carried(await collect(await tool.run(checked.input as never, context), signal))
    }
  }
}

async function check(tool: Tool, input: JsonObject, signal: AbortSignal) {
  const checked = tool.check === undefined ? { ok: true as const, input } : await tool.check(input, signal)
  if (checked.ok) return { ...checked, issues: [] }
  return {
    ...checked,
    input,
    issues: checked.issues.map(({ path, message }) => ({ path: String(path), message: String(message) })),
  }
}

/** What is no plain data can't leave the process, and is no ending either. */
function plainEnding(ending: unknown): unknown {
  const { data } = readResult(ending)
  if (ending !== undefined && data === undefined) throw new TypeError('its ending is no {success, answer}')
  return data
}

/** A result as it may leave the process: plain JSON, or the text that stands for it. */
function carried(value: unknown): unknown {
  const { text, data } = readResult(value)
  if (data !== undefined || text === null) return data
  return truncate(text, MOST_TEXT, (_, facts) => `[… ${facts?.omitted} of ${facts?.total} characters left out …]`).text
}

function nameOf(thrown: unknown): string {
  try {
    return String((thrown as { name?: unknown } | null | undefined)?.name ?? 'Error')
  } catch {
    return 'Error'
  }
}

/** A parent that was killed says nothing, and a tool that computes for ever hears nothing: a thread of its own looks after both. */
function watchParent(): void {
  const watch = `const parent = process.ppid
    setInterval(() => { if (process.ppid !== parent) (${killGroup})() }, 500)`
  new Worker(watch, { eval: true }).unref()
}

function killGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    process.kill(process.pid, 'SIGKILL')
  }
}
