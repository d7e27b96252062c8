// `saydo prompt "task"`: what would be sent to a model, to the byte, without asking anybody; or what was sent at a step of a recorded run.

import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import { AGENT_OPTIONS } from '../agent-options.js'
import { colourOptions } from '../colour-options.js'
import type { Command, Invocation, Verdict } from '../command.js'
import { paintFor } from '../paint.js'
import { type Body, viewPrompt } from '../prompt-view.js'
import { NOWHERE, requestFor } from '../request-for.js'
import { sayOn } from '../say.js'
import type { Stage } from '../scenes/scene.js'
import { readSettings } from '../settings.js'
import type { ShownPrompt } from '../shown-prompt.js'
import { readStep, type StepChoice } from '../step-name.js'
import { readTask } from '../task.js'
import { visible, visibleJson } from '../visible.js'
import { run } from './run.js'

export const prompt: Command = {
  name: 'prompt',
  summary: 'show what a task would send to a model, or what a recorded run has sent, without asking anybody',
  positional: '[task...]',
  options: [
    ...AGENT_OPTIONS,
    { flags: '--json', description: 'the body of the request, as it is sent' },
    { flags: '--text', description: 'the text that a completions endpoint would get, to the byte' },
    { flags: '--tokens', description: 'how many tokens each section takes: estimated, or counted by the server of --url' },
    { flags: '--run <id>', description: 'the prompt of a recorded run: the beginning of its id, or a file' },
    {
      flags: '--step <n>',
      description: 'of which step of it, such as 3, or 3.2 for its second attempt (default: its last prompt)',
      parse: readStep,
    },
    ...colourOptions('stdout'),
  ],
  examples: [
    'saydo prompt "What is 17 * 23?" --tool calculator',
    'saydo prompt "What is 17 * 23?" --tool calculator --tokens',
    'saydo prompt "What is 17 * 23?" --tool calculator --lang de --dialect xml --text > prompt.txt',
    'saydo prompt --run m5x --step 2 --json',
  ],
  async run(invocation) {
    const { options, io } = invocation
    checkTogether(invocation)
    const showing: Stage = {
      io,
      settings: await readSettings(invocation, run.options),
      say: sayOn(io),
    }
    const shown = await findPrompt(invocation, showing)
    if (options.tokens === true) return tellTokens(shown, invocation, showing)
    const request = await requestFor(shown, showing.settings, options.text === true)
    const body = JSON.parse(request.body) as Body
    const paint = paintFor(io.stdout, io.env, { color: options.color })
    if (options.json === true) io.stdout.write(`${io.stdout.isTTY ? visibleJson(body) : request.body}\n`)
    else if (options.text === true) io.stdout.write(io.stdout.isTTY ? `${visible(shown.prompt.text)}\n` : shown.prompt.text)
    else io.stdout.write(viewPrompt(shown.prompt, body, paint))
    return verdict(shown, `for POST ${whereTo(request.url, invocation)}; nothing was sent`)
  },
}

function checkTogether({ args, options }: Invocation): void {
  const refuse = (message: string, hint: string): never => {
    throw new SaydoError('CONFIG', message, { hint })
  }
  if (options.json === true && options.text === true) refuse('--json and --text would both write to stdout', 'choose one of them')
  if (options.text === true && options.api === 'chat')
    refuse('a chat endpoint gets turns, and no text', 'leave --text or --api chat out')
  if (options.run === undefined) {
    if (options.step !== undefined) refuse('--step is of a recorded run, and none is named', 'add --run ID')
    return
  }
  if (args.length > 0) refuse('a recorded run has its own task', 'leave the task or --run out')
  const [fixed] = FIXED.filter(name => options[name] !== undefined)
  if (fixed !== undefined)
    refuse(
      `--${fixed === 'examples' ? 'no-examples' : fixed} cannot change what a recorded run has sent`,
      'leave it or --run out',
    )
}

/** What shapes the words of a prompt: in a recorded run they stand as they were sent. */
const FIXED = ['agent', 'tools', 'tool', 'dialect', 'prompt', 'lang', 'labels', 'examples']

async function findPrompt({ args, options, io }: Invocation, showing: Stage): Promise<ShownPrompt> {
  const { composePrompt, recordedPrompt } = await import('../shown-prompt.js')
  if (typeof options.run === 'string') return recordedPrompt(options.run, options.step as StepChoice | undefined, showing)
  if (args.length === 0 && io.stdin.isTTY)
    throw new SaydoError('CONFIG', 'the task is empty', { hint: 'saydo prompt "task", or saydo prompt --run ID' })
  const shown = await composePrompt(await readTask(args, io), showing)
  if (showing.settings.model === undefined) showing.say(`no model is named, so ${shown.model} stands for its name`)
  return shown
}

/** Where a request would go. No record says where the ones of its run went, and without a setting only the path is known. */
function whereTo(url: string, { options }: Invocation): string {
  return options.run !== undefined || url.startsWith(NOWHERE) ? new URL(url).pathname : url
}

async function tellTokens(shown: ShownPrompt, { options, io }: Invocation, showing: Stage): Promise<Verdict> {
  const [{ countPrompt }, { writeTable }, { ESTIMATE_RULE }] = await Promise.all([
    import('../prompt-tokens.js'),
    import('../token-table.js'),
    import('../../memory/tokens.js'),
  ])
  const asText = options.text === true || options.api === 'completions'
  // without the flag nobody is asked anything
  const table = await countPrompt(shown, { asText, byServer: options.url !== undefined }, showing)
  io.stdout.write(options.json === true ? `${JSON.stringify(table, null, 2)}\n` : `${writeTable(table)}\n`)
  if (table.estimated) showing.say(`estimated by ${ESTIMATE_RULE}`)
  if (!asText) showing.say('the chat template of a model adds a few tokens to each turn')
  return verdict(shown, `${table.estimated ? 'about ' : ''}${table.total.tokens} tokens`)
}

function verdict({ what, prompt }: ShownPrompt, how: string): Verdict {
  const characters = prompt.messages.reduce((sum, { text }) => sum + text.length, 0)
  const turns = counted(prompt.messages.length, 'turn')
  return { code: 0, line: `${what}: ${turns}, ${characters} characters, ${how}` }
}
