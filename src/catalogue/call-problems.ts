// Codes about the form of a call or an answer, and about the name of the tool, explained.
import type { ProblemCode } from '../core/reply.js'
import type { ProblemEntry } from './entry.js'

export const CALL_PROBLEMS = {
  CALL_FORM: {
    title: 'the input in brackets behind the name',
    why: 'The first papers wrote Search[entity], and many models write Python. Arguments with names go where they say, others by their order; unquoted text only to a tool with one text parameter.',
    reply: 'Action: forecast(city="Oslo", days=3)',
    fixture: 'call-form/kw-call',
    fate: 'moved',
  },
  CALL_OBJECT: {
    title: 'the call as one JSON object',
    why: 'An object that names a tool and its arguments is the call, under whatever keys are common. Without a label it must be the only one, name a registered tool and fit it.',
    reply: '{"action": "search", "action_input": {"query": "red kites"}}',
    fixture: 'call-objects/call-obj-keys',
    fate: 'moved',
  },
  NATIVE_MARKUP: {
    title: "the call in the model's own markup",
    why: 'Models that were trained to call functions fall back on their own tags or tokens, and a server that does not know them passes them on as text. Each family is read as the data it is.',
    reply: '<tool_call>{"name": "search", "arguments": {"query": "red kites"}}</tool_call>',
    fixture: 'native-markup/hermes',
    fate: 'moved',
  },
  TOOL_NAME_CLEANED: {
    title: 'something around the name of the tool',
    why: 'Quotes, backticks, "functions." in front, a full stop or a sentence around one quoted name are taken off. The name itself must then be exact.',
    reply: 'Action: `functions.search`\nAction Input: red kites',
    fixture: 'tool-names/name-prefix',
  },
  TOOL_NAME_FOLDED: {
    title: 'the name in another case or with other joints',
    why: 'Case, _, - and blanks may differ when exactly one tool is meant. A name that is only similar is never run: it is suggested to the model instead.',
    reply: 'Action: Delete-File\nAction Input: {"path": "a.txt"}',
    fixture: 'tool-names/name-fold',
  },
  KEY_IGNORED: {
    title: 'a key beside a call or an answer that is no part of it',
    why: 'Models number their calls, or say of what type they are, as they saw it elsewhere. Keys that may mean anything else are never left out.',
    reply: '{"action": "search", "action_input": {"query": "red kites"}, "id": 3}',
    fixture: 'call-objects/numbered',
    fate: 'struck',
  },
  ANSWER_ENVELOPE: {
    title: 'the answer inside an action or an object',
    why: '"Action: Final Answer", and objects with a final answer mean the answer, unless a tool of that very name is registered. The text is taken out.',
    reply: 'Thought: I know it.\nAction: Final Answer\nAction Input: 42',
    fixture: 'finish/action-final',
    fate: 'moved',
  },
  ANSWER_UNLABELLED: {
    title: 'an answer without a label',
    why: 'A complete reply with no label at all is a plain answer: small talk, a question back. Any label, and anything that looks like a call nobody could read, rules that out.',
    reply: 'Lake Baikal is the deepest lake on Earth.',
    fixture: 'unlabelled/greeting',
  },
  ANSWER_OPEN_BRACKET: {
    title: 'an answer whose bracket stays open',
    why: 'Servers that stop at a closing bracket, and small models, leave Finish[ open. The text is the answer unless the reply was cut off at its length limit.',
    reply: 'Action: Finish[42',
    fixture: 'finish/finish-open',
  },
} as const satisfies Partial<Record<ProblemCode, ProblemEntry>>
