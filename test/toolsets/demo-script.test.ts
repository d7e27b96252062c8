// The bundled demo, reply by reply: each is read in spite of its slip, and what the tools say is true in the world.
import { describe, expect, it } from 'vitest'
import { parseReply } from '../../src/dialect/read.js'
import { callTools } from '../../src/tools/batch.js'
import { ToolRegistry } from '../../src/tools/registry.js'
import { demoScript } from '../../src/toolsets/worlds/demo-script.js'
import { createWorldTools } from '../../src/toolsets/worlds/index.js'
import { say } from '../tools/say.js'

describe('demo script', () => {
  const registry = new ToolRegistry(createWorldTools())
  const readings = demoScript.replies.map(reply => parseReply(reply, { tools: registry.specs() }))

  it('shows a slip of another kind in every reply', () => {
    const codes = readings.map(({ problems }) => problems.map(({ code }) => code).join(' '))
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes).not.toContain('')
    for (const code of ['INVENTED_OBSERVATION', 'UNKNOWN_TOOL', 'ONLY_THOUGHT', 'CALL_FORM', 'CALL_OBJECT']) {
      expect(codes.join(' ')).toContain(code)
    }
  })

  it('makes four real calls, the last of which shows the answer', async () => {
    const calls = readings.flatMap(({ decision }) => (decision.kind === 'act' ? decision.calls : []))
    const { observations } = await callTools(calls, { registry, say, step: 1 })
    expect(observations.map(({ tool }) => tool)).toEqual(['search', 'lookup', 'search', 'search'])
    expect(observations.every(({ failure }) => failure === undefined)).toBe(true)
    expect(observations.at(-1)?.text).toContain('She was born in Fennick')
  })

  it('ends with the true answer, and never with the one that was made up', () => {
    const answers = readings.flatMap(({ decision }) => (decision.kind === 'answer' ? [decision.text] : []))
    expect(answers).toEqual(['The botanist was Tamsin Orde, and she was born in Fennick.'])
    expect(answers[0]).toContain(demoScript.answer)
  })
})
