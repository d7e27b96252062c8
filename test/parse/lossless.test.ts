// Nothing vanishes without a remark: where a reply was decided, every piece of text stands in the reading, or a problem says that it was left out.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../src/catalogue/index.js'
import type { ReadReply } from '../../src/core/dialect.js'
import { UNCLEAR_CODES } from '../../src/core/reply.js'
import { parseReply } from '../../src/dialect/read.js'
import { runs } from '../support/property-runs.js'
import { TOKEN_REPLY, TOOLS } from '../support/reply-grammar.js'

/**
 * A token of the reply is accounted for when it stands in the thought, in the answer, in a call's name or input, or within the span of a
 * problem that strikes what it covers. Beside a decision, a code that leaves none strikes as well: it is about a call that was left out.
 */
function lost(reply: string, read: ReadReply): readonly string[] {
  const { decision, thought, problems } = read
  const said = decision.kind === 'act' ? JSON.stringify(decision.calls) : decision.kind === 'answer' ? decision.text : ''
  const struck = problems.filter(({ code }) => PROBLEMS[code].fate === 'struck' || UNCLEAR.has(code))
  return [...reply.matchAll(/q\d+q/g)].flatMap(({ 0: token, index }) => {
    const told = struck.some(({ span }) => span[0] <= index && index + token.length <= span[1])
    return told || said.includes(token) || thought?.includes(token) ? [] : [token]
  })
}

const UNCLEAR: ReadonlySet<string> = new Set(UNCLEAR_CODES)

describe('a reply that was decided', () => {
  it('has no text that vanished without a remark', () => {
    fc.assert(
      fc.property(TOKEN_REPLY, fc.constantFrom(TOOLS, TOOLS, TOOLS, undefined), (reply, tools) => {
        const read = parseReply(reply, tools ? { tools } : {})
        if (read.decision.kind !== 'unclear') expect(lost(reply, read)).toEqual([])
      }),
      runs(5000, 21),
    )
  })
})
