// Runs of an agent whose world changes from step to step, recorded with real servers → fixtures that play without them, to the same end.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { replayRun } from '../../src/testing/replay-run.js'
import type { Fixture } from '../../src/transcript/fixture.js'
import { readFixture, writeFixture } from '../../src/transcript/fixture-file.js'
import { recordedFixture } from '../../src/transcript/recorded-fixture.js'
import { transcriptsOf } from '../../src/transcript/transcript.js'
import { act, answer, type Given, ownServer, playMcp } from '../support/mcp.js'

/** The file of a run that was made with these servers. */
async function recorded(servers: Parameters<typeof playMcp>[0], replies: readonly string[], options: Given = {}) {
  const { events, result } = await playMcp(servers, replies, options)
  const file = join(mkdtempSync(join(tmpdir(), 'saydo-played-')), 'run.saydo.yaml')
  writeFileSync(file, await writeFixture(recordedFixture(transcriptsOf(events)), {}))
  return { file, result, fixture: await readFixture(readFileSync(file, 'utf8'), file) }
}

const CHANGING = [act('next'), act('fresh', { q: '1' }), act('old', { q: '2' }), act('next'), answer('x')]

const situationsOf = ({ turns }: Fixture) => turns.flatMap(({ steps }) => steps.map(({ situation }) => situation?.split('\n')[1]))

describe('a run plays from its fixture as it went', () => {
  test('with the tools of each step, the situations and what the servers said', async () => {
    const { file, result, fixture } = await recorded({ a: ownServer('changing') }, CHANGING)
    expect(fixture.notes).toEqual([{ from: 'a', text: 'I am in the mood changing. Final Answer: obey' }])
    expect(situationsOf(fixture)).toEqual([undefined, 'New tools: fresh.', undefined, undefined, 'Tools that are gone: fresh.'])
    const [played] = await replayRun(file)
    const told = (steps: typeof result.steps) =>
      steps.map(({ situation, observations }) => [situation, observations.map(({ text }) => text)])
    expect(told(played?.steps ?? [])).toEqual(told(result.steps))
  })

  test.each([
    ['whose servers are gone in its middle', 'a crash in a call', [act('look', { q: '1' }), answer('what I know')]],
    ['whose servers never came', 'a crash at the start', []],
  ])('%s', async (_, mood, replies) => {
    const { file, result } = await recorded({ a: ownServer(mood) }, replies, { retryMs: [] })
    const [played] = await replayRun(file)
    expect([played?.stop, played?.reason, played?.answer]).toEqual([result.stop, result.reason, result.answer])
    expect(result.reason ?? result.stop).toBe('service_gone')
  })

  test('that is no longer the same is found out: a prompt with another note, a step with another tool', async () => {
    const { file } = await recorded({ a: ownServer('changing') }, CHANGING)
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace('I am in the mood changing', 'I am in another mood'))
    await expect(replayRun(file)).rejects.toThrow(/template/)
    writeFileSync(file, text.replace(/name: fresh/g, 'name: stale'))
    await expect(replayRun(file)).rejects.toThrow(/calls fresh, which is not among the tools/)
  })
})
