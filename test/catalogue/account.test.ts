// Every character of a reply is accounted for: held against all fixtures.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountFor, type Part } from '../../src/catalogue/account.js'
import { PROBLEMS } from '../../src/catalogue/index.js'
import { parseReply, type ReadOptions } from '../../src/dialect/read.js'
import { runs } from '../support/property-runs.js'

const root = join(import.meta.dirname, '../../fixtures/replies')
const fixtures = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.txt'))
  .sort()
  .map(file => {
    const { tools, labels, finish } = JSON.parse(readFileSync(join(root, file.replace(/txt$/, 'json')), 'utf8')) as ReadOptions
    const options = { ...(tools ? { tools } : {}), ...(labels ? { labels } : {}), ...(finish ? { finish } : {}) }
    return [file, readFileSync(join(root, file), 'utf8'), options] as const
  })

function joined(reply: string, parts: readonly Part[]): string {
  return parts.map(({ start, end }) => reply.slice(start, end)).join('')
}

describe('the account of a reply', () => {
  test.each([
    ['keeps what is written as it should be', 'Action: search\nAction Input: {"query": "a"}', ['kept']],
    ['strikes what was left out', 'Final Answer: 42<|im_end|>', ['kept', 'struck']],
    ['moves what stands elsewhere in the reading', 'I look.\nAction: search\nAction Input: a', ['moved', 'kept']],
    [
      'strikes an invention within what was moved',
      "Action: search\nAction Input: {q: 'a'}\nObservation: b",
      ['kept', 'moved', 'kept', 'struck'],
    ],
  ])('%s', (_, reply, fates) => {
    expect(accountFor(reply, parseReply(reply)).map(({ fate }) => fate)).toEqual(fates)
  })

  test.each(fixtures)('of %s names whatever was struck', (_, reply, options) => {
    const read = parseReply(reply, options)
    const parts = accountFor(reply, read)
    expect(joined(reply, parts)).toBe(reply)
    if (read.decision.kind === 'unclear') return
    // a call that can't be made stands for all that follows it in its batch
    const left = read.problems.find(({ code }) => code === 'UNKNOWN_TOOL' || code === 'INVALID_INPUT')
    const named = read.problems.filter(({ code }) => PROBLEMS[code].fate === 'struck')
    for (const { start, end, fate } of parts) {
      if (fate !== 'struck' || left) continue
      let unnamed = reply.slice(start, end)
      for (const { span } of named)
        if (span[0] < end && span[1] > start)
          unnamed = unnamed.replace(reply.slice(Math.max(start, span[0]), Math.min(end, span[1])), '')
      // closing tags and fences belong to what was kept
      expect(unnamed.replace(/<[^<>\n]{1,60}>|```\w*/g, '')).not.toMatch(/[\p{L}\p{N}]/u)
    }
  })

  test('of any text joins to that text', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom(
        'Thought: ',
        '\nAction: search',
        '\nAction Input: ',
        '\nObservation: ',
        '\nFinal Answer: ',
        '</s>',
        '```\n',
        '{"a": 1}',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), parts => {
        const reply = parts.join('')
        expect(joined(reply, accountFor(reply, parseReply(reply)))).toBe(reply)
      }),
      runs(1000, 1),
    )
  })
})
