// A run prepared for people, held against runs of every kind.
import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/core/message.js'
import { transcriptOf } from '../../src/transcript/transcript.js'
import { changed } from '../../src/viewer/prompt-change.js'
import { type Trace, traceOf } from '../../src/viewer/trace.js'
import { playRun, RUN_SCRIPTS } from '../support/recorded-runs.js'

async function traceRun(name: string): Promise<Trace> {
  return traceOf(transcriptOf((await playRun(RUN_SCRIPTS[name] ?? { replies: [] })).events))
}

describe('a trace', () => {
  test.each(Object.keys(RUN_SCRIPTS))('accounts for every character and every prompt of %s', async name => {
    const { events } = await playRun(RUN_SCRIPTS[name] ?? { replies: [] })
    const transcript = transcriptOf(events)
    const { turns } = await traceOf(transcript)
    let prompt: readonly Message[] = []
    for (const { parts, reply, parsed, prompt: traced, step, attempt } of turns) {
      if (reply && parsed) expect((parts ?? []).map(({ start, end }) => reply.text.slice(start, end)).join('')).toBe(reply.text)
      if (!traced) continue
      prompt = changed(prompt, traced.changes)
      const sent = transcript.prompts.findLast(each => each.step === step && each.attempt === attempt)
      expect(prompt).toEqual(sent?.messages)
    }
  })

  test('says how much each section of a prompt weighs', async () => {
    const { turns } = await traceRun('a call and an answer')
    expect(turns[1]?.prompt?.tokens.map(([section]) => section)).toEqual(['system', 'tools', 'format', 'task', 'scratchpad'])
  })

  test('says where a run went in circles, why, and what was done', async () => {
    const { turns } = await traceRun('circles')
    const circles = turns.flatMap(({ circle }) => circle ?? [])
    expect(circles[0]).toEqual({ same: 'calls and results', as: [0, 1], done: 'told' })
    expect(circles.map(({ done }) => done)).toContain('not made')
    expect(circles.at(-1)?.done).toBe('ended')
  })

  test('finds no circle where a reply is corrected', async () => {
    expect((await traceRun('odd replies')).turns.filter(({ circle }) => circle)).toEqual([])
  })

  test('of a run of an unknown dialect still weighs the prompts', async () => {
    const { events } = await playRun(RUN_SCRIPTS['a call and an answer'] ?? { replies: [] })
    const { turns } = await traceOf({ ...transcriptOf(events), dialect: 'klingon' })
    expect(turns[0]?.prompt?.tokens.map(([section]) => section)).toEqual(['system', 'task'])
  })

  test.each([
    ['call_start', 'capital was called, and the outcome is unknown'],
    ['reply_end', 'a reply had come and was not read yet'],
    ['reply_start', 'the model was asked and had not answered'],
    ['prompt', 'the step was under way'],
  ])('that breaks off behind %s says what was under way', async (type, pending) => {
    const { events } = await playRun(RUN_SCRIPTS['a call and an answer'] ?? { replies: [] })
    const at = events.findIndex(event => event.type === type)
    expect(await traceOf(transcriptOf(events.slice(0, at + 1)))).toMatchObject({ pending })
  })
})
