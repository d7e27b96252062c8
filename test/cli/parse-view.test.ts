// What `saydo parse` shows to people.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyFolder, saydo } from '../support/cli.js'

const folder = emptyFolder()
const TOOLS = join(folder, 'tools.json')
writeFileSync(
  TOOLS,
  JSON.stringify([
    { name: 'search', parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } },
  ]),
)
const SLOPPY = "Sure!\n**Action**: Search\nAction Input: {query: '日本'}\nObservation: none\n\nFinal Answer: 3<|im_end|>"

async function parsed(reply: string, ...flags: readonly string[]) {
  return saydo(['parse', '--tools', TOOLS, ...flags], { stdin: reply })
}

describe('saydo parse', () => {
  test('shows the decision first, then each problem under its place, then what became of the reply', async () => {
    const { code, stdout } = await parsed(SLOPPY)
    expect(code).toBe(0)
    expect(stdout).toBe(
      `thought  Sure!
call     search {"query":"日本"}

LABEL_MISSING: The text before the first label is read as a thought.
1 | Sure!
  | ^^^^^

LABEL_DECORATED: A label is decorated.
2 | **Action**: Search
  |   ^^^^^^^^^

TOOL_NAME_FOLDED: The name was read as "search". (cost 1)
2 | **Action**: Search
  |             ^^^^^^

INPUT_JSON5: A key had no quotes.
3 | Action Input: {query: '日本'}
  |               ^^^^^^^^^^^^^^^

INPUT_JSON5: Strings were in other quotes than JSON has.
3 | Action Input: {query: '日本'}
  |               ^^^^^^^^^^^^^^^

INVENTED_OBSERVATION: An observation that the model wrote itself was left out, with all that follows it.
4 | Observation: none
  | ^^^^^^^^^^^^^^^^^
5 |
6 | Final Answer: 3<|im_end|>
  | ^^^^^^^^^^^^^^^^^^^^^^^^^

SPECIAL_TOKEN: A special token was left out.
6 | Final Answer: 3<|im_end|>
  |                ^^^^^^^^^^

the reply: 34 kept, 19 read in another form, 44 ~~struck~~ of 97 characters
1 | Sure!
2 | **Action**: Search
3 | Action Input: {query: '日本'}
4 | ~~Observation: none~~
5 |
6 | ~~Final Answer: 3<|im_end|>~~
`,
    )
  })

  test('strikes through on a terminal', async () => {
    const { stdout } = await parsed(SLOPPY, '--color')
    expect(stdout).toMatch(/\u001b\[9m[^\n]*Observation: none/)
    expect(stdout).not.toContain('~~')
  })

  test('shows nothing of the reply when all of it was kept', async () => {
    expect((await parsed('Final Answer: 42')).stdout).toBe('answer   42\n')
  })

  test('shows long stretches that stayed as they are in one line', async () => {
    const { stdout } = await parsed(`Final Answer: 1\n${'a\n'.repeat(40)}end<|im_end|>`)
    expect(stdout).toContain(' 5 | a\n … | 36 lines as they are\n42 | end~~<|im_end|>~~\n')
  })

  test('shows what would steer a terminal, and cuts long lines', async () => {
    const { stdout } = await parsed(`Final Answer: \u001b[2J${'x'.repeat(500)}</s>`)
    expect(stdout).not.toContain('\u001b')
    const [, listed = ''] = stdout.split(' characters\n')
    expect(listed).toMatch(/^1 \| Final Answer: \\u\{1b\}\[2Jx{90,}…\n$/)
  })

  test.each([
    ['JSON held', 'Action: search\nAction Input: {"query": "a"}'],
    ['JSON → escapes held', 'Action: search\nAction Input: {"query": "\\d"}'],
    ['JSON → escapes → JSON5 held', 'Action: search\nAction Input: {query: "a"}'],
    ['JSON → escapes → JSON5 → repair held', 'Action: search\nAction Input: {"query": "a",}'],
    ['JSON → escapes → JSON5 → repair → lines held', 'Action: search\nAction Input: query: a'],
    ['JSON → escapes → JSON5 → repair → lines → text held', 'Action: search\nAction Input: red kites'],
    ['arguments in brackets, as they name themselves or in their order', 'Action: search("a")'],
    ["arguments as the model's own markup gives them", '<function=search><parameter=query>a</parameter></function>'],
  ])('says with --explain which rung held: %s', async (rung, reply) => {
    expect((await parsed(reply, '--explain')).stdout).toContain(`\ninput    ${rung}\n`)
  })

  test('says with --explain that a text is no JSON where the tools are not known', async () => {
    const { stdout } = await saydo(['parse', '-', '--explain'], { stdin: 'Action: search\nAction Input: red kites' })
    expect(stdout).toContain('\ninput    a plain text, for a tool of which nothing is known\n')
  })

  test('says with --explain why, and how to switch it off', async () => {
    const { stdout } = await parsed(SLOPPY, '--explain')
    expect(stdout).toContain('    Case, _, - and blanks may differ when exactly one tool is meant.')
    expect(stdout).toContain('    Switch it off with --strict TOOL_NAME_FOLDED.\n')
  })

  test('explains each code once', async () => {
    const { stdout } = await parsed(SLOPPY, '--explain')
    expect(stdout.match(/^INPUT_JSON5: /gm)).toHaveLength(2)
    expect(stdout.match(/Switch it off with --strict INPUT_JSON5/g)).toHaveLength(1)
  })

  test.each([
    ['input_json5', 1, 'unclear  NOT_EXACT'],
    ['INPUT_JSON5,LABEL_COLON', 1, 'unclear  NOT_EXACT'],
    ['LABEL_COLON', 0, 'call     search'],
  ])('with --strict %s exits %i', async (codes, exit, line) => {
    const { code, stdout } = await parsed(SLOPPY, '--strict', codes)
    expect(code).toBe(exit)
    expect(stdout).toContain(`\n${line}`)
  })

  test.each([
    [['--strict', 'INPUT_JSON'], /'INPUT_JSON' is no problem code, did you mean "INPUT_JSON5"/],
    [['--strict', 'TRUNCATED'], /TRUNCATED is no forgiveness/],
    [['--finish', 'never'], /Allowed choices are/],
    [['--jsonl', '--watch'], /do not go together/],
    [['no-such-file.txt'], /Cannot read no-such-file\.txt: there is no such file/],
    [['.'], /Cannot read \.: it is a folder/],
    [['no-such-file.jsonl', '--jsonl'], /Cannot read no-such-file\.jsonl: there is no such file/],
    [['.', '--jsonl'], /Cannot read \.: it is a folder/],
    [['.', '--watch'], /Cannot watch this: it is a folder/],
    [['binary'], /Cannot read binary: it is no text/],
  ])('refuses %j and exits 2', async (flags, message) => {
    writeFileSync(join(folder, 'binary'), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))
    const { code, stderr } = await saydo(['parse', ...flags], { stdin: 'x', cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  test.each([
    ['nothing', undefined, /there is no such file/],
    ['other text', 'tools:', /is not JSON/],
    ['no list', '{"search":{}}', /it is no list/],
    ['a tool without a name', '[{"type":"function","function":{"name":"search"}}]', /number 1 has no "name"/],
    ['a tool without parameters', '[{"name":"search"}]', /search has no "parameters"/],
    ['an unknown effect', '[{"name":"search","parameters":{},"effect":"writes"}]', /the "effect" of search/],
    ['a broken module', 'export const', /broken\.mjs cannot be loaded: /],
  ])('refuses tools from a file with %s', async (what, text, message) => {
    const file = what === 'a broken module' ? 'broken.mjs' : `${what.replaceAll(' ', '-')}.json`
    if (text !== undefined) writeFileSync(join(folder, file), text)
    const { code, stderr } = await saydo(['parse', '--tools', file], { stdin: 'x', cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  test('takes the tools that a module exports', async () => {
    writeFileSync(
      join(folder, 'find.mjs'),
      `export const find = { name: 'find', description: '', parameters: { type: 'object', properties: { what: { type: 'string' } } }, run: () => '' }`,
    )
    const { stdout } = await saydo(['parse', '--tools', 'find.mjs'], { stdin: 'Action: find\nAction Input: x', cwd: folder })
    expect(stdout).toContain('call     find {"what":"x"}')
  })

  test('reads lines from a file with --jsonl', async () => {
    writeFileSync(join(folder, 'replies.jsonl'), '{"id":1,"reply":"Final Answer: 4"}\n{"id":2,"reply":"Final Answer: 5"}')
    const { code, stdout } = await saydo(['parse', 'replies.jsonl', '--jsonl'], { cwd: folder })
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).decision.text),
    ).toEqual(['4', '5'])
  })

  test('forgives with --jsonl what each line allows', async () => {
    const line = (id: number, strict: unknown) => JSON.stringify({ id, reply: 'Graz.', strict })
    const stdin = [line(1, ['ANSWER_UNLABELLED']), line(2, []), line(3, ['NO_SUCH']), line(4, 'x')].join('\n')
    const { code, stdout } = await saydo(['parse', '--jsonl'], { stdin, cwd: folder })
    const lines = stdout.trim().split('\n')
    expect(code).toBe(2)
    expect(lines.slice(0, 2).map(text => JSON.parse(text).decision.kind)).toEqual(['unclear', 'answer'])
    expect(lines[2]).toContain('no problem code')
    expect(lines[3]).toContain('must be a list of problem codes')
  })
})
