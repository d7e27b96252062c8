// A call that took too much guessing, or that was not written exactly: the model is shown what was read, and when it repeats that, it is run.
import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import type { Model } from '../../src/core/model.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'

const DOUBTFUL = 'Thought: It must go.\nAction: Delete-File\nAction Input: path: a "b".txt, force: "true"'
const SLOPPY = "Action: delete_file\nAction Input: {path: 'a.txt', force: true}"

function deleteTool(deleted: unknown[], extra: { doubt?: number; effect?: 'changes' } = { effect: 'changes' }) {
  return tool({
    name: 'delete_file',
    description: 'Deletes a file.',
    input: {
      type: 'object',
      properties: { path: { type: 'string' }, force: { type: 'boolean' } },
      required: ['path', 'force'],
      additionalProperties: false,
    },
    ...extra,
    run: input => {
      deleted.push(input)
      return 'deleted'
    },
  })
}

/** Writes `reply`; shown a right reply below a sentence, it repeats that; otherwise it answers. */
function repeatingModel(reply: string): Model {
  let written = false
  return {
    name: 'repeats',
    async *stream({ messages }) {
      const [, shown] = /^Observation: [^\n]*\n([\s\S]*)$/.exec(messages.at(-1)?.text ?? '') ?? []
      yield { kind: 'text', text: written ? (shown ?? 'Final Answer: done') : reply }
      written = true
      yield { kind: 'end', finish: 'stop' }
    },
  }
}

async function confirm(reply: string, options: Omit<ToolCallAgentOptions, 'model'>) {
  const agent = new ToolCallAgent({ ...options, model: repeatingModel(reply), examples: [] })
  const result = await agent.run('Delete it.')
  const nudges = result.steps.flatMap(({ nudge }) => nudge ?? [])
  const unclear = result.steps.flatMap(({ parsed: { decision } }) => (decision.kind === 'unclear' ? [decision.problem.code] : []))
  return { result, nudges, unclear }
}

describe('a doubtful call of a tool that changes things', () => {
  test('is not run; the correction shows the call as it was read, and repeating that runs it', async () => {
    const deleted: unknown[] = []
    const { result, nudges, unclear } = await confirm(DOUBTFUL, { tools: [deleteTool(deleted)] })
    expect(unclear).toEqual(['IN_DOUBT'])
    expect(nudges).toHaveLength(1)
    expect(nudges[0]).toBe(
      'Error: the call was not exact. If you mean this, reply again in this form:\n' +
        'Action: delete_file\nAction Input: {"path":"a \\"b\\".txt","force":true}',
    )
    expect(deleted).toEqual([{ path: 'a "b".txt', force: true }])
    expect(result).toMatchObject({ stop: 'final_answer', answer: 'done' })
  })

  test('is run at once when the tool declares no effect', async () => {
    const deleted: unknown[] = []
    const { unclear } = await confirm(DOUBTFUL, { tools: [deleteTool(deleted, {})] })
    expect(unclear).toEqual([])
    expect(deleted).toHaveLength(1)
  })

  test('is shown by a generic example when it is too long to be repeated', async () => {
    const long = 'Action: Delete-File\nAction Input: path: '.concat('x'.repeat(3000), ', force: "true"')
    const { nudges } = await confirm(long, { tools: [deleteTool([])] })
    expect(nudges[0]?.length ?? 0).toBeLessThan(300)
  })

  test('`doubt: 0` asks about the first guess already, whatever the tool does', async () => {
    const deleted: unknown[] = []
    const { unclear, result } = await confirm('Action: Delete-File\nAction Input: {"path": "a", "force": true}', {
      tools: [deleteTool(deleted, { doubt: 0 })],
    })
    expect(unclear).toEqual(['IN_DOUBT'])
    expect(deleted).toHaveLength(1)
    expect(result.stop).toBe('final_answer')
  })
})

describe('a reply that is not exact where the run is strict', () => {
  test.each(['en', 'zh'])('is asked about with what was read, in %s, and repeating that runs it', async language => {
    const deleted: unknown[] = []
    const { result, nudges, unclear } = await confirm(SLOPPY, {
      tools: [deleteTool(deleted, {})],
      strict: ['INPUT_JSON5'],
      language,
    })
    expect(unclear).toEqual(['NOT_EXACT'])
    expect(nudges[0]).toContain("{path: 'a.txt', force: true}")
    expect(nudges[0]).toMatch(/\nAction: delete_file\nAction Input: \{"path":"a\.txt","force":true\}$/)
    expect(deleted).toEqual([{ path: 'a.txt', force: true }])
    expect(result.stop).toBe('final_answer')
  })

  test('is asked about an answer in the same way', async () => {
    const model = scriptedModel(['It is 42.', 'Final Answer: It is 42.'])
    const agent = new ToolCallAgent({ model, strict: ['ANSWER_UNLABELLED'] })
    const { answer, steps } = await agent.run('x')
    expect(answer).toBe('It is 42.')
    expect(steps[0]?.nudge).toMatch(/\nFinal Answer: It is 42\.$/)
  })

  test('tells of its strictness at the start of the run', async () => {
    const agent = new ToolCallAgent({ model: scriptedModel(['Final Answer: x']), strict: ['INPUT_JSON5'] })
    const starts: unknown[] = []
    await agent.run('x', { onEvent: event => event.type === 'run_start' && starts.push(event.options) })
    expect(starts).toMatchObject([{ strict: ['INPUT_JSON5'] }])
  })

  test('a code that does not exist is refused when the agent is built', () => {
    expect(() => new ToolCallAgent({ model: scriptedModel([]), strict: ['input_json5' as never] })).toThrow(/INPUT_JSON5/)
  })
})
