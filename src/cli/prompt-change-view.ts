// Two prompts of a run, one after the other → lines for people: what the later one adds and leaves out, turn by turn.

import { counted } from '../core/counted.js'
import type { Message } from '../core/message.js'
import type { SentPrompt } from '../transcript/transcript.js'
import { changesBetween } from '../viewer/prompt-change.js'
import type { Paint } from './paint.js'
import { stepName } from './step-name.js'
import { headLine } from './trace-head.js'
import { visible } from './visible.js'

export function* viewChange(before: SentPrompt, after: SentPrompt, paint: Paint): Generator<string> {
  yield headLine(`from the prompt of ${stepName(before)} to that of ${stepName(after)}`, [], paint)
  let at = 0
  for (const change of changesBetween(before.messages, after.messages)) {
    if (change.kind === 'keep') yield paint.dim(`  ${counted(change.count, 'turn stays', 'turns stay')}`)
    else if (change.kind === 'add') for (const turn of change.turns) yield* marked('+', turn, paint.green)
    else for (const turn of before.messages.slice(at, at + change.count)) yield* marked('-', turn, paint.red)
    if (change.kind !== 'add') at += change.count
  }
}

function* marked(sign: string, { role, text }: Message, paint: Paint): Generator<string> {
  yield paint(`${sign} ${role}`)
  for (const line of visible(text).split('\n')) yield paint(`${sign}   ${line}`.trimEnd())
}
