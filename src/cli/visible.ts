// A value from a model or a tool → JSON with every character shown that would steer a terminal; a text likewise.
import { UNSEEN } from '../core/unseen.js'

export { visible } from '../core/unseen.js'

/** A value as JSON for a terminal or a program: what would steer a terminal is written as `\u009b`, which reads back as the same. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, character =>
    character.replace(/./gs, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}
