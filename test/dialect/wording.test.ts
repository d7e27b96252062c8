// What a model is told about each dialect: the wording stands in every template's {{> format}}, whoever wrote the template.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ToolCallAgent } from '../../src/agent/tool-call-agent.js'
import type { Prompt } from '../../src/core/message.js'
import type { Model } from '../../src/core/model.js'
import { DIALECTS, defineDialect, labelDialect } from '../../src/dialect/index.js'
import { bundledTemplate, LANGUAGES, loadTemplate, type Template } from '../../src/prompt/index.js'
import { createBuiltins } from '../../src/toolsets/index.js'
import { promptData } from '../prompt/support.js'

const head = (template: Template, more = {}) => template.render(promptData(more))[0]?.text ?? ''
const WORDED = [...DIALECTS.values()].flatMap(({ wording, ...dialect }) => (wording ? [{ ...dialect, wording }] : []))

/** A dialect's own wording in that language. */
async function wordingIn({ wording }: (typeof WORDED)[number], language: string): Promise<string> {
  const told = wording[language]
  return typeof told === 'function' ? told() : (told ?? '')
}

describe.each(WORDED.map(dialect => [dialect.name, dialect] as const))('the wording of %s', (_, dialect) => {
  const { wording } = dialect

  it.each(LANGUAGES)('stands in the bundled template, in %s', async language => {
    const template = await bundledTemplate('react', language)
    const [plain, told] = [head(template), head(await template.withWording(wording))]
    expect(told).not.toBe(plain)
    expect(told).toContain(
      dialect.labels.finalAnswer[0] === 'Final Answer' ? dialect.labels.thought[0] : dialect.labels.finalAnswer[0],
    )
    expect(told).not.toMatch(/\{\{|undefined|\[object|\n\n\n|```/)
    for (const line of told.split('\n')) expect(line).not.toMatch(/^(?:Thought|Action|Action Input|Observation|Final Answer|AI):/)
    const [own = ''] = (await wordingIn(dialect, language)).match(/[^\n{}]{20,}/) ?? []
    expect(own).not.toBe('')
    expect(told).toContain(own)
  })

  it.each(LANGUAGES)('asks for nothing but an answer without tools, in %s', async language => {
    const told = head(await (await bundledTemplate('react', language)).withWording(wording), {
      tools: [],
      answerSchema: 'object {colder: boolean}',
    })
    expect(told).not.toContain(dialect.labels.observation[0])
    expect(told).toContain('object {colder: boolean}')
  })

  it.each(LANGUAGES.filter(language => language !== 'en'))('names in %s what it names in English, as often', async language => {
    const [told, english] = [await wordingIn(dialect, language), await wordingIn(dialect, 'en')]
    expect(told).not.toBe(english)
    expect(named(told)).toEqual(named(english))
  })

  it('is as short as that of react, within a third', async () => {
    const template = await bundledTemplate()
    const [plain, told] = [head(template), head(await template.withWording(wording))]
    expect(told.length).toBeLessThan(plain.length * 1.33)
  })
})

/** The labels, tags and keys that a wording shows, in the order of the alphabet. */
function named(wording: string): readonly string[] {
  return (wording.match(/["“「][A-Za-z_][^"”」]*["”」]|<\w+>/g) ?? []).map(word => word.replace(/^["“「]|["”」]$/g, '')).sort()
}

it('a language without a wording for a dialect is told in English', async () => {
  const template = await (await bundledTemplate('react', 'zh')).withWording({ en: 'Write as you like.' })
  expect(head(template)).toContain('Write as you like.')
})

it('a wording may be loaded when its language is first wanted', async () => {
  const template = await bundledTemplate('react', 'de')
  const wording = { en: 'Write as you like.', de: async () => 'Schreibe, wie du willst.' }
  expect(head(await template.withWording(wording))).toContain('Schreibe, wie du willst.')
})

it('a fault in a wording is a fault of the template', async () => {
  const template = await bundledTemplate()
  await expect(template.withWording({ en: '{{label.thought}}' })).rejects.toMatchObject({ code: 'TEMPLATE' })
  await expect(template.withWording({ en: '{{scratchpad}}' })).rejects.toThrow(/scratchpad.*twice/)
})

/** The first prompt that an agent sends. */
async function firstPrompt(options: Partial<ConstructorParameters<typeof ToolCallAgent>[0]>): Promise<Prompt> {
  const prompts: Prompt[] = []
  const model: Model = {
    name: 'm',
    async *stream(prompt) {
      prompts.push(prompt)
      yield { kind: 'text', text: 'Final Answer: so' }
      yield { kind: 'end', finish: 'stop' }
    },
  }
  await new ToolCallAgent({ model, tools: createBuiltins(['search']), ...options }).run('why?')
  return prompts[0] as Prompt
}

it('a user’s own template gets the wording of the agent’s dialect', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'saydo-wording-')), 'mine.hbs')
  await writeFile(path, 'Mine.\n{{> format}}\n{{role "user"}}{{task}}\n{{scratchpad}}')
  const template = await loadTemplate(path)
  for (const dialect of DIALECTS.values()) {
    const told = (await firstPrompt({ template, dialect })).messages[0]?.text ?? ''
    expect(told).toContain('Mine.')
    const expected = dialect.wording
      ? head(await template.withWording(dialect.wording), { labels: dialect.labels })
      : 'three lines'
    expect(told.replace(/\s+/g, ' ')).toContain(expected.replace(/\s+/g, ' ').slice(0, 300))
  }
})

it('a dialect of a user’s own labels may bring a wording, too', async () => {
  const mine = labelDialect({
    name: 'mine',
    thought: 'T',
    action: 'A',
    actionInput: 'I',
    observation: 'O',
    finalAnswer: 'F',
    wording: { en: 'Write {{labels.thought}}, {{labels.action}} or {{labels.finalAnswer}}.' },
  })
  expect((await firstPrompt({ dialect: mine })).messages[0]?.text).toContain('Write T, A or F.')
})

it('a dialect of a user’s own markup is told, written and read', async () => {
  const arrows = defineDialect({
    name: 'arrows',
    labels: { thought: ['Thought'], action: ['=>'], actionInput: ['=>'], observation: ['<='], finalAnswer: ['Final Answer'] },
    wording: { en: 'Write an arrow.' },
    opener: 'Thought:',
    stop: ['\n<='],
    thought: text => `Thought: ${text}`,
    calls: calls => calls.map(({ tool, input }) => `{"tool": "${tool}", "input": ${JSON.stringify(input)}}`).join('\n'),
    answer: text => `Final Answer: ${text}`,
    observation: text => `<= ${text}`,
  })
  const prompt = await firstPrompt({ dialect: arrows })
  expect(prompt.messages[0]?.text).toContain('Write an arrow.')
  expect(prompt.text).toContain('{"tool": "search", "input": {"query":')
  expect(prompt.stop).toEqual(['\n<='])
})

it.each([
  [{ en: undefined }, 'wording.en of the dialect gives undefined'],
  [{ en: 'Write.', de: 3 }, 'wording.de of the dialect gives number'],
  [{ en: 'Write.', de: async () => null }, 'wording.de of the dialect gives null'],
])('a wording that is no string is refused by its place: %j', async (wording, message) => {
  const mine = labelDialect({
    name: 'mine',
    thought: 'T',
    action: 'A',
    actionInput: 'I',
    observation: 'O',
    finalAnswer: 'F',
    wording: wording as never,
  })
  await expect(firstPrompt({ dialect: mine, language: 'de' })).rejects.toMatchObject({
    code: 'CONFIG',
    message: expect.stringContaining(message),
  })
})
