// An observation → as much of it as people want to see at a glance.

const SHOWN_LINES = 12
/** In code points. */
const SHOWN_CHARACTERS = 1_500

/** `whole` says how to see the rest. */
export function excerptOf(text: string, whole: string): string {
  const head = text.split('\n', SHOWN_LINES).join('\n')
  // two units may be one character
  const start = [...head.slice(0, 2 * SHOWN_CHARACTERS + 2)]
  const shown = start.length > SHOWN_CHARACTERS ? start.slice(0, SHOWN_CHARACTERS).join('') : head
  return shown.length === text.length ? text : `${shown} … (${whole})`
}
