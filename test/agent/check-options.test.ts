import { describe, expect, test } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import { scriptedModel } from '../../src/model/scripted.js'
import { answer } from '../support/agents.js'

const build = (options: object | undefined) => () => new ToolCallAgent(options as never)
const model = scriptedModel([answer('blue')])

describe('an option that is of no use is named when the agent is built', () => {
  test.each<[string, object | undefined]>([
    ['an agent', undefined],
    ['an agent', null as never],
    ['tools', { model, tools: 5 }],
    ['tools', { model, tools: {} }],
    ['examples', { model, examples: [1] }],
    ['language', { model, language: 5 }],
    ['labels', { model, labels: {} }],
    ['template', { model, template: 'Answer!' }],
    ['examples', { model, examples: 'none' }],
    ['toolTimeoutMs', { model, toolTimeoutMs: Number.NaN }],
    ['toolTimeoutMs', { model, toolTimeoutMs: '5' }],
    ['confirm', { model, confirm: true }],
    ['strict', { model, strict: true }],
    ['onMaxSteps', { model, onMaxSteps: 'trow' }],
    ['deadlineMs', { model, deadlineMs: '5' }],
    ['maxRunTokens', { model, maxRunTokens: true }],
    ['contextTokens', { model, contextTokens: '5' }],
    ['hooks', { model, hooks: 'beforeCall' }],
    ['beforeCall', { model, hooks: { beforeCall: true } }],
    ['beforeCall', { model, hooks: { befourCall: () => false } }],
    ['did you mean "toolChoice"', { model, toolChoise: 'none' }],
    ['did you mean "maxSteps"', { model, maxStep: 5 }],
    ['no option "temperature"', { model, temperature: 0 }],
  ])('%s of %j', (name, options) => {
    expect(build(options)).toThrow(expect.objectContaining({ code: 'CONFIG', message: expect.stringContaining(name) }))
  })
})

test.each([null, 5, 'fast'])('options of a run cannot be %j, and the agent is free', async options => {
  const agent = new ToolCallAgent({ model: scriptedModel([answer('blue')]) })
  await expect(agent.run('q', options as never)).rejects.toMatchObject({ code: 'CONFIG' })
  await expect(agent.stream('q', options as never).next()).rejects.toMatchObject({ code: 'CONFIG' })
  expect((await agent.run('q')).answer).toBe('blue')
})

describe('an option of a run', () => {
  test.each([
    ['onEvent', 5],
    ['signal', {}],
    ['deadline', 5],
  ])('%s of %j is refused, and the agent is free', async (name, value) => {
    const agent = new ToolCallAgent({ model: scriptedModel([answer('blue')]) })
    await expect(agent.run('q', { [name]: value })).rejects.toMatchObject({ code: 'CONFIG' })
    expect((await agent.run('q')).answer).toBe('blue')
  })
})

test('an option that is null is not given', async () => {
  const nothing = { tools: null, confirm: null, hooks: null, template: null }
  const agent = new ToolCallAgent({ model: scriptedModel([answer('blue')]), ...nothing } as never)
  expect((await agent.run('q', { signal: null, onEvent: null } as never)).answer).toBe('blue')
})

test('a class below may have options and hooks objects with parts of their own', async () => {
  class Gardener extends ToolCallAgent {}
  const hooks = { beforeStep() {}, steps: 0 }
  const agent = new Gardener({ model: scriptedModel([answer('blue')]), maxStep: 5, hooks } as never)
  expect((await agent.run('q')).answer).toBe('blue')
})
