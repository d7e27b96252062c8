// `saydo resume ID|FILE`: a recorded run that was cut short goes on, into the same record. What is on record is neither asked nor called again.
import { SaydoError } from '../../core/errors.js'
import type { AgentEvent } from '../../core/event.js'
import type { ToolSpec } from '../../core/tool.js'
import { AGENT_OPTIONS } from '../agent-options.js'
import type { Command, Invocation } from '../command.js'
import { continued } from '../record.js'
import { recordPath } from '../run-files.js'
import { scenes } from '../scenes/index.js'
import { readSettings, type Settings } from '../settings.js'
import { OUTPUT_OPTIONS, perform, requireOneOutput } from './run.js'

export const resume: Command = {
  name: 'resume',
  summary: 'go on with a recorded run that was cut short, aborted or failed, where its record ends',
  positional: '<run>',
  options: [...AGENT_OPTIONS, ...OUTPUT_OPTIONS],
  examples: ['saydo resume m5x --url http://localhost:8080', 'saydo resume m5x --url http://localhost:8080 --tools my-tools.mjs'],
  async run(invocation) {
    const { args, io } = invocation
    const [name = ''] = args
    const given = await readSettings(invocation, [...resume.options, { flags: '--no-record', description: '' }])
    requireOneOutput(given)
    return continued(recordPath(name, io.cwd), given, io, async (events, record) => {
      const start = events.find(event => event.type === 'run_start')
      if (!start) throw new SaydoError('CONFIG', `${name} holds no run: nothing was recorded before it was cut short`)
      const settings = await settingsFrom(start, given, invocation)
      return perform(settings, io, { how: { resume: events }, record })
    })
  },
}

type Start = Extract<AgentEvent, { type: 'run_start' }>

/** What the record says stands behind the flags, and before the environment and the config file. */
async function settingsFrom(start: Start, settings: Settings, { options: flags }: Invocation): Promise<Settings> {
  const { options } = settings
  const tools = options.tool === undefined && options.tools === undefined ? await builtinsOf(start.tools) : {}
  return {
    ...settings,
    options: { ...options, ...recordedOptions(start), ...tools, ...flags },
    model: typeof flags.model === 'string' ? flags.model : start.model,
  }
}

function recordedOptions({ agent, dialect, options }: Start): Settings['options'] {
  const { maxSteps, deadlineMs, maxRunTokens, toolChoice, language, labels, strict } = options
  const known = {
    ...(scenes.some(({ name }) => name === agent) ? { agent } : {}),
    dialect,
    maxSteps,
    maxRunTokens,
    toolChoice,
    lang: language,
    labels,
    strict,
  }
  const seconds = typeof deadlineMs === 'number' ? { deadline: deadlineMs / 1000 } : {}
  return { ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)), ...seconds }
}

/** The built-in ones among the tools that the run had. */
async function builtinsOf(tools: readonly ToolSpec[]): Promise<Settings['options']> {
  const [{ builtinNames, createBuiltins }, { specOf }] = await Promise.all([
    import('../../toolsets/index.js'),
    import('../../tools/registry.js'),
  ])
  const same = (spec: ToolSpec): boolean => {
    const [own] = builtinNames.includes(spec.name) ? createBuiltins([spec.name]) : []
    return own !== undefined && JSON.stringify(specOf(own)) === JSON.stringify(spec)
  }
  const found = tools.filter(same).map(({ name }) => name)
  return found.length > 0 ? { tool: found } : {}
}
