// Ready-made worlds to try agents on: made up from end to end, so that no model can know an answer without using the tools.
import type { Tool } from '../../core/tool.js'
import { World } from './world.js'
import { lookupTool, searchTool } from './world-tools.js'

export { WORLD_TASKS, type WorldTask } from './tasks.js'

/** `search` and `lookup` over the pages of Brightwater, with a place of their own: make new ones for each run. */
export function createWorldTools(): readonly Tool[] {
  const world = new World()
  return [searchTool(world), lookupTool(world)]
}
