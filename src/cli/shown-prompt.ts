// A task with the settings of a run, or the file of a recorded one → the prompt to show. No model is asked: a composed run ends as soon as its
// first prompt is known.
import { SaydoError } from '../core/errors.js'
import type { Prompt } from '../core/message.js'
import type { Model } from '../core/model.js'
import type { ToolSpec } from '../core/tool.js'
import type { Io } from './command.js'
import { inputLines } from './input-lines.js'
import type { Settings } from './settings.js'

/** The prompt to show, and what is needed to tell its sections apart. */
export interface ShownPrompt {
  readonly prompt: Prompt
  readonly tools: readonly ToolSpec[]
  readonly dialect: string
  readonly language: string
  readonly model: string
  /** For the verdict, such as `step 2 of run m5x-7`. */
  readonly what: string
}

export interface StepName {
  readonly step: number
  readonly attempt: number
}

/** `say` is told about what the user should know. */
export interface Showing {
  readonly io: Io
  readonly settings: Settings
  readonly say: (line: string) => void
}

/** The first prompt that a run of the task would send. */
export async function composePrompt(task: string, { io, settings, say }: Showing): Promise<ShownPrompt> {
  const { buildAgent } = await import('./build-agent.js')
  const known = new AbortController()
  let seen: Prompt | undefined
  const model: Model = {
    name: settings.model ?? 'MODEL',
    // biome-ignore lint/correctness/useYield: nothing is answered
    async *stream(given) {
      seen = given
      known.abort()
    },
  }
  const agent = await buildAgent(settings, io, say, { model })
  await agent.run(task, {
    signal: AbortSignal.any([io.signal, known.signal]),
    onEvent: event => event.type === 'notice' && say(event.message),
  })
  if (seen === undefined) throw new SaydoError('ABORTED', 'interrupted before the prompt was made')
  if (settings.model === undefined) say(`no model is named, so ${model.name} stands for its name`)
  return {
    prompt: seen,
    tools: agent.registry.specs(),
    dialect: agent.dialect.name,
    language: agent.language,
    model: model.name,
    what: 'the first prompt',
  }
}

/** The prompt of that step of the file's last run, or its last one. Rejects with `CONFIG`. */
export async function recordedPrompt(
  file: string,
  wanted: StepName | undefined,
  { io, settings, say }: Showing,
): Promise<ShownPrompt> {
  const { readRecordedPrompts } = await import('../transcript/recorded-prompts.js')
  const name = file === '-' ? 'stdin' : file
  const { runs, torn } = await readRecordedPrompts(await inputLines(file, io, RUN_WANTED), name)
  const last = runs.at(-1)
  if (torn) say(`the last line of ${name} broke off and is left out`)
  if (runs.length > 1) say(`${name} holds ${runs.length} runs; this is of the last one, ${last?.run}`)
  if (last === undefined || last.prompts.length === 0)
    throw new SaydoError('CONFIG', `${name} holds no prompt`, { hint: RUN_WANTED })
  const found = wanted
    ? last.prompts.filter(({ step, attempt }) => step === wanted.step && attempt === wanted.attempt)
    : last.prompts
  const one = found.at(-1)
  if (one === undefined) {
    const names = [...new Set(last.prompts.map(stepName))]
    throw new SaydoError('CONFIG', `the run has no prompt of step ${stepName(wanted as StepName)}`, {
      hint: `it has ${names.join(', ')}`,
    })
  }
  if (wanted && found.length > 1)
    say(`${found.length} prompts were sent for step ${stepName(one)}; this is the last, the others were too long`)
  const { prompt, tools } = one
  const { run, model, dialect, language } = last
  return {
    prompt,
    tools,
    dialect,
    language,
    model: typeof settings.options.model === 'string' ? settings.options.model : model,
    what: `step ${stepName(one)} of run ${run}`,
  }
}

const RUN_WANTED = 'Give the file that saydo run "task" --jsonl > FILE wrote.'

function stepName({ step, attempt }: StepName): string {
  return attempt === 1 ? String(step) : `${step}.${attempt}`
}
