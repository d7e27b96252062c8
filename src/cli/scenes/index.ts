// The table of agents with a scene of their own: adding one is a file here and a line below. Their options, and which of them was asked for.
import { SaydoError } from '../../core/errors.js'
import type { RunStart } from '../../core/event.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/json.js'
import type { Secrets } from '../../transcript/secrets.js'
import type { Io, OptionSpec } from '../command.js'
import { keyOf, type Settings } from '../settings.js'
import { browser } from './browser.js'
import { mcp } from './mcp.js'
import { sandbox } from './sandbox.js'
import type { Scene } from './scene.js'
import { swe } from './swe.js'

export const scenes: readonly Scene[] = [mcp, browser, sandbox, swe]

export const SCENE_OPTIONS: readonly OptionSpec[] = [
  {
    flags: '--agent <name>',
    description: `an agent with tools of its own: ${scenes.map(({ name, summary }) => `${name} (${summary})`).join(', ')}`,
    choices: scenes.map(({ name }) => name),
  },
  ...[...new Set(scenes.flatMap(({ options }) => options))].map(option => ({
    ...option,
    group: `Options of --agent ${namesOf(option).join(' and ')}:`,
  })),
]

/** The scene of the settings; undefined for an agent without one. Throws `CONFIG` for a flag of a scene that was not asked for. */
export function sceneOf({ options, flags }: Pick<Settings, 'options' | 'flags'>): Scene | undefined {
  const scene = scenes.find(({ name }) => name === options.agent)
  const strange = scenes
    .flatMap(each => each.options)
    .find(option => flags[keyOf(option)] !== undefined && !scene?.options.includes(option))
  if (strange === undefined) return scene
  const [flag = ''] = strange.flags.split(' ')
  const [first = ''] = namesOf(strange)
  throw new SaydoError('CONFIG', `${flag} is an option of --agent ${namesOf(strange).join(' and ')}`, {
    hint: scene ? `leave it out, or --agent ${scene.name}` : `add --agent ${first}`,
  })
}

/** How the scene of the settings was set, as a record says it, so that a run that is cut short goes on in the same one. */
export function sceneGiven({ options }: Pick<Settings, 'options'>, cwd: string): JsonObject {
  const scene = scenes.find(({ name }) => name === options.agent)
  return returning(scene?.options ?? [], options, cwd)
}

/** What of that comes back. */
export function sceneReturned({ agent, options: { given } }: RunStart, cwd: string): JsonObject {
  const scene = scenes.find(({ name }) => name === agent)
  return scene ? { agent, ...returning(scene.options, isObject(given) ? given : {}, cwd) } : {}
}

function returning(known: readonly OptionSpec[], values: Settings['options'], cwd: string): JsonObject {
  const kept = known.filter(option => values[keyOf(option)] !== undefined && option.returns?.(values[keyOf(option)], cwd))
  return Object.fromEntries(kept.map(option => [keyOf(option), values[keyOf(option)] as JsonValue]))
}

/** What the files of scenes call secret. */
export async function secretsOfScenes(options: Settings['options'], io: Io): Promise<Secrets> {
  const found = await Promise.all(scenes.map(scene => scene.secrets?.(options, io)))
  return Object.assign({}, ...found)
}

function namesOf(option: OptionSpec): readonly string[] {
  return scenes.filter(({ options }) => options.includes(option)).map(({ name }) => name)
}
