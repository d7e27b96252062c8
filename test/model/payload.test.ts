import { describe, expect, it } from 'vitest'
import { callsAsText, finishOf, readPayload } from '../../src/model/payload.js'

interface Part {
  readonly index?: number
  readonly id?: string
  readonly name?: string
  readonly input: string
}

/** The calls of a reply that came in these parts, one to an event. */
function callsOf(...parts: readonly Part[]): string {
  const events = parts.map(({ index, id, name, input }) => ({
    choices: [{ delta: { tool_calls: [{ index, id, function: { name, arguments: input } }] } }],
  }))
  return callsAsText(events.flatMap(event => readPayload(event).calls))
}

function call(name: string, input: string): string {
  return `<tool_call>\n{"name": "${name}", "arguments": ${input}}\n</tool_call>`
}

describe('the parts of a native call', () => {
  it.each<readonly [string, readonly Part[]]>([
    [
      'follow by their index',
      [
        { index: 0, id: 'a', name: 'find', input: '{"q":' },
        { index: 0, input: '"x"}' },
      ],
    ],
    ['follow without an index', [{ id: 'a', name: 'find', input: '{"q":' }, { input: '"x"}' }]],
    [
      'may have ids of their own',
      [
        { index: 0, id: 'a', name: 'find', input: '{"q":' },
        { index: 0, id: 'b', input: '"x"}' },
      ],
    ],
    [
      'may repeat the name',
      [
        { index: 0, id: 'a', name: 'find', input: '{"q":' },
        { index: 0, id: 'a', name: 'find', input: '"x"}' },
      ],
    ],
    [
      'may have the name later',
      [
        { index: 0, id: 'a', input: '{"q":' },
        { index: 0, name: 'find', input: '"x"}' },
      ],
    ],
  ])('%s', (_, parts) => {
    expect(callsOf(...parts)).toBe(call('find', '{"q":"x"}'))
  })

  it.each<readonly [string, number | undefined]>([
    ['without an index', undefined],
    ['all with the same index', 0],
  ])('never give one call the input of another: calls %s', (_, index) => {
    const [wipe, find] = [
      { index, id: 'a', name: 'wipe', input: '' },
      { index, id: 'b', name: 'find', input: '{"q":"x"}' },
    ] as never as readonly [Part, Part]
    expect(callsOf(wipe, find)).toBe([call('wipe', '{}'), call('find', '{"q":"x"}')].join('\n'))
    expect(callsOf(find, { ...find, id: 'c' })).toBe([call('find', '{"q":"x"}'), call('find', '{"q":"x"}')].join('\n'))
  })
})

describe('the reason that an endpoint gives for the end', () => {
  it.each([
    [undefined, 'unknown'],
    ['banana', 'unknown'],
    ['stop', 'stop'],
    ['STOP', 'stop'],
    ['eos_token', 'stop'],
    ['tool_calls', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['max_output_tokens', 'length'],
    ['time_limit', 'length'],
    ['content_filter', 'filter'],
    ['SAFETY', 'filter'],
    ['error', 'broken'],
    ['insufficient_system_resource', 'broken'],
    ['cancelled', 'broken'],
  ])('is read by what it speaks of: %s is %s', (reason, finish) => {
    expect(finishOf(reason)).toBe(finish)
  })
})
