// fixtures/corpus/<file>.txt holds replies that tell src/parse/<file>.ts, or the one of src/dialect, from the same code with one sign changed: each
// was found by such a change that nothing else noticed. A paragraph is the reply, what it is read with where that is not the tools of the house,
// and all that is read of it. `npx vitest run test/parse/corpus.test.ts -u` writes the readings anew: read the diff. To add a reply, write its line.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Finish } from '../../src/core/model.js'
import type { ToolSpec } from '../../src/core/tool.js'
import { dialectByName } from '../../src/dialect/index.js'
import { HOUSE_TOOLS, ODD_TOOLS } from '../support/known-tools.js'
import { type Given, OTHERWISE, toldInFull } from '../support/told-reading.js'

/** What may stand behind a reply. */
interface With {
  readonly tools?: keyof typeof TOOLS
  readonly labels?: string
  readonly finish?: Finish
  readonly dialect?: string
}

const TOOLS = { odd: ODD_TOOLS, empty: [], any: undefined } satisfies Readonly<Record<string, readonly ToolSpec[] | undefined>>

const root = join(import.meta.dirname, '../../fixtures/corpus')

it.each(readdirSync(root).sort())('each reply of %s is read as listed', async file => {
  const path = join(root, file)
  const replies = readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('"'))
  const told = replies.map(line => {
    const [, text = '', how = '{}'] = /^("(?:[^"\\]|\\.)*")(?: with (.*))?$/.exec(line) ?? []
    return `${[line, ...toldInFull(JSON.parse(text), given(JSON.parse(how)))].join('\n')}\n`
  })
  expect(told.filter(one => one.includes(OTHERWISE))).toEqual([])
  await expect(told.join('\n')).toMatchFileSnapshot(path)
})

function given({ tools, labels, finish, dialect }: With): Given {
  const list = tools ? TOOLS[tools] : HOUSE_TOOLS
  return {
    ...(list ? { tools: list } : {}),
    ...(labels ? { labels } : {}),
    ...(finish ? { finish } : {}),
    ...(dialect ? { dialect: dialectByName(dialect) } : {}),
  }
}
