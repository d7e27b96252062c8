// A turn, or a whole run → texts to be pasted elsewhere: a step of a fixture, an example for a prompt, Markdown for an issue, commands for a shell.
import type { JsonValue } from '../core/json.js'
import { fixtureOf } from '../transcript/to-fixture.js'
import type { Transcript } from '../transcript/transcript.js'
import type { Trace, TraceTurn } from './trace.js'
import { yamlText } from './yaml-text.js'

/** The whole run as a fixture file. */
export function runAsFixture(trace: Trace): string {
  return yamlText(plain(fixtureOf([asTranscript(trace)])))
}

/** The step of a turn with all its attempts, as it stands under `steps` of a fixture. */
export function stepAsFixture(trace: Trace, { step }: TraceTurn): string {
  const turns = trace.turns.filter(turn => turn.step === step)
  return yamlText(plain(fixtureOf([asTranscript({ ...trace, turns })]).turns[0]?.steps ?? []))
}

/** As JSON of the shape of an example's step; undefined for a reply that decided nothing. */
export function turnAsExample({ parsed, calls }: TraceTurn): string | undefined {
  if (parsed === undefined || parsed.decision.kind === 'unclear') return undefined
  const thought = parsed.thought ?? ''
  const { decision } = parsed
  const step =
    decision.kind === 'answer'
      ? { thought, answer: decision.text }
      : {
          thought,
          calls: decision.calls.map(({ tool, input }) => ({ tool, input })),
          observations: calls.map(({ observation }) => observation?.text ?? ''),
        }
  return JSON.stringify(step, null, 2)
}

export function turnAsMarkdown(turn: TraceTurn): string {
  const { reply, parsed, calls, nudge, failures } = turn
  const blocks = [`### Step ${turnName(turn)}`]
  for (const { code, message } of failures) blocks.push(`The endpoint failed: \`${code}\` ${message}`)
  if (reply) blocks.push('The model wrote:', fenced(reply.text))
  if (parsed) {
    blocks.push('It was read as:', fenced(JSON.stringify(readingOf(parsed), null, 2), 'json'))
    if (parsed.problems.length > 0) blocks.push(parsed.problems.map(({ code, message }) => `- \`${code}\` ${message}`).join('\n'))
  }
  for (const { observation } of calls)
    if (observation)
      blocks.push(`Observation${observation.failure ? ` (\`${observation.failure.code}\`)` : ''}:`, fenced(observation.text))
  if (nudge !== undefined) blocks.push('The model was told:', fenced(nudge))
  return `${blocks.join('\n\n')}\n`
}

export function runAsMarkdown(trace: Trace): string {
  const { task, model, dialect, turns, result } = trace
  const end = result ? `Ended: \`${result.stop}\`. ${result.message}` : 'The record breaks off here.'
  return [
    `## ${task.split('\n', 1)[0]}`,
    ...(task.includes('\n') ? [fenced(task)] : []),
    `${model} · ${dialect}`,
    ...turns.map(turnAsMarkdown),
    end,
    ...(result?.answer === undefined ? [] : [fenced(result.answer)]),
  ]
    .join('\n\n')
    .concat('\n')
}

/** `3`, or `3.2` for its second attempt. */
export function turnName({ step, attempt }: Pick<TraceTurn, 'step' | 'attempt'>): string {
  return attempt === 1 ? String(step) : `${step}.${attempt}`
}

/** One word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\w./:-]{1,200}$/.test(text) && !text.startsWith('-') ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function readingOf({ thought, decision }: NonNullable<TraceTurn['parsed']>): object {
  if (decision.kind === 'unclear') return { thought, unclear: decision.problem.code }
  if (decision.kind === 'answer') return { thought, answer: decision.text }
  return { thought, calls: decision.calls.map(({ tool, input }) => ({ tool, input })) }
}

/** A fence that nothing in the text can close. */
function fenced(text: string, language = 'text'): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

function asTranscript(trace: Trace): Transcript {
  const { result, ...rest } = trace
  const { pending: _, ...run } = rest
  return { ...run, ...(result ? { result: { ...result, steps: [] } } : {}), steps: [], prompts: [] }
}

function plain(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}
