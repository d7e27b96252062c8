// The table of what may be typed behind a `/` in a chat: adding a command is an entry here.

import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import { nearNames } from '../../core/near-names.js'
import { isOf, readStep, stepName } from '../step-name.js'
import { visible } from '../visible.js'
import { changedFlags, settingsText } from './change-setting.js'
import type { ChatCommand } from './chat-command.js'
import { saveChat } from './save-chat.js'

export const CHAT_COMMANDS: readonly ChatCommand[] = [
  { name: 'help', summary: 'show this', run: chat => chat.show(helpText()) },
  {
    name: 'tools',
    summary: 'the tools, as the model sees them',
    async run({ conversation, show }) {
      const { toolText } = await import('../tool-text.js')
      show(conversation.tools.map(tool => `${toolText(tool)}\n`).join('') || 'no tools\n')
    },
  },
  {
    name: 'prompt',
    argument: '[N]',
    summary: 'the prompt that was sent last, or at step N of the last turn',
    async run({ conversation, settings, paint, say, show }, text) {
      const [{ sentPrompt }, { requestFor }, { viewPrompt }] = await Promise.all([
        import('../shown-prompt.js'),
        import('../request-for.js'),
        import('../prompt-view.js'),
      ])
      const shown = sentPrompt(conversation.last, text === '' ? undefined : stepIn(text), say)
      const { body } = await requestFor(shown, settings)
      show(viewPrompt(shown.prompt, JSON.parse(body), paint))
    },
  },
  {
    name: 'why',
    argument: '[N]',
    summary: 'why the last reply, or that of step N, was read as it was',
    async run({ conversation, paint, show }, text) {
      const { viewReading } = await import('../reading-view.js')
      const { reply, parsed } = turnAt(conversation.last.turns, text, ({ parsed }) => parsed !== undefined)
      if (reply && parsed) show(viewReading(parsed, reply.text, { paint, explain: true }))
    },
  },
  {
    name: 'step',
    summary: 'stop after every reading from now on, or no more',
    run({ gate, say }) {
      gate.isOn = !gate.isOn
      say(gate.isOn ? 'turns stop after every reading' : 'turns do not stop any more')
    },
  },
  {
    name: 'edit',
    argument: '[N]',
    summary: 'change the last reply, or that of step N of the last turn, in $EDITOR, and go on from there',
    async run(chat, text) {
      const turn = turnAt(chat.conversation.last.turns, text, ({ reply }) => reply !== undefined)
      await chat.edit(turn)
    },
  },
  {
    name: 'retry',
    summary: 'ask for the last reply again',
    async run({ conversation, turn }) {
      const { step } = turnAt(conversation.last.turns, '', () => true)
      await turn(watch => conversation.goOnFrom({ step }, undefined, watch))
    },
  },
  {
    name: 'undo',
    summary: 'take back the last turn',
    run({ conversation, say }) {
      const { task, turns } = conversation.takeBack()
      const done = turns.some(({ calls }) => calls.some(({ begun }) => begun)) ? '; what its calls did stays done' : ''
      say(`taken back: ${firstLine(task)}${done}; before it ${counted(conversation.length, 'turn')}`)
    },
  },
  {
    name: 'set',
    argument: '[NAME [VALUE]]',
    summary: 'change an option of saydo run, such as /set temperature 0.2; "default" as VALUE undoes that',
    async run(chat, text) {
      const flags = changedFlags(chat.settings.flags, text)
      if (flags) await chat.change(flags)
      chat.show(settingsText(chat.settings.options, text))
    },
  },
  {
    name: 'save',
    argument: 'FILE',
    summary: 'write what was said: .md the conversation, .txt the last answer, .saydo.yaml a fixture of it all',
    async run({ conversation, settings, io, say }, text) {
      say(await saveChat(text, conversation.events, settings.secrets, io.cwd))
    },
  },
  { name: 'quit', summary: 'leave, as Ctrl-D does', run: chat => chat.leave() },
]

/** `/name rest`; undefined for a task: one may begin with a path, or with `//`, which stands for a slash. */
export function commandIn(text: string): { readonly name: string; readonly argument: string } | undefined {
  const [, name, argument = ''] = /^\/([a-z?]{0,30})(?:\s([\s\S]*))?$/i.exec(text.trim()) ?? []
  return name === undefined ? undefined : { name: name.toLowerCase(), argument: argument.trim() }
}

/** Throws `CONFIG` that names the nearest when there is none of that name. */
export function chatCommand(name: string): ChatCommand {
  const found = CHAT_COMMANDS.find(command => command.name === (OTHER_NAMES[name] ?? name))
  if (found) return found
  const names = CHAT_COMMANDS.map(command => command.name)
  const near = [...new Set([...names.filter(each => each.startsWith(name)), ...nearNames(name, names)])].map(each => `/${each}`)
  throw new SaydoError('CONFIG', `there is no command /${name}`, {
    hint: near.length > 0 ? `did you mean ${near.join(' or ')}?` : '/help lists them; a task that begins with / is written //…',
  })
}

const OTHER_NAMES: { readonly [name: string]: string | undefined } = { '': 'help', '?': 'help', exit: 'quit', q: 'quit' }

export function helpText(): string {
  const rows = CHAT_COMMANDS.map(({ name, argument, summary }) => [`/${name}${argument ? ` ${argument}` : ''}`, summary] as const)
  const width = Math.max(...rows.map(([usage]) => usage.length))
  const table = rows.map(([usage, summary]) => `  ${usage.padEnd(width)}  ${summary}\n`).join('')
  return `${table}
  All else is a task. \\ at the end of a line goes on with the next; """ begins and ends a block of lines.
  The arrows go through what was said before: behind a beginning, through what began so.
  Ctrl-C ends the turn under way; on an empty line, or twice, it leaves.\n`
}

/** The turn of that step, or the last one, that `has` what is wanted. Throws `CONFIG` when there is none. */
function turnAt<Turn extends { readonly step: number; readonly attempt: number }>(
  turns: readonly Turn[],
  text: string,
  has: (turn: Turn) => boolean,
): Turn {
  const wanted = text === '' ? undefined : stepIn(text)
  const found = turns.findLast(turn => has(turn) && (wanted === undefined || isOf(turn, { ...wanted })))
  if (found) return found
  const names = turns.filter(has).map(stepName)
  throw new SaydoError('CONFIG', `the last turn has no reply${wanted ? ` of step ${stepName(wanted)}` : ''}`, {
    hint: names.length > 0 ? `it has ${names.join(', ')}` : 'it ended before one came',
  })
}

function stepIn(text: string): ReturnType<typeof readStep> {
  try {
    return readStep(text)
  } catch (error) {
    throw new SaydoError('CONFIG', `'${text}' is no step: ${(error as Error).message}`)
  }
}

function firstLine(text: string): string {
  const [line = ''] = visible(text).split('\n')
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}
