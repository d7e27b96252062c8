// Names of built-in tools → the tools. A new one is a file beside this and a line in the table.
import { SaydoError } from '../core/errors.js'
import { nearNames } from '../core/near-names.js'
import type { Tool } from '../core/tool.js'
import { type AskPerson, askHumanTool } from './ask-human.js'
import { calculatorTool } from './calculator.js'
import { clockTool } from './clock.js'
import { terminateTool } from './terminate.js'
import { World } from './worlds/world.js'
import { lookupTool, searchTool } from './worlds/world-tools.js'

export interface BuiltinOptions {
  /** How `ask_human` reaches a person; default: nobody is there. */
  readonly ask?: AskPerson | undefined
}

/** What the tools of one set have in common: `lookup` reads on in the page that `search` found. */
interface Shared {
  readonly world: World
  readonly ask: AskPerson
}

export interface BuiltinTool {
  /** What it is for, in a few words for people. */
  readonly summary: string
  create(shared: Shared): Tool
}

export const builtinTools: ReadonlyMap<string, BuiltinTool> = new Map<string, BuiltinTool>([
  ['calculator', { summary: 'arithmetic, without eval', create: () => calculatorTool() }],
  ['clock', { summary: 'the current date and time', create: () => clockTool() }],
  ['terminate', { summary: 'ends the task, as done or as given up', create: () => terminateTool() }],
  ['ask_human', { summary: 'asks the person at the terminal', create: ({ ask }) => askHumanTool({ ask }) }],
  [
    'search',
    { summary: 'finds a page of Brightwater, a made-up encyclopedia to try agents on', create: ({ world }) => searchTool(world) },
  ],
  ['lookup', { summary: 'finds a word in the page that search found last', create: ({ world }) => lookupTool(world) }],
])

export const builtinNames: readonly string[] = [...builtinTools.keys()]

/**
 * Makes built-in tools, fresh at each call: `search` and `lookup` of one call share a world and its current page.
 *
 * @throws SaydoError `CONFIG` for a name that is none of `builtinNames`
 */
export function createBuiltins(names: readonly string[], { ask = () => undefined }: BuiltinOptions = {}): Tool[] {
  const shared: Shared = { world: new World(), ask }
  return names.map(name => {
    const builtin = builtinTools.get(name)
    if (builtin === undefined) throw unknownBuiltin(name)
    return builtin.create(shared)
  })
}

function unknownBuiltin(name: string): SaydoError {
  const [near] = nearNames(name, builtinNames)
  return new SaydoError('CONFIG', `There is no built-in tool ${JSON.stringify(name)}.`, {
    hint:
      near === undefined
        ? `There are ${builtinNames.join(', ')}.`
        : `Perhaps ${near} was meant; there are ${builtinNames.join(', ')}.`,
  })
}
