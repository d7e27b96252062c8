import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { Prompt } from '../../src/core/message.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { calculatorTool } from '../../src/toolsets/calculator.js'
import { readRecordedPrompts } from '../../src/transcript/recorded-prompts.js'

const START = { type: 'run_start', run: 'r', agent: 'a', task: 't', model: 'm', dialect: 'react', tools: [], options: {} }
const PROMPT = {
  type: 'prompt',
  step: 1,
  attempt: 1,
  keep: 0,
  add: [{ role: 'user', text: 'Question: t', task: true }],
  opener: 'Thought:',
  taskBreak: '',
  stop: [],
  textStop: [],
}

async function* linesOf(...events: readonly (object | string)[]): AsyncGenerator<string> {
  for (const event of events) yield typeof event === 'string' ? event : JSON.stringify(event)
}

describe('the prompts of a recorded run', () => {
  test('are those that the model was given, whatever happened in between', async () => {
    const call = (expression: string) => `Action: calculator\nAction Input: ${expression}`
    const replies = [call('1+1'), 'Thought: Hm.', 'Thought: So.', call('2+2'), 'Thought: Well.', call('3+'), 'Final Answer: 4']
    const model = scriptedModel(replies)
    const events: AgentEvent[] = []
    const agent = new ToolCallAgent({ model, tools: [calculatorTool()] })
    await agent.run('t', { onEvent: event => void events.push(event) })
    const { runs, torn } = await readRecordedPrompts(linesOf(...events, ''), 'f')
    expect(torn).toBe(false)
    expect(runs[0]?.prompts.map(({ prompt }) => prompt)).toEqual(model.prompts.map(plain))
    expect(runs[0]?.prompts.map(({ step, attempt }) => `${step}.${attempt}`)).toEqual([
      '1.1',
      '2.1',
      '2.2',
      '2.3',
      '3.1',
      '3.2',
      '4.1',
    ])
    expect(runs[0]?.prompts[0]?.tools.map(({ name }) => name)).toEqual(['calculator'])
  })

  test('follow the tools as they change', async () => {
    const tools = [{ name: 'late', description: '', parameters: {} }]
    const { runs } = await readRecordedPrompts(linesOf(START, PROMPT, { type: 'tools', tools }, { ...PROMPT, keep: 1 }), 'f')
    expect(runs[0]?.prompts.map(prompt => prompt.tools)).toEqual([[], tools])
  })

  test.each([
    ['a line in the middle is no JSON', [START, '{"type":', PROMPT], 'f, line 2: it is no JSON'],
    ['an object over many lines', ['{', '  "task": "t"', '}'], 'f, line 1: it is no JSON'],
    ['a line is no event', [START, { reply: 'x' }], 'f, line 2: it is no event'],
    ['a line is no object', [START, 'null'], 'f, line 2: it is no event'],
    ['a prompt stands before any run', [PROMPT], 'f, line 1: a "prompt" stands before any "run_start"'],
    ['a line is missing', [START, { ...PROMPT, keep: 3 }], 'f, line 2: the prompt keeps 3 turns of one that has 0'],
    ['a prompt has no turns', [START, { ...PROMPT, add: undefined }], 'f, line 2: its "add" is missing'],
    ['a turn has no text', [START, { ...PROMPT, add: [{ role: 'user' }] }], 'f, line 2: its "add"'],
    ['a turn is of nobody', [START, { ...PROMPT, add: [{ role: 'tool', text: '' }] }], 'f, line 2: its "add"'],
    ['a step is no number', [START, { ...PROMPT, step: '1' }], 'f, line 2: its "step"'],
    ['a run has no tools', [{ ...START, tools: undefined }], 'f, line 1: its "tools"'],
    ['the only line broke off', ['{"type":"run_st'], 'f, line 1: it is no JSON'],
  ])('are refused with the number of the line when %s', async (_, lines, message) => {
    await expect(readRecordedPrompts(linesOf(...lines), 'f')).rejects.toMatchObject({
      code: 'CONFIG',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('--jsonl'),
    })
  })

  test('are read without the last line when that broke off', async () => {
    const { runs, torn } = await readRecordedPrompts(linesOf(START, PROMPT, '{"type":"repl'), 'f')
    expect([runs[0]?.prompts.length, torn]).toEqual([1, true])
  })
})

/** As JSON has it. */
function plain(prompt: Prompt): unknown {
  return JSON.parse(JSON.stringify(prompt))
}
