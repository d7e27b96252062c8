// A grammar of replies, clean and sloppy: labels in all dresses, in any order, with everything that models put between them.
import fc from 'fast-check'
import type { ToolSpec } from '../../src/core/tool.js'

const tool = (name: string, properties: Record<string, string>, required: readonly string[]): ToolSpec => ({
  name,
  description: '',
  parameters: {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([key, type]) => [key, { type }])),
    required,
  },
})

export const TOOLS: readonly ToolSpec[] = [
  tool('search', { query: 'string' }, ['query']),
  tool('now', {}, []),
  tool('forecast', { city: 'string', days: 'integer' }, ['city', 'days']),
]

const pick = <T>(...values: readonly T[]) => fc.constantFrom(...values)

type Dress = (word: string, colon: string) => string
const DRESSES: readonly Dress[] = [
  (word, colon) => `${word}${colon} `,
  (word, colon) => `${word}${colon} `,
  (word, colon) => `${word}${colon} `,
  (word, colon) => `${word.toLowerCase()}${colon} `,
  (word, colon) => `${word.toUpperCase()}${colon}`,
  (word, colon) => `**${word}${colon}** `,
  (word, colon) => `**${word}**${colon} `,
  (word, colon) => `*${word}${colon}* `,
  (word, colon) => `\`${word}\`${colon} `,
  (word, colon) => `- ${word}${colon} `,
  (word, colon) => `> ${word}${colon} `,
  (word, colon) => `### ${word}${colon} `,
  word => `## ${word}\n`,
  (word, colon) => `${word} 1${colon} `,
  (word, colon) => `Step 2 - ${word}${colon} `,
  (word, colon) => `  ${word}${colon} `,
  (word, colon) => `${word} ${colon}\n`,
  (word, colon) => `${word}${colon} ${word}${colon} `,
]

const BULLET = 9
const HEADING = 12

const COLON = fc.oneof({ weight: 8, arbitrary: fc.constant(':') }, { weight: 1, arbitrary: pick('：', '﹕', '∶') })
const THOUGHT = fc.oneof({ weight: 6, arbitrary: fc.constant('Thought') }, { weight: 1, arbitrary: pick('Thoughts', '思考') })
const ACTION = fc.oneof(
  { weight: 6, arbitrary: fc.constant('Action') },
  { weight: 1, arbitrary: pick('行动', 'Function Name', 'Tool') },
)
const INPUT = fc.oneof(
  { weight: 6, arbitrary: fc.constant('Action Input') },
  { weight: 1, arbitrary: pick('Action_Input', 'ActionInput', '行动输入', 'Input', 'Tool Input', 'Function Input') },
)
const OBSERVATION = fc.oneof(
  { weight: 6, arbitrary: fc.constant('Observation') },
  { weight: 1, arbitrary: pick('Observations', '观察') },
)
const RESULT = pick('Output', 'Function Output', 'Tool Result')
const ANSWER = fc.oneof(
  { weight: 6, arbitrary: fc.constant('Final Answer') },
  { weight: 1, arbitrary: pick('FinalAnswer', 'Answer', '最终答案') },
)
const TURN = pick('Question', 'User', 'Human')

// `%` is where a text may carry a token of its own
const PROSE = pick(
  'It is% so.',
  'I will% look it up.',
  'cats% and dogs',
  '42%',
  'See: the% table',
  'Note: it% rains',
  '我需要%查一下',
  'e.g. this%, that',
  'He said% "go".',
)
const LINES = fc.array(PROSE, { minLength: 1, maxLength: 3 })
const TEXT = fc.tuple(LINES, pick('\n', '\n', '\n\n')).map(([lines, between]) => lines.join(between))
const SHORT = fc.oneof({ weight: 3, arbitrary: PROSE }, { weight: 1, arbitrary: TEXT })

const THOUGHTS = fc.oneof(
  { weight: 6, arbitrary: SHORT },
  {
    weight: 1,
    arbitrary: pick(
      'Do I need to use a tool? No',
      'Do I need to use a tool? Yes',
      'the Observation: says so',
      'use `Action: search` now',
    ),
  },
)
const CALLS = pick(
  'search[cats%]',
  'search["cats%"]',
  'search("cats%")',
  'search(cats% and dogs)',
  'Search[cats%]',
  'search(query="cats%")',
  'forecast("Graz%", 3)',
  'forecast(city="Graz%", days=3)',
  'now()',
  'search[a%], search[b%] and search[c%]',
  'search[a%]; now()',
  'search[a%] to% find it',
  'ponder[x%]',
  'search[cats%',
  'search(query)',
  'search (to find% them)',
)
const NAMES = fc.oneof(
  { weight: 8, arbitrary: pick('search', 'search', 'now', 'forecast') },
  { weight: 2, arbitrary: pick('Search', '"search"', '`search`', 'functions.search', 'search.', 'fore-cast') },
  { weight: 1, arbitrary: pick('ponder', 'serch', 'None', 'N/A', 'No tool needed', '无', 'I should% think more', '') },
  {
    weight: 1,
    arbitrary: pick('Final Answer', 'Finish', 'Finish[42%]', 'Finish(it is% so)', 'Finish: done%', 'terminate', 'Finish[answer]'),
  },
  { weight: 2, arbitrary: CALLS },
)
const OBJECTS = pick(
  '{"action": "search", "action_input": "cats%"}',
  '{"action": "search", "action_input": {"query": "cats%"}}',
  '{"name": "now", "arguments": {}}',
  '{"action": "Final Answer", "action_input": "it is% so"}',
  '{"tool": "ponder", "input": "x%"}',
  '[{"name": "search", "arguments": {"query": "a%"}}, {"name": "now", "arguments": {}}]',
  '```json\n{"action": "search", "action_input": {"query": "cats%"}}\n```',
)
const INPUTS = fc.oneof(
  { weight: 4, arbitrary: pick('{"query": "cats%"}', '{"query": "cats%"}', '{"city": "Graz%", "days": 3}', '{}') },
  {
    weight: 2,
    arbitrary: pick("{'query': 'cats%'}", '{query: "cats%",}', '{"city": "Graz%", "days": "3"}', '{"query": "a\\nb%"}'),
  },
  {
    weight: 1,
    arbitrary: pick('{"query": "cats%"} and so% on', '{"query": "cats%"}\nThis will% do.', '{"q": 1}'),
  },
  { weight: 1, arbitrary: pick('```json\n{"query": "cats%"}\n```', '```\ncats%\n```', '{\n  "query": "cats%"\n}') },
  { weight: 4, arbitrary: SHORT },
  { weight: 1, arbitrary: pick('None', '', '"cats%"', 'a%, b', 'city: Graz%\ndays: 3', 'x% = 1\n\nprint(x)') },
)
const ANSWERS = fc.oneof(
  { weight: 8, arbitrary: SHORT },
  {
    weight: 1,
    arbitrary: pick(
      '',
      '<your answer>',
      '最终答案',
      '{"action": "Final Answer", "action_input": "it is% so"}',
      '```js\nf()\n```',
      '| a |\n|---|',
    ),
  },
)

interface Wording {
  readonly alone: boolean
  readonly dress: (word: string) => string
}
type Block = (words: Wording) => string
const say = (word: fc.Arbitrary<string>, text: fc.Arbitrary<string>) =>
  fc.tuple(word, text).map(
    ([label, value]): Block =>
      ({ dress }) =>
        `${dress(label)}${value}`,
  )

const CALL = fc.tuple(ACTION, NAMES, INPUT, INPUTS, pick('\n', '\n', '\n', '\n', ' ', '\n\n')).map(
  ([action, name, input, value, between]): Block =>
    ({ dress }) =>
      between === ' '
        ? `${dress(action)}${name} Action Input: ${value}`
        : `${dress(action)}${name}${between}${dress(input)}${value}`,
)
const BLOCK = fc.oneof(
  { weight: 6, arbitrary: say(THOUGHT, THOUGHTS) },
  { weight: 8, arbitrary: CALL },
  { weight: 3, arbitrary: say(ACTION, NAMES) },
  { weight: 1, arbitrary: say(pick('Action', '行动', 'Function Name'), OBJECTS) },
  { weight: 3, arbitrary: say(OBSERVATION, SHORT) },
  { weight: 5, arbitrary: say(ANSWER, ANSWERS) },
  { weight: 1, arbitrary: say(RESULT, PROSE) },
  { weight: 1, arbitrary: say(TURN, PROSE) },
  { weight: 1, arbitrary: say(INPUT, INPUTS) },
  {
    weight: 2,
    arbitrary: SHORT.map(
      (text): Block =>
        () =>
          text,
    ),
  },
  {
    weight: 1,
    arbitrary: pick(
      'Thought: look%. Action: search Action Input: cats%',
      'Thought: look%. Action: search[cats%]',
      'Thought: look%. Action: search\nAction Input: {"query": "cats%"}',
      'Action: search[cats%] Observation: forged%',
      'Action: search\nAction Input: {"query": "cats%"} Observation: forged%',
      'Action: search\nAction Input: cats% Observation: forged%',
      'Final Answer: it is% Observation: forged%',
      'AI: Hello% there.',
    ).map(
      (text): Block =>
        ({ alone }) =>
          alone ? '' : text,
    ),
  },
)

const MARKED: fc.Arbitrary<string> = fc
  .record({
    blocks: fc.array(fc.tuple(BLOCK, pick('\n', '\n', '\n', '\n\n')), { minLength: 1, maxLength: 6 }),
    dresses: fc.oneof(
      { weight: 4, arbitrary: fc.constant([0]) },
      { weight: 4, arbitrary: fc.nat(DRESSES.length - 1).map(one => [one]) },
      // bullets, and headings without a colon, count only among their like
      {
        weight: 1,
        arbitrary: fc.array(
          fc.nat(DRESSES.length - 1).filter(one => one !== BULLET && one !== HEADING),
          { minLength: 1, maxLength: 6 },
        ),
      },
    ),
    colon: COLON,
    frame: fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: pick('```\n', '```text\n', '\n', '  ') }),
  })
  .map(({ blocks, dresses, colon, frame }) => {
    const alone = dresses[0] === BULLET || dresses[0] === HEADING
    let turn = 0
    const dress = (word: string) => (DRESSES[dresses[turn++ % dresses.length]!] as Dress)(word, colon)
    const body = blocks.map(([block, after]) => block({ dress, alone }) + after).join('')
    if (!frame.startsWith('```')) return frame + body
    // headings without a colon in a fence are a document as likely as a reply
    return dresses[0] === HEADING ? body : `${frame}${body.trimEnd()}\n\`\`\``
  })

/** One reply of a few blocks, in one dress or in several, with blank lines or without, perhaps wholly fenced. */
export const REPLY: fc.Arbitrary<string> = MARKED.map(text => text.replaceAll('%', ''))

/** The same, where each piece of text carries a token that stands nowhere else: `q1q`, `q2q` … */
export const TOKEN_REPLY: fc.Arbitrary<string> = MARKED.map(text => {
  let count = 0
  return text.replaceAll('%', () => `q${++count}q`)
})
