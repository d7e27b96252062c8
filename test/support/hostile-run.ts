// Runs made by hand, event by event: one whose every text wants to be more than text, and one that is long.
import type { AgentEvent } from '../../src/core/event.js'
import type { Message } from '../../src/core/message.js'
import { parseReply } from '../../src/dialect/read.js'

const PAYLOADS = [
  '</script><img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<!-- --><svg onload=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1)',
  '[click](javascript:alert(1)) ![](https://evil.example/x.png)',
  '" onmouseover="alert(1)',
  "'; alert(1); '",
  '\u202eright to left\u202c \u200bzero\u0000null \u2028 \u2029',
  '__proto__ constructor $& $1 </style></textarea></title>',
]
const ALL = PAYLOADS.join('\n')

const AT = { step: 1, attempt: 1 }

function start(task: string): AgentEvent {
  return {
    type: 'run_start',
    run: `run ${ALL}`,
    agent: ALL,
    task,
    model: ALL,
    dialect: 'react',
    tools: [{ name: '<b>tool</b>', description: ALL, parameters: { type: 'object', properties: {} } }],
    options: { [ALL]: ALL },
  }
}

function prompt(at: typeof AT, keep: number, add: readonly Message[]): AgentEvent {
  return { type: 'prompt', ...at, keep, add, opener: '', taskBreak: '', stop: [], textStop: [] }
}

function turn(at: typeof AT, text: string): readonly AgentEvent[] {
  return [
    { type: 'reply_start', ...at },
    { type: 'reply_end', ...at, reply: { text, finish: 'stop', reasoning: at.step === 1 ? ALL : '' }, ms: 12 },
    { type: 'parsed', ...at, parsed: parseReply(text) },
  ]
}

/** In every place a text may come from outside. */
export function hostileEvents(observation = ALL): readonly AgentEvent[] {
  const reply = `Thought: ${ALL}\nAction: <b>tool</b>\nAction Input: ${JSON.stringify({ '<i>key</i>': ALL, query: PAYLOADS[0] })}`
  const call = { id: '1', tool: '<b>tool</b>', input: { '<i>key</i>': ALL } }
  const failure = { code: 'threw', message: ALL } as const
  return [
    start(ALL),
    { type: 'notice', code: ALL, message: ALL },
    { type: 'step_start', step: 1, situation: ALL },
    prompt(AT, 0, [
      { role: 'system', text: ALL },
      { role: 'user', text: ALL, task: true },
    ]),
    { type: 'reply_error', ...AT, error: { code: ALL, message: ALL, hint: ALL } },
    ...turn(AT, reply),
    { type: 'approval', ...AT, call, verdict: 'changed', reason: ALL },
    { type: 'call_start', ...AT, call },
    { type: 'call_end', ...AT, call, observation: { tool: '<b>tool</b>', text: observation, failure, truncated: 3, ms: 1 } },
    { type: 'nudge', ...AT, text: ALL },
    { type: 'step_end', step: 1 },
    { type: 'step_start', step: 2 },
    ...turn({ step: 2, attempt: 1 }, `Thought: ${ALL}\nFinal Answer: ${ALL}`),
    {
      type: 'run_end',
      result: { task: ALL, answer: ALL, stop: 'error', message: ALL, usage: { promptTokens: 1, completionTokens: 1 }, ms: 40 },
      error: { code: 'MODEL_AUTH', message: ALL, hint: ALL },
    },
  ]
}

/** So many steps with a call each, and an answer. */
export function longEvents(steps: number): readonly AgentEvent[] {
  const events: AgentEvent[] = [start('Count.')]
  let length = 0
  const say = (at: typeof AT, messages: readonly Message[]) => {
    events.push(prompt(at, length, messages))
    length += messages.length
  }
  for (let step = 1; step <= steps; step++) {
    const at = { step, attempt: 1 }
    const text = `Thought: I need fact number ${step}.\nAction: search\nAction Input: {'query': "fact ${step}",}`
    const call = { id: '1', tool: 'search', input: { query: `fact ${step}` } }
    const found = `Fact ${step} is that ${step} and ${step} make ${2 * step}. `.repeat(6)
    say(
      at,
      step === 1
        ? [
            { role: 'system', text: 'You count.' },
            { role: 'user', text: 'Count.', task: true },
          ]
        : [
            { role: 'assistant', text: `Thought: I need fact number ${step - 1}.` },
            { role: 'user', text: `Observation: ${step - 1}` },
          ],
    )
    events.push(
      ...turn(at, text),
      { type: 'call_start', ...at, call },
      { type: 'call_end', ...at, call, observation: { tool: 'search', text: found, truncated: 0, ms: 2 } },
      { type: 'step_end', step },
    )
  }
  events.push(...turn({ step: steps + 1, attempt: 1 }, 'Final Answer: done'), {
    type: 'run_end',
    result: {
      task: 'Count.',
      answer: 'done',
      stop: 'final_answer',
      message: 'done',
      usage: { promptTokens: 0, completionTokens: 0 },
      ms: 9,
    },
  })
  return events
}
