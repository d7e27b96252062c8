// Foreign text → the same text with every character shown that would steer a screen, or hide, instead of being seen.

// C0 but tab and line feed, DEL, C1, zero-width and bidi controls, line and paragraph separators, tag characters
export const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Escapes as `\u{1b}`; a carriage return before a line feed is dropped. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSEEN, character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`)
}
