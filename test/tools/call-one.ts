// One call of one tool → its observation, in the way a batch makes it.
import type { JsonObject } from '../../src/core/json.js'
import type { Observation, Tool } from '../../src/core/tool.js'
import { type BatchOptions, callTools } from '../../src/tools/batch.js'
import { ToolRegistry } from '../../src/tools/registry.js'
import { say } from './say.js'

export async function callOne(tool: Tool, input: object = {}, options: Partial<BatchOptions> = {}): Promise<Observation> {
  return callNamed(tool.name, input, { registry: new ToolRegistry([tool]), ...options })
}

export async function callNamed(
  name: string,
  input: object,
  options: Partial<BatchOptions> & Pick<BatchOptions, 'registry'>,
): Promise<Observation> {
  const call = { id: '1', tool: name, input: input as JsonObject }
  const { observations } = await callTools([call], { say, step: 1, now: () => 0, ...options })
  const [observation, ...more] = observations
  if (observation === undefined || more.length > 0) throw new Error(`${observations.length} observations for one call`)
  return observation
}
