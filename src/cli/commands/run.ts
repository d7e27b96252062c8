// `saydo run "task"`: a task to an endpoint, the answer alone on stdout, everything else on stderr.

import type { RunOptions } from '../../agent/run-options.js'
import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import type { AgentEvent, ErrorReport } from '../../core/event.js'
import type { RunResult } from '../../core/step.js'
import { isCalled } from '../../transcript/fixture.js'
import { AGENT_OPTIONS } from '../agent-options.js'
import { colourOptions } from '../colour-options.js'
import type { Command, Io, OptionSpec, Verdict } from '../command.js'
import { paintFor } from '../paint.js'
import { Person } from '../person.js'
import { RECORD_OPTIONS, recorded } from '../record.js'
import { withScene } from '../recorded-settings.js'
import { sayOn } from '../say.js'
import { readSettings, type Settings } from '../settings.js'
import { readTask } from '../task.js'
import { tellChanges } from '../tell-changes.js'
import { RunView } from '../view.js'
import { visible, visibleJson } from '../visible.js'

/** What is shown of a run on stderr. */
export const VIEW_OPTIONS: readonly OptionSpec[] = [
  { flags: '-q, --quiet', description: 'nothing on stderr but what went wrong' },
  { flags: '-v, --verbose', description: 'show each repair in its place, whole observations, stack traces' },
  ...colourOptions('stderr'),
]

export const OUTPUT_OPTIONS: readonly OptionSpec[] = [
  { flags: '--json', description: 'print the whole run as one JSON object' },
  { flags: '--jsonl', description: 'print every event as one JSON line' },
  ...VIEW_OPTIONS,
]

export const run: Command = {
  name: 'run',
  summary: 'run a task against an endpoint and print the answer',
  positional: '[task...]',
  options: [...AGENT_OPTIONS, ...RECORD_OPTIONS, ...OUTPUT_OPTIONS],
  examples: [
    'saydo run "Which is longer, the Amber or the Reed?" --url http://localhost:8080 --tool search --tool lookup',
    'saydo "What is 17 * 23?" --url http://localhost:11434 --model llama3.2 --tool calculator',
    'cat report.txt | saydo "Summarise this." --url http://localhost:8000 --json',
  ],
  async run(invocation) {
    const { io, args } = invocation
    if (args.length === 0 && io.stdin.isTTY) {
      io.stderr.write(
        'usage: saydo "task" --url http://localhost:8080     (saydo help lists the commands, saydo run --help every option)\n',
      )
      return { code: 2, line: 'error CONFIG: the task is empty' }
    }
    const task = await readTask(args, io)
    const settings = await readSettings(invocation, run.options)
    requireOneOutput(settings)
    return recorded(settings, io, ({ runId, onEvent }) => perform(settings, io, { task, how: { runId }, record: onEvent }))
  },
}

export function requireOneOutput({ options }: Settings): void {
  if (options.json && options.jsonl)
    throw new SaydoError('CONFIG', '--json and --jsonl would both write to stdout', { hint: 'choose one of them' })
}

/** A run to be made. */
export interface Performance {
  readonly task?: string
  /** What the run is told, beside who listens. */
  readonly how: Pick<RunOptions, 'runId' | 'resume'>
  /** Hears each event before it is shown: what is shown is on record. */
  readonly record: (event: AgentEvent) => void
}

/** What the changes of a large folder may take. */
const PATCH_MS = 60_000

/** Builds the agent of the settings, runs it, and shows the run and its answer as they say. */
export async function perform(settings: Settings, io: Io, { task, how, record }: Performance): Promise<Verdict> {
  const { options } = settings
  const quiet = options.quiet === true
  const { buildAgent } = await import('../build-agent.js')
  const watcher = watch(options, io)
  const person = new Person(io, watcher.hush)
  const say = sayOn(io, quiet)
  if (options.patch !== undefined) io.mayWindUp?.(PATCH_MS)
  const agent = await buildAgent(settings, io, say, { person })
  const onEvent = (event: AgentEvent): void => {
    record(withScene(event, settings, io.cwd))
    watcher.onEvent(event)
    if (event.type === 'run_end')
      tellChanges(event.result.artifacts, options.patch, { io, say, resumed: how.resume !== undefined })
  }
  for (const event of how.resume?.slice(0, 1) ?? []) watcher.onEvent(event)
  try {
    const result = await agent.run(task, { signal: io.signal, ...how, onEvent })
    if (!options.json && !options.jsonl) printAnswer(result, io)
    return verdictOf(result, quiet)
  } finally {
    watcher.finish(agent.memory.steps)
    await agent.close().catch((error: Error) => say(`closing failed: ${error.message}`))
  }
}

/** 0 for a final answer, 130 for an abort, 1 for every other way to end. */
export function verdictOf(result: RunResult, quiet: boolean): Verdict {
  const effort = effortOf(result)
  if (result.stop === 'final_answer') return quiet ? { code: 0 } : { code: 0, line: `answered: ${effort}` }
  if (result.stop === 'aborted') return { code: 130, line: `aborted: ${effort}` }
  const what =
    result.stop === 'best_effort' ? `best effort only: ${result.message}` : `no answer (${result.stop}): ${result.message}`
  return { code: 1, line: `${what}; ${effort}` }
}

/** The steps as `saydo runs` and `saydo trace` count them, the one that only asks for an answer among them; the calls that were made, and the time. */
function effortOf({ steps, ms }: RunResult): string {
  const calls = steps
    .filter(({ parsed }) => parsed.decision.kind === 'act')
    .flatMap(({ observations }) => observations.filter(isCalled))
  return `${counted(new Set(steps.map(({ index }) => index)).size, 'step')}, ${counted(calls.length, 'call')}, ${(ms / 1000).toFixed(1)} s`
}

/** What listens to a run: the view for people, or the lines and the object for programs. */
function watch(
  options: Settings['options'],
  io: Io,
): {
  onEvent: (event: AgentEvent) => void
  finish: (steps: RunResult['steps']) => void
  hush: () => void
} {
  const paint = paintFor(io.stderr, io.env, { color: options.color, stderr: true })
  const view = options.quiet ? undefined : new RunView(io.stderr, { paint, verbose: options.verbose === true })
  let start: Extract<AgentEvent, { type: 'run_start' }> | undefined
  let end: Extract<AgentEvent, { type: 'run_end' }> | undefined
  const onEvent = (event: AgentEvent): void => {
    if (event.type === 'run_start') start = event
    if (event.type === 'run_end') end = event
    if (options.jsonl) io.stdout.write(`${visibleJson(event)}\n`)
    view?.show(event)
  }
  const finish = (steps: RunResult['steps']): void => {
    if (options.json && start && end) io.stdout.write(`${visibleJson(runObject(start, end.result, steps, end.error), 2)}\n`)
  }
  return { onEvent, finish, hush: () => view?.hush() }
}

function runObject(
  start: Extract<AgentEvent, { type: 'run_start' }>,
  result: Omit<RunResult, 'steps'>,
  steps: RunResult['steps'],
  error: ErrorReport | undefined,
): object {
  return {
    run: start.run,
    agent: start.agent,
    model: start.model,
    dialect: start.dialect,
    ...result,
    ...(error ? { error } : {}),
    steps,
  }
}

/** The answer alone, on stdout. */
export function printAnswer(result: RunResult, io: Io): void {
  // why a model gave up is no answer: the verdict says it
  if (result.answer === undefined || result.stop === 'gave_up') return
  io.stdout.write(`${io.stdout.isTTY ? visible(result.answer) : result.answer}\n`)
}
