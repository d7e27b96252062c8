// What was said in a chat → a file, in the form that the ending of its name asks for. Secrets are not in it.
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { counted } from '../../core/counted.js'
import { SaydoError } from '../../core/errors.js'
import type { AgentEvent } from '../../core/event.js'
import { createMask, type Secrets } from '../../transcript/secrets.js'
import { type Transcript, transcriptsOf } from '../../transcript/transcript.js'
import { readText, schemaFor } from '../fixtures/files.js'
import { writeFile } from '../write-file.js'

type Turns = readonly [Transcript, ...Transcript[]]

/** Gives what was written, for the person. Rejects with `CONFIG` for another ending, and when the file is there or can't be written. */
export async function saveChat(name: string, events: readonly AgentEvent[], secrets: Secrets, cwd: string): Promise<string> {
  const form = FORMS.find(({ ending }) => ending.test(name))
  if (!form)
    throw new SaydoError('CONFIG', name === '' ? 'a file is wanted' : `${name} ends in none of .md, .txt and .saydo.yaml`, {
      hint: '/save chat.md writes the conversation, answer.txt the last answer, chat.saydo.yaml a fixture',
    })
  if (events.length === 0) throw new SaydoError('CONFIG', 'nothing was said yet', { hint: 'type a task first' })
  const path = resolve(cwd, name)
  // what is of the same chat begins in the same way
  const before = existsSync(path) ? readText(path, name) : ''
  const turns = transcriptsOf(events.map(createMask(secrets)))
  const text = await form.write(turns, path, cwd)
  if (!form.mayReplace(before, text)) throw new SaydoError('CONFIG', `${name} is there already`, { hint: 'give another name' })
  writeFile(path, name, text)
  return `wrote ${name}: ${form.says(turns)}`
}

interface Form {
  readonly ending: RegExp
  readonly write: (turns: Turns, path: string, cwd: string) => string | Promise<string>
  /** Whether a file with that text gives way. */
  readonly mayReplace: (before: string, text: string) => boolean
  readonly says: (turns: Turns) => string
}

const FORMS: readonly Form[] = [
  {
    ending: /\.(?:md|markdown)$/i,
    write: turns => `${turns.map(asMarkdown).join('\n\n')}\n`,
    mayReplace: (before, text) => text.startsWith(before.trimEnd()),
    says: turns => counted(turns.length, 'turn'),
  },
  {
    ending: /\.txt$/i,
    write: turns => `${lastAnswer(turns)}\n`,
    mayReplace: (before, text) => before === '' || before === text,
    says: () => 'the last answer',
  },
  {
    ending: /\.ya?ml$/i,
    async write(turns, path, cwd) {
      const [{ recordedFixture }, { writeFixture }] = await Promise.all([
        import('../../transcript/recorded-fixture.js'),
        import('../../transcript/fixture-file.js'),
      ])
      const name = basename(path).replace(/(?:\.saydo)?\.ya?ml$/i, '')
      return writeFixture(recordedFixture(turns, name), { schema: schemaFor(path, cwd) })
    },
    mayReplace: before => before === '',
    says: turns => `a fixture of ${counted(turns.length, 'turn')}`,
  },
]

function asMarkdown({ task, result }: Transcript): string {
  const said = result?.answer ?? `*${result ? `No answer: ${result.message}` : 'The turn was cut short.'}*`
  return `${task
    .split('\n')
    .map(line => `> ${line}`.trimEnd())
    .join('\n')}\n\n${said.trim()}`
}

function lastAnswer(turns: Turns): string {
  const answer = turns.findLast(({ result }) => result?.answer !== undefined)?.result?.answer
  if (answer === undefined)
    throw new SaydoError('CONFIG', 'there is no answer yet', { hint: '/save chat.md writes all that was said' })
  return answer
}
