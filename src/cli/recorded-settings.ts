// Settings, and the events of a record → the settings that go on with its last run.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent, RunStart } from '../core/event.js'
import { builtinsAmong } from './builtins-among.js'
import { scenes } from './scenes/index.js'
import type { Settings } from './settings.js'

/** What the record says stands behind the flags, and before the environment and the config file. Rejects with `CONFIG` for a record of no run. */
export async function recordedSettings(events: readonly AgentEvent[], settings: Settings): Promise<Settings> {
  const start = events.findLast(event => event.type === 'run_start')
  if (!start)
    throw new SaydoError('CONFIG', 'the record holds no run: nothing was written before it was cut short', {
      hint: 'saydo runs lists what is recorded',
    })
  const { options, flags } = settings
  const isNamed = options.tool !== undefined || options.tools !== undefined
  const builtins = isNamed ? [] : await builtinsAmong(start.tools)
  const tools = builtins.length > 0 ? { tool: builtins } : {}
  return {
    ...settings,
    options: { ...options, ...recordedOptions(start), ...tools, ...flags },
    model: typeof flags.model === 'string' ? flags.model : start.model,
  }
}

function recordedOptions({ agent, dialect, options }: RunStart): Settings['options'] {
  const { maxSteps, deadlineMs, maxRunTokens, toolChoice, language, labels, strict, template } = options
  const known = {
    ...(scenes.some(({ name }) => name === agent) ? { agent } : {}),
    dialect,
    maxSteps,
    maxRunTokens,
    toolChoice,
    lang: language,
    labels,
    strict,
    prompt: template,
  }
  const seconds = typeof deadlineMs === 'number' ? { deadline: deadlineMs / 1000 } : {}
  return { ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)), ...seconds }
}
