// Sessions → the tools `shell`, `read_session` and `kill_session`.
import type { ExitStatus } from '../../core/sandbox.js'
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import type { Sessions } from './sessions.js'

const SECONDS = 60
const MOST_SECONDS = 600
/** A call may take somewhat longer than its command. */
const SPARE_MS = 10_000

const session = { type: 'string', description: 'Name of the session; default main.' } as const

export function shellTools(sessions: Sessions): Tool[] {
  return [
    tool({
      name: 'shell',
      description:
        'Runs a bash command. A session keeps its folder from command to command, but no variables. What goes on for long, such as a server, runs in the background in a session of its own. There is no terminal and no input: no interactive programs.',
      returns: 'What it printed, and its exit code.',
      effect: 'changes',
      timeoutMs: MOST_SECONDS * 1000 + SPARE_MS,
      input: {
        type: 'object',
        properties: {
          command: { type: 'string', description: 'May have several lines.' },
          session,
          background: { type: 'boolean', description: 'Do not wait for its end; default false.' },
          timeout: {
            type: 'number',
            exclusiveMinimum: 0,
            maximum: MOST_SECONDS,
            description: `Seconds after which it is ended; default ${SECONDS}.`,
          },
        },
        required: ['command'],
        additionalProperties: false,
      },
      async run({ command, session = 'main', background = false, timeout = SECONDS }: ShellInput, { signal }) {
        if (!background) {
          const { text, status } = await sessions.run(session, command, timeout * 1000, signal)
          return withStatus(text, status, timeout)
        }
        await sessions.start(session, command)
        return `Started in session ${session}. Read it with read_session.`
      },
    }),
    tool({
      name: 'read_session',
      description: 'Reads what a command in the background printed since it was last read.',
      returns: 'The text, and whether it still runs or its exit code.',
      effect: 'none',
      repeatable: true,
      timeoutMs: SECONDS * 1000 + SPARE_MS,
      input: {
        type: 'object',
        properties: {
          session,
          wait: {
            type: 'number',
            minimum: 0,
            maximum: SECONDS,
            description: 'Seconds to wait for its end; default 1.',
          },
        },
        additionalProperties: false,
      },
      async run({ session = 'main', wait = 1 }: { readonly session?: string; readonly wait?: number }, { signal }) {
        const { text, status } = await sessions.read(session, wait * 1000, signal)
        const state = sessions.states().find(({ name }) => name === session)
        if (state?.job === undefined) return `Nothing was started in the background in session ${session}.`
        return status === undefined ? `${lines(text)}[still running]` : withStatus(text, status)
      },
    }),
    tool({
      name: 'kill_session',
      description: 'Ends the command that runs in the background of a session, with all it started.',
      effect: 'changes',
      idempotent: true,
      input: { type: 'object', properties: { session }, additionalProperties: false },
      run: ({ session = 'main' }: { readonly session?: string }) => sessions.kill(session),
    }),
  ]
}

type ShellInput = {
  readonly command: string
  readonly session?: string
  readonly background?: boolean
  readonly timeout?: number
}

function withStatus(text: string, { code, end }: ExitStatus, seconds?: number): string {
  const why: Readonly<Record<ExitStatus['end'], string>> = {
    exit: `exit code ${code}${code === 137 ? ': killed, perhaps for its memory' : ''}`,
    timeout: `ended after ${seconds} seconds, before it was done; give it a longer timeout, or run it in the background`,
    aborted: 'ended, because the run was stopped',
    output: 'ended, because it printed too much; print less, or into a file',
    disk: 'ended, because it wrote too much to the disk',
    killed: 'ended by kill_session',
  }
  return `${lines(text)}[${why[end]}]`
}

/** A text that a line can follow. */
function lines(text: string): string {
  const readable = text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text
  return readable === '' || readable.endsWith('\n') ? readable : `${readable}\n`
}
