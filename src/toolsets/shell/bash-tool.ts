// A shell session → the tool `bash`, and what its results say: the output, the exit code, and whatever else became of the command.
import type { Tool, ToolContext } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import { OutOfTimeError } from '../../tools/out-of-time-error.js'
import { outputText } from './output-text.js'
import type { Shell } from './shell.js'
import type { Ran } from './shell-session.js'

const DEFAULT_SECONDS = 120
const MOST_SECONDS = 600
/** A program that takes input and prints nothing for so long waits for some. */
const QUIET_MS = 1000
/** Most of an output that is shown, in bytes. */
const MOST_SHOWN = 16 * 1024

interface BashInput {
  readonly command?: string
  readonly timeout?: number
  readonly interactive?: boolean
  readonly background?: boolean
  readonly input?: string
  readonly restart?: boolean
}

/** `shell` is asked for at each call: it is opened with the first. */
export function bashTool(shell: () => Promise<Shell>): Tool {
  return tool({
    name: 'bash',
    description:
      'Runs a command in one lasting bash: its working directory and variables stay as a command leaves them. A command has no terminal and nothing to read, unless it is interactive.',
    input: {
      type: 'object',
      properties: {
        command: {
          type: 'string',
          description: 'What to run. While an interactive command runs: "" reads more of its output, "ctrl+c" interrupts it',
        },
        timeout: {
          type: 'number',
          minimum: 1,
          maximum: MOST_SECONDS,
          description: `Seconds after which it is interrupted, ${DEFAULT_SECONDS} unless given`,
        },
        background: { type: 'boolean', description: 'Start it as a job and do not wait; see the tool job' },
        interactive: { type: 'boolean', description: 'It will ask for input: come back as soon as it is quiet' },
        input: { type: 'string', description: 'What to type into the interactive command that runs, with its line break' },
        restart: { type: 'boolean', description: 'End the bash and everything in it, and begin a new one' },
      },
      additionalProperties: false,
    },
    textParameter: 'command',
    returns: 'the output, and the exit code in brackets',
    effect: 'changes',
    timeoutMs: Number.POSITIVE_INFINITY,
    exclusive: true,
    run: async (input: BashInput, context) => runIn(await shell(), input, context),
  })
}

async function runIn(shell: Shell, input: BashInput, { signal }: ToolContext): Promise<string> {
  const { session } = shell
  const { command, background, interactive = false, timeout = DEFAULT_SECONDS } = input
  if (input.restart) {
    await session.restart()
    return 'The bash was restarted: it is in the workspace again, and its variables and jobs are gone.'
  }
  if (command?.includes('\0')) throw new Error('a command cannot hold a NUL character')
  const wait = { timeoutMs: timeout * 1000, signal }
  if (session.isRunning) return goOn(shell, input, { ...wait, quietMs: QUIET_MS })
  if (command === 'ctrl+c') throw new Error('nothing is running that could be interrupted')
  if (input.input !== undefined)
    throw new Error('nothing is running that could read input; start it with {"command": …, "interactive": true}')
  if (command === undefined) throw new Error('no command was given')
  const anew = session.hasEnded ? ['[the bash had ended; this is a new one, in the workspace, without the old variables]'] : []
  const before = strayText(shell)
  const ran = background
    ? await shell.startJob(command, wait)
    : await session.run(command, { ...wait, takesInput: interactive, ...(interactive ? { quietMs: QUIET_MS } : {}) })
  return inTime(ran, timeout, [...anew, ...before, await told(shell, ran, timeout)].join('\n'))
}

/** A command whose time was up has failed, with what it printed until then. */
function inTime({ ending }: Ran, seconds: number, text: string): string {
  if (ending === 'timeout') throw new OutOfTimeError(`the command took longer than ${seconds} s`, text)
  return text
}

async function goOn(shell: Shell, { command, input }: BashInput, wait: Parameters<Shell['session']['wait']>[0]): Promise<string> {
  const { session } = shell
  if (command === 'ctrl+c') return told(shell, await session.interrupt(), 0)
  if (input === undefined && command !== '' && command !== undefined)
    throw new Error(
      'a command is still running: give it {"input": …}, read on with {"command": ""}, end it with {"command": "ctrl+c"}, or {"restart": true}',
    )
  if (input !== undefined) await session.input(input)
  return told(shell, await session.wait(wait), wait.timeoutMs / 1000)
}

function strayText({ session }: Shell): string[] {
  const { text } = outputText(session.takeStray(), MOST_SHOWN / 4)
  return text === '' ? [] : [`[printed in the background since the last command]\n${text.trimEnd()}\n[end of that]`]
}

async function told(shell: Shell, ran: Ran, seconds: number): Promise<string> {
  const { text, omitted } = outputText(ran.output, MOST_SHOWN)
  const file = omitted > 0 ? await shell.save(ran.output) : undefined
  const lines = [
    ...(text === '' ? [] : [text.endsWith('\n') ? text.slice(0, -1) : text]),
    ...(ran.job === undefined ? [] : [`[started as job ${ran.job}; read its output with the tool job]`]),
    ...(file === undefined ? [] : [`[the whole output is in ${file}; look at parts of it with grep -n, head or tail]`]),
    ...fateOf(ran, seconds),
  ]
  return lines.join('\n')
}

function fateOf({ ending, status, lost, job }: Ran, seconds: number): string[] {
  const session = lost
    ? '; it did not end, so the bash was ended: the next command gets a new one, in the workspace'
    : '; the bash goes on'
  switch (ending) {
    case 'running':
      return ['[it is still running: give it {"input": …}, or read on with {"command": ""}]']
    case 'timeout':
      return [`[it took longer than ${seconds} s and was interrupted, exit code ${status}${session}]`]
    case 'output':
      return [`[it printed too much and was interrupted, exit code ${status}${session}]`]
    case 'aborted':
      return [`[it was interrupted, exit code ${status}${session}]`]
    case 'exited':
      return [`[exit code ${status}]`, '[that ended the bash: the next command gets a new one, in the workspace]']
    case 'ended':
      return job === undefined || status !== 0 ? [`[exit code ${status}]`] : []
  }
}
