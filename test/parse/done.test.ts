// When a parser may hang up: as soon as nothing that follows could change the decision, and not a character sooner.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../../src/core/tool.js'
import { DIALECTS } from '../../src/dialect/index.js'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'
import { runs } from '../support/property-runs.js'

const tools: readonly ToolSpec[] = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  { name: 'now', description: '', parameters: { type: 'object', properties: {} } },
]

/** What was read when the parser said so, and the rest. */
function untilDone(reply: string): readonly [read: string, left: string] {
  const parser = createReplyParser({ tools })
  for (let at = 0; at < reply.length; at++) {
    parser.push(reply.charAt(at))
    if (parser.done) return [reply.slice(0, at + 1), reply.slice(at + 1)]
  }
  return [reply, '']
}

const call = 'Action: search\nAction Input: {"query": "cats"}'
const object = '{"action": "search", "action_input": {"query": "cats"}}'
const tag = '<tool_call>{"name": "search", "arguments": {"query": "cats"}}</tool_call>'

// `▮` is where the parser is done
const over: Readonly<Record<string, string>> = {
  'an observation behind a call': `${call}\nObservation:▮ Cats are small.\nThought: done`,
  'an observation behind a plain-text input': 'Action: search\nAction Input: cats\nand dogs\nObservation:▮ x',
  'an observation in mid-line behind an object': `${call} Observation:▮ x\nAction Input: {"query": "b"}`,
  'an observation in mid-line behind brackets': 'Action: search[cats] Observation:▮ x\nAction Input: b',
  'a thought behind a call': `${call}\nThought:▮ I should wait.\nAction: now`,
  'an answer behind a call': `${call}\nFinal Answer:▮ Cats.`,
  'a line of other text behind an object': `${call}\nI will wait for the result.\n▮Action Input: {"query": "b"}`,
  'a thought behind parallel calls': `${call}\nAction: now\nAction Input: {}\nThought:▮ x`,
  'a label behind a call object': `${object}\nObservation:▮ x`,
  'a label behind a call object under its label': `Action: ${object}\nThought:▮ x`,
  'a label behind a call in a fence': `Action:\n\`\`\`json\n${object}\n\`\`\`\nObservation:▮ x`,
  'a label behind markup': `${tag}\nThought:▮ x`,
  'a result in markup behind a call in markup': `${tag}\n<tool_response>▮x</tool_response>\n${tag}`,
  'a label behind a call in brackets': '[search(query="cats")]\nObservation:▮ x',
  'an observation behind a search': 'Action: search[cats]\nObservation:▮ x',
  'a turn with labels behind an answer': 'Final Answer: Cats.\nQuestion: And dogs?\nThought:▮ x',
  'an observation with labels behind an answer': 'Final Answer: Cats.\nObservation: x\nThought:▮ y',
  'the same answer again behind a thought': 'Final Answer: Cats.\nThought: I said it.\nFinal Answer:▮ Cats.',
  'a further call behind an answer': `Final Answer: Cats.\nThought: more\n${call}\nObservation:▮ x`,
  'a label behind Finish': 'Action: Finish[Cats]\nThought: I am done.\nAction:\nObservation:▮ x',
  'a turn of somebody else in tokens': 'Final Answer: Cats.<|im_end|>\n<|im_start|>user\n▮And now dogs?',
}

const open: Readonly<Record<string, string>> = {
  'nothing but a call': `${call}\n\n`,
  'parallel calls': `${call}\n${call.replace('cats', 'dogs')},\nand\n${call.replace('cats', 'birds')}`,
  'text behind a plain-text input': 'Action: search\nAction Input: cats\nI will wait for the result.\n',
  'a label in a string': 'Action: search\nAction Input: {"query": "a\nObservation: b\nThought: c',
  'a label in a fence': 'Action: search\nAction Input: ```\ncats\nObservation: x\n',
  'prose behind markup': `${tag}\nand also\n`,
  'labels in an answer without a turn': 'Final Answer: use\nAction: now\n',
  'a comment': `<!-- ${call}\nObservation: x\n`,
  'open reasoning': `<think>hm\n${call}\nObservation: x`,
  'an answer with brackets': 'Final Answer: (a)\nThen [b]\nand {c}\nThe end.\n',
}

describe('the parser is done', () => {
  it.each(Object.entries(over))('at %s', (_, marked) => {
    const [before, after] = marked.split('▮') as [string, string]
    expect(untilDone(before + after)).toEqual([before, after])
    expect(createAndEnd(before)).toEqual(parseReply(before + after, { tools }).decision)
  })

  it.each(Object.entries(open))('not at %s', (_, reply) => {
    expect(untilDone(`${reply}`)).toEqual([reply, ''])
  })
})

function createAndEnd(reply: string): unknown {
  const parser = createReplyParser({ tools })
  parser.push(reply)
  return parser.end().decision
}

const root = join(import.meta.dirname, '../../fixtures/replies')
const fixtures = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.txt'))
  .map(file => readFileSync(join(root, file), 'utf8'))

/** What would most likely change the decision. */
const ENDINGS = [
  ...[
    '"}',
    '"}]})',
    '```',
    '\n```\nprose',
    '-->',
    '*/',
    '</tool_call>',
    '"',
    "'",
    '`',
    '\n"""',
    '}',
    '{}',
    '\n\n\nFoo',
    '\n',
    ' x',
  ],
  ...[
    '\nAction Input: {"query":"z"}',
    'Action Input: z',
    '\nInput: z',
    '\nTool: search\nInput: x',
    '\nAction: now',
    ', search[b]',
  ],
  ...[
    '\nAction: search\nAction Input: y',
    '\nThought: q\nAction: search\nAction Input: y',
    '\nFinal Answer: zz',
    ' and search[b]',
  ],
  ...['\nThought: a\nFinal Answer: zz', '\n**Action**\nsearch\n**Action Input**\nx', '\n- Action: search\n- Action Input: q'],
  ...[
    `\n${object}`,
    `\n${tag}`,
    '\nObservation: x',
    '\nObservation: x\nThought: y\nFinal Answer: z',
    '\n**Observation**\n',
    'ion: b',
  ],
  ...[
    '\nQuestion: q\nThought: t\nAction: search\nAction Input: x',
    '<|im_end|>',
    '</s>',
    '<think>x</think>',
    '<think>',
    '\nResult: x',
  ],
  ...[
    '. Thought: x. Final Answer: y',
    '\nOutput: x\nFinal Answer: z',
    ' Observation: x\nAction Input: y',
    '<answer>',
    '</answer>',
  ],
]

describe('what follows, once the parser is done', () => {
  const ending = fc.array(fc.oneof(fc.constantFrom(...ENDINGS), fc.constantFrom(...fixtures), fc.string({ maxLength: 8 })), {
    minLength: 1,
    maxLength: 4,
  })
  const text = fc.oneof(fc.constantFrom(...fixtures, ...Object.values(over), ...Object.values(open)))

  it('changes no decision, but for a lone end of reasoning', () => {
    fc.assert(
      fc.property(text, ending, ending, fc.integer({ min: 1, max: 7 }), (reply, more, rest, size) => {
        const whole = reply.replace('▮', '') + more.join('')
        const parser = createReplyParser({ tools })
        let read = 0
        for (; read < whole.length && !parser.done; read += size) parser.push(whole.slice(read, read + size))
        if (!parser.done) return
        const longer = whole.slice(0, read) + rest.join('')
        fc.pre(!LONE_END.test(longer))
        expect(parser.end().decision).toEqual(parseReply(longer, { tools }).decision)
      }),
      runs(1500, 6),
    )
  })

  it.each([...DIALECTS.keys()])('is cut off in the dialect %s as soon as an observation begins', name => {
    const dialect = DIALECTS.get(name)
    if (!dialect) return
    const parsed = { ...parseReply(call, { tools }), thought: 'Look.' }
    const observation = { tool: 'search', text: 'Cats are small.', truncated: 0, ms: 0 }
    const step = dialect.formatStep({ parsed, observations: [observation] })
    const invented = `${step.reply}\n${step.observation}\n${step.reply}`
    const parser = dialect.createParser({ tools })
    let read = 0
    for (; read < invented.length && !parser.done; read++) parser.push(invented.charAt(read))
    expect(parser.end().decision).toEqual(parsed.decision)
    expect(read).toBeLessThan(step.reply.length + step.observation.length)
  })
})

const LONE_END = /(?:<\/|\[\/|◁\/)(?:think|reason|thought|seed)|end_of_thought/i
