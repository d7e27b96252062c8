import { expect, test } from 'vitest'
import { formatRun } from '../../src/agent/format-run.js'
import { answer, call, play } from '../support/agents.js'

test('a run as lines: its steps in order, what the model was told, its answer and its end', async () => {
  const { result } = await play([call('a'), 'Thought: hm', call('b', 'serch'), answer('blue')])
  expect(formatRun({ ...result, ms: 1234 })).toBe(`Task: What is it?

Step 1
Thought: I look.
Action: search {"q":"a"}
Observation: about a

Step 2
Thought: hm
Unclear: ONLY_THOUGHT, ${problemOf(result)}
Told the model: ${result.steps[1]?.nudge}

Step 2, try 2
Thought: I look.
Unclear: UNKNOWN_TOOL, ${problemOf(result, 2)}
Tried: serch {"q": "b"}
Observation: ${result.steps[2]?.observations[0]?.text}

Step 3
Thought: I know it.
Final Answer: blue

Answer: blue
final_answer: the model gave its final answer (1.2 s)`)
})

test('long observations are cut when that is wanted, never within a character', async () => {
  const { result } = await play([call('🙂'.repeat(50)), answer('blue')])
  expect(formatRun(result, { maxObserve: 9 })).toContain('Observation: about 🙂…\n')
})

test('a run without steps or answer is its task and its end', async () => {
  const { result } = await play([], {}, { signal: AbortSignal.abort() })
  expect(formatRun({ ...result, ms: 0 })).toBe('Task: What is it?\n\naborted: the run was aborted (0.0 s)')
})

function problemOf({ steps }: Awaited<ReturnType<typeof play>>['result'], at = 1): string {
  const decision = steps[at]?.parsed.decision
  return decision?.kind === 'unclear' ? decision.problem.message : ''
}
