import { expect, test } from 'vitest'
import { askHumanTool } from '../../src/toolsets/ask-human.js'
import { createBuiltins } from '../../src/toolsets/index.js'
import { callOne } from '../tools/call-one.js'

const QUESTION = { question: 'Which one?' }

test('ask_human gives what the person says', async () => {
  const asked: string[] = []
  const tool = askHumanTool({
    ask: async question => {
      asked.push(question)
      return 'the red one'
    },
  })
  expect((await callOne(tool, QUESTION)).text).toBe('the red one')
  expect(asked).toEqual(['Which one?'])
})

test('ask_human waits as long as the person takes, unless it has a time of its own', async () => {
  const slow = () => new Promise<string>(resolve => setTimeout(resolve, 30, 'late'))
  expect((await callOne(askHumanTool({ ask: slow }), QUESTION, { timeoutMs: 5 })).text).toBe('late')
  expect((await callOne(askHumanTool({ ask: slow, timeoutMs: 5 }), QUESTION)).failure?.code).toBe('timeout')
})

test('ask_human tells who asks that an answer is no longer wanted', async () => {
  let aborted = false
  const ask = (_: string, signal: AbortSignal) =>
    new Promise<string>(() => {
      signal.addEventListener('abort', () => {
        aborted = true
      })
    })
  expect((await callOne(askHumanTool({ ask, timeoutMs: 5 }), QUESTION)).failure?.code).toBe('timeout')
  expect(aborted).toBe(true)
})

test('ask_human is unavailable at once where nobody is', async () => {
  const [tool] = createBuiltins(['ask_human'])
  expect(tool && (await callOne(tool, QUESTION)).failure).toEqual({
    code: 'unavailable',
    message: 'ask_human is not available: no user is there to answer',
  })
})
