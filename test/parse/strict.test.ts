// `strict`: each forgiveness can be switched off, and then the reply is asked about again instead of read.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROBLEM_CODES, type ProblemCode } from '../../src/core/reply.js'
import { createReplyParser, parseReply, type ReadOptions } from '../../src/dialect/read.js'
import { chunkings, feed, joined } from './chunks.js'

const SLOPPY = "Sure!\naction: search\nAction Input: {query: 'cats'}\nObservation: none"
const search = {
  name: 'search',
  description: '',
  parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}

const root = join(import.meta.dirname, '../../fixtures/replies')
const fixtures = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.txt'))
  .sort()
  .map(file => {
    const path = join(root, file)
    const { tools, labels, finish } = JSON.parse(readFileSync(path.replace(/txt$/, 'json'), 'utf8')) as ReadOptions
    const options = { ...(tools ? { tools } : {}), ...(labels ? { labels } : {}), ...(finish ? { finish } : {}) }
    return { name: file, reply: readFileSync(path, 'utf8'), options }
  })

/** Replies in the form that react writes an answer in when it holds labels. */
const OWN: ReadonlySet<string> = new Set([join('finish', 'action-final.txt')])

describe('strict', () => {
  it.each(['LABEL_MISSING', 'LABEL_SPELLING', 'LABEL_CASE', 'INPUT_JSON5', 'INVENTED_OBSERVATION'] as const)(
    'with %s refuses a reply exactly when its reading needed that',
    code => {
      const { decision, problems } = parseReply(SLOPPY, { tools: [search], strict: [code] })
      const needed = parseReply(SLOPPY, { tools: [search] }).problems.some(problem => problem.code === code)
      expect(decision.kind).toBe(needed ? 'unclear' : 'act')
      expect(problems.some(problem => problem.code === 'NOT_EXACT')).toBe(needed)
    },
  )

  it('keeps what was read beside the problem, with the place and the codes', () => {
    const { decision } = parseReply(SLOPPY, { tools: [search], strict: ['INPUT_JSON5', 'LABEL_MISSING', 'INPUT_REPAIRED'] })
    expect(decision).toMatchObject({
      kind: 'unclear',
      problem: {
        code: 'NOT_EXACT',
        span: [0, 6],
        data: {
          tool: 'search',
          quote: 'Sure!',
          codes: ['LABEL_MISSING', 'INPUT_JSON5'],
          reading: { kind: 'act', calls: [{ tool: 'search', input: { query: 'cats' } }] },
        },
      },
    })
  })

  it('refuses an answer too, and says what it was', () => {
    const { decision } = parseReply('Lake Baikal.', { strict: ['ANSWER_UNLABELLED'] })
    expect(decision).toMatchObject({
      problem: { code: 'NOT_EXACT', data: { reading: { kind: 'answer', text: 'Lake Baikal.' } } },
    })
  })

  it('leaves a reply that is unclear anyway with its own code', () => {
    const { decision } = parseReply('**Thought**: hm', { strict: ['LABEL_DECORATED'] })
    expect(decision).toMatchObject({ kind: 'unclear', problem: { code: 'ONLY_THOUGHT' } })
  })

  it.each([[undefined], [[]]])('%j changes nothing', strict => {
    expect(parseReply(SLOPPY, { tools: [search], ...(strict ? { strict } : {}) })).toEqual(
      parseReply(SLOPPY, { tools: [search] }),
    )
  })

  it('refuses a code that does not exist, and names the nearest', () => {
    const strict = ['INPUT_JSON' as ProblemCode]
    for (const open of [() => parseReply('x', { strict }), () => createReplyParser({ strict })])
      expect(open).toThrow(expect.objectContaining({ code: 'CONFIG', message: expect.stringContaining('"INPUT_JSON5"') }))
  })

  it('with every code leaves only what is written as the dialect writes it', () => {
    for (const { name, reply, options } of fixtures) {
      const plain = parseReply(reply, options)
      const strict = parseReply(reply, { ...options, strict: PROBLEM_CODES })
      if (plain.decision.kind === 'unclear' || plain.problems.length === 0 || OWN.has(name)) expect(strict, name).toEqual(plain)
      else expect(strict.decision, name).toMatchObject({ kind: 'unclear', problem: { code: 'NOT_EXACT' } })
    }
  })

  it('reads a refused reply the same in any chunking', () => {
    for (const { name, reply, options } of fixtures) {
      const { deltas, ...whole } = parseReply(reply, { ...options, strict: PROBLEM_CODES })
      for (const chunks of chunkings(reply).values()) {
        const fed = feed(createReplyParser({ ...options, strict: PROBLEM_CODES }), chunks, options.finish)
        const { deltas: _, ...reading } = fed.read
        expect(reading, name).toEqual(whole)
        expect(fed.deltas, name).toEqual(joined(deltas))
      }
    }
  })
})
