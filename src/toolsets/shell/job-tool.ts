// The jobs of a shell → the tool `job`: which there are, what they have printed, and their end.
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import { outputText } from './output-text.js'
import type { JobState, Shell } from './shell.js'

const MOST_SHOWN = 16 * 1024

interface JobInput {
  readonly action: 'list' | 'read' | 'kill'
  readonly id?: number
}

export function jobTool(shell: () => Promise<Shell>): Tool {
  return tool({
    name: 'job',
    description:
      'Looks after the commands that bash runs in the background: lists them, reads what one has printed since the last look, kills one.',
    input: {
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['list', 'read', 'kill'] },
        id: { type: 'integer', minimum: 1, description: 'Number of the job; for read and kill' },
      },
      required: ['action'],
      additionalProperties: false,
    },
    effect: 'changes',
    idempotent: true,
    repeatable: true,
    run: async ({ action, id }: Partial<JobInput>) => {
      const opened = await shell()
      if (action === 'list') return (await opened.jobs()).map(lineOf).join('\n') || 'No job was started.'
      if (id === undefined) throw new Error(`${action} needs the id of a job`)
      if (action === 'kill') return lineOf(await opened.killJob(id))
      const { output, skipped, state } = await opened.readJob(id)
      const { text } = outputText(output, MOST_SHOWN)
      const gap = skipped > 0 ? [`[… ${skipped} bytes before this left out …]`] : []
      return [...gap, text.trimEnd() || '(nothing new was printed)', `[${lineOf(state)}]`].join('\n')
    },
  })
}

function lineOf({ id, command, status, size }: JobState): string {
  return `job ${id}, ${status === undefined ? 'running' : `exit code ${status}`}, ${size} bytes printed: ${shortCommand(command)}`
}

/** On one line, for a list. */
export function shortCommand(command: string): string {
  const line = command.split(/\s/).filter(Boolean).join(' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
