// A task with the settings of a run, or the record of one → the prompt to show. No model is asked: a composed run ends as soon as its
// first prompt is known.
import { SaydoError } from '../core/errors.js'
import type { Prompt } from '../core/message.js'
import type { Model } from '../core/model.js'
import type { ToolSpec } from '../core/tool.js'
import { type PlacedTurn, placeTurns } from '../prompt/sections.js'
import type { Transcript } from '../transcript/transcript.js'
import type { Stage } from './scenes/scene.js'
import { isOf, type StepChoice, stepName } from './step-name.js'

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

/** The first prompt that a run of the task would send. */
export async function composePrompt(task: string, { io, settings, say }: Stage): Promise<ShownPrompt> {
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
  try {
    await agent.run(task, {
      signal: AbortSignal.any([io.signal, known.signal]),
      onEvent: event => event.type === 'notice' && say(event.message),
    })
  } finally {
    await agent.close()
  }
  if (seen === undefined) throw new SaydoError('ABORTED', 'interrupted before the prompt was made')
  const tools = agent.registry.specs()
  if (tools.length > 0 && settings.options.examples !== false && !placeTurns(seen.messages).some(isExample)) say(NO_EXAMPLE)
  return {
    prompt: seen,
    tools,
    dialect: agent.dialect.name,
    language: agent.language,
    model: model.name,
    what: 'the first prompt',
  }
}

/** Nobody sees from the outside why a model does worse with other tools. */
const NO_EXAMPLE =
  'no example is shown: the bundled ones call other tools, and models copy what they see. With one or two of your own (the option examples) they do better'

function isExample({ place }: PlacedTurn): boolean {
  return place === 'examples'
}

/** A prompt of a record: `name` is a file, or the beginning of a run's id. Rejects with `CONFIG`, or as records do. */
export async function recordedPrompt(
  name: string,
  wanted: StepChoice | undefined,
  { io, say }: Pick<Stage, 'io' | 'say'>,
): Promise<ShownPrompt> {
  const { readRun } = await import('./read-run.js')
  return sentPrompt(readRun(name, io.cwd, say).transcript, wanted, say)
}

/** The prompt of that step, of its first attempt when none is named; without a step the last one. Throws `CONFIG` when there is none. */
export function sentPrompt(
  { run, model, dialect, options, prompts, tools, turns }: Transcript,
  wanted: StepChoice | undefined,
  say: Stage['say'],
): ShownPrompt {
  const found = wanted ? prompts.filter(prompt => isOf(prompt, { attempt: 1, ...wanted })) : prompts
  const one = found.at(-1)
  if (one === undefined) {
    const names = [...new Set(prompts.map(stepName))].join(', ')
    throw new SaydoError('CONFIG', `the run has no prompt${wanted ? ` of step ${stepName(wanted)}` : ''}`, {
      hint: names === '' ? 'it ended before anything was sent' : `it has ${names}`,
    })
  }
  if (wanted && found.length > 1)
    say(`${found.length} prompts were sent for step ${stepName(one)}; this is the last, the others were too long`)
  const { step: _, attempt: __, ...prompt } = one
  const before = turns.slice(0, turns.findIndex(turn => isOf(turn, one)) + 1)
  return {
    prompt,
    tools: before.findLast(turn => turn.tools !== undefined)?.tools ?? tools,
    dialect,
    language: typeof options.language === 'string' ? options.language : 'en',
    model,
    what: `step ${stepName(one)} of run ${run}`,
  }
}
