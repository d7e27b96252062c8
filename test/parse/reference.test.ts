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

interface Exception {
  /** Why the rules leave it open. */
  readonly why: string
  readonly holds: (reply: string, fast: ReadReply, slow: Verdict) => boolean
}

const remarks = (read: ReadReply, code: ProblemCode) => read.problems.some(problem => problem.code === code)
const refuses = (read: ReadReply, code: ProblemCode) => read.decision.kind === 'unclear' && remarks(read, code)

/** Where the rules are silent. The parser may ask back there; nothing here lets it run another call or give another answer. */
const EXCEPTIONS: readonly Exception[] = [
  {
    why: 'a label behind a plain-text input may be one more line of that text, by its case, its dress, or because it names no tool',
    holds: (_, fast, slow) =>
      refuses(fast, 'AMBIGUOUS_INPUT') || (remarks(fast, 'AMBIGUOUS_INPUT') && startsWith(slow, fast.decision)),
  },
  {
    why: 'text without a label that is written like a call is no answer; the slow reader does not look for calls in text',
    holds: (_, fast) => refuses(fast, 'AMBIGUOUS_CALL'),
  },
  {
    why: 'words like `Output:`, `AI:` or `User:` beside each other and no label of the protocol: a piece of a dialogue, or of a form',
    holds: (reply, fast) =>
      (refuses(fast, 'ONLY_THOUGHT') || refuses(fast, 'EMPTY_REPLY')) &&
      /(?:output|result|ai|user|human|question|tool|input)\W*\d?\W*(?:[:：﹕∶]|\n)/i.test(reply),
  },
  {
    why: 'a fence within a fence, and no label of the protocol in either',
    holds: (reply, fast) => refuses(fast, 'TRUNCATED') && reply.startsWith('```'),
  },
  {
    why: 'an input label behind other words, and no action that the rules know: only the parser asks where the action is',
    holds: (reply, fast) => refuses(fast, 'MISSING_ACTION') && /\S.*\b(?:action|function)[ _]?input\s*[:：﹕∶]/i.test(reply),
  },
]

describe('the parser and the reference reader', () => {
  it('decide alike, wherever the rules decide', () => {
    fc.assert(
      fc.property(REPLY, fc.constantFrom(TOOLS, TOOLS, TOOLS, undefined), (reply, tools) => {
        // beside an action a `Tool:` counts when it names a tool; without tools nobody can say
        fc.pre(tools !== undefined || !/tool/i.test(reply))
        const fast = parseReply(reply, tools ? { tools } : {})
        const slow = readByTheRules(reply, tools)
        if (same(slow, fast.decision) || EXCEPTIONS.some(({ holds }) => holds(reply, fast, slow))) return
        expect(plain(fast.decision)).toEqual(plain(slow))
      }),
      runs(5000, 11),
    )
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
