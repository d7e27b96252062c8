// What the command line was given that no agent knows → a record that says it; and the settings that go on with the last run of such a record.
import { SaydoError } from '../core/errors.js'
import type { AgentEvent, RunStart } from '../core/event.js'
import { builtinsAmong } from './builtins-among.js'
import { sceneGiven, sceneReturned } from './scenes/index.js'
import type { Settings } from './settings.js'

/** What the record says stands behind the flags, and before the environment and the config file. Rejects with `CONFIG` for a record of no run. */
export async function recordedSettings(events: readonly AgentEvent[], settings: Settings, cwd: string): Promise<Settings> {
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
    options: { ...options, ...recordedOptions(start), ...sceneReturned(start, cwd), ...tools, ...flags },
    model: typeof flags.model === 'string' ? flags.model : start.model,
  }
}

/** The event as a record holds it: the start of a run says how its scene was set. */
export function withScene(event: AgentEvent, settings: Pick<Settings, 'options'>, cwd: string): AgentEvent {
  if (event.type !== 'run_start') return event
  const given = sceneGiven(settings, cwd)
  return Object.keys(given).length === 0 ? event : { ...event, options: { ...event.options, given } }
}

function recordedOptions({ dialect, options }: RunStart): Settings['options'] {
  const { maxSteps, deadlineMs, maxRunTokens, toolChoice, language, labels, strict, vision, template } = options
  const known = {
    dialect,
    maxSteps,
    maxRunTokens,
    toolChoice,
    lang: language,
    labels,
    strict,
    vision,
    prompt: template,
  }
  const seconds = typeof deadlineMs === 'number' ? { deadline: deadlineMs / 1000 } : {}
  return { ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)), ...seconds }
}
