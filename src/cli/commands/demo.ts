// `saydo demo`: the whole circle without a model. A scripted, sloppy model works on a small made-up world; raw text stands beside what was read.
import { secretsIn } from '../../transcript/secrets.js'
import { colourOptions } from '../colour-options.js'
import type { Command } from '../command.js'
import { paintFor } from '../paint.js'
import { RECORD_OPTIONS, recorded } from '../record.js'
import { RunView } from '../view.js'
import { verdictOf } from './run.js'

export const demo: Command = {
  name: 'demo',
  summary: 'watch a bundled run with a sloppy scripted model: no model, no key, no network',
  options: [{ flags: '-v, --verbose', description: 'show whole observations' }, ...RECORD_OPTIONS, ...colourOptions('stderr')],
  examples: ['saydo demo'],
  async run({ options, io }) {
    const [{ ToolCallAgent }, { scriptedModel }, { createWorldTools }, { demoScript }] = await Promise.all([
      import('../../agent/tool-call-agent.js'),
      import('../../model/scripted.js'),
      import('../../toolsets/worlds/index.js'),
      import('../../toolsets/worlds/demo-script.js'),
    ])
    const paint = paintFor(io.stderr, io.env, { color: options.color, stderr: true })
    const view = new RunView(io.stderr, { paint, verbose: options.verbose === true, raw: true })
    const agent = new ToolCallAgent({
      model: scriptedModel(demoScript.replies, { name: 'a sloppy scripted model', chunk: 12 }),
      tools: createWorldTools(),
    })
    io.stderr.write(`${paint.bold('Task:')} ${demoScript.task}\n`)
    io.stderr.write(paint.dim('│ marks the raw reply, ^ the place of a repair; then comes what was done.\n'))
    const result = await recorded({ options, secrets: secretsIn(io.env) }, io, ({ runId, onEvent }) =>
      agent.run(demoScript.task, {
        signal: io.signal,
        runId,
        onEvent(event) {
          onEvent(event)
          view.show(event)
        },
      }),
    )
    if (result.answer !== undefined) io.stdout.write(`${result.answer}\n`)
    const { code, line } = verdictOf(result, false)
    return {
      code,
      line: `${line}. Next, with a model of yours: npx saydo "What is 17 * 23?" --url http://localhost:8080 --tool calculator`,
    }
  },
}
