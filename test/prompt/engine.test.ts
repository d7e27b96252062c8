import { describe, expect, it, test } from 'vitest'
import { SaydoError } from '../../src/core/errors.js'
import { compileTemplate } from '../../src/prompt/engine.js'
import type { ObjectShape } from '../../src/prompt/shape.js'

const variables = {
  task: 'value',
  'note?': 'value',
  tools: [{ name: 'value', 'returns?': 'value', parameters: [{ name: 'value', 'example?': 'any' }] }],
  labels: { thought: 'value' },
  'schema?': 'any',
} as const satisfies ObjectShape

const compile = (source: string) => compileTemplate(source, { name: 'mine.hbs', variables })

async function faultOf(source: string): Promise<SaydoError> {
  const error = await compile(source).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof SaydoError)) throw new Error(`no SaydoError for ${source.slice(0, 60)}`)
  expect(error.code).toBe('TEMPLATE')
  return error
}

describe('a template is refused when it is loaded, with its place and the nearest name', () => {
  test.each([
    ['a mistyped name', 'Hello\n  {{tsk}}', 'mine.hbs:2:5: unknown name "tsk", did you mean "task"?'],
    ['a mistyped name in an if, where Handlebars is silent', '{{#if tol}}x{{/if}}', 'mine.hbs:1:7: unknown name "tol"'],
    ['a mistyped name in a list', '{{#each tools}}{{nam}}{{/each}}', 'mine.hbs:1:18: unknown name "nam", did you mean "name"?'],
    [
      'a mistyped name two lists deep',
      '{{#each tools}}{{#each parameters}}{{exampel}}{{/each}}{{/each}}',
      'did you mean "example"?',
    ],
    ['an outer name without ../', '{{#each tools}}{{task}}{{/each}}', 'unknown name "task"'],
    ['a mistyped name behind ../', '{{#each tools}}{{../taks}}{{/each}}', 'unknown name "../taks", did you mean "task"?'],
    ['a mistyped name behind @root', '{{#each tools}}{{@root.taks}}{{/each}}', 'unknown name "taks", did you mean "task"?'],
    ['a part of a text', '{{task.length}}', 'unknown name "task.length"'],
    ['a path out of the template', '{{../task}}', '"../task" leads out of the template'],
    ['a mistyped name in the else branch', '{{#if task}}{{else}}{{not}}{{/if}}', 'unknown name "not"'],
    ['a mistyped name as an argument', '{{json schem}}', 'unknown name "schem", did you mean "schema"?'],
    ['a mistyped name in a subexpression', '{{#if (eq tas "x")}}{{/if}}', 'did you mean "task"?'],
    ['a prototype name', '{{constructor}}', 'unknown name "constructor"'],
    ['a private name', '{{@marks}}', 'unknown name "@marks"'],
    ['a list as text', '{{tools}}', '"tools" is not text'],
    ['an object as text', '{{labels}}', '"labels" is not text'],
    ['any JSON as text', '{{schema}}', '"schema" is not text'],
    ['a text as a list', '{{#each task}}{{/each}}', '"task" is no list'],
    ['an object as a text to clip', '{{clip labels 3}}', '"labels" is not text'],
    ['a text as a list to join', '{{join task}}', '"task" is no list'],
    ['a text in quotes as a name', '{{"task"}}', 'task is no name'],
    ['an unknown helper', '{{jsn task}}', 'unknown helper "jsn", did you mean "json"?'],
    ['a helper that is switched off', '{{lookup labels "thought"}}', 'unknown helper "lookup"'],
    ['an unknown block', '{{#eech tools}}{{/eech}}', 'unknown block "eech", did you mean "each"?'],
    ['a section in the style of mustache', '{{#tools}}{{/tools}}', 'unknown block "tools"'],
    ['an unknown partial', '{{> tool}}', 'unknown partial "tool"'],
    ['a partial chosen by data', '{{> (eq task "x")}}', 'unknown partial'],
    ['an unknown role', '{{role "usr"}}', 'unknown role "usr", did you mean "user"?'],
    ['a role chosen by data', '{{role task}}', '{{role}} takes a word in quotes'],
    ['a helper without its argument', '{{json}}', '{{json}} takes 1 argument, not 0'],
    ['a helper with too many arguments', '{{eq task task task}}', '{{eq}} takes 2 arguments, not 3'],
    ['named arguments', '{{json task pretty=true}}', '"json" takes no named arguments'],
    ['an inline partial', 'a\n{{#*inline "x"}}{{/inline}}', 'mine.hbs:2:1: this kind of block is not supported here'],
    ['a block partial', '{{#> layout}}{{/layout}}', 'not supported here'],
  ])('%s', async (_, source, message) => {
    expect((await faultOf(source)).message).toContain(message)
  })

  test.each([
    ['a block closed by another name', 'a\n  {{#if task}}x{{/each}}', "mine.hbs:2:6: if doesn't match each"],
    ['an open block', 'x\n{{#if task}}', 'mine.hbs:2:13: the template ends inside a block or tag'],
    ['an argument without its value', 'a\nbb {{json x=}} z', 'mine.hbs:2:13: this is no Handlebars'],
    ['three braces that close two', '{"a": {{task}}}', 'mine.hbs:1:13: this is no Handlebars'],
  ])('%s', async (_, source, message) => {
    const fault = await faultOf(source)
    expect(fault.message).toContain(message)
    expect(fault.message).not.toContain('\n')
  })

  it('a missing value, when it is rendered, with the question to ask first', async () => {
    const { render } = await compile('a\n{{note}}')
    expect(() => render({ task: 't' })).toThrow(/^mine\.hbs:2:3: "note" has no value/)
  })
})

describe('bounds', () => {
  test.each([
    ['blocks', '{{#if task}}'.repeat(101) + '{{/if}}'.repeat(101)],
    ['thousands of blocks', '{{#if task}}'.repeat(4000) + '{{/if}}'.repeat(4000)],
    ['else-if branches', `{{#if task}}${'{{else if task}}'.repeat(101)}{{/if}}`],
    ['subexpressions', `{{json ${'(json '.repeat(5000)}task${')'.repeat(5000)}}}`],
  ])('refuses %s nested more than 100 levels deep', async (_, source) => {
    expect((await faultOf(source)).message).toMatch(/^mine\.hbs:1:\d+: nested more than 100 levels deep/)
  })

  it('takes a hundred levels, any number of neighbours, and brackets in plain text', async () => {
    const deep = '{{#if task}}'.repeat(100) + '{{/if}}'.repeat(100)
    const wide = '{{#if task}}x{{else if note}}y{{/if}}'.repeat(300)
    const { render } = await compile(deep + wide + '('.repeat(300))
    expect(render({ task: 't' })).toBe('x'.repeat(300) + '('.repeat(300))
  })

  it('refuses a template of more than 256 KiB', async () => {
    expect((await faultOf('x'.repeat(256 * 1024 + 1))).message).toContain('the limit is 262144')
  })
})

describe('what a template can do', () => {
  const data = {
    task: 'T',
    tools: [
      { name: 'a', parameters: [{ name: 'p', example: { deep: [1] } }] },
      { name: 'b', returns: 'r', parameters: [] },
    ],
    labels: { thought: 'Thought' },
    schema: { type: 'object' },
  }
  test.each([
    ['names a part', '{{labels.thought}}: {{this.task}}', 'Thought: T'],
    [
      'walks lists',
      '{{#each tools}}{{@index}}{{name}}{{#if returns}}={{returns}}{{/if}}{{#unless @last}},{{/unless}}{{/each}}',
      '0a,1b=r',
    ],
    ['names list items', '{{#each tools as |tool i|}}{{i}}{{tool.name}}{{../task}}{{@root.task}}{{/each}}', '0aTT1bTT'],
    ['enters a part', '{{#with labels}}{{thought}}{{../task}}{{/with}}', 'ThoughtT'],
    ['asks for what is absent', '{{#if note}}x{{else}}none{{/if}}', 'none'],
    ['counts', '{{tools.length}}', '2'],
    ['compares', '{{#if (eq task "T")}}yes{{/if}}', 'yes'],
    [
      'writes JSON',
      '{{json schema}}{{#each tools}}{{#each parameters}}{{json example}}{{/each}}{{/each}}',
      '{"type":"object"}{"deep":[1]}',
    ],
    [
      'keeps braces that are no tags',
      'Reply like {"name": "x"}, {tool_name}[{tool_input}] {tools}',
      'Reply like {"name": "x"}, {tool_name}[{tool_input}] {tools}',
    ],
    ['keeps escaped tags', 'a \\{{task}} b', 'a {{task}} b'],
    ['takes bare names as text: no HTML entities', '{{task}} <&\'">', 'T <&\'">'],
  ])('%s', async (_, source, text) => {
    expect((await compile(source)).render(data)).toBe(text)
  })

  test.each([
    ['join', '{{join near}}|{{join near " or " 2}}', 'a, b, c|a or b … (+1)'],
    ['clip, by whole characters and in one line', '{{clip long 3}}|{{clip short 3}}', 'a 😀…|ok'],
  ])('%s', async (_, source, text) => {
    const shape = { near: ['value'], long: 'value', short: 'value' } as const
    const { render } = await compileTemplate(source, { name: 'x', variables: shape })
    expect(render({ near: ['a', 'b', 'c'], long: 'a\n\n😀😀', short: 'ok' })).toBe(text)
  })
})

describe('data is only data', () => {
  it('cuts data to what is documented, so that nothing in it can be called', async () => {
    const { render } = await compile('{{task}} {{#if note}}{{note}}{{/if}}{{#each tools}}{{name}}{{/each}}')
    class Odd {
      name = 'own'
      get note() {
        return 'getter'
      }
      toHTML = () => 'html'
    }
    const data = {
      task: { toHTML: () => 'called', real: 1 },
      note: () => 'called',
      if: 'shadow',
      tools: [new Odd(), null],
      extra: 'x',
    }
    expect(render(data as never)).toBe('{"real":1} own')
  })

  it('never prints [object Object]', async () => {
    const { render } = await compile('{{task}}{{#each tools}}{{name}}{{/each}}{{json schema}}')
    expect(render({ task: { a: 1 }, tools: [{ name: [{}], parameters: [] }], schema: {} })).toBe('{"a":1}[{}]{}')
  })

  it('inserts data of included templates without indenting its lines', async () => {
    const partial = await compileTemplate('{{task}}', { name: 'part.hbs', variables })
    const { render } = await compileTemplate('  {{> part}}\n', { name: 'x', variables, partials: new Map([['part', partial]]) })
    expect(render({ task: '1\n2' })).toBe('  1\n2')
  })

  it('checks an included template where it is included', async () => {
    const partial = await compileTemplate('a\n{{task}}', { name: 'part.hbs', variables })
    const partials = new Map([['part', partial]])
    await expect(compileTemplate('{{#each tools}}{{> part}}{{/each}}', { name: 'x', variables, partials })).rejects.toThrow(
      'part.hbs:2:3: unknown name "task"',
    )
    const { render } = await compileTemplate('{{#each tools}}{{> part ..}}{{/each}}', { name: 'x', variables, partials })
    expect(render({ task: 'T', tools: [{ name: 'a' }] })).toBe('a\nT')
  })
})
