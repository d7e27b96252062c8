import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Model } from '../../src/core/model.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { openFixture } from '../../src/testing/open-fixture.js'
import { type ReplayOptions, replayRun } from '../../src/testing/replay-run.js'
import { writeFixture } from '../../src/transcript/fixture-file.js'
import { recordedFixture } from '../../src/transcript/recorded-fixture.js'
import { transcriptsOf } from '../../src/transcript/transcript.js'
import { capitalTool, playRun, RUN_SCRIPTS, type RunScript } from '../support/recorded-runs.js'
import { goOn } from '../support/resumed-runs.js'

const CALL = 'Thought: I need the capital.\nAction: capital\nAction Input: {"country": "Veltria"}'
const MORN = 'Action: capital\nAction Input: {"country": "Morn"}'
const ANSWER = 'Thought: I know it now.\nFinal Answer: Ostrava Bay'
const SIMPLE: RunScript = { replies: [CALL, ANSWER] }
const env = {}

async function recorded(script: RunScript): Promise<string> {
  return written((await playRun(script)).events)
}

async function written(events: readonly AgentEvent[]): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), 'saydo-fixture-')), 'run.saydo.yaml')
  writeFileSync(file, await writeFixture(recordedFixture(transcriptsOf(events), 'run')))
  return file
}

const edited = async (script: RunScript, change: (text: string) => string): Promise<string> => {
  const file = await recorded(script)
  const text = readFileSync(file, 'utf8')
  expect(change(text)).not.toBe(text)
  writeFileSync(file, change(text))
  return file
}

const fails = async (file: string, options: ReplayOptions = {}): Promise<Error & { code?: string }> =>
  replayRun(file, { env, ...options }).then(
    () => expect.fail('it should have failed'),
    error => error,
  )

const REPLAYED = Object.entries(RUN_SCRIPTS)

describe('a recorded run', () => {
  test.each(REPLAYED)('%s: is made again from its file alone, in whatever chunks', async (_, script) => {
    const file = await recorded(script)
    const before = readFileSync(file, 'utf8')
    for (const chunking of ['recorded', 'each-char', { random: 1 }, { random: 2 }] as const)
      await replayRun(file, { env, chunking })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test.each([
    ['not to be made once more', false],
    ['not to be made once more, for a reason', 'I saw it done.'],
    ['to be made once more', true],
  ] as const)('is made again from its file alone where a call was cut short and then was %s', async (_, said) => {
    const all = (await playRun(SIMPLE)).events
    const cut = all.slice(0, all.findIndex(({ type }) => type === 'call_start') + 1)
    const { events } = await goOn(SIMPLE, cut, { confirm: () => said })
    await replayRun(await written(events), { env })
  })

  test('of several turns is made again as one conversation, also where a turn was aborted or began with another agent', async () => {
    const script = [CALL, ANSWER, CALL, MORN, MORN.replace('Action:', 'action:'), ANSWER]
    const model = scriptedModel(script)
    const events: AgentEvent[] = []
    const first = new ToolCallAgent({ model, tools: [capitalTool()], name: 'a' })
    const abort = new AbortController()
    await first.run('one', { onEvent: event => events.push(event) })
    const stopAt = (event: AgentEvent): void => {
      events.push(event)
      if (event.type === 'call_end') abort.abort()
    }
    await first.run('two', { signal: abort.signal, onEvent: stopAt })
    const second = new ToolCallAgent({ model, tools: [capitalTool()], strict: ['LABEL_CASE'], name: 'b' })
    second.recall(events)
    await second.run('three', { onEvent: event => events.push(event) })
    const third = new ToolCallAgent({ model: scriptedModel([ANSWER]), tools: [capitalTool()], name: 'a' })
    third.recall(events)
    await third.run('four', { onEvent: event => events.push(event) })
    const file = join(mkdtempSync(join(tmpdir(), 'saydo-fixture-')), 'run.saydo.yaml')
    writeFileSync(file, await writeFixture(recordedFixture(transcriptsOf(events), 'run')))
    const text = readFileSync(file, 'utf8')
    expect(text).toContain('ends: aborted')
    const results = await replayRun(file, { env })
    expect(results.map(({ stop }) => stop)).toEqual(['final_answer', 'aborted', 'final_answer', 'final_answer'])
  })

  test('is made again with the own tools, which are not called', async () => {
    let called = 0
    const tape = await openFixture(await recorded(SIMPLE), { env })
    const agent = new ToolCallAgent({ model: tape.model, tools: tape.tools([capitalTool(() => called++)]) })
    const { answer, steps } = await agent.run(tape.task)
    await tape.done()
    expect([answer, steps[0]?.observations[0]?.text, called]).toEqual(['Ostrava Bay', 'Ostrava Bay', 0])
  })

  test('may be written by hand, in five lines', async () => {
    const file = await recorded(SIMPLE)
    writeFileSync(
      file,
      'fixture: 1\nturns:\n  - user: What is 6 * 7?\n    steps:\n      - {model: "Action: calculator\\nAction Input: 6 * 7", tool: {result: 42}}\n      - model: "Final Answer: 42"\n    ends: final_answer\n',
    )
    const [run] = await replayRun(file, { env })
    expect([run?.answer, run?.steps[0]?.observations[0]?.text]).toEqual(['42', '42'])
  })
})

describe('what is otherwise than recorded', () => {
  test('another call is shown beside the recorded one', async () => {
    const file = await edited(SIMPLE, text => text.replace('input: {country: Veltria}', 'input: {country: Morn}'))
    expect(await fails(file)).toMatchObject({
      code: 'FIXTURE_MISMATCH',
      message: expect.stringContaining('- capital {"country":"Morn"}\n+ capital {"country":"Veltria"}'),
    })
  })

  test('a further reply is no part of it', async () => {
    const file = await edited(SIMPLE, text => `${text.slice(0, text.lastIndexOf('      - model:'))}    ends: final_answer\n`)
    expect(await fails(file)).toMatchObject({
      code: 'FIXTURE_EXHAUSTED',
      message: expect.stringMatching(/the only recorded reply was played/),
    })
  })

  test('a reply that is left over is named', async () => {
    const file = await edited(SIMPLE, text => text.replace(/\n {4}ends:/, '\n      - model: "Final Answer: never"\n    ends:'))
    expect(await fails(file)).toMatchObject({
      code: 'FIXTURE_UNUSED',
      message: expect.stringContaining('step 3 was not used\n- Final Answer: never'),
    })
  })

  test('an answer may be said once more, and must be the one that is given', async () => {
    const say = (answer: string) => (text: string) =>
      text.replace('ends: final_answer', `ends: final_answer\n    answer: ${answer}`)
    expect(await replayRun(await edited(SIMPLE, say('Ostrava Bay')), { env })).toHaveLength(1)
    expect(await fails(await edited(SIMPLE, say('Tarn')))).toMatchObject({
      message: expect.stringContaining('answer\n- "Tarn"\n+ "Ostrava Bay"'),
    })
  })

  test('a fault that the run got over in its own way is told at the end', async () => {
    const tape = await openFixture(
      await edited(SIMPLE, text => text.replace(/\n {6}- model: \|-?\n {10}Thought: I know[\s\S]*?(?=\n {4}ends:)/, '')),
      { env },
    )
    const model: Model = {
      name: 'with another to fall back on',
      async *stream(prompt, options) {
        try {
          yield* tape.model.stream(prompt, options)
        } catch {
          yield { kind: 'text', text: 'Final Answer: whatever' } as const
          yield { kind: 'end', finish: 'stop' } as const
        }
      },
    }
    const agent = new ToolCallAgent({ ...tape.agentOptions, model, tools: tape.tools() })
    expect((await agent.run(tape.task, { onEvent: tape.onEvent })).answer).toBe('whatever')
    await expect(tape.done()).rejects.toMatchObject({ code: 'FIXTURE_EXHAUSTED' })
  })

  test.each([
    [
      'reading',
      'parsed: {answer: Ostrava Bay}',
      'parsed: {answer: Tarn}',
      'step 2, parsed\n- {"answer":"Tarn"}\n+ {"answer":"Ostrava Bay"}',
    ],
    ['end', 'ends: final_answer', 'ends: max_steps', 'ends\n- "max_steps"\n+ "final_answer"'],
    [
      'repair',
      'parsed: {answer: Ostrava Bay}',
      'parsed: {answer: Ostrava Bay}\n        problems: [LABEL_CASE]',
      'problems\n- ["LABEL_CASE"]',
    ],
  ])('another %s is shown', async (_, before, after, message) => {
    expect(await fails(await edited(SIMPLE, text => text.replace(before, after)))).toMatchObject({
      code: 'FIXTURE_MISMATCH',
      message: expect.stringContaining(message),
    })
  })

  test('what is concluded today takes its place when that is wanted, and nothing else', async () => {
    const file = await edited(SIMPLE, text => text.replace('parsed: {answer: Ostrava Bay}', 'parsed: {answer: Tarn}'))
    const before = readFileSync(file, 'utf8')
    await replayRun(file, { env, update: true })
    expect(readFileSync(file, 'utf8')).toBe(before.replace('parsed: {answer: Tarn}', 'parsed: {answer: Ostrava Bay}'))
    await replayRun(file, { env })
  })
})

describe('a prompt that changed', () => {
  test.each([
    ['template', { template: undefined, answer: { type: 'string' } }],
    ['examples', { examples: [{ name: 'hello', task: 'Hello', steps: [{ thought: 'A greeting.', answer: 'Hello.' }] }] }],
    ['parameters', { maxSteps: 3 }],
  ] as const)('%s: is told by its part', async (part, agent) => {
    const error = await fails(await recorded(SIMPLE), { agent: agent as never })
    expect([error.code, error.message]).toEqual(['FIXTURE_STALE', expect.stringMatching(new RegExp(`${part} \\w{8} → \\w{8}`))])
  })

  test('tools: is told by its part, and by the first line that changed', async () => {
    const error = await fails(await recorded(SIMPLE), { agent: { tools: [{ ...capitalTool(), description: 'Another one.' }] } })
    expect(error.message).toMatch(
      /tools \w{8} → \w{8}; question, parameters, examples, template unchanged\nline \d+ of the prompt:\n\+ - capital: Another one\./,
    )
  })

  test('may be ignored part by part', async () => {
    await replayRun(await recorded(SIMPLE), { env, ignore: ['parameters'], agent: { maxSteps: 3 } })
  })
})

describe('modes', () => {
  const live = () => scriptedModel([MORN, 'Final Answer: Tarn'])
  const agent = (tape: Awaited<ReturnType<typeof openFixture>>) =>
    new ToolCallAgent({ model: tape.model, tools: tape.tools([capitalTool()]) })

  test('in CI nothing is asked, whatever was wanted', async () => {
    const file = await recorded(SIMPLE)
    const [run] = await replayRun(file, { env: { CI: 'true' }, mode: 'rewrite', model: live(), agent })
    expect(run?.answer).toBe('Ostrava Bay')
  })

  test('rewrite asks anew and writes beside the file', async () => {
    const file = await recorded(SIMPLE)
    const before = readFileSync(file, 'utf8')
    const [run] = await replayRun(file, { env, mode: 'rewrite', model: live(), agent })
    expect([run?.answer, readFileSync(file, 'utf8')]).toEqual(['Tarn', before])
    expect(readFileSync(`${file}.new`, 'utf8')).toContain('Final Answer: Tarn')
  })

  test('rewrite with the same outcome changes no byte', async () => {
    const file = await recorded(SIMPLE)
    await replayRun(file, { env, mode: 'rewrite', model: scriptedModel([CALL, ANSWER], { name: 'scripted', chunk: 3 }), agent })
    expect(readFileSync(`${file}.new`, 'utf8')).toBe(readFileSync(file, 'utf8'))
  })

  test('extend plays what is there and records the rest', async () => {
    const file = await edited(SIMPLE, text => `${text.slice(0, text.lastIndexOf('      - model:'))}`)
    const [run] = await replayRun(file, { env, mode: 'extend', model: scriptedModel(['Final Answer: Tarn']), agent })
    expect(run?.answer).toBe('Tarn')
    expect(readFileSync(file, 'utf8')).toContain('Final Answer: Tarn')
  })

  test('continue plays the steps before the one that is named', async () => {
    const file = await recorded(SIMPLE)
    const [run] = await replayRun(file, { env, mode: 'continue', from: 2, model: scriptedModel(['Final Answer: Tarn']), agent })
    expect([run?.answer, run?.steps.length]).toEqual(['Tarn', 2])
    expect(readFileSync(`${file}.new`, 'utf8')).toContain('Final Answer: Tarn')
  })

  test('auto makes a file that is missing', async () => {
    const file = `${await recorded(SIMPLE)}.other`
    await replayRun(file, { env, mode: 'auto', task: 'Which one?', model: live(), agent })
    const [run] = await replayRun(file, { env, agent })
    expect(run?.answer).toBe('Tarn')
  })

  test('model=live,tools=replay: another model in the same world; what it does not know is an error', async () => {
    const file = await recorded(SIMPLE)
    const mode = 'model=live,tools=replay'
    const [run] = await replayRun(file, { env, mode, model: scriptedModel([CALL, 'Final Answer: other']), agent })
    expect(run?.answer).toBe('other')
    expect(await fails(file, { mode, model: scriptedModel([MORN, 'Final Answer: x']), agent })).toMatchObject({
      code: 'FIXTURE_MISMATCH',
    })
  })

  test('model=replay,tools=live: what a tool gives today is held to what it gave', async () => {
    const file = await recorded(SIMPLE)
    const mode = 'model=replay,tools=live'
    await replayRun(file, { env, mode, agent })
    const other = { ...capitalTool(), run: () => 'Somewhere' }
    const error = await fails(file, { mode, agent: tape => new ToolCallAgent({ model: tape.model, tools: tape.tools([other]) }) })
    expect(error.message).toContain('- {"result":"Ostrava Bay"}\n+ {"result":"Somewhere"}')
  })

  test.each([
    [{ mode: 'replai' }, /there is no mode replai, did you mean "replay"/],
    [{ mode: 'modle=live' }, /there is no channel modle/],
    [{ mode: 'live' }, /mode live needs the tools themselves: capital/],
    [{ mode: 'model=live,tools=replay' }, /mode live needs a model to ask/],
  ])('%j is refused', async (options, message) => {
    expect((await fails(await recorded(SIMPLE), options)).message).toMatch(message)
  })

  test('a file that is missing is an error that says how to make it', async () => {
    await expect(openFixture('/nowhere/x.saydo.yaml', { env })).rejects.toMatchObject({ code: 'FIXTURE_MISSING' })
  })
})
