// The parser against a slow reader that was written from the rules alone, over a grammar of clean and sloppy replies.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadReply } from '../../src/core/dialect.js'
import type { ProblemCode } from '../../src/core/reply.js'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'
import { runs } from '../support/property-runs.js'
import { readByTheRules, type Verdict } from '../support/reference-reader.js'
import { REPLY, TOOLS } from '../support/reply-grammar.js'
import { chunkings, feed, joined } from './chunks.js'

interface Reason {
  readonly name: string
  /** Why the rules leave it open. */
  readonly why: string
  readonly holds: (reply: string, fast: ReadReply) => boolean
}

const remarks = (read: ReadReply, code: ProblemCode) => read.problems.some(problem => problem.code === code)

/**
 * Where the rules are silent, and the parser asks back (§1: unsure is `unclear`). They are asked only when it made no decision, or some of the
 * reference's calls, from the first on: nothing here lets it run another call or give another answer.
 */
const REASONS: readonly Reason[] = [
  {
    name: 'input goes on',
    why: 'a label behind a plain-text input may be one more line of that text, by its case, its dress, or because it names no tool (§2, §4)',
    holds: (_, fast) => remarks(fast, 'AMBIGUOUS_INPUT'),
  },
  {
    name: 'like a call',
    why: 'text without a label that is written like a call is no answer; the reference does not look for calls in text (§3.5)',
    holds: (_, fast) => remarks(fast, 'AMBIGUOUS_CALL'),
  },
  {
    name: 'two answers',
    why: 'answers under labels of different kinds: which of them is meant, no rule says (§3.4)',
    holds: (_, fast) => remarks(fast, 'AMBIGUOUS_ANSWER'),
  },
  {
    name: 'input alone',
    why: 'an input whose action is not there: only the parser asks where it is (§2)',
    holds: (_, fast) => remarks(fast, 'MISSING_ACTION'),
  },
  {
    name: 'form or dialogue',
    why: 'words like `Tool:`, `AI:` or `User:`, which are labels beside others only (§2)',
    holds: (reply, fast) =>
      (remarks(fast, 'ONLY_THOUGHT') || remarks(fast, 'EMPTY_REPLY')) &&
      /(?:output|result|ai|user|human|question|tool|input)\W*\d?\W*(?:[:：﹕∶]|\n)/i.test(reply),
  },
]

type Comparison = 'alike' | 'unexplained' | Reason['name']

function compare(reply: string, fast: ReadReply, slow: Verdict): Comparison {
  if (same(slow, fast.decision)) return 'alike'
  if (fast.decision.kind !== 'unclear' && !startsWith(slow, fast.decision)) return 'unexplained'
  return REASONS.find(({ holds }) => holds(reply, fast))?.name ?? 'unexplained'
}

// beside an action a `Tool:` counts when it names a tool; without tools nobody can say
const CASES = fc
  .tuple(REPLY, fc.constantFrom(TOOLS, TOOLS, TOOLS, undefined))
  .filter(([reply, tools]) => tools !== undefined || !/tool/i.test(reply))

describe('the parser and the reference reader', () => {
  it('decide alike, wherever the rules decide', () => {
    const counts = new Map<Comparison, number>()
    fc.assert(
      fc.property(CASES, ([reply, tools]) => {
        const fast = parseReply(reply, tools ? { tools } : {})
        const slow = readByTheRules(reply, tools)
        const found = compare(reply, fast, slow)
        counts.set(found, (counts.get(found) ?? 0) + 1)
        if (found === 'unexplained') expect(plain(fast.decision)).toEqual(plain(slow))
      }),
      runs(5000, 11),
    )
    console.info(Object.fromEntries(counts))
  })

  it.each([
    ['Observation', 'Remark'],
    ['Final Answer', 'Final Remark'],
    ['Action Input', 'Action Remark'],
    ['Thought', 'Remark'],
  ])('are told apart when either of them does not know the label %s', (label, other) => {
    const found = { parser: 0, reference: 0 }
    for (const [reply, tools] of fc.sample(CASES, { numRuns: 300, seed: 13 })) {
      const options = tools ? { tools } : {}
      const blind = reply.replaceAll(label, other)
      if (compare(reply, parseReply(blind, options), readByTheRules(reply, tools)) === 'unexplained') found.parser++
      if (compare(reply, parseReply(reply, options), readByTheRules(blind, tools)) === 'unexplained') found.reference++
    }
    expect(found.parser).toBeGreaterThan(0)
    expect(found.reference).toBeGreaterThan(0)
  })
})

describe('a reply of the grammar', () => {
  it('reads the same in any chunking, and so do its deltas', () => {
    fc.assert(
      fc.property(REPLY, fc.constantFrom(TOOLS, undefined), (reply, tools) => {
        const options = tools ? { tools } : {}
        const { deltas, ...whole } = parseReply(reply, options)
        for (const chunks of chunkings(reply).values()) {
          const fed = feed(createReplyParser(options), chunks)
          const { deltas: _, ...reading } = fed.read
          expect(reading).toEqual(whole)
          expect(fed.deltas).toEqual(joined(deltas))
          if (whole.decision.kind === 'answer') expect(fed.deltas.answer).toBe(whole.decision.text)
        }
      }),
      runs(700, 12),
    )
  })
})

type Said = Verdict | ReadReply['decision']

function same(one: Said, other: Said): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other))
}

/** The decision makes the first of the verdict's calls, and no other. */
function startsWith(slow: Verdict, decision: ReadReply['decision']): boolean {
  if (slow.kind !== 'act' || decision.kind !== 'act') return false
  return same({ kind: 'act', calls: slow.calls.slice(0, decision.calls.length) }, decision)
}

function plain(said: Said): unknown {
  if (said.kind === 'answer') return { answer: said.text }
  return said.kind === 'unclear' ? 'unclear' : said.calls.map(({ tool, input }) => ({ tool, input: { ...input } }))
}
