// fixtures/replies/<kind>/<case>.txt is a reply exactly as it came; the .json beside it holds the tools and what is read. `vitest -u` writes it.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finish } from '../../src/core/model.js'
import type { ToolSpec } from '../../src/core/tool.js'
import { createReplyParser, parseReply } from '../../src/dialect/read.js'
import { chunkings, feed, joined } from './chunks.js'

interface Given {
  readonly tools?: readonly ToolSpec[]
  readonly labels?: string
  readonly finish?: Finish
}

const root = join(import.meta.dirname, '../../fixtures/replies')

for (const kind of readdirSync(root).sort()) {
  describe(kind, () => {
    const cases = readdirSync(join(root, kind)).filter(file => file.endsWith('.txt'))
    it.each(cases.map(file => file.slice(0, -4)).sort())('reads %s the same in any chunking', async name => {
      const path = join(root, kind, name)
      const reply = readFileSync(`${path}.txt`, 'utf8')
      const { tools, labels, finish } = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as Given
      const given: Given = { ...(tools ? { tools } : {}), ...(labels ? { labels } : {}), ...(finish ? { finish } : {}) }
      const { deltas, ...whole } = parseReply(reply, given)
      await expect(`${JSON.stringify({ ...given, reading: whole }, null, 2)}\n`).toMatchFileSnapshot(`${path}.json`)
      for (const chunks of chunkings(reply).values()) {
        const fed = feed(createReplyParser(given), chunks, finish)
        const { deltas: _, ...reading } = fed.read
        expect(reading).toEqual(whole)
        expect(fed.deltas).toEqual(joined(deltas))
        if (whole.decision.kind === 'answer') expect(fed.deltas.answer).toBe(whole.decision.text)
      }
    })
  })
}
