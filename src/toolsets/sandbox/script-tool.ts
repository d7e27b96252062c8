// The tool `run_js`: JavaScript for calculations on data, in an engine that reaches nothing.
import type { Tool } from '../../core/tool.js'
import { tool } from '../../tools/define.js'
import { runScript, type ScriptLimits } from './quickjs.js'

export function scriptTool(limits: ScriptLimits = {}): Tool {
  return tool({
    name: 'run_js',
    description:
      'Runs JavaScript for calculations on data. It has no files, network, modules or timers; each run begins anew. Print with console.log; the last expression is the result.',
    returns: 'What was printed, and the result as JSON.',
    effect: 'none',
    input: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'], additionalProperties: false },
    async run({ code }: { readonly code: string }) {
      const { printed, value, error } = await runScript(code, limits)
      if (error !== undefined) throw new Error(printed === '' ? error : `${error}; it printed before:\n${printed}`)
      if (value === undefined) return printed === '' ? 'It has no result.' : printed
      return printed === '' ? value : `${printed}Result: ${value}`
    },
  })
}
