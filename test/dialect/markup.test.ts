// Replies in the markup of one dialect, and in what models make of it, mean the same in every dialect.
import { describe, expect, it } from 'vitest'
import type { ParsedReply } from '../../src/core/reply.js'
import type { ToolSpec } from '../../src/core/tool.js'
import { DIALECTS, parseReply } from '../../src/dialect/index.js'

const tools: readonly ToolSpec[] = [
  {
    name: 'search',
    description: '',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  },
  {
    name: 'forecast',
    description: '',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' }, exact: { type: 'boolean' } },
      required: ['city'],
    },
  },
  { name: 'now', description: '', parameters: { type: 'object', properties: {} } },
]
const CALL = '<tool_call>\n{"name": "search", "arguments": {"query": "a"}}\n</tool_call>'
const FORECAST = 'forecast {"city":"Graz","days":2}'

/** What a reading says, in one line: calls, `= answer`, or the code of what is unclear. */
function gist({ decision }: ParsedReply): string {
  if (decision.kind === 'answer') return `= ${decision.text}`
  if (decision.kind === 'unclear') return decision.problem.code
  return decision.calls.map(({ tool, input }) => `${tool} ${JSON.stringify(input)}`).join('; ')
}

const rows: [fact: string, reply: string, says: string, thought?: string | null][] = [
  // thoughts in tags
  ['a thought in a tag', `<thought>I look.</thought>\n${CALL}`, 'search {"query":"a"}', 'I look.'],
  ['a thought in a tag on the same line', '<thought>I know.</thought><answer>4</answer>', '= 4', 'I know.'],
  ['a thought of several lines', `<thought>\nI look.\n\nThen I see.\n</thought>\n${CALL}`, 'search {"query":"a"}'],
  ['labels within a thought in a tag', '<thought>Action: now</thought>\n<answer>4</answer>', '= 4', 'Action: now'],
  ['a call within a thought in a tag', `<thought>${CALL}</thought>\n<answer>4</answer>`, '= 4'],
  ['a thought in a tag before labels', '<thought>hm</thought>\nAction: now\nAction Input: {}', 'now {}', 'hm'],
  ['a thought whose tag never closes', `<thought>I look.\n${CALL}`, 'search {"query":"a"}', 'I look.'],
  ['only the end of a thought', `I look.</thought>\n${CALL}`, 'search {"query":"a"}', 'I look.'],
  ['labels before the end of a thought', 'Action: now</thought>\n<answer>4</answer>', '= 4'],
  ['nothing but a thought in a tag', '<thought>I look.</thought>', 'ONLY_THOUGHT', 'I look.'],
  ['nothing but a thought whose tag never closes', '<thought>I look.', 'ONLY_THOUGHT', 'I look.'],
  ['nothing but the end of a thought', 'I look.</thought>', 'ONLY_THOUGHT', 'I look.'],
  ['text behind a thought in a tag', '<thought>I know.</thought>\nIt is 4.', '= It is 4.', 'I know.'],
  ['a plan behind a thought in a tag', '<thought>hm</thought>\nI will search for it.', 'ONLY_THOUGHT'],
  ['an empty reply in tags', '<thought></thought>', 'EMPTY_REPLY', null],

  // answers in tags
  ['an answer in a tag', '<answer>It is 4.</answer>', '= It is 4.', null],
  ['an answer under the tag’s longer name', '<final_answer>It is 4.</final_answer>', '= It is 4.'],
  ['an answer of several lines', '<answer>\nOne.\n\nThought: two\n</answer>', '= One.\n\nThought: two'],
  ['prose before an answer in a tag', 'I know this.\n<answer>4</answer>', '= 4', 'I know this.'],
  ['an answer in a tag at the end of a line', 'The answer is <answer>4</answer>.', '= 4'],
  ['an answer in a tag below a label', 'Thought: I know.\n<answer>4</answer>', '= 4', 'I know.'],
  ['an answer in a tag behind its label', 'Final Answer: <answer>4</answer>', '= 4'],
  ['an answer whose tag never closes', '<answer>It is 4.', '= It is 4.'],
  ['an answer whose closing tag breaks off', '<answer>It is 4.</ans', '= It is 4.'],
  ['text behind an answer in a tag', '<answer>4</answer>\nHope this helps!', '= 4'],
  ['an action behind an answer in a tag', '<answer>4</answer>\nAction: now\nAction Input: {}', '= 4'],
  ['the same answer twice in tags', '<answer>4</answer>\n<answer>4</answer>', '= 4'],
  ['different answers in tags', '<answer>4</answer>\n<answer>5</answer>', 'AMBIGUOUS_ANSWER'],
  ['an answer in a tag after a call', `${CALL}\n<answer>4</answer>`, 'search {"query":"a"}'],
  ['an answer in a tag between calls', `${CALL}\n<answer>4</answer>\n${CALL}`, 'search {"query":"a"}'],
  ['an empty answer in a tag', '<answer></answer>', 'EMPTY_REPLY'],
  ['a placeholder in a tag', '<answer>your answer</answer>', 'PLACEHOLDER'],
  ['a call in the tag of an answer', '<answer>{"action": "search", "action_input": "a"}</answer>', 'AMBIGUOUS_CALL'],
  ['a call at the end of an answer in a tag', `<answer>So:\n\nx\n${CALL}</answer>`, 'AMBIGUOUS_CALL'],
  ['an envelope in the tag of an answer', '<answer>{"final_answer": "4"}</answer>', '= 4'],
  ['an answer’s tag in a text about tags', 'Write `<answer>4</answer>` at the end.', '= Write `<answer>4</answer>` at the end.'],
  ['an answer’s tag within a document', '<quiz>\n<answer>4</answer>\n</quiz>', '= <quiz>\n<answer>4</answer>\n</quiz>'],
  [
    'an answer’s tag within the text of an answer',
    'Final Answer: XML\n<answer>4</answer>\nis it.',
    '= XML\n<answer>4</answer>\nis it.',
  ],
  ['an answer that was cut off in its tag, when the endpoint says so', '<answer>It is', '= It is'],
  ['a call that is the answer', '<tool_call>{"name": "final_answer", "arguments": {"answer": "4"}}</tool_call>', '= 4'],

  // results that the model wrote itself
  ['a result in a tag after a call', `${CALL}\n<tool_response>x</tool_response>\n<answer>x</answer>`, 'search {"query":"a"}'],
  ['a result in a tag before a call', `<tool_response>x</tool_response>\n${CALL}`, 'search {"query":"a"}', null],
  ['a result in a tag before an answer', '<tool_response>x</tool_response>\n<answer>x</answer>', 'ANSWER_FROM_INVENTED'],
  ['a result in a tag before a labelled answer', '<observation>x</observation>\nFinal Answer: x', 'ANSWER_FROM_INVENTED'],
  ['a result in a tag after a labelled call', 'Action: now\nAction Input: {}\n<observation>9</observation>', 'now {}'],
  [
    'a result in a tag below a plain-text input',
    'Action: search\nAction Input: cats\n<tool_response>x</tool_response>',
    'AMBIGUOUS_OBSERVATION',
  ],
  [
    'a result in a tag within a plain-text input',
    'Action: search\nAction Input: cats <tool_response>x</tool_response>',
    'AMBIGUOUS_OBSERVATION',
  ],
  ['a result in a tag within an answer', 'Final Answer: x <tool_response>y</tool_response>', 'AMBIGUOUS_OBSERVATION'],
  ['a resource of that name', '<Observation>\n<code/>\n</Observation>', '= <Observation>\n<code/>\n</Observation>'],
  ['nothing but a result in a tag', '<tool_response>x</tool_response>', 'EMPTY_REPLY'],

  // pairs of tags
  ['a tool and its input in tags', '<tool>search</tool><tool_input>a</tool_input>', 'search {"query":"a"}'],
  [
    'an action and its input in tags',
    '<action>search</action>\n<action_input>{"query": "a"}</action_input>',
    'search {"query":"a"}',
  ],
  ['an input whose tag never closes', '<tool>search</tool><tool_input>a', 'TRUNCATED'],
  ['an unknown tool in a tag', '<tool>serch</tool><tool_input>a</tool_input>', 'UNKNOWN_TOOL'],
  [
    'a plain-text input with tags in it',
    'Action: search\nAction Input: <x>\n<answer>4</answer>\n</x>',
    'search {"query":"<x>\\n<answer>4</answer>\\n</x>"}',
  ],
  ['a plain-text input and an answer in a tag', 'Action: search\nAction Input: cats\n<answer>4</answer>', 'AMBIGUOUS_INPUT'],

  // objects
  [
    'an object with a thought',
    '{"thought": "I look.", "action": "search", "action_input": {"query": "a"}}',
    'search {"query":"a"}',
    'I look.',
  ],
  [
    'several calls in one object',
    '{"thought": "both", "actions": [{"action": "now", "action_input": {}}, {"action": "search", "action_input": "a"}]}',
    'now {}; search {"query":"a"}',
    'both',
  ],
  [
    'several objects in a list',
    '[{"thought": "both", "action": "now", "action_input": {}}, {"action": "search", "action_input": "a"}]',
    'now {}; search {"query":"a"}',
    'both',
  ],
  ['an answer in an object', '{"thought": "I know.", "final_answer": "4"}', '= 4', 'I know.'],
  ['an answer as an action', '{"thought": "I know.", "action": "Final Answer", "action_input": "4"}', '= 4', 'I know.'],
  ['an answer that is structured', '{"final_answer": {"sum": 4, "of": [1, 3]}}', '= {"sum":4,"of":[1,3]}'],
  ['an object and an answer to it', '{"action": "now", "action_input": {}}\n{"final_answer": "4"}', 'now {}'],
  ['an object and a result to it', '{"action": "now", "action_input": {}}\nObservation: 4\n{"final_answer": "4"}', 'now {}'],
  ['an unknown tool in an object', '{"action": "serch", "action_input": "a"}', 'UNKNOWN_TOOL'],
  ['an object that breaks off', '{"thought": "I look.", "action": "search", "action_inp', 'BROKEN_INPUT'],

  ['the beginning of an object', '{"', 'TRUNCATED'],
  ['data that breaks off', '{"sum": 4, "of": [1, 3', 'TRUNCATED'],
  ['data that is whole', '{"sum": 4, "of": [1, 3]}', '= {"sum": 4, "of": [1, 3]}'],

  // Python
  ['a list of calls', '[search(query="a"), now()]', 'search {"query":"a"}; now {}'],
  ['a list of calls below a thought', 'Thought: I look.\n[search(query="a")]', 'search {"query":"a"}', 'I look.'],
  ['Python’s literals', '[forecast(city="Graz", days=2, exact=True)]', 'forecast {"city":"Graz","days":2,"exact":true}'],
  ['quotes and brackets in a call', '[search(query="a) [b], \\"c\\"")]', 'search {"query":"a) [b], \\"c\\""}'],
  ['an unknown tool in a list of calls', '[serch(query="a")]', 'UNKNOWN_TOOL'],
  ['an unknown tool after a known one', '[now(), serch(query="a")]', 'now {}'],
  ['a list of calls and a result to it', '[now()]\nObservation: 9\nFinal Answer: 9', 'now {}'],
  ['a link and a footnote', '[see(1)](http://x) is the source.', '= [see(1)](http://x) is the source.'],

  // brackets
  ['an action in brackets', 'Thought: I look.\nAction: search[a b]', 'search {"query":"a b"}', 'I look.'],
  ['numbered steps', 'Thought 1: I look.\nAction 1: Search[a b]', 'search {"query":"a b"}', 'I look.'],
  ['several parameters in brackets', 'Action: forecast[{"city": "Graz", "days": 2}]', FORECAST],
  ['an answer in brackets', 'Thought: I know.\nAction: Finish[It is 4 [four].]', '= It is 4 [four].', 'I know.'],
  [
    'a numbered result behind a call in brackets',
    'Action 1: search[a]\nObservation 1: x\nAction 2: Finish[x]',
    'search {"query":"a"}',
  ],

  // function labels and conversation
  [
    'function labels',
    'Thought: I look.\nFunction Name: search\nFunction Input: {"query": "a"}',
    'search {"query":"a"}',
    'I look.',
  ],
  [
    'function labels and a result to them',
    'Function Name: search\nFunction Input: {"query": "a"}\nFunction Output: x\nFinal Answer: x',
    'search {"query":"a"}',
  ],
  [
    'a conversation that needs a tool',
    'Thought: Do I need to use a tool? Yes\nAction: search\nAction Input: a',
    'search {"query":"a"}',
    'Do I need to use a tool? Yes',
  ],
  ['a conversation that needs none', 'Thought: Do I need to use a tool? No\nAI: It is 4.', '= It is 4.'],
]

for (const dialect of DIALECTS.values()) {
  describe(`in the ${dialect.name} dialect`, () => {
    it.each(rows)('%s', (_, reply, says, thought) => {
      const read = parseReply(reply, { tools, dialect })
      expect(gist(read)).toBe(says)
      if (thought !== undefined) expect(read.thought).toBe(thought)
    })

    it('an answer in a tag that the endpoint cut off is none', () => {
      expect(gist(parseReply('<answer>It is', { tools, dialect, finish: 'length' }))).toBe('TRUNCATED')
      expect(gist(parseReply('<answer>It is 4.</answer> And', { tools, dialect, finish: 'length' }))).toBe('= It is 4.')
    })

    it('names in calls are taken as written where no tools are known', () => {
      for (const reply of [
        '[find(text="a")]',
        '<tool>find</tool><tool_input>{"text": "a"}</tool_input>',
        'Action: find[{"text": "a"}]',
      ])
        expect(gist(parseReply(reply, { dialect }))).toBe('find {"text":"a"}')
    })
  })
}
