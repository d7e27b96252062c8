import { expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { terminateTool } from '../../src/toolsets/terminate.js'

test.each([
  [
    { status: 'success', answer: '42' },
    { stop: 'final_answer', answer: '42' },
  ],
  [{ status: 'success' }, { stop: 'final_answer', answer: '' }],
  [
    { status: 'failure', answer: 'It is locked.' },
    { stop: 'gave_up', answer: 'It is locked.' },
  ],
  [{ status: 'failure' }, { stop: 'gave_up', message: 'the model gave up' }],
])('terminate with %j ends the run so', async (input, ends) => {
  const reply = `Action: terminate\nAction Input: ${JSON.stringify(input)}`
  const agent = new ToolCallAgent({ model: scriptedModel([reply]), tools: [terminateTool()] })
  expect(await agent.run('x')).toMatchObject(ends)
})

test('terminate with another status does not end the run, and the model is told the two there are', async () => {
  const reply = 'Action: terminate\nAction Input: {"status": "maybe"}'
  const agent = new ToolCallAgent({ model: scriptedModel([reply, 'Final Answer: x']), tools: [terminateTool()] })
  const { steps, answer } = await agent.run('x')
  expect(answer).toBe('x')
  expect(steps[0]?.observations[0]?.text ?? steps[0]?.nudge).toContain('success')
})
