import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readFixture } from '../../src/transcript/fixture-file.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { runAsFixture, runAsMarkdown, shellWord, stepAsFixture, turnAsExample, turnAsMarkdown } from '../../src/viewer/exports.js'
import { isWanted, readQuery } from '../../src/viewer/search.js'
import { type Trace, type TraceTurn, traceOf } from '../../src/viewer/trace.js'
import { yamlText } from '../../src/viewer/yaml-text.js'
import { playRun, RUN_SCRIPTS } from '../support/recorded-runs.js'

async function traceRun(name: string): Promise<Trace> {
  return traceOf(transcriptOf((await playRun(RUN_SCRIPTS[name] ?? { replies: [] })).events))
}

const first = ({ turns }: Trace): TraceTurn => turns[0] as TraceTurn

describe('data as YAML', () => {
  test('reads back as what it was', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc
        .array(fc.constantFrom('a', ' ', '\n', '\t', '- ', '# ', ': ', '|', '"', "'", '\r', '\u2028', 'é', '😀'), {
          maxLength: 8,
        })
        .map(parts => parts.join('')),
    )
    const value = fc.letrec(tie => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(text, fc.constantFrom('true', 'no', 'key')), tie('value'), { maxKeys: 3 }),
      ),
    })).value
    fc.assert(
      fc.property(value, data => {
        const plain = JSON.parse(JSON.stringify(data))
        expect(parse(yamlText(plain))).toEqual(plain)
      }),
    )
  })

  test('shows a text of several lines as a block', () => {
    expect(yamlText([{ model: 'a\nb', tool: { result: 42 } }])).toBe('- model: |-\n    a\n    b\n  tool:\n    result: 42\n')
  })
})

describe('what is taken along', () => {
  test.each(Object.keys(RUN_SCRIPTS))('of %s is a fixture that can be read', async name => {
    const trace = await traceRun(name)
    const fixture = await readFixture(runAsFixture(trace), 'run.saydo.yaml')
    expect(fixture.turns[0]?.user).toBe(trace.task)
    for (const turn of trace.turns) expect(parse(stepAsFixture(trace, turn))).toHaveLength(1)
  })

  test('as an example is a step of one, and nothing of a reply that decided nothing', async () => {
    expect(JSON.parse(turnAsExample(first(await traceRun('a call and an answer'))) ?? '')).toEqual({
      thought: 'I need the capital.',
      calls: [{ tool: 'capital', input: { country: 'Veltria' } }],
      observations: ['Ostrava Bay'],
    })
    expect(turnAsExample(first(await traceRun('odd replies')))).toBeUndefined()
  })

  test('as Markdown holds the reply, what was read, the problems and what came of it, in fences that nothing closes', async () => {
    const trace = await traceRun('odd replies')
    expect(turnAsMarkdown(first(trace))).toMatch(
      /^### Step 1\n[\s\S]*I should look\.[\s\S]*- `ONLY_THOUGHT`[\s\S]*The model was told/,
    )
    expect(runAsMarkdown(trace)).toContain('Ended: `final_answer`')
    const hostile = turnAsMarkdown({ ...first(trace), reply: { text: '```\n````\nout', finish: 'stop' } })
    expect(hostile).toContain('`````text\n```\n````\nout\n`````')
  })

  test.each([
    ['m5x-7', 'm5x-7'],
    ['a b', "'a b'"],
    ["it's; rm -rf", "'it'\\''s; rm -rf'"],
    ['-v', "'-v'"],
    ['', "''"],
  ])('a shell takes %j as one word', (text, word) => expect(shellWord(text)).toBe(word))
})

describe('a search', () => {
  test.each([
    ['ostrava', 'all', ['3', '4']],
    ['ostrava capital', 'all', ['3']],
    ['"i need the"', 'all', ['3']],
    ['tool:capit', 'all', ['1.2', '2', '3']],
    ['code:ONLY', 'all', ['1']],
    ['code:only tool:capital', 'all', []],
    ['', 'errors', ['1', '1.2', '2']],
    ['tool:', 'all', []],
  ] as const)('for %j among %s', async (text, kind, names) => {
    const { turns } = await traceRun('odd replies')
    const found = turns.filter(turn => isWanted(turn, readQuery(text, kind)))
    expect(found.map(({ step, attempt }) => (attempt === 1 ? `${step}` : `${step}.${attempt}`))).toEqual(names)
  })
})
