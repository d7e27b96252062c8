// Runs of real agents with scripted models, of every kind a record may hold: their events, and the result or the error they ended with.
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { ToolCallAgentOptions } from '../../src/agent/tool-call-options.js'
import { SaydoError } from '../../src/core/errors.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { RunResult } from '../../src/core/step.js'
import type { Tool } from '../../src/core/tool.js'
import { type ScriptedReply, scriptedModel } from '../../src/model/scripted.js'
import { tool } from '../../src/tools/define.js'

export interface PlayedRun {
  readonly events: readonly AgentEvent[]
  /** Unset when the run rejected. */
  readonly result?: RunResult
  /** What it rejected with. */
  readonly fault?: SaydoError
}

export interface RunScript {
  readonly replies: readonly (string | ScriptedReply)[]
  readonly options?: Partial<ToolCallAgentOptions>
  /** Aborts the run when the model writes this. */
  readonly abortAt?: AgentEvent['type']
}

const CALL = 'Thought: I need the capital.\nAction: capital\nAction Input: {"country": "Veltria"}'
const MORN = 'Action: capital\nAction Input: {"country": "Morn"}'
const ANSWER = 'Thought: I know it now.\nFinal Answer: Ostrava Bay'
const broken = new SaydoError('MODEL_BROKEN_STREAM', 'the stream ended', { retryable: true })

export const RUN_SCRIPTS: Readonly<Record<string, RunScript>> = {
  'a call and an answer': { replies: [CALL, ANSWER] },
  'an answer at once': { replies: ['Hello! How can I help?'] },
  'odd replies': {
    replies: [
      'Thought: I should look.',
      'Action: capitol\nAction Input: {}',
      'action: capital\naction input: {town: 1}',
      CALL,
      ANSWER,
    ],
  },
  'two calls side by side': { replies: [`${CALL}\n${MORN}`, ANSWER], options: { parallel: true } },
  'a reply that breaks off': { replies: [{ text: 'Thought: I', error: broken }, CALL, ANSWER] },
  'an endpoint that fails': {
    replies: [CALL, { text: '', error: new SaydoError('MODEL_AUTH', 'no such key', { hint: 'set it' }) }],
  },
  'a limit': { replies: [CALL, MORN, 'Final Answer: perhaps Tarn'], options: { maxSteps: 2 } },
  'a limit without an answer': { replies: [CALL, CALL, CALL], options: { maxSteps: 2 } },
  circles: { replies: [CALL, CALL, CALL, CALL, CALL, CALL, CALL, CALL, CALL, ANSWER] },
  'no decision at all': { replies: ['Thought: hm.', 'Thought: hm, hm.', 'Thought: hm, hm, hm.', 'Thought: no.'] },
  'an abort before a call': { replies: [CALL, ANSWER], abortAt: 'parsed' },
  'an abort in a reply': { replies: [CALL, ANSWER], abortAt: 'delta' },
  'reasoning and counts': {
    replies: [
      { text: CALL, reasoning: 'Let me see.', usage: { promptTokens: 9, completionTokens: 4 } },
      { text: ANSWER, usage: { promptTokens: 12, completionTokens: 3 } },
    ],
  },
  'a call that is denied': { replies: [CALL, ANSWER], options: { confirm: () => 'not now' } },
  'a call that is changed': { replies: [CALL, ANSWER], options: { confirm: () => ({ input: { country: 'Morn' } }) } },
  'a call that is answered for': { replies: [CALL, ANSWER], options: { confirm: () => ({ observation: 'It is Tarn.' }) } },
  'a call at which somebody says stop': {
    replies: [`${CALL}\n${MORN}`, ANSWER],
    options: { confirm: () => ({ stop: 'enough' }) },
  },
  'a tool that throws': { replies: ['Action: capital\nAction Input: {"country": "Nowhere"}', ANSWER] },
}

const CAPITALS: Readonly<Record<string, string>> = { Veltria: 'Ostrava Bay', Morn: 'Tarn' }

/** The tool that the scripts call. */
export function capitalTool(onCall: (country: string, callId: string) => void = () => {}): Tool {
  return tool({
    name: 'capital',
    description: 'Capital of a country.',
    input: { type: 'object', properties: { country: { type: 'string' } }, required: ['country'], additionalProperties: false },
    run: ({ country }, { callId }) => {
      onCall(String(country), callId)
      if (country === 'Nowhere') throw new Error('there is no such country')
      return CAPITALS[String(country)] ?? `the city of ${country}`
    },
  })
}

/** Plays a script; `onEvent` hears each event after it was noted, as a recorder would. */
export async function playRun(
  { replies, options, abortAt }: RunScript,
  {
    onEvent,
    tools = [{ ...capitalTool(), ...(options?.confirm ? { confirm: true as const } : {}) }],
  }: { readonly onEvent?: (event: AgentEvent) => void; readonly tools?: readonly Tool[] } = {},
): Promise<PlayedRun> {
  const agent = new ToolCallAgent({ model: scriptedModel(replies, { chunk: 7 }), tools, ...options })
  const events: AgentEvent[] = []
  const abort = new AbortController()
  try {
    const result = await agent.run('What is the capital of Veltria?', {
      signal: abort.signal,
      runId: 'run-1',
      onEvent: event => {
        events.push(event)
        onEvent?.(event)
        if (event.type === abortAt) abort.abort()
      },
    })
    return { events, result }
  } catch (error) {
    if (!(error instanceof SaydoError)) throw error
    return { events, fault: error }
  }
}
