// Where plain text goes: to the parameter that the tool names, where its schema leaves that open.
import { describe, expect, it } from 'vitest'
import type { ToolSpec } from '../../src/core/tool.js'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'
import { chunkings } from './chunks.js'

const properties = { command: { type: 'string' }, seconds: { type: 'number' }, input: { type: 'string' } }
const open: ToolSpec = { name: 'bash', description: '', parameters: { type: 'object', properties }, effect: 'changes' }
const bash: ToolSpec = { ...open, textParameter: 'command' }

function read(reply: string, tool: ToolSpec) {
  const { decision } = parseReply(reply, { tools: [tool] })
  if (decision.kind === 'act') return decision.calls.map(call => call.input)
  return decision.kind === 'unclear' ? decision.problem.code : decision.kind
}

describe('a tool that names its text parameter', () => {
  it.each([
    ['a line of text', 'Action: bash\nAction Input: ls -la', 'ls -la'],
    ['several lines', 'Action: bash\nAction Input: cd /tmp\nls -la', 'cd /tmp\nls -la'],
    ['a fence', 'Action: bash\nAction Input:\n```sh\nls -la\n```', 'ls -la'],
    ['a JSON string', 'Action: bash\nAction Input: "ls -la"', 'ls -la'],
    ['a call form', 'Action: bash(ls -la)', 'ls -la'],
    ['a call form in quotes', 'Action: bash("ls -la")', 'ls -la'],
    ['a call in brackets', 'Action: bash[ls -la]', 'ls -la'],
    ['a number', 'Action: bash\nAction Input: 42', '42'],
    ['the object', 'Action: bash\nAction Input: {"command": "ls -la"}', 'ls -la'],
  ])('is called with %s', (_, reply, command) => {
    expect(read(reply, bash)).toEqual([{ command }])
  })

  it('keeps the other keys of an object', () => {
    expect(read('Action: bash\nAction Input: {"input": "y\\n", "seconds": 3}', bash)).toEqual([{ input: 'y\n', seconds: 3 }])
  })

  it('is read alike in any chunking', () => {
    const reply = 'Thought: look\nAction: bash\nAction Input: ls -la\n\nObservation: none'
    const whole = parseReply(reply, { tools: [bash] }).decision
    for (const [name, chunks] of chunkings(reply)) {
      const parser = createReplyParser({ tools: [bash] })
      for (const chunk of chunks) parser.push(chunk)
      expect([name, parser.end().decision]).toEqual([name, whole])
    }
  })

  it.each([
    ['the tool names none', open, 'INVALID_INPUT'],
    ['it names what it does not have', { ...open, textParameter: 'line' }, 'INVALID_INPUT'],
    [
      'another parameter is required',
      { ...bash, parameters: { type: 'object', properties, required: ['seconds', 'command'] } },
      'INVALID_INPUT',
    ],
  ] satisfies [string, ToolSpec, string][])('is not guessed at where %s', (_, tool, code) => {
    expect(read('Action: bash\nAction Input: ls -la', tool)).toBe(code)
  })
})
