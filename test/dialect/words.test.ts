// All label words, and what each dialect writes around them, as a list that a person can read: fixtures/words. No word changes by accident.
// `npx vitest run test/dialect/words.test.ts -u` writes the lists anew.
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ParsedReply } from '../../src/core/reply.js'
import type { ToolCall } from '../../src/core/tool.js'
import { DIALECTS } from '../../src/dialect/index.js'
import { languageWords } from '../../src/dialect/languages.js'
import type { LabelWords } from '../../src/parse/grammar.js'
import { CHINESE, ENGLISH } from '../../src/parse/label-words.js'
import { LANGUAGES } from '../../src/prompt/index.js'

const root = join(import.meta.dirname, '../../fixtures/words')
const always: { readonly [language: string]: LabelWords } = { en: ENGLISH, zh: CHINESE }

describe('label words', () => {
  it.each(LANGUAGES)('of %s are those of their list', async language => {
    const words = Object.entries(always[language] ?? languageWords(language))
    const lines = words.map(([name, list]) => `${name}\n${list.map(word => `  ${word}\n`).join('')}`)
    await expect(lines.join('')).toMatchFileSnapshot(join(root, `${language}.txt`))
  })
})

describe('what is written', () => {
  it.each([...DIALECTS.values()])('in $name, and where a model stops, are as in its list', async dialect => {
    const step = (decision: ParsedReply['decision'], thought: string | null) => {
      const observations = decision.kind === 'act' ? [{ tool: 'now', text: '<7>\nThought: 8', truncated: 0, ms: 0 }] : []
      const { reply, observation } = dialect.formatStep({
        parsed: { thought, decision, problems: [], kept: [0, 0] },
        observations,
      })
      return observation ? `${reply}\n\n${observation}` : reply
    }
    const one: ToolCall = { id: '1', tool: 'search', input: { query: 'kites' } }
    const rich = { query: 'red "kites"\n\\d', days: 2, deep: true, near: null, among: ['a', { b: 1 }] }
    const parts = {
      labels: inLines(Object.entries(dialect.labels)),
      opener: JSON.stringify(dialect.opener),
      stop: inLines(dialect.stop),
      'stop of a text': inLines(dialect.textStop),
      'task break': JSON.stringify(dialect.taskBreak),
      task: dialect.formatTask('Where?'),
      note: dialect.formatNote('Say it again.'),
      call: step({ kind: 'act', calls: [one] }, 'I look.'),
      calls: step(
        {
          kind: 'act',
          calls: [
            { ...one, input: rich },
            { id: '2', tool: 'now', input: {} },
          ],
        },
        null,
      ),
      answer: step({ kind: 'answer', text: 'There.\nIndeed.' }, 'I know.'),
      'answer without a thought': step({ kind: 'answer', text: 'There.' }, null),
    }
    const lines = Object.entries(parts).map(([name, text]) => `--- ${name}\n${text}\n`)
    await expect(lines.join('\n')).toMatchFileSnapshot(join(root, `${dialect.name}-dialect.txt`))
  })
})

function inLines(values: readonly unknown[]): string {
  return values.map(value => JSON.stringify(value)).join('\n')
}
