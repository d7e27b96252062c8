// What is shown while a reply comes: a call below a thought is no part of it, in any chunking.
import { describe, expect, it } from 'vitest'
import { createReplyParser } from '../../src/dialect/read.js'
import { chunkings, feed } from './chunks.js'

const CALLS = [
  'search[ARGS]{"query": "x"}',
  'functions.search({"query": "x"})',
  'functools[{"name": "search", "arguments": {"query": "x"}}]',
  'call:search{query: "x"}',
  'to=functions.search {"query": "x"}',
  '{"action": "search", "action_input": "x"}',
  '<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>',
]

describe.each(CALLS)('behind a thought, %s', call => {
  it.each([...chunkings(`Thought: I look.\n${call}`)])('is not shown as one (%s)', (_, chunks) => {
    expect(feed(createReplyParser(), chunks).deltas.thought).toBe('I look.')
  })
})
