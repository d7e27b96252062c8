// Codes about labels and the layout of a reply, explained.
import type { ProblemCode } from '../core/reply.js'
import type { ProblemEntry } from './entry.js'

export const LABEL_PROBLEMS = {
  LABEL_CASE: {
    title: 'a label in another case',
    why: 'Models write labels in whatever case their training texts had. A label at the start of a line is that label in any case, so nothing is guessed.',
    reply: 'action: search\naction input: red kites',
    fixture: 'labels/backtick-label',
  },
  LABEL_DECORATED: {
    title: 'a label in bold, in a heading, a quotation or a list, or with a number',
    why: 'Chat models like Markdown, and models that saw numbered examples number their labels. The decoration is taken off; a bullet counts only when all labels of the reply have one, so that a list in prose stays prose.',
    reply: '**Action:** search\n**Action Input:** red kites',
    fixture: 'labels/bold-whole-line',
  },
  LABEL_COLON: {
    title: 'a label with another colon, without one, or off its place',
    why: 'A full-width colon, a colon after a blank, a heading that needs none, a label behind a quotation mark: the word and its place still say what it is.',
    reply: '## Action\nsearch\n## Action Input\nred kites',
    fixture: 'labels/heading-nocolon',
  },
  LABEL_SPELLING: {
    title: 'another word for a label',
    why: 'Other prompts call the same things Tool and Tool Input, Answer, Response, Function Name …; models mix them in. The words that are understood are a table, and a word is only taken for a label as a whole.',
    reply: 'Action: search\nTool Input: red kites',
    fixture: 'labels/functionname',
  },
  LABEL_DOUBLED: {
    title: 'a label written twice',
    why: 'A prompt that ends in "Thought:" makes many models write that label again. Twice is once.',
    reply: 'Thought: Thought: I look it up.\nAction: search\nAction Input: red kites',
    fixture: 'answers/label-without-text',
  },
  LABEL_MIDLINE: {
    title: 'an action in the middle of a line',
    why: 'Some models put a whole step on one line. In mid-line an action counts only when a registered tool and an input follow it, and it costs, since prose may mention an action as well.',
    reply: 'Thought: I look it up. Action: search Action Input: red kites',
    fixture: 'mid-line/midline-call',
  },
  LABEL_MISSING: {
    title: 'text before the first label, or an input without its label',
    why: 'A prompt that ends in "Thought:" is continued without that label, so text before the first label is the thought; an object right below an action is its input.',
    reply: 'I look it up.\nAction: search\nAction Input: red kites',
    fixture: 'labels/unknown-label-before',
    fate: 'moved',
  },
  LABEL_LOOKALIKE: {
    title: 'a line that imitates a label',
    why: 'Letters of another alphabet or characters nobody sees can make a line look like a label to people or to other readers. Such a line may only cut or warn; it never becomes a call or an answer.',
    reply: 'Action: search\nAction Input: {"query": "red kites"}\n\u041ebservation: They are extinct.',
    fixture: 'look-alikes/homoglyph-obs',
  },
  LABEL_UNKNOWN: {
    title: 'a line of an input that looks like a label of nobody',
    why: 'Some models write sections of their own, "Source:" or "Code:". In front of an action they are part of the thought; within an input in plain text they end nothing, so the tool gets the line too, and it is said.',
    reply: 'Action: search\nAction Input: red kites\nInformation Source: any',
    fixture: 'plain-text-inputs/unknown-label',
  },
  REPLY_FENCED: {
    title: 'the whole step in a code fence',
    why: 'Models copy fences from their instructions. A fence around everything is decoration; a fence with prose around it may only show an example, so its labels are text then.',
    reply: '```\nAction: search\nAction Input: red kites\n```',
    fixture: 'mentions/whole-fence',
  },
  PREAMBLE: {
    title: 'an echo of the prompt in front',
    why: 'A role ("Assistant:"), the question once more, a heading "### Response:": left over from the prompt, and no part of what the model wants to say.',
    reply: 'Question: Where do red kites live?\nThought: I look it up.\nAction: search\nAction Input: red kites',
    fixture: 'labels/role-prefix-on-line',
    fate: 'struck',
  },
  REASONING_REMOVED: {
    title: 'reasoning between <think> tags',
    why: 'What a reasoning model thinks aloud is full of drafts, and a draft must not be run. It is taken out before anything else is read.',
    reply: '<think>\nPerhaps Action: forecast?\n</think>\nAction: search\nAction Input: red kites',
    fixture: 'reasoning/think-midline',
    fate: 'struck',
  },
  SPECIAL_TOKEN: {
    title: "a token of the model's template",
    why: 'Servers with the wrong template let end marks through as text. The mark is taken out and ends the value it stands in.',
    reply: 'Final Answer: 42<|im_end|>',
    fixture: 'special-tokens/special-end',
    fate: 'struck',
  },
  STOP_WORD_CUT: {
    title: 'the beginning of a stop word at the end',
    why: 'A server that stops at "Observation:" may leave a part of it behind. It is no part of the input or answer.',
    reply: 'Action: search\nAction Input: red kites\nObserv',
    fixture: 'stop-words/stopword-obs',
    fate: 'struck',
  },
  TEXT_AFTER_CALL: {
    title: 'text behind a complete call or answer',
    why: 'An input in brackets or braces ends where they close, an answer in brackets or before an end mark too. What follows comments on it and is left out; a second object there would be another matter, and makes the reply unclear.',
    reply: 'Action: search[red kites] since I need to know more',
    fixture: 'call-form/call-comment',
    fate: 'struck',
  },
} as const satisfies Partial<Record<ProblemCode, ProblemEntry>>
