// Runs of real small models, as they were recorded: their replies once more, to tools that give the recorded results, must come to the same.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { AgentEvent } from '../../src/core/event.js'
import { scriptedModel } from '../../src/model/scripted.js'
import type { Fixture, FixtureCall, FixtureReply } from '../../src/transcript/fixture.js'
import { readFixture } from '../../src/transcript/fixture-file.js'
import { fixtureOf } from '../../src/transcript/to-fixture.js'
import { transcriptOf } from '../../src/transcript/transcript.js'

const RUNS = join(import.meta.dirname, '..', '..', 'fixtures', 'runs')

describe('a run of a real model', () => {
  test.each(readdirSync(RUNS))('%s comes to the same from the same replies', async file => {
    const recorded = await readFixture(readFileSync(join(RUNS, file), 'utf8'), file)
    expect(essence(await replay(recorded))).toEqual(essence(recorded))
  })
})

/** The tools give what was recorded, in its order; what was not called then has nothing to give. */
async function replay(recorded: Fixture): Promise<Fixture> {
  const { name, tools = [], options, turns } = recorded
  const replies = turns.flatMap(({ steps }) => steps.flatMap(({ failed = [], ...step }) => [...failed, step]))
  const results = replies.flatMap(callsOf).filter(({ result }) => result !== undefined)
  const model = scriptedModel(replies.map(({ model = '', finish = 'stop' }) => ({ text: model, finish })))
  const agent = new ToolCallAgent({
    model,
    maxSteps: Number(options?.maxSteps),
    tools: tools.map(spec => ({ ...spec, run: () => results.shift()?.result })),
  })
  const events: AgentEvent[] = []
  for (const { user } of turns) for await (const event of agent.stream(user)) events.push(event)
  expect([results, model.left]).toEqual([[], 0])
  return fixtureOf(transcriptOf(events), name)
}

function callsOf({ tool }: FixtureReply): readonly FixtureCall[] {
  if (tool === undefined) return []
  return Array.isArray(tool) ? tool : [tool as FixtureCall]
}

/** All but what depends on the model's name, on the wording of the prompt and on time. */
function essence({ model: _, request: __, turns, ...rest }: Fixture): object {
  return { ...rest, turns: JSON.parse(JSON.stringify(turns, (key, value) => (key === 'meta' ? undefined : value))) }
}
