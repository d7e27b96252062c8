// Text from a model or a tool → the same text with every character shown that would steer a terminal instead of being seen.

// C0 but tab and line feed, DEL, C1, zero-width and bidi controls, line and paragraph separators, tag characters
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Escapes as `\u{1b}`; a carriage return before a line feed is dropped. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSEEN, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}

/** A value as JSON for a terminal or a program: what would steer a terminal is written as `\u009b`, which reads back as the same. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, character =>
    character.replace(/./gs, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}
