// A small run with a tool that only pretends: does this model write the format, and does an answer come of it.

import { counted } from '../../core/counted.js'
import type { ParsedReply } from '../../core/reply.js'
import type { Tool } from '../../core/tool.js'
import type { Example } from '../../prompt/index.js'
import type { Exam } from './exam.js'
import type { Finding } from './finding.js'

const TASK = 'How many lanterns are in the storehouse?'
const COUNT = '4163'
const REPLY_TOKENS = 200

/** Nobody can know the number without the tool. */
const countItems: Tool = {
  name: 'count_items',
  description: 'Says how many of one item lie in the storehouse.',
  parameters: { type: 'object', properties: { item: { type: 'string', description: 'what to count' } }, required: ['item'] },
  effect: 'none',
  run: () => `There are ${COUNT}.`,
}

/** Runs of one's own have examples too. */
const EXAMPLE: Example = {
  name: 'storehouse',
  task: 'How many ropes are in the storehouse?',
  steps: [
    {
      thought: 'I need to have the ropes counted.',
      calls: [{ tool: 'count_items', input: { item: 'ropes' } }],
      observations: ['There are 52.'],
    },
    { thought: 'Now I know the number.', answer: 'There are 52 ropes in the storehouse.' },
  ],
}

export interface Trial {
  readonly dialect?: string
  readonly language?: string
}

export async function trialRun(exam: Exam, { dialect, language }: Trial): Promise<Finding> {
  const name = 'a run'
  const [{ ToolCallAgent }, { openaiModel }, { dialectByName }] = await Promise.all([
    import('../../agent/tool-call-agent.js'),
    import('../../model/openai.js'),
    import('../../dialect/index.js'),
  ])
  const [first] = await exam.working()
  if (first === undefined) return { name, state: 'unseen', seen: 'nothing answers' }
  const maxTokens = exam.options.maxTokens ?? REPLY_TOKENS
  const agent = new ToolCallAgent({
    model: openaiModel({ temperature: 0, ...exam.options, model: await exam.model(), api: first.api, maxTokens, maxRetries: 1 }),
    tools: [countItems],
    examples: [EXAMPLE],
    maxSteps: 3,
    maxFormatErrors: 2,
    ...(dialect ? { dialect: dialectByName(dialect) } : {}),
    ...(language ? { language } : {}),
  })
  const replies: ParsedReply[] = []
  let wrote = ''
  const started = performance.now()
  const result = await agent.run(TASK, {
    signal: exam.signal,
    onEvent: event => {
      if (event.type === 'parsed') replies.push(event.parsed)
      if (event.type === 'reply_end') wrote = event.reply.text
    },
  })
  if (exam.signal.aborted) throw exam.signal.reason
  const ms = performance.now() - started
  const called = replies.some(({ decision }) => decision.kind === 'act')
  const right = result.answer?.replaceAll(/[\s,.’']/g, '').includes(COUNT) === true
  const unclear = replies.filter(({ decision }) => decision.kind === 'unclear')
  const codes = [...new Set(replies.flatMap(({ problems }) => problems.map(({ code }) => code)))]
  const story = `${counted(replies.length, 'reply', 'replies')}, ${unclear.length} of them unreadable; ${codes.length === 0 ? 'no remarks' : `remarks: ${codes.join(', ')}`}`
  if (result.stop === 'final_answer' && called && right)
    return unclear.length === 0
      ? { name, state: 'fine', seen: `called the tool and answered from it: ${story}`, ms }
      : { name, state: 'off', seen: `called the tool and answered from it, but needed corrections: ${story}`, fix: ADVICE, ms }
  const end =
    result.stop === 'final_answer' ? `answered ${JSON.stringify(clip(result.answer ?? ''))}` : `no answer (${result.stop})`
  const what = called ? `called the tool, but ${right ? '' : 'did not answer from it: '}${end}` : `never called the tool: ${end}`
  return { name, state: 'off', seen: `${what}; ${story}; its last reply: ${JSON.stringify(clip(wrote))}`, fix: ADVICE, ms }
}

const ADVICE =
  'Another dialect may suit this model better (--dialect json, xml, …), or a larger model; saydo explain CODE says what a code means.'

function clip(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

const SHOWN = 120
