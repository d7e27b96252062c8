// A reply that gave no decision → what a model is told about it in a run, word for word.
import type { ModelReply } from '../core/model.js'
import type { ProblemCode } from '../core/reply.js'
import type { ToolSpec } from '../core/tool.js'

export interface ToldOptions {
  readonly tools: readonly ToolSpec[]
  readonly strict?: readonly ProblemCode[]
  readonly language?: string
}

/** Runs an agent whose model writes the reply and then an answer. Undefined when nothing had to be told. No tool does anything. */
export async function whatModelIsTold(
  reply: Pick<ModelReply, 'text'> & Partial<Pick<ModelReply, 'finish'>>,
  { tools, strict, language }: ToldOptions,
): Promise<string | undefined> {
  const [{ ToolCallAgent }, { scriptedModel }] = await Promise.all([
    import('../agent/tool-call-agent.js'),
    import('../model/scripted.js'),
  ])
  const agent = new ToolCallAgent({
    model: scriptedModel([reply, 'Final Answer: enough']),
    tools: tools.map(spec => ({ ...spec, run: () => '' })),
    examples: [],
    ...(strict ? { strict } : {}),
    ...(language ? { language } : {}),
  })
  const { steps } = await agent.run('Try it.')
  const [step] = steps
  return step?.nudge ?? step?.observations.find(({ failure }) => failure)?.text
}
