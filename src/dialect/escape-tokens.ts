// Foreign text → the same text with no control token of any chat template in it and no character that turns or hides text. Visible, so that a
// reader sees what was done: `<|im_end|>` becomes `‹|im_end|>`, an override of the writing direction `\u{202e}`. What a server does with
// tokens in a text is its own affair; this is the part that can be done before it gets the text.
import { CALL_MARKUP } from '../parse/native-words.js'
import { reasoningAt, tokenAt } from '../parse/special-tokens.js'

/** Breaks control tokens, tags of reasoning and templates' own markup, and writes out unseen characters by their numbers. */
export function escapeTokens(text: string): string {
  return text
    .replace(OPENER, (opener, at: number) => (isToken(text.slice(at, at + 48)) ? (BROKEN[opener] ?? opener) : opener))
    .replace(UNSEEN, found => (FLAG.test(found) ? found : `\\u{${found.codePointAt(0)?.toString(16)}}`))
}

function isToken(head: string): boolean {
  if (/^<[|｜][\w▁/]/.test(head)) return true
  if (tokenAt(head, 0) > 0 || reasoningAt(head, 0) !== undefined) return true
  return CALL_MARKUP.some(word => head.startsWith(word)) || TEMPLATE_MARKUP.some(word => head.startsWith(word))
}

/** What stands only in prompts, so that no reply is read by it: bounds of results, lists of tools, further tokens of single families. */
const TEMPLATE_MARKUP = [
  ...[
    '</tool_call>',
    '<tool_response>',
    '</tool_response>',
    '</function>',
    '</function_calls>',
    '<function_results>',
    '</invoke>',
  ],
  ...['[TOOL_RESULTS]', '[/TOOL_RESULTS]', '[AVAILABLE_TOOLS]', '[/AVAILABLE_TOOLS]', '[SYSTEM_PROMPT]', '[/SYSTEM_PROMPT]'],
  ...['[BOS]', '[EOS]', '[gMASK]', '<sop>', '<pad>', '<unk>'],
]

const OPENER = /[<[◁]/g
const BROKEN: Readonly<Record<string, string>> = { '<': '‹', '[': '(', '◁': '‹' }

/** Overrides, embeddings and isolates of the writing direction, and tag characters. The marks that Arabic, Hebrew or Thai are written with stay. */
const UNSEEN = /[\u202a-\u202e\u2066-\u2069]|\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f}|[\u{e0000}-\u{e007f}]/gu
/** The flag of a region is a black flag with tag characters. */
const FLAG = /^\u{1f3f4}/u
