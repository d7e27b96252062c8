import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import { SaydoError } from '../../src/core/errors.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Prompt } from '../../src/core/message.js'
import type { Tool } from '../../src/core/tool.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { flattenMessages } from '../../src/prompt/index.js'
import { tool } from '../../src/tools/define.js'

const capitals: Readonly<Record<string, string>> = { Veltria: 'Ostrava Bay', Morn: 'Tarn' }

function capitalTool(seen: string[] = []): Tool {
  return tool({
    name: 'capital',
    description: 'Capital of a country.',
    input: { type: 'object', properties: { country: { type: 'string' } }, required: ['country'] },
    run: ({ country }) => {
      seen.push(String(country))
      return capitals[String(country)] ?? 'no such country'
    },
  })
}

type Script = Parameters<typeof scriptedModel>[0]

async function play(replies: Script, options: Partial<ToolCallAgentOptions> = {}, task = 'What is the capital of Veltria?') {
  const model = scriptedModel(replies, { chunk: 5 })
  const seen: string[] = []
  const agent = new ToolCallAgent({ model, tools: [capitalTool(seen)], ...options })
  const events: AgentEvent[] = []
  const result = await agent.run(task, { onEvent: event => events.push(event) })
  return { agent, model, seen, events, result, prompts: model.prompts }
}

const CALL = 'Thought: I need the capital.\nAction: capital\nAction Input: {"country": "Veltria"}'
const ANSWER = 'Thought: I know it now.\nFinal Answer: Ostrava Bay'

describe('a run', () => {
  test('calls a tool and ends with the final answer', async () => {
    const { result, seen, agent } = await play([CALL, ANSWER])
    expect(result).toMatchObject({ answer: 'Ostrava Bay', stop: 'final_answer', task: 'What is the capital of Veltria?' })
    expect(seen).toEqual(['Veltria'])
    expect(result.steps.map(step => step.observations.map(observation => observation.text))).toEqual([['Ostrava Bay'], []])
    expect(agent.state).toBe('FINISHED')
  })

  test('is one model call for a plain reply', async () => {
    const { result, prompts } = await play(['Hello! How can I help?'], {}, 'hello')
    expect(result).toMatchObject({ answer: 'Hello! How can I help?', stop: 'final_answer' })
    expect(prompts).toHaveLength(1)
  })

  test.each(['Error: there is a thought, but no action and no answer.', 'Error: there is a thought'])(
    'takes no correction for an answer: %s',
    async echo => {
      const { result, events } = await play(['Thought: It is Ostrava Bay.', `Final Answer: ${echo}`, ANSWER])
      expect(result).toMatchObject({ answer: 'Ostrava Bay', stop: 'final_answer' })
      const [first, again] = events.filter(event => event.type === 'nudge')
      expect(again?.text).toBe(first?.text)
    },
  )

  test('takes an answer that begins like a correction', async () => {
    const { result } = await play(['Thought: It is Ostrava Bay.', 'Final Answer: Error: there is a typo in the question.'])
    expect(result).toMatchObject({ answer: 'Error: there is a typo in the question.', stop: 'final_answer' })
  })

  test('never uses what the model invented', async () => {
    const { result, seen, prompts } = await play([`${CALL}\nObservation: Paris\nFinal Answer: Paris`, ANSWER])
    expect(seen).toEqual(['Veltria'])
    expect(result.answer).toBe('Ostrava Bay')
    expect(JSON.stringify(prompts[1])).not.toContain('Paris')
  })

  test('writes two calls of one reply with their observations in order', async () => {
    const two = `${CALL}\nAction: capital\nAction Input: {"country": "Morn"}`
    const { result, seen } = await play([two, ANSWER])
    expect(seen).toEqual(['Veltria', 'Morn'])
    expect(result.steps[0]?.observations.map(observation => observation.text)).toEqual(['Ostrava Bay', 'Tarn'])
  })
})

describe('a reply that gives no decision', () => {
  test('is corrected within the same step, and leaves the prompt after the next readable one', async () => {
    const { result, prompts, events } = await play(['Thought: I should look that up.', CALL, ANSWER])
    expect(result.stop).toBe('final_answer')
    expect(result.steps.map(step => [step.index, step.attempt])).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
    ])
    const correction = events.find(event => event.type === 'nudge')
    expect(correction?.type === 'nudge' && correction.text.length).toBeGreaterThan(20)
    expect(prompts[1]?.text).toContain('I should look that up.')
    expect(prompts[2]?.text).not.toContain('I should look that up.')
  })

  test('ends the run after three in a row, with one last turn for an answer', async () => {
    const { result, prompts } = await play(['Thought: a', 'Thought: b', 'Thought: c', 'Final Answer: my best guess'])
    expect(result).toMatchObject({ stop: 'best_effort', reason: 'unclear', answer: 'my best guess' })
    expect(prompts).toHaveLength(4)
  })

  test('is never the answer', async () => {
    const { result } = await play(['Thought: a', 'Thought: b', 'Thought: c', 'Thought: Ostrava Bay, I think.'])
    expect(result.stop).toBe('unclear')
    expect(result.answer).toBeUndefined()
  })

  test('when empty, is asked again and is no format error', async () => {
    const { result } = await play(['', 'Thought: x', '', 'Thought: y', ANSWER])
    expect(result.stop).toBe('final_answer')
  })
})

describe('a call that cannot be made', () => {
  test.each([
    ['an unknown tool', 'Action: capitol\nAction Input: Veltria', 'unknown_tool', 'capital'],
    ['a missing required argument', 'Action: capital\nAction Input: {"land": "Veltria"}', 'invalid_input', 'country'],
  ])('is answered with an observation: %s', async (_, reply, failure, named) => {
    const { result, seen, prompts } = await play([reply, CALL, ANSWER])
    expect(result.stop).toBe('final_answer')
    expect(seen).toEqual(['Veltria'])
    expect(result.steps[0]?.observations[0]).toMatchObject({ failure: { code: failure } })
    expect(prompts[1]?.messages.at(-1)?.text).toContain(named)
  })

  test('a tool that throws is an observation and the loop goes on', async () => {
    const broken = tool({
      name: 'capital',
      description: 'Broken.',
      input: { type: 'object', properties: { country: { type: 'string' } } },
      run: () => {
        throw new Error('the archive burnt down')
      },
    })
    const { result, prompts } = await play([CALL, 'Final Answer: I could not find out.'], { tools: [broken] })
    expect(result.stop).toBe('final_answer')
    expect(prompts[1]?.text).toContain('the archive burnt down')
  })
})

describe('limits', () => {
  test('at the step limit an answer is asked for, once', async () => {
    const { result, prompts } = await play([CALL, CALL, 'Final Answer: Ostrava Bay'], { maxSteps: 2 })
    expect(result).toMatchObject({ stop: 'best_effort', reason: 'max_steps', answer: 'Ostrava Bay' })
    expect(prompts).toHaveLength(3)
  })

  test('a call in the last turn is not made', async () => {
    const { result, seen } = await play([CALL, CALL, CALL], { maxSteps: 2 })
    expect(result).toMatchObject({ stop: 'max_steps' })
    expect(result.answer).toBeUndefined()
    expect(seen).toHaveLength(2)
  })

  test('finishing on the last permitted step is success', async () => {
    const { result } = await play([CALL, ANSWER], { maxSteps: 2 })
    expect(result.stop).toBe('final_answer')
  })

  test('onMaxSteps return ends without an answer, throw rejects', async () => {
    expect((await play([CALL], { maxSteps: 1, onMaxSteps: 'return' })).result.stop).toBe('max_steps')
    await expect(play([CALL], { maxSteps: 1, onMaxSteps: 'throw' })).rejects.toMatchObject({ code: 'STATE' })
  })

  test.each([0, -1, 1.5, Number.NaN])('maxSteps %s is refused', async maxSteps => {
    await expect(play([ANSWER], { maxSteps })).rejects.toMatchObject({ code: 'CONFIG' })
  })
})

describe('the agent', () => {
  test('refuses a second run while one is under way', async () => {
    const agent = new ToolCallAgent({ model: scriptedModel([ANSWER]) })
    const first = agent.run('one')
    await expect(agent.run('two')).rejects.toMatchObject({ code: 'STATE' })
    await first
  })

  test('runs again after a run, with a fresh page and a fresh count', async () => {
    const agent = new ToolCallAgent({ model: scriptedModel([CALL, ANSWER, 'Final Answer: second']), tools: [capitalTool()] })
    await agent.run('one')
    const second = await agent.run('two')
    expect(second.steps.map(step => step.index)).toEqual([1])
  })

  test('is in state ERROR after a failure, and says so', async () => {
    const failing = scriptedModel([{ text: '', error: new SaydoError('MODEL_UNREACHABLE', 'nobody there') }])
    const agent = new ToolCallAgent({ model: failing })
    const events: AgentEvent[] = []
    await expect(agent.run('x', { onEvent: event => events.push(event) })).rejects.toMatchObject({ code: 'MODEL_UNREACHABLE' })
    expect(agent.state).toBe('ERROR')
    expect(events.at(-1)).toMatchObject({ type: 'run_end', error: { code: 'MODEL_UNREACHABLE' } })
  })

  test('asks again when a stream breaks, and uses nothing of the broken reply', async () => {
    const broken = new SaydoError('MODEL_BROKEN_STREAM', 'cut', { retryable: true })
    const { result, seen } = await play([{ text: CALL, error: broken }, CALL, ANSWER])
    expect(result.stop).toBe('final_answer')
    expect(seen).toEqual(['Veltria'])
  })

  test('refuses an empty task', async () => {
    await expect(new ToolCallAgent({ model: scriptedModel([]) }).run('  ')).rejects.toMatchObject({ code: 'CONFIG' })
  })

  test('an aborted run ends as aborted, and the tool is told', async () => {
    const abort = new AbortController()
    let told = false
    const slow = tool({
      name: 'capital',
      description: 'Slow.',
      input: { type: 'object', properties: { country: { type: 'string' } } },
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            told = true
            reject(signal.reason)
          })
          abort.abort()
        }),
    })
    const agent = new ToolCallAgent({ model: scriptedModel([CALL, ANSWER]), tools: [slow] })
    const result = await agent.run('x', { signal: abort.signal })
    expect(result.stop).toBe('aborted')
    expect(told).toBe(true)
    expect(agent.state).toBe('FINISHED')
  })

  test('streams its events, and leaving the loop aborts the run', async () => {
    const agent = new ToolCallAgent({ model: scriptedModel([CALL, CALL, CALL, ANSWER]), tools: [capitalTool()] })
    for await (const event of agent.stream('x')) if (event.type === 'call_end') break
    await expect.poll(() => agent.state).toBe('FINISHED')
    expect(agent.memory.steps.length).toBeLessThan(4)
  })
})

describe('events', () => {
  test('come in matched pairs, in the order of the circle', async () => {
    const { events } = await play([CALL, ANSWER])
    const types = events.map(event => event.type).filter(type => type !== 'delta')
    expect(types).toEqual([
      'run_start',
      'state',
      'step_start',
      'prompt',
      'reply_start',
      'reply_end',
      'parsed',
      'call_start',
      'call_end',
      'step_end',
      'step_start',
      'prompt',
      'reply_start',
      'reply_end',
      'parsed',
      'step_end',
      'state',
      'run_end',
    ])
  })

  test('are plain JSON', async () => {
    const { events } = await play([CALL, 'Thought: hm', ANSWER])
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  })

  test('rebuild every prompt that was sent', async () => {
    const { events, prompts } = await play([CALL, 'Thought: hm', CALL, ANSWER])
    let messages: Prompt['messages'] = []
    const rebuilt = events.flatMap(event => {
      if (event.type !== 'prompt') return []
      messages = [...messages.slice(0, event.keep), ...event.add]
      return [messages]
    })
    expect(rebuilt).toEqual(prompts.map(prompt => prompt.messages))
  })
})

test('a prompt is a strict prefix of the next, in both renderings, and a clean reply stands in it verbatim', async () => {
  const { prompts } = await play([
    CALL,
    'Action: capital\nAction Input: Morn',
    '**Action:** capital\n**Action Input:** Morn',
    CALL,
    ANSWER,
  ])
  expect(prompts).toHaveLength(5)
  prompts.slice(1).forEach((prompt, i) => {
    const before = prompts[i]
    expect(prompt.text.startsWith(before?.text ?? '!')).toBe(true)
    expect(prompt.text.length).toBeGreaterThan(before?.text.length ?? 0)
    expect(prompt.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
  })
  expect(prompts[1]?.messages.some(({ role, text }) => role === 'assistant' && text === CALL)).toBe(true)
})

describe('a subclass with a resource', () => {
  class Lab extends ToolCallAgent {
    readonly log: string[] = []
    failures = 0
    protected override async onOpen() {
      this.log.push('open')
      if (this.failures-- > 0) throw new Error('no power')
      this.registry.register(capitalTool(), { override: true })
    }
    protected override async onClose() {
      this.log.push('close')
    }
    protected override async beforeStep() {
      return 'It is noon.'
    }
  }

  test('is opened, told of in the events, asked before each step, and closed', async () => {
    const lab = new Lab({ model: scriptedModel([CALL, ANSWER]) })
    const events: AgentEvent[] = []
    const result = await lab.run('x', { onEvent: event => events.push(event) })
    expect(lab.log).toEqual(['open', 'close'])
    expect(result.steps.map(step => step.situation)).toEqual(['It is noon.', 'It is noon.'])
    expect(events.find(event => event.type === 'tools')).toMatchObject({ tools: [{ name: 'capital' }] })
  })

  test('with keepOpen stays open for the next run, until it is closed', async () => {
    const lab = new Lab({ model: scriptedModel([ANSWER, ANSWER]), keepOpen: true })
    await lab.run('x')
    await lab.run('y')
    expect(lab.log).toEqual(['open'])
    await lab.close()
    await lab.close()
    expect(lab.log).toEqual(['open', 'close'])
  })

  test('that could not be opened is closed, and opened anew by the next run', async () => {
    const lab = new Lab({ model: scriptedModel([ANSWER]), keepOpen: true })
    lab.failures = 1
    await expect(lab.run('x')).rejects.toThrow('no power')
    expect((await lab.run('y')).stop).toBe('final_answer')
    expect(lab.log).toEqual(['open', 'close', 'open'])
  })

  test('that will not close does not lose the answer', async () => {
    const lab = new Lab({ model: scriptedModel([ANSWER]) })
    Object.assign(lab, { onClose: () => Promise.reject(new Error('stuck door')) })
    const events: AgentEvent[] = []
    expect((await lab.run('x', { onEvent: event => events.push(event) })).answer).toBe('Ostrava Bay')
    expect(events).toContainEqual(expect.objectContaining({ type: 'notice', code: 'CLOSE_FAILED' }))
  })
})

test('the events rebuild the text of every prompt too', async () => {
  const { events, prompts } = await play([CALL, 'Thought: hm', CALL, ANSWER])
  let messages: Prompt['messages'] = []
  const rebuilt = events.flatMap(event => {
    if (event.type !== 'prompt') return []
    messages = [...messages.slice(0, event.keep), ...event.add]
    return [flattenMessages(messages, event.opener, event.taskBreak)]
  })
  expect(rebuilt).toEqual(prompts.map(prompt => prompt.text))
})

test('when the second of two calls cannot be made, the first is, and the model is told about the other', async () => {
  const two = `${CALL}\nAction: capitol\nAction Input: {"country": "Morn"}`
  const { seen, prompts, events } = await play([two, ANSWER])
  expect(seen).toEqual(['Veltria'])
  expect(events.find(event => event.type === 'nudge')).toMatchObject({ text: expect.stringContaining('capitol') })
  expect(prompts[1]?.messages.at(-1)?.text).toMatch(/Ostrava Bay[\s\S]*capitol/)
})

test('a correction never shows a call that changes things when nobody meant it', async () => {
  const risky = tool({ name: 'delete_all', description: 'Deletes everything.', effect: 'changes', run: () => 'gone' })
  const { events } = await play(['Thought: hm', ANSWER], { tools: [risky, capitalTool()] })
  const nudge = events.find(event => event.type === 'nudge')
  expect(nudge).toMatchObject({ text: expect.stringContaining('Action: capital') })
  const alone = await play(['Thought: hm', ANSWER], { tools: [risky] })
  expect(JSON.stringify(alone.events.filter(event => event.type === 'nudge'))).not.toContain('delete_all')
})

describe('a tool that finishes', () => {
  const finish = (run: () => unknown) => tool({ name: 'submit', description: 'Hands the work in.', finishes: true, run })
  const submit = 'Thought: Done.\nAction: submit\nAction Input: {}'

  test('ends the run with what it gave back, whole', async () => {
    const long = 'x'.repeat(500)
    const { result } = await play([submit], { tools: [finish(() => long)], maxObserve: 100 })
    expect(result).toMatchObject({ stop: 'final_answer', answer: long })
  })

  test('ends it with an empty answer when it gave nothing', async () => {
    expect((await play([submit], { tools: [finish(() => undefined)] })).result).toMatchObject({
      stop: 'final_answer',
      answer: '',
    })
  })

  test('does not end it when it failed', async () => {
    const failing = finish(() => {
      throw new Error('the desk is closed')
    })
    expect((await play([submit, ANSWER], { tools: [failing] })).result).toMatchObject({ answer: 'Ostrava Bay' })
  })
})

describe('a reply that is empty but for its reasoning', () => {
  test.each([
    ['is read there when the labels stand in it', `I think.\n${CALL}`, ['Veltria']],
    [
      'is asked again when only a call object stands in it',
      'I could send {"action": "capital", "action_input": {"country": "Veltria"}}',
      [],
    ],
    ['is asked again when it is plain thinking', 'The capital of Veltria is Ostrava Bay.', []],
  ])('%s', async (_, reasoning, calls) => {
    const { seen, result } = await play([{ text: '', reasoning }, ANSWER])
    expect([seen, result.answer]).toEqual([calls, 'Ostrava Bay'])
  })
})

describe('a situation', () => {
  class Clockwork extends ToolCallAgent {
    readonly seen = ['It is noon.', 'It is noon.', undefined, 'It is one.']
    protected override async beforeStep() {
      return this.seen.shift()
    }
  }
  const other = CALL.replace('Veltria', 'Morn')
  const lastTexts = (prompts: readonly Prompt[]) => prompts.map(({ messages }) => messages.map(({ text }) => text))

  test('stands where it was first said for as long as it is the same, so that prompts only grow', async () => {
    const model = scriptedModel([CALL, other, ANSWER])
    await new Clockwork({ model, tools: [capitalTool()] }).run('x')
    const [first, second, third] = lastTexts(model.prompts)
    expect(first?.at(-1)).toBe('Question: x\n\nIt is noon.')
    expect(second?.slice(0, first?.length)).toEqual(first)
    expect(second?.at(-1)).toMatch(/^Observation: /)
    expect(third?.join('\n')).not.toContain('It is noon.')
  })

  test('goes to the end when it is another', async () => {
    const model = scriptedModel([CALL, other, CALL, ANSWER])
    await new Clockwork({ model, tools: [capitalTool()] }).run('x')
    const fourth = lastTexts(model.prompts)[3]
    expect(fourth?.at(-1)).toMatch(/^Observation: [^\n]+\n\nIt is one\.$/)
    expect(fourth?.join('\n')).not.toContain('It is noon.')
  })

  test('may depend on what the last steps did; the head of the prompt stays as it is', async () => {
    class Atlas extends ToolCallAgent {
      protected override async beforeStep() {
        const last = this.memory.steps.at(-1)?.observations ?? []
        return last.some(({ tool }) => tool === 'capital') ? 'The atlas is open.' : undefined
      }
    }
    const model = scriptedModel([CALL, 'Action: nothing_like_it\nAction Input: {}', ANSWER])
    const { steps } = await new Atlas({ model, tools: [capitalTool()] }).run('x')
    expect(steps.map(({ situation }) => situation)).toEqual([undefined, 'The atlas is open.', undefined])
    expect(new Set(lastTexts(model.prompts).map(([head]) => head)).size).toBe(1)
  })

  test('that was seen last stays in the last turn, before which nobody looks', async () => {
    const model = scriptedModel([CALL, ANSWER])
    const result = await new Clockwork({ model, tools: [capitalTool()], maxSteps: 1 }).run('x')
    expect(result.steps.map(step => step.situation)).toEqual(['It is noon.', undefined])
    const [first, last] = lastTexts(model.prompts)
    expect(last?.slice(0, first?.length)).toEqual(first)
    expect(last?.at(-1)).not.toContain('It is noon.')
  })
})

describe('the language', () => {
  const GERMAN_CALL = 'Gedanke: Ich brauche die Hauptstadt.\nAktion: capital\nAktionseingabe: {"country": "Veltria"}'
  const GERMAN_ANSWER = 'Gedanke: Ich weiß es.\nEndgültige Antwort: Ostrava Bay'

  test('of the prompt is read in replies, too, and written anew with the labels of the dialect', async () => {
    const { result, seen, prompts } = await play([GERMAN_CALL, GERMAN_ANSWER], { language: 'de' })
    expect(result).toMatchObject({ answer: 'Ostrava Bay', stop: 'final_answer' })
    expect(seen).toEqual(['Veltria'])
    expect(prompts[0]?.messages[0]?.text).toContain('Werkzeuge:')
    expect(prompts[1]?.messages.at(-2)?.text).toBe(
      'Thought: Ich brauche die Hauptstadt.\nAction: capital\nAction Input: {"country":"Veltria"}',
    )
  })

  test('of the labels may be another one', async () => {
    const { result, prompts } = await play([GERMAN_CALL, GERMAN_ANSWER], { labels: 'de' })
    expect(result).toMatchObject({ answer: 'Ostrava Bay', stop: 'final_answer' })
    expect(prompts[0]?.messages[0]?.text).toContain('Tools:')
    const { seen } = await play([GERMAN_CALL, ANSWER], { language: 'de', labels: 'ru' })
    expect(seen).toEqual([])
  })

  test.each([
    ['no parameter of that name', '{"country": "Veltria", "x": 1}', '/x: ist hier nicht bekannt; bekannt sind country'],
    ['another type', '{"country": ["Veltria", "Morn"]}', '/country: muss so sein: string; angegeben: ["Veltria","Morn"]'],
    ['a number too long to be held', '{"country": 123456789012345678901234567890}', 'enthält eine zu lange Zahl'],
  ])('says what is wrong with an input: %s', async (_, input, said) => {
    const parameters = { type: 'object', properties: { country: { type: 'string' } }, required: ['country'] }
    const strict = tool({ name: 'capital', description: '', input: { ...parameters, additionalProperties: false }, run: () => 1 })
    const reply = `Thought: x\nAction: capital\nAction Input: ${input}`
    const { result } = await play([reply, ANSWER], { language: 'de', tools: [strict] })
    expect(result.steps[0]?.observations[0]?.text).toContain(said)
  })

  test('of a reply that keeps to the dialect leaves its bytes alone', async () => {
    const { prompts } = await play([CALL, ANSWER], { language: 'de' })
    expect(prompts[1]?.messages.at(-2)?.text).toBe(CALL)
  })

  test('that nobody knows shows at once', () => {
    const model = scriptedModel([])
    expect(() => new ToolCallAgent({ model, labels: 'gr' })).toThrowError(expect.objectContaining({ code: 'CONFIG' }))
  })
})

test.each([
  ['model', { model: 'gpt' }],
  ['model', {}],
  ['dialect', { model: scriptedModel([]), dialect: 'xml' }],
])('whoever gives what is no %s is told before anything runs', (option, options) => {
  expect(() => new ToolCallAgent(options as never)).toThrowError(
    expect.objectContaining({ code: 'CONFIG', message: `The option ${option} is no ${option}.` }),
  )
})
