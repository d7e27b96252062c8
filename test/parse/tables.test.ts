// Each word that the reader knows besides the label words: keys of call objects, tags, tokens, quotes. One line for each table, with what it does.
import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../../src/core/tool.js'
import { parseReply } from '../../src/dialect/read.js'

function tool(name: string, properties: object, required: readonly string[] = []): ToolSpec {
  return { name, description: '', parameters: { type: 'object', properties, required } as ToolSpec['parameters'] }
}

const text = { type: 'string' }
const tools = [
  tool('search', { query: text }, ['query']),
  tool('now', {}),
  tool('toggle', { on: { type: ['boolean', 'null'] } }, ['on']),
  tool('python', { code: text }, ['code']),
]
const NAMED = '"name": "search"'
const INPUT = '{"query": "red kites"}'
const CALL = `{${NAMED}, "arguments": ${INPUT}}`
const SEARCHES = 'search {"query":"red kites"}'

/** What is decided, in one line, and the thought before it. */
function told(reply: string, given: readonly ToolSpec[] = tools): string {
  const { decision, thought } = parseReply(reply, { tools: given })
  const before = thought === null ? '' : `(${thought}) `
  if (decision.kind === 'answer') return `${before}= ${decision.text}`
  if (decision.kind === 'unclear') return `${before}${decision.problem.code}`
  return before + decision.calls.map(call => `${call.tool} ${JSON.stringify(call.input)}`).join(' + ')
}

const words = (list: string): readonly string[] => list.split(' ')

interface Table {
  readonly words: readonly string[]
  readonly reply: (word: string) => string
  readonly read: string | ((word: string) => string)
  /** A tool has the word as its name. */
  readonly tool?: true
}

const tables: Readonly<Record<string, Table>> = {
  'names a tool': {
    words: words('action tool name tool_name function function_name action_name toolName'),
    reply: key => `{"${key}": "search", "arguments": ${INPUT}}`,
    read: SEARCHES,
  },
  'holds the arguments': {
    words: words(
      'action_input input arguments args parameters tool_input kwargs function_input action_arguments params action_args',
    ),
    reply: key => `{"action": "search", "${key}": ${INPUT}}`,
    read: SEARCHES,
  },
  'holds a list of calls': {
    words: words('tool_calls function_calls actions calls'),
    reply: key => `{"${key}": [${CALL}, {"name": "now", "arguments": {}}]}`,
    read: `${SEARCHES} + now {}`,
  },
  'wraps a call': {
    words: words('tool_call function_call function call action tool command'),
    reply: key => `{"${key}": ${CALL}}`,
    read: SEARCHES,
  },
  'is a thought beside a call': {
    words: words('thought thoughts reasoning thinking 思考'),
    reply: key => `{"${key}": "I look.", ${NAMED}, "arguments": ${INPUT}}`,
    read: `(I look.) ${SEARCHES}`,
  },
  'is a comment on a call': {
    words: words('explanation reason rationale justification purpose comment plan why'),
    reply: key => `{${NAMED}, "arguments": ${INPUT}, "${key}": "I look."}`,
    read: `(I look.) ${SEARCHES}`,
  },
  'holds an answer': {
    words: words('final_answer answer response 最终答案 答案'),
    reply: key => `{"thought": "I know.", "${key}": "Red kites."}`,
    read: '(I know.) = Red kites.',
  },
  'says nothing about a call': {
    words: words('id type call_id tool_call_id index'),
    reply: key => `{${NAMED}, "arguments": ${INPUT}, "${key}": "1"}`,
    read: SEARCHES,
  },
  'makes a call of an object that nobody can read': {
    words: words(
      'tool_call function_call function call action tool command tool_calls function_calls actions calls answer response',
    ),
    reply: key => `{"${key}": {"name": "find", "arguments": {}, "more": 1}, "x": 1}`,
    read: 'MISSING_TOOL',
  },
  'names a tool in markup': {
    words: words('name tool tool_name function action'),
    reply: key => `<tool_call>{"${key}": "search", "arguments": ${INPUT}}</tool_call>`,
    read: SEARCHES,
  },
  'holds the arguments in markup': {
    words: words('arguments args parameters input action_input tool_input kwargs params'),
    reply: key => `<tool_call>{${NAMED}, "${key}": ${INPUT}}</tool_call>`,
    read: SEARCHES,
  },
  'says nothing about a call in markup': {
    words: words('id type tool_call_id'),
    reply: key => `<tool_call>{${NAMED}, "arguments": ${INPUT}, "${key}": "1"}</tool_call>`,
    read: SEARCHES,
  },
  'is an envelope of arguments': {
    words: words('kwargs args arguments parameters params input action_input tool_input'),
    reply: key => `Action: search\nAction Input: {"${key}": ${INPUT}}`,
    read: SEARCHES,
  },
  'may not be a key': {
    words: words('__proto__ constructor prototype'),
    reply: key => `Action: search\nAction Input: {"query": "x", "${key}": 1}`,
    read: 'FORBIDDEN_KEY',
  },
  'is no input': {
    words: ['none', 'null', 'n/a', 'undefined', 'nil', 'None', 'NULL', 'N/A', '...', '…', '<...>', '[...]', '{...}'],
    reply: word => `Action: search\nAction Input: ${word}`,
    read: 'MISSING_INPUT',
  },
  'is a value': {
    words: words('true True false False null None'),
    reply: word => `Action: toggle\nAction Input: {'on': ${word}}`,
    read: word => `toggle {"on":${({ t: true, f: false, n: null } as const)[word.charAt(0).toLowerCase() as 't']}}`,
  },
  'is no value': {
    words: words('undefined NaN Infinity -Infinity'),
    reply: word => `Action: search\nAction Input: {"query": ${word}}`,
    read: 'BROKEN_INPUT',
  },
  'is a type in the echo of a signature': {
    words: words('str string int integer float number bool boolean list array object dict any'),
    reply: word => `Action: search(query: ${word})\nAction Input: red kites`,
    read: SEARCHES,
  },
  'surrounds a plain text': {
    words: ['""', "''", '``', '“”', '‘’', '„“', '„”', '‚‘', '‚’', '«»', '»«', '「」', '『』'],
    reply: ([open, close]) => `Action: search\nAction Input: ${open}red kites${close}`,
    read: SEARCHES,
  },
  'surrounds a string': {
    words: ['""', "''", '“”', '””', '‘’', '「」', '``'],
    reply: ([open, close]) => `Action: search\nAction Input: {${open}query${close}: ${open}red kites${close}}`,
    read: SEARCHES,
  },
  'surrounds a name': {
    words: ['""', "''", '``', '[]', '<>', '()', '“”', '‘’', '「」', '**', '{}'],
    reply: ([open, close]) => JSON.stringify({ name: `${open}search${close}`, arguments: { query: 'red kites' } }),
    read: SEARCHES,
  },
  'stands before a name': {
    words: words('functions. tools. function. tool. * ` **'),
    reply: prefix => `Action: ${prefix}search\nAction Input: red kites`,
    read: SEARCHES,
  },
  'stands behind a name': {
    words: [...'.,;:!*`。，；：', '()', '.;'],
    reply: ending => `Action: search${ending}\nAction Input: red kites`,
    read: SEARCHES,
  },
  'is a full-width mark of an object': {
    words: ['｛"query"：「red kites」｝', '{"query"："red kites"｝', '｛"query": "red kites"，}', "{'query'：'red kites'}"],
    reply: object => `Action: search\nAction Input: ${object}`,
    read: SEARCHES,
  },
  'is the language of a fence around a reply': {
    words: ['', ...words('text txt plaintext plain markdown md react tool action')],
    reply: language => `\`\`\`${language}\nAction: search\nAction Input: red kites\n\`\`\``,
    read: SEARCHES,
  },
  'is a language behind which code begins': {
    words: words(
      'python python3 py javascript js typescript ts jsx tsx json json5 jsonc yaml yml toml xml html css scss sql mysql postgresql sqlite bash sh shell zsh console powershell ps1 bat cmd java kotlin scala groovy c cpp c++ cc h cs csharp c# go golang rust rs ruby rb php perl lua r julia swift dart haskell hs elixir clojure lisp scheme matlab octave tex latex markdown md text txt plaintext plain diff ini conf dockerfile makefile graphql cypher sparql regex csv mermaid code tool_code input',
    ),
    reply: language => `Action: python\nAction Input:\n\`\`\`${language}\nprint(7)\`\`\``,
    read: 'python {"code":"print(7)"}',
  },
  'is a first line of code': {
    words: words('x pass import quit'),
    reply: word => `Action: python\nAction Input:\n\`\`\`${word}\nprint(7)\`\`\``,
    read: word => `python {"code":"${word}\\nprint(7)"}`,
  },
  'is a tag of a call that nobody can read': {
    words: words(
      'tool_call tool_calls toolcall tool tool_use tool_code function function_call function_calls invoke action actions execute execute_tool call start_function_call command use_tool tool_name ToolCall my:tool-call execute_x invoke_x call_x some_tool',
    ),
    reply: tag => `I look.\n<${tag}>red kites</${tag}>`,
    read: '(I look.) UNREADABLE_MARKUP',
  },
  'is a tag of HTML, even as the name of a tool': {
    words: words(
      'a b i u s p br hr em strong code pre ul ol li div span table tr td th img h1 h2 h3 h4 blockquote details summary sub sup kbd title head body html input button form label link script style main nav section article header footer',
    ),
    reply: tag => `So it is.\n<${tag}>red kites</${tag}>`,
    read: tag => `= So it is.\n<${tag}>red kites</${tag}>`,
    tool: true,
  },
  'is the tag of a result': {
    words: words(
      'observation tool_response tool_responses tool_result tool_results tool_output function_result function_results',
    ),
    reply: tag => `Action: search\nAction Input: ${INPUT}\n<${tag}>\n3 birds\n</${tag}>\nFinal Answer: 3`,
    read: SEARCHES,
  },
  'is the tag of an answer': {
    words: words('answer final_answer Answer'),
    reply: tag => `So it is.\n<${tag}>Red kites.</${tag}>`,
    read: '(So it is.) = Red kites.',
  },
  'is a token that is struck': {
    words: words(
      '</s> <eos> <bos> <end_of_turn> <end_of_utterance> <EOT> <EOS> [/INST] <</SYS>> <|im_end|> <|eot_id|> <|endoftext|> <|end|> <｜end▁of▁sentence｜>',
    ),
    reply: token => `Action: search\nAction Input: red kites${token}`,
    read: SEARCHES,
  },
  'is a token at the beginning': {
    words: words('<s> <bos> <|begin_of_text|> <<SYS>> <start_of_turn>'),
    reply: token => `${token}Action: search\nAction Input: red kites`,
    read: SEARCHES,
  },
  'opens the turn of somebody else': {
    words: [
      ...words('<|user|> <|human|> <|system|> <|observation|> <｜user｜> [INST]'),
      ...['user', 'human', 'system', 'tool'].flatMap(role => [`<|im_start|>${role}\n`, `<start_of_turn>${role}\n`]),
    ],
    reply: turn => `Action: search\nAction Input: red kites\n${turn} Action: now`,
    read: SEARCHES,
  },
  'is reasoning': {
    words: words(
      '<think>▮</think> <thinking>▮</thinking> <seed:think>▮</seed:think> <reasoning>▮</reasoning> [THINK]▮[/THINK] ◁think▷▮◁/think▷ <|begin_of_thought|>▮<|end_of_thought|> <|channel|>analysis<|message|>▮<|end|>',
    ),
    reply: pair => `${pair.replace('▮', '\nAction: now\n')}\nAction: search\nAction Input: red kites`,
    read: SEARCHES,
  },
  'is a call in an answer': {
    words: ['<tool_call>', '<function_calls>', '[TOOL_CALLS]'],
    reply: markup => `Final Answer: I look.\n${markup}search`,
    read: 'AMBIGUOUS_CALL',
  },
}

describe.each(Object.entries(tables))('a word that %s', (_, { words, reply, read, tool: isTool }) => {
  it.each(words)('%j', word => {
    const given = isTool ? [...tools, tool(word, {})] : tools
    expect(told(reply(word), given)).toBe(typeof read === 'string' ? read : read(word))
  })
})
