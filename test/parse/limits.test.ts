// The longest reply that is read, whole and while it comes.
import { describe, expect, it } from 'vitest'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'
import { MAX_REPLY } from '../../src/parse/reply-text.js'
import { feed, joined } from './chunks.js'

const answer = (length: number) => `Final Answer: ${'so it goes '.repeat(length / 11)}`.padEnd(length, '.').slice(0, length)

function cut(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
}

describe('a reply of the longest length', () => {
  const reply = answer(MAX_REPLY)

  it('is read, and the parser waits for its end', () => {
    const parser = createReplyParser()
    for (const chunk of cut(reply, 1000)) parser.push(chunk)
    expect(parser.done).toBe(false)
    expect(parser.end().decision).toEqual({ kind: 'answer', text: reply.slice(14).trim() })
  })

  it.each([1, 7, 4096, 3 * MAX_REPLY])('is cut off at that length when more comes, in pieces of %i', size => {
    const longer = `${reply}${'x'.repeat(3000)}`
    const whole = parseReply(longer)
    expect(whole.decision).toMatchObject({ kind: 'unclear', problem: { code: 'TRUNCATED' } })
    const parser = createReplyParser()
    const fed = feed(parser, cut(longer, size))
    expect(parser.done).toBe(true)
    expect({ ...fed.read, deltas: [] }).toEqual({ ...whole, deltas: [] })
    expect(fed.deltas).toEqual(joined(whole.deltas))
    const { problems, ...shorter } = parseReply(reply, { finish: 'length' })
    const beyond = expect.objectContaining({
      code: 'TRUNCATED',
      message: expect.stringContaining('1 MiB'),
      span: [MAX_REPLY, MAX_REPLY],
    })
    expect(whole).toEqual({ ...shorter, problems: [...problems, beyond] })
  })

  it.each([
    ['length', true],
    ['filter', undefined],
  ] as const)('says that it met a limit where it did: %s', (finish, atLimit) => {
    const { decision } = parseReply('Final Answer: It is', { finish })
    expect(decision).toMatchObject({ kind: 'unclear', problem: { code: 'TRUNCATED' } })
    expect(decision.kind === 'unclear' && decision.problem.data?.atLimit).toBe(atLimit)
  })

  it('gives nothing out for what comes behind it', () => {
    const parser = createReplyParser()
    parser.push(`${reply}more`)
    expect(parser.push('Observation: x')).toEqual([])
    expect(parser.end().kept[1]).toBeLessThanOrEqual(MAX_REPLY)
  })
})

describe('a reply with more labels than are read', () => {
  const labels = 'Thought: hm\n'.repeat(20_000)

  it('is as one that was cut off there', () => {
    expect(parseReply(`${labels}Final Answer: 42`).decision).toMatchObject({ kind: 'unclear', problem: { code: 'TRUNCATED' } })
  })

  it('is decided by what stands before them', () => {
    const { decision } = parseReply(`Action: search\nAction Input: {"query": "cats"}\n${labels}`)
    expect(decision).toEqual({ kind: 'act', calls: [{ id: '1', tool: 'search', input: { query: 'cats' } }] })
  })
})
