// `saydo trace`: a recorded run as people read it, whole or in parts, in the terminal or as a page.

import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import { colourOptions } from '../colour-options.js'
import type { Command, Invocation, Verdict } from '../command.js'
import { wholeNumber } from '../numbers.js'
import { type Paint, paintFor } from '../paint.js'
import type { ReadRun } from '../read-run.js'
import { sayOn } from '../say.js'
import { isOf, readStep, type StepChoice, type StepName, stepName } from '../step-name.js'
import { headLine } from '../trace-head.js'
import { visible, visibleJson } from '../visible.js'

export const trace: Command = {
  name: 'trace',
  summary: 'show a recorded run as readable text, with every repair marked in place',
  positional: '[run]',
  options: [
    { flags: '--turn <n>', description: 'of a conversation: only this task (default: all, or the last)', parse: wholeNumber(1) },
    { flags: '--step <n>', description: 'only this step, such as 3, or 3.2 for its second attempt', parse: readStep },
    { flags: '--prompt', description: 'what was sent to the model (default: at the last step)' },
    { flags: '--raw', description: 'the replies exactly as they came' },
    { flags: '--diff <n>', description: 'what the prompt after this step adds and leaves out', parse: readStep },
    { flags: '--follow', description: 'show a run while it goes on' },
    { flags: '--html [file]', description: 'write the run as one page for a browser (default: trace-ID.html)' },
    { flags: '--open', description: 'with --html: open the page' },
    { flags: '--json', description: 'write all that is known of the run as one JSON object' },
    { flags: '-v, --verbose', description: 'show each repair under its place, and whole observations' },
    ...colourOptions('stdout'),
  ],
  examples: [
    'saydo trace',
    'saydo trace m5x --step 3',
    'saydo trace m5x --step 3 --raw | saydo parse',
    'saydo trace m5x --diff 3',
    'saydo trace m5x --html --open',
    'saydo trace --follow',
  ],
  async run(invocation) {
    const { args, options, io } = invocation
    checkTogether(invocation)
    if (options.follow === true) {
      const { followRun } = await import('../follow-run.js')
      return followRun(args[0], invocation)
    }
    const { readRun } = await import('../read-run.js')
    const say = sayOn(io)
    const ofOne = options.step ?? options.prompt ?? options.diff ?? options.raw
    const turn = (options.turn as number | undefined) ?? (ofOne === undefined ? 'all' : undefined)
    const read = readRun(args[0], io.cwd, say, { damaged: true, ...(turn === undefined ? {} : { turn }) })
    if (options.html !== undefined) {
      const { writePage } = await import('../write-page.js')
      return writePage(read, options.html === true ? undefined : String(options.html), options.open === true, io)
    }
    const write = (lines: Iterable<string>): void => {
      for (const line of lines) io.stdout.write(`${line}\n`)
    }
    if (options.prompt === true) write(await promptLines(read, options.step as StepChoice | undefined, paintOf(invocation), say))
    else if (options.diff !== undefined) write(await diffLines(read, options.diff as StepChoice, paintOf(invocation)))
    else if (options.raw === true) writeRaw(read, invocation)
    else write(await traceLines(read, invocation))
    return verdictOf(read)
  },
}

type Say = (line: string) => void

const WAYS = ['prompt', 'raw', 'diff', 'follow', 'html', 'json'] as const

function checkTogether({ options }: Invocation): void {
  const chosen = WAYS.filter(way => options[way] !== undefined)
  if (chosen.length > 1)
    throw new SaydoError('CONFIG', `--${chosen[0]} and --${chosen[1]} show different things`, { hint: 'choose one of them' })
  const [way] = chosen
  if (options.open === true && way !== 'html') throw new SaydoError('CONFIG', '--open is of a page', { hint: 'add --html' })
  if (options.step !== undefined && way !== undefined && way !== 'prompt' && way !== 'raw')
    throw new SaydoError('CONFIG', `--${way} is not of one step`, { hint: `leave --step or --${way} out` })
}

function paintOf({ options, io }: Invocation): Paint {
  return paintFor(io.stdout, io.env, { color: options.color })
}

async function traceLines({ shown }: ReadRun, invocation: Invocation): Promise<Iterable<string>> {
  const [{ tracesOf }, { viewTrace, viewTurn }] = await Promise.all([import('../../viewer/trace.js'), import('../trace-view.js')])
  const { options } = invocation
  const step = options.step as StepChoice | undefined
  const traces = await tracesOf(shown)
  const last = traces.at(-1) ?? traces[0]
  if (options.json === true) return [visibleJson(traces.length > 1 ? { ...last, earlier: traces.slice(0, -1) } : last, 2)]
  const view = { paint: paintOf(invocation), verbose: options.verbose === true || step !== undefined }
  if (step === undefined) return traces.flatMap((trace, at) => [...(at > 0 ? [''] : []), ...viewTrace(trace, view)])
  return turnsOf(last.turns, step).flatMap(turn => [...viewTurn(last, turn, view)])
}

async function promptLines(
  { transcript }: ReadRun,
  step: StepChoice | undefined,
  paint: Paint,
  say: Say,
): Promise<Iterable<string>> {
  const [{ sentPrompt }, { viewPrompt }] = await Promise.all([import('../shown-prompt.js'), import('../prompt-view.js')])
  const { prompt } = sentPrompt(transcript, step, say)
  const messages = prompt.messages.map(({ role, text }) => ({ role, content: text }))
  return [viewPrompt(prompt, { messages, stop: prompt.stop }, paint).trimEnd()]
}

async function diffLines({ transcript }: ReadRun, step: StepChoice, paint: Paint): Promise<Iterable<string>> {
  const { viewChange } = await import('../prompt-change-view.js')
  const { prompts } = transcript
  const at = prompts.findLastIndex(prompt => isOf(prompt, { attempt: 1, ...step }))
  const [before, after] = [prompts[at], prompts[at + 1]]
  if (before === undefined) turnsOf(prompts, { attempt: 1, ...step })
  if (before === undefined || after === undefined)
    throw new SaydoError('CONFIG', `nothing was sent after step ${stepName(step)}`, { hint: 'compare an earlier prompt' })
  return viewChange(before, after, paint)
}

/** To the byte, unless somebody looks at it. */
function writeRaw({ transcript }: ReadRun, invocation: Invocation): void {
  const { options, io } = invocation
  const paint = paintOf(invocation)
  const step = options.step as StepChoice | undefined
  const turns = step ? turnsOf(transcript.turns, step) : transcript.turns
  for (const turn of turns) {
    const text = turn.reply?.text
    if (turns.length > 1) io.stdout.write(`${headLine(stepName(turn), text === undefined ? ['no reply'] : [], paint)}\n`)
    if (text === undefined) continue
    if (io.stdout.isTTY) io.stdout.write(`${visible(text)}\n`)
    else io.stdout.write(turns.length > 1 ? `${text}\n` : text)
  }
}

/** All attempts at a step, unless one of them is named. Throws `CONFIG` when the run has none. */
function turnsOf<Turn extends StepName>(turns: readonly Turn[], wanted: StepChoice): readonly Turn[] {
  const found = turns.filter(turn => isOf(turn, wanted))
  if (found.length > 0) return found
  throw new SaydoError('CONFIG', `the run has no step ${stepName(wanted)}`, {
    hint: turns.length === 0 ? 'it ended before anything was asked' : `it has ${[...new Set(turns.map(stepName))].join(', ')}`,
  })
}

function verdictOf({ runs, transcript: { run, result, turns } }: ReadRun): Verdict {
  const steps = new Set(turns.map(({ step }) => step)).size
  const end = result ? result.stop : 'not at its end'
  const among = runs.length > 1 ? `, of ${runs.length} in this conversation` : ''
  return { code: 0, line: `run ${run}: ${end}, ${counted(steps, 'step')}${among}` }
}
