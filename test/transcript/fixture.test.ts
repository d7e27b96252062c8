import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/core/event.js'
import type { JsonObject, JsonValue } from '../../src/core/json.js'
import { PROBLEM_CODES, type ProblemCode } from '../../src/core/reply.js'
import { parseReply } from '../../src/dialect/read.js'
import { codesOf, decisionOf, type Fixture } from '../../src/transcript/fixture.js'
import { readFixture, writeFixture } from '../../src/transcript/fixture-file.js'
import { fixtureSchemaFile } from '../../src/transcript/fixture-schema.js'
import { eventsOf, type Read } from '../../src/transcript/from-fixture.js'
import { recordedFixture } from '../../src/transcript/recorded-fixture.js'
import { fixtureOf } from '../../src/transcript/to-fixture.js'
import { type Transcript, transcriptOf, transcriptsOf } from '../../src/transcript/transcript.js'
import { utf8Text } from '../../src/transcript/utf8-text.js'
import { runs as propertyRuns } from '../support/property-runs.js'
import { playRun, RUN_SCRIPTS } from '../support/recorded-runs.js'

const SCHEMA_FILE = join(import.meta.dirname, '..', '..', 'schema', 'fixture.schema.json')

const HOSTILE: Readonly<Record<string, string>> = {
  nothing: '',
  'blanks alone': '   ',
  'a line break alone': '\n',
  'blank lines alone': ' \n\t\n ',
  'blanks at the ends of lines': 'Action: search \nAction Input: x\t',
  'a blank in front': '  indented\nnot',
  'a tab in front': '\tindented',
  'blank lines in front and behind': '\n\n\na\n\n\n',
  'carriage returns': 'a\r\nb\rc',
  'a document end': '---\na\n...\n---',
  'a comment': '# no comment\na # b',
  'a key': 'a: b\n- c\n? d',
  quotes: `'a' "b" \\n \\`,
  'a code fence': '```yaml\na: |\n  b\n```',
  'a template': '{{#each tools}}{{this}}{{/each}}',
  'flow signs': '{a: [b, c]}, d',
  'an anchor, an alias and a tag': '&a *a !!str b',
  'a word for nothing': 'null',
  'a word for a number': '0x1F',
  'a date': '2026-11-30',
  'NUL and escapes': 'a\u0000b\u001b[31m\u007f\u0085',
  'a byte order mark': '\ufeffa',
  'other line breaks': 'a\u2028b\u2029c\u0085d\u000be',
  'half a pair': 'a\ud800b',
  'the other half': '\udc00',
  'a smile': '😀 é 漢字',
  'no characters': '\ufffe\uffff',
  'a directive': '%YAML 1.2\na',
  'a long line': 'x'.repeat(3000),
  'block signs': '|-\n>+\n|2',
}

/** What a fixture has to keep of a run: all but what is rendered or read anew. */
function essence({ prompts: _, steps: __, pending: ___, turns, result, tools, options, ...rest }: Transcript): object {
  return {
    ...rest,
    tools,
    options,
    result: result && { ...result, steps: undefined },
    turns: turns
      .filter(({ reply, failures }) => reply || failures.length > 0)
      .map(({ parsed, ...turn }) => ({ ...turn, parsed: parsed && [decisionOf(parsed.decision), codesOf(parsed)] })),
  }
}

const readAnew: Read = ({ text, finish }, { tools }) => {
  const { deltas: _, ...parsed } = parseReply(text, { finish, ...(tools ? { tools } : {}) })
  return parsed
}

async function throughFile(transcript: Transcript): Promise<Transcript> {
  const file = await writeFixture(recordedFixture([transcript]))
  return transcriptOf(eventsOf(await readFixture(file, 'f.yaml'), readAnew))
}

describe('a run goes into a fixture and comes back', () => {
  test.each(Object.entries(RUN_SCRIPTS))('%s', async (_, script) => {
    const transcript = transcriptOf((await playRun(script)).events)
    expect(essence(await throughFile(transcript))).toEqual(essence(transcript))
  })

  test.each(Object.entries(RUN_SCRIPTS))('%s, read anew to the last detail', async (_, script) => {
    const { events } = await playRun(script)
    const back = eventsOf(recordedFixture(transcriptsOf(events)), readAnew)
    const parsed = (list: readonly AgentEvent[]) => list.filter(({ type }) => type === 'parsed')
    expect(parsed(back)).toEqual(parsed(events))
  })

  test.each(Object.entries(RUN_SCRIPTS))('%s, broken off anywhere', async (_, script) => {
    const { events } = await playRun(script)
    for (let count = 1; count < events.length; count += 3) {
      const transcript = transcriptOf(events.slice(0, count))
      expect(essence(await throughFile(transcript))).toEqual(essence(transcript))
    }
  })

  test('a conversation, with all that its turns began with', async () => {
    const scripts = ['a call and an answer', 'odd replies', 'an abort in a reply'].map(
      name => RUN_SCRIPTS[name] ?? { replies: [] },
    )
    const [one = [], two = [], three = []] = await Promise.all(scripts.map(async script => (await playRun(script)).events))
    const started = (events: readonly AgentEvent[], start: object) =>
      events.map(event => (event.type === 'run_start' ? { ...event, ...start } : event))
    const runs = transcriptsOf([
      ...started(one, { run: 'a' }),
      ...started(two, { run: 'b', model: 'other', options: { maxSteps: 3 }, tools: [] }),
      ...started(three, { run: 'c', forked: { run: 'x', step: 2 } }),
    ])
    const fixture = await readFixture(await writeFixture(recordedFixture(runs, 'talk')), 'f')
    expect(fixture.turns.map(({ start }) => Object.keys(start ?? {}))).toEqual([[], ['model', 'tools', 'options'], ['forked']])
    expect(transcriptsOf(eventsOf(fixture, readAnew)).map(essence)).toEqual(runs.map(essence))
  })

  test('with the tools that came before its first reply as those of its start; later ones stay where they came', () => {
    const at = (step: number) => ({ step, attempt: 1 })
    const tools = [{ name: 'mail', description: '', parameters: {} }]
    const run = transcriptOf([
      { type: 'run_start', run: 'r', agent: 'a', task: 't', model: 'm', dialect: 'react', tools: [], options: {} },
      { type: 'step_start', step: 1 },
      { type: 'tools', tools },
      { type: 'reply_end', reply: { text: 'x', finish: 'stop' }, cuts: [], ms: 7, ...at(1) },
      { type: 'step_end', step: 1 },
      { type: 'step_start', step: 2 },
      { type: 'tools', tools: [] },
      { type: 'reply_end', reply: { text: 'y', finish: 'stop' }, cuts: [], ms: 7, ...at(2) },
      { type: 'step_end', step: 2 },
    ])
    const fixture = fixtureOf([run])
    expect(fixture.tools).toEqual(tools)
    expect(fixture.turns[0]?.steps.map(step => (step as { tools_now?: unknown }).tools_now)).toEqual([undefined, []])
  })

  test('whatever its texts are', async () => {
    await fc.assert(
      fc.asyncProperty(runs, async events => {
        const transcript = transcriptOf(events)
        expect(essence(await throughFile(transcript))).toEqual(essence(transcript))
      }),
      propertyRuns(150, 7),
    )
  }, 120_000)
})

describe('the file', () => {
  const sample = (text: string): Fixture => ({
    fixture: 1,
    turns: [
      {
        user: text,
        steps: [
          {
            situation: text,
            failed: [{ error: { code: 'MODEL_TIMEOUT', message: text } }],
            model: text,
            parsed: { tool: text, input: { [text]: text, list: [text] } },
            tool: [{ result: text }, { error: { code: 'threw', message: text }, observation: text, data: { [text]: [text] } }],
            nudge: text,
          },
          { model: `Thought: ${text}\nFinal Answer: ${text}\n`, parsed: { answer: text } },
        ],
        ends: 'final_answer',
      },
    ],
  })

  test.each(Object.entries(HOSTILE))('holds %s exactly', async (_, text) => {
    expect(await readFixture(await writeFixture(sample(text)), 'f')).toEqual(sample(text))
  })

  test('holds every text exactly when its line breaks are turned into those of Windows', async () => {
    const file = await writeFixture(sample('Thought: a\n\nAction: b\n'))
    expect(await readFixture(file.replaceAll('\n', '\r\n'), 'f')).toEqual(sample('Thought: a\n\nAction: b\n'))
  })

  test('shows what a model wrote and what came back line by line, and short facts on one line', async () => {
    const { events } = await playRun(RUN_SCRIPTS['a call and an answer'] ?? { replies: [] })
    const file = await writeFixture(recordedFixture(transcriptsOf(events), 'capital'))
    expect(
      file
        .replace(/request: .*\n/, '')
        .replace(/ms: \d+/g, 'ms: 1')
        .replace(/calls: \[\d+\]/, 'calls: [1]'),
    ).toBe(`# yaml-language-server: $schema=./node_modules/saydo/schema/fixture.schema.json
fixture: 1
name: capital
agent: tool-call
dialect: react
model: scripted
tools:
  - name: capital
    description: Capital of a country.
    parameters: {type: object, properties: {country: {type: string}}, required: [country], additionalProperties: false}
options: {maxSteps: 30, onMaxSteps: answer, maxFormatErrors: 3, toolChoice: auto, language: en, labels: en}
turns:
  - user: What is the capital of Veltria?
    steps:
      - model: |-
          Thought: I need the capital.
          Action: capital
          Action Input: {"country": "Veltria"}
        parsed: {tool: capital, input: {country: Veltria}}
        tool:
          result: |-
            Ostrava Bay
        meta: {ms: 1, cuts: [7, 14, 21, 28, 35, 42, 49, 56, 63, 70, 77], calls: [1]}
      - model: |-
          Thought: I know it now.
          Final Answer: Ostrava Bay
        parsed: {answer: Ostrava Bay}
        meta: {ms: 1, cuts: [7, 14, 21, 28, 35, 42]}
    ends: final_answer
    meta: {run: run-1, ms: 1, message: the model gave its final answer}
`)
  })

  test('written by hand needs five lines', async () => {
    const text = `fixture: 1
turns:
  - user: What is 6 * 7?
    steps:
      - {model: "Action: calculator\\nAction Input: 6 * 7", tool: {result: 42}}
      - model: "Final Answer: 42"
    ends: final_answer
`
    const events = eventsOf(await readFixture(text, 'f'), readAnew)
    const { result, steps } = transcriptOf(events)
    expect(result).toMatchObject({ task: 'What is 6 * 7?', answer: '42', stop: 'final_answer' })
    expect(steps[0]?.observations).toMatchObject([{ tool: 'calculator', text: '42' }])
    expect(steps[0]?.parsed.decision).toMatchObject({ kind: 'act', calls: [{ tool: 'calculator' }] })
  })

  test('that says something else than is read today keeps what it says', async () => {
    const text =
      'fixture: 1\nturns: [{user: x, steps: [{model: "Final Answer: 4", parsed: {answer: five}, problems: [LABEL_CASE]}], ends: final_answer}]'
    const { result, steps } = transcriptOf(eventsOf(await readFixture(text, 'f'), readAnew))
    expect(result?.answer).toBe('five')
    expect(steps[0]?.parsed).toMatchObject({ decision: { kind: 'answer', text: 'five' }, problems: [{ code: 'LABEL_CASE' }] })
  })

  test('whose reply was edited loses the cuts that no longer fit', async () => {
    const text = 'fixture: 1\nturns: [{user: x, steps: [{model: "short", meta: {cuts: [2, 40]}}], ends: final_answer}]'
    expect(eventsOf(await readFixture(text, 'f'), readAnew).find(({ type }) => type === 'reply_end')).not.toHaveProperty('cuts')
  })

  test('with several tasks is one run behind the other', async () => {
    const text = 'fixture: 1\nname: f\nturns: [{user: x, steps: []}, {user: y, start: {model: other}, steps: []}]'
    const runs = transcriptsOf(eventsOf(await readFixture(text, 'f'), readAnew))
    expect(runs.map(({ run, task, model }) => [run, task, model])).toEqual([
      ['f', 'x', 'unknown'],
      ['f-2', 'y', 'other'],
    ])
  })
})

describe('a file that is not right is refused with its place', () => {
  const STEP = 'fixture: 1\nturns:\n  - user: x\n    steps:\n'
  test.each([
    [
      `${STEP}      - modle: hi\n`,
      '5:9',
      /unknown key "modle", did you mean "model"/,
      '5 |       - modle: hi\n  |         ^^^^^',
    ],
    [`${STEP}      - model: hi\n    ends: final\n`, '6:11', /"ends" can't be "final", did you mean "final_answer"/, '^^^^^'],
    [`${STEP}      - problems: [LABEL_CASES]\n`, '5:20', /did you mean "LABEL_CASE"/, '^^^^^^^^^^^'],
    [`${STEP}      - model:\n`, '5:15', /"model" is empty/, '^'],
    [`${STEP}      - model: {a: b}\n`, '5:16', /"model" must be a text, not a mapping/, '^^^^^^'],
    [`${STEP}      - meta: {ms: -1}\n`, '5:20', /"ms" must be a whole number from 0, not -1/, '^^'],
    [`${STEP}      - tool: nothing\n`, '5:15', /"tool" must be a mapping or a list, not "nothing"/, '^^^^^^^'],
    ['fixture: 1\nturns: 3\n', '2:8', /"turns" must be a list, not 3/, '^'],
    ['fixture: 1\nturns: []\n', '2:8', /"turns" is empty/, '^^'],
    ['fixture: 1\nturns:\n  - steps: []\n', '3:5', /has no "user"/, '^'],
    ['fixture: one\nturns: []\n', '1:10', /"fixture" must be 1/, '^^^'],
    ['fixture: 1\nfixture: 1\nturns: []\n', '2:1', /unique/, '^'],
    ['turns: [{user: x, steps: []}]\n', '1:1', /has no "fixture"/, '^'],
    ['fixture: [\n', '', /\]/, '^'],
    ['fixture: 1\nturns: *nobody\n', '2:8', /alias/i, '^'],
    ['', '1:1', /the file is empty/, '^'],
    ['just text\n', '1:1', /the file must be a mapping/, '^^^^^^^^^'],
  ])('%j', async (text, place, message, shown) => {
    const error = await readFixture(text, 'x.saydo.yaml').then(
      () => undefined,
      error => error,
    )
    expect(error).toMatchObject({ code: 'FIXTURE_INVALID', message: expect.stringMatching(message) })
    expect(error.message).toContain(`x.saydo.yaml:${place}`)
    expect(error.message).toContain(shown)
  })

  test('a newer format is refused by its version', async () => {
    await expect(readFixture('fixture: 2\nfuture: yes\n', 'f')).rejects.toMatchObject({ code: 'FIXTURE_VERSION' })
  })
})

describe('writing a file anew', () => {
  const play = async (script = RUN_SCRIPTS['odd replies'] ?? { replies: [] }) =>
    recordedFixture(transcriptsOf((await playRun(script)).events), 'capital')
  const edited = (fixture: Fixture, text: string): Fixture => {
    const [turn] = fixture.turns
    const [first, ...steps] = turn?.steps ?? []
    return { ...fixture, turns: [{ ...turn, user: turn?.user ?? '', steps: [{ ...first, model: text }, ...steps] }] }
  }

  test('leaves it byte for byte when only times and counts changed', async () => {
    const file = `# my own words\n${(await writeFixture(await play())).replace('ends:', 'ends:  ')} # here too\n`
    expect(await writeFixture(await play(), { previous: file })).toBe(file)
  })

  test('changes the lines of what changed alone, and keeps the words on top', async () => {
    const before = `# my own words\n${await writeFixture(await play())}`
    const slower = JSON.parse(JSON.stringify(await play(), (key, value) => (key === 'ms' ? value + 7 : value))) as Fixture
    const after = await writeFixture(edited(slower, 'Thought: another.'), { previous: before })
    const lines = before.split('\n')
    const changed = after.split('\n').filter(line => !lines.includes(line))
    expect(after.startsWith('# my own words\n')).toBe(true)
    expect(changed.filter(line => !line.includes('meta: '))).toEqual(['          Thought: another.'])
    // of the step that changed, two, and of the run
    expect(changed.filter(line => line.includes('meta: ')).length).toBeLessThanOrEqual(3)
  })

  test('writes all of it where the old one can not be read', async () => {
    const fixture = await play()
    expect(await writeFixture(fixture, { previous: 'a: [' })).toBe(await writeFixture(fixture))
  })
})

describe('a file of somebody who means harm', () => {
  const TURNS = 'turns: [{user: x, steps: []}]\n'
  const bomb = 'bcdefghij'.split('').reduce((text, name, at) => {
    const before = 'abcdefghi'[at]
    return `${text}  ${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(', ')}]\n`
  }, 'fixture: 1\noptions:\n  a: &a [x]\n')

  test.each([
    ['that repeats itself a billion times', `${bomb}${TURNS}`, /aliases repeat more than a file should hold/],
    ['that holds itself', `fixture: 1\noptions: &o {me: *o}\n${TURNS}`, /:2:\d+: nested deeper than 100 levels/],
    ['nested without end', `fixture: 1\noptions: {a: ${'['.repeat(100_000)}\n${TURNS}`, /:2:\d+: nested deeper than 100 levels/],
    [
      'nested deep',
      `fixture: 1\noptions: {a: ${'['.repeat(300)}${']'.repeat(300)}}\n${TURNS}`,
      /:2:\d+: nested deeper than 100 levels/,
    ],
  ])('%s is refused with its place, on few lines of usual length', async (_, text, message) => {
    const error = await readFixture(text, 'f').catch(thrown => thrown)
    expect(error).toMatchObject({ code: 'FIXTURE_INVALID', message: expect.stringMatching(message) })
    expect(error.message.length).toBeLessThan(600)
  })

  test('may use aliases as any YAML does', async () => {
    const text = 'fixture: 1\noptions: {a: &a [1, 2], b: *a}\nturns: [{user: x, steps: []}]\n'
    expect((await readFixture(text, 'f')).options).toEqual({ a: [1, 2], b: [1, 2] })
  })

  test.each([
    ['Latin-1', Buffer.from('fixture: 1\nturns: [{user: caf\u00e9}]\n', 'latin1'), 'f:2: this is no UTF-8'],
    ['UTF-16', Buffer.from('\ufefffixture: 1\n', 'utf16le'), 'f:1: this is no UTF-8'],
  ])('in %s is told to be no UTF-8', (_, bytes, message) => {
    expect(() => utf8Text(bytes, 'f')).toThrow(message)
  })

  test('in UTF-8 with whatever letters is read', () => {
    expect(utf8Text(Buffer.from('caf\u00e9 \ufffd'), 'f')).toBe('caf\u00e9 \ufffd')
  })
})

describe('the schema that ships', () => {
  test('is the one that is checked', () => {
    const text = `${JSON.stringify(fixtureSchemaFile(), null, 2)}\n`
    if (process.env.UPDATE_SCHEMA) writeFileSync(SCHEMA_FILE, text)
    expect(existsSync(SCHEMA_FILE) && readFileSync(SCHEMA_FILE, 'utf8')).toBe(text)
  })

  test('fits what is written, by a validator of JSON Schema too', async () => {
    const { Ajv2020 } = await import('ajv/dist/2020.js')
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(fixtureSchemaFile())
    for (const script of Object.values(RUN_SCRIPTS)) {
      const fixture = recordedFixture(transcriptsOf((await playRun(script)).events), 'x')
      expect(validate(JSON.parse(JSON.stringify(fixture))) ? [] : validate.errors).toEqual([])
    }
    expect(validate({ fixture: 1, turns: [{ user: 'x', steps: [{ modle: '' }] }] })).toBe(false)
  })
})

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.values(HOSTILE)) },
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom('Thought: ', '\n', ' ', '\t', '- ', ': ', '#', '|', '"', "'", '\r', 'a')).map(parts => parts.join('')),
)
const json = fc.jsonValue({ noUnicodeString: false, depthSize: 'small' }).filter(value => !JSON.stringify(value).includes('-0'))
const input = fc.dictionary(
  text.filter(key => key !== '__proto__'),
  json,
) as fc.Arbitrary<JsonObject>
const codes = fc.uniqueArray(fc.constantFrom<ProblemCode>(...PROBLEM_CODES), { maxLength: 3 })

const observation = fc
  .record({ text, failed: fc.boolean(), truncated: fc.nat(9), ms: fc.nat(99), data: fc.option(json, { nil: undefined }) })
  .map(({ failed, data, ...rest }) => ({
    tool: 'mail',
    ...rest,
    ...(failed ? { failure: { code: 'threw' as const, message: rest.text } } : {}),
    ...(data === undefined ? {} : { data: data as JsonValue }),
  }))

const reply = fc.record({
  text,
  reasoning: fc.option(text, { nil: undefined }),
  codes,
  answer: fc.option(text, { nil: undefined }),
  calls: fc.array(fc.record({ input, changed: fc.option(input, { nil: undefined }), observation }), {
    minLength: 1,
    maxLength: 3,
  }),
  nudge: fc.option(text, { nil: undefined }),
  failures: fc.array(text, { maxLength: 2 }),
  notice: fc.option(text, { nil: undefined }),
})

/** The events of runs as an agent would tell them, with any texts in them. */
const runs = fc
  .record({
    task: text,
    situation: fc.option(text, { nil: undefined }),
    replies: fc.array(reply, { minLength: 1, maxLength: 4 }),
    ended: fc.boolean(),
  })
  .map(({ task, situation, replies, ended }): AgentEvent[] => {
    const start: AgentEvent = {
      type: 'run_start',
      run: 'r',
      agent: 'a',
      task,
      model: 'm',
      dialect: 'react',
      tools: [],
      options: { task },
    }
    const events: AgentEvent[] = [start]
    for (const [index, { text, reasoning, codes, answer, calls, nudge, failures, notice }] of replies.entries()) {
      const at = { step: index + 1, attempt: 1 }
      const span = [0, 0] as const
      const decision =
        answer === undefined
          ? {
              kind: 'act' as const,
              calls: calls.map(({ input }, nth) => ({ id: String(nth + 1), tool: 'mail', input })) as never,
            }
          : { kind: 'answer' as const, text: answer }
      events.push({ type: 'step_start', step: at.step, ...(situation === undefined ? {} : { situation }) })
      events.push({ type: 'prompt', keep: 0, add: [], opener: '', taskBreak: '', stop: [], textStop: [], ...at })
      for (const message of failures) events.push({ type: 'reply_error', error: { code: 'MODEL_BROKEN_STREAM', message }, ...at })
      if (notice !== undefined) events.push({ type: 'notice', code: 'NOTE', message: notice })
      const sent = { text, ...(reasoning === undefined ? {} : { reasoning }), finish: 'stop' as const }
      events.push({ type: 'reply_end', reply: sent, ms: 1, ...at })
      const problems = codes.map(code => ({ code, message: '', span, cost: 0 }))
      events.push({ type: 'parsed', parsed: { thought: null, decision, problems, kept: span }, ...at })
      if (answer === undefined)
        for (const [nth, { input, changed, observation }] of calls.entries()) {
          const call = { id: String(nth + 1), tool: 'mail', input: changed ?? input }
          if (changed) events.push({ type: 'approval', call, verdict: 'changed', ...at })
          events.push({ type: 'call_start', call, ...at }, { type: 'call_end', call, observation, ...at })
        }
      if (nudge !== undefined) events.push({ type: 'nudge', text: nudge, ...at })
      events.push({ type: 'step_end', step: at.step })
    }
    const result = { task, stop: 'stuck', message: task, usage: { promptTokens: 0, completionTokens: 0 }, ms: 1 } as const
    return ended ? [...events, { type: 'run_end', result }] : events
  })
