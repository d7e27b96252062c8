// Texts of 256 KiB made to blow up a parser. Each must come to an end, whole and in small chunks; what would hang fails by the time limit.
import { describe, expect, it } from 'vitest'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'

const N = 256 * 1024
const fill = (piece: string) => piece.repeat(Math.ceil(N / piece.length))
const input = (piece: string) => `Action: search\nAction Input: ${piece}`
const tools = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
]

const texts: Readonly<Record<string, string>> = {
  'spaces behind a label': `Action:${' '.repeat(N)}x`,
  'labels without values': fill('Action :\n'),
  'thought and action lines': fill('Thought: x\nAction: y\n'),
  'line breaks, a colon and tabs': `Action${'\n'.repeat(N / 2)}:${'\t'.repeat(N / 2)}0Input:x`,
  'fences that never close': fill('```json\n'),
  'openers of reasoning': fill('<think>'),
  'closers of reasoning': fill('</think>'),
  'quotes in a string': input(`{"query":"${fill('x" ')}`),
  'brackets without a label': '['.repeat(N),
  'brackets in an input': input('['.repeat(N)),
  'objects within objects': fill('{"a":'),
  'inputs that never close': fill('Action: search\nAction Input: {"a\n'),
  'call tags': fill('<tool_call>'),
  'function tags': fill('<function=search>'),
  'parameter tags': `<function=search>${fill('<parameter=query>')}`,
  'angle brackets': '<'.repeat(N),
  colons: ':'.repeat(N),
  'observations on one line': fill('Observation: '),
  'actions on one line': fill('Action: search Action Input: '),
  backticks: '`'.repeat(N),
  'blank lines': '\n'.repeat(N),
  'bulleted labels': fill('- Action: x\n'),
  'call objects': fill('{"action":"search","action_input":"a"}\n'),
  comments: fill('<!--'),
  'special tokens': fill('<|im_end|>'),
  'answers after answers': fill('Final Answer: a\nThought: b\nAction: c\n'),
  'calls on one line': `Action: ${fill('search[a], ')}`,
  'line separators': '\u2028'.repeat(N),
  'bad escapes': input(`{"query":"${fill('\\d')}"}`),
  'pairs of keys and values': input(fill('query: a, ')),
  'the same key': input(`{${fill('"k": 1, ')}}`),
  parentheses: `Action: search(${'('.repeat(N)}`,
  'quotes before commas': input(`{"query": "a${fill('",')}`),
  asterisks: '*'.repeat(N),
  'closing tags of the model': fill('"</s>'),
  'bulleted labels on one line': fill('- Action: '),
  'actions in open brackets': `Action: search(${fill('Action: ')}`,
  'call tags of an unknown tool behind an answer': `Final Answer: x\n${fill('<tool_call>{"name":"x"}</tool_call>\n')}`,
  'call objects behind an answer': `Final Answer: x\n${fill('{"action":"x"}\n')}`,
  'observations without a colon': input(`x\n${fill('Observation\n')}`),
  'turns on one line of an answer': `Final Answer: ${fill('. Question: ')}\nThought: x`,
  'fences around steps': fill('```\nThought: x\n```\n'),
  'fences in an input': input(fill('```\n')),
  'lists of calls that never close': fill('[search(x\n'),
  'comments in brackets that never close': `Action: search[${fill('/* ')}]`,
}

describe('a hostile text of 256 KiB comes to an end', () => {
  it.each(Object.entries(texts))('%s', (_, text) => {
    const whole = parseReply(text, { tools })
    const parser = createReplyParser({ tools })
    for (let at = 0; at < text.length; at += 3) parser.push(text.slice(at, at + 3))
    expect(parser.end().decision).toEqual(whole.decision)
  })
})
