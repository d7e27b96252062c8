import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { readJournal } from '../../src/transcript/read-journal.js'
import { type CliOptions, emptyFolder, saydo } from '../support/cli.js'
import { type EndpointOptions, type Mood, silentBefore, startEndpoint, type TestEndpoint } from '../support/endpoint.js'

const open: TestEndpoint[] = []
afterEach(() => Promise.all(open.splice(0).map(endpoint => endpoint.close())))

const CALL = 'Thought: I calculate it.\nAction: calculator\nAction Input: {"expression": "17 * 23"}'
const answer = (text: string) => `Thought: I know it.\nFinal Answer: ${text}`
const CTRL_C = '\u0003'
const CTRL_D = '\u0004'
const PROMPT = '\u001b[?2004h'

type Person = NonNullable<CliOptions['person']>

/** A chat in a folder of its own. */
async function chat(
  options: CliOptions & { readonly argv?: readonly string[] },
  endpointOptions: EndpointOptions = { replies: [answer('one'), answer('two'), answer('three')] },
) {
  const cwd = options.cwd ?? emptyFolder()
  const endpoint = await startEndpoint(endpointOptions)
  open.push(endpoint)
  const { argv = [], ...rest } = options
  const result = await saydo(['chat', '--url', endpoint.url, '--model', 'm', '--tool', 'calculator', ...argv], {
    ...rest,
    cwd,
    env: { NO_COLOR: '1', ...rest.env },
  })
  const file = /recorded: (\S+)/.exec(result.stderr)?.[1]
  const events = file === undefined ? [] : readJournal(join(cwd, file)).events
  const prompts = endpoint.asked.map(({ body }) => JSON.stringify(body.messages))
  return { ...result, cwd, file, events, prompts, starts: events.flatMap(event => (event.type === 'run_start' ? [event] : [])) }
}

/** A person who types each entry at a prompt of its own. */
function typed(...entries: readonly (string | null)[]): Person {
  return entries.map(entry => [PROMPT, entry] as const)
}

describe('saydo chat over a pipe', () => {
  test('asks one task a line, and prints the answers alone on stdout', async () => {
    const { code, stdout, stderr, verdict } = await chat({ stdin: 'first\n\nsecond\r\nthird' })
    expect([code, stdout]).toEqual([0, 'one\ntwo\nthree\n'])
    expect(verdict).toBe('3 turns, 3 answered')
    expect(stderr).not.toContain('\u001b')
    expect(stderr).not.toContain('> ')
  })

  test('goes on from what was said', async () => {
    const { prompts } = await chat({ stdin: 'first\nsecond\n' })
    expect(prompts[1]).toContain('first')
    expect(prompts[1]).toContain('one')
    expect(prompts[1]).toContain('second')
  })

  test('is recorded as one file with a run for each turn', async () => {
    const { starts, file, cwd } = await chat({ stdin: 'first\nsecond\n' })
    expect(starts.map(({ task }) => task)).toEqual(['first', 'second'])
    expect(file).toBe(join('.saydo', 'runs', `${starts[0]?.run}.jsonl`))
    expect(existsSync(join(cwd, '.saydo', 'history'))).toBe(false)
  })

  test('ends with 1 when a turn had no final answer', async () => {
    const { code, stdout, verdict } = await chat(
      { stdin: 'first\nsecond\n', argv: ['--max-steps', '1'] },
      { replies: [CALL, CALL, answer('two')] },
    )
    expect([code, stdout]).toEqual([1, 'two\n'])
    expect(verdict).toBe('2 turns, 1 answered')
  })

  test('takes the lines of a """ block as one task, and a backslash as what it is', async () => {
    const { starts } = await chat({ stdin: '"""\na\n\nb\n"""\nlist C:\\dir\\\n"""in one line"""\n' })
    expect(starts.map(({ task }) => task)).toEqual(['a\n\nb', 'list C:\\dir\\', 'in one line'])
  })

  test('does not ask what stands in a block that never ends', async () => {
    const { starts, stderr } = await chat({ stdin: 'first\n"""\na\nb' })
    expect(starts.map(({ task }) => task)).toEqual(['first'])
    expect(stderr).toContain('the input ends within """')
  })

  test('stops at an error, with its exit code', async () => {
    const { code, stdout, verdict, starts } = await chat({ stdin: 'first\n/udno\nsecond\n' })
    expect([code, stdout, starts.length]).toEqual([2, 'one\n', 1])
    expect(verdict).toBe('error CONFIG: there is no command /udno — did you mean /undo?')
  })

  test('stops when the endpoint fails', async () => {
    const { code, stdout } = await chat(
      { stdin: 'first\nsecond\nthird\n' },
      { replies: [answer('one')], moods: ['good', 'unauthorized'] },
    )
    expect([code, stdout]).toEqual([3, 'one\n'])
  })

  test('says which line is not UTF-8', async () => {
    const { stderr } = await chat({ stdin: 'first\nsec\uFFFDond\n' })
    expect(stderr).toContain('! line 2 is not all UTF-8')
  })

  test('has no stops between steps', async () => {
    const { code, verdict } = await chat({ stdin: 'first\n', argv: ['--step'] })
    expect(code).toBe(2)
    expect(verdict).toContain('--step wants somebody at a terminal')
  })

  test('without a word ends with 0 and leaves no record', async () => {
    const { code, file, verdict } = await chat({ stdin: '\n' })
    expect([code, file, verdict]).toEqual([0, undefined, '0 turns, 0 answered'])
  })

  test.each([
    ['/etc/hosts: what is it?', '/etc/hosts: what is it?'],
    ['//undo is a command', '/undo is a command'],
  ])('takes %j for a task', async (line, task) => {
    const { starts } = await chat({ stdin: `${line}\n` })
    expect(starts.map(each => each.task)).toEqual([task])
  })
})

describe('saydo chat at a terminal', () => {
  test('asks, shows the answer, asks again, and ends with 0 at Ctrl-D', async () => {
    const { code, stdout, stderr, verdict } = await chat({ person: typed('first\r', 'second\r', CTRL_D) })
    expect([code, stdout]).toEqual([0, 'one\ntwo\n'])
    expect(stderr).toContain('type a task, or /help; Ctrl-D leaves')
    expect(stderr.match(/tool-call · react · m · 1 tool/g)).toHaveLength(1)
    expect(verdict).toBe('2 turns, 2 answered')
  })

  test('takes lines together that end in a backslash, and those of a block', async () => {
    const { starts } = await chat({ person: typed('a\\\rb\r', '"""\rc\\\r"\r"""\r', CTRL_D) })
    expect(starts.map(({ task }) => task)).toEqual(['a\nb', 'c\\\n"'])
  })

  test('takes a paste as one text, whatever stands in it', async () => {
    const paste = '\u001b[200~first line\rsecond\tline\n/quit\u001b[31m\u001b[201~'
    const { starts } = await chat({ person: typed(`${paste} and more\r`, CTRL_D) })
    expect(starts.map(({ task }) => task)).toEqual(['first line\nsecond\tline\n/quit\u001b[31m and more'])
  })

  test('shows a long paste by its name', async () => {
    const long = `${'word '.repeat(20_000)}end`
    const { starts, stderr } = await chat({ person: typed(`Sum up: \u001b[200~${long}\u001b[201~\r`, CTRL_D) })
    expect(stderr).toContain('Sum up: [paste 1: 100003 characters]')
    expect(starts.map(({ task }) => task)).toEqual([`Sum up: ${long}`])
  })

  test('Ctrl-C ends the turn under way, and the next one begins', async () => {
    const person: Person = [
      [PROMPT, 'first\r'],
      ['waiting for the model', CTRL_C],
      [PROMPT, 'second\r'],
      [PROMPT, CTRL_D],
    ]
    const { code, stdout, stderr, starts } = await chat({ person }, { replies: [answer('two')], moods: [silentBefore('second')] })
    expect([code, stdout]).toEqual([0, 'two\n'])
    expect(stderr).toContain('aborted:')
    expect(starts.map(({ task }) => task)).toEqual(['first', 'second'])
  })

  test('Ctrl-C twice leaves with 130', async () => {
    const person: Person = [
      [PROMPT, 'first\r'],
      ['waiting for the model', `${CTRL_C}${CTRL_C}`],
    ]
    const { code, stdout } = await chat({ person }, { moods: ['silent'] })
    expect([code, stdout]).toEqual([130, ''])
  })

  test('Ctrl-C on an empty line leaves with 130, on another it takes that back', async () => {
    const person: Person = [
      [PROMPT, `nonsense${CTRL_C}`],
      ['^C', CTRL_C],
    ]
    const { code, starts } = await chat({ person })
    expect([code, starts]).toEqual([130, []])
  })

  test('tells an error, and goes on', async () => {
    const { code, stdout, stderr } = await chat({ person: typed('/sav\r', 'first\r', CTRL_D) })
    expect([code, stdout]).toEqual([0, 'one\n'])
    expect(stderr).toContain('there is no command /sav — did you mean /save?')
  })

  test('keeps a history of its own, without secrets, for the arrows', async () => {
    const cwd = emptyFolder()
    await chat({ cwd, person: typed('with sk-abcdefghijklmnop1234\r', 'a\\\rb\r', CTRL_D) })
    const file = join(cwd, '.saydo', 'history')
    expect(readFileSync(file, 'utf8')).toBe('with [secret API_KEY]\na␊b\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { starts } = await chat({ cwd, person: typed('\u001b[A\r', '\u001b[A\u001b[A\r', CTRL_D) })
    expect(starts.map(({ task }) => task)).toEqual(['a\nb', 'with [secret API_KEY]'])
  })

  test('leaves nothing behind with --no-record', async () => {
    const { cwd } = await chat({ argv: ['--no-record'], person: typed('first\r', CTRL_D) })
    expect(existsSync(join(cwd, '.saydo'))).toBe(false)
  })
})

describe('the commands of a chat', () => {
  test('/help names them all, /quit leaves', async () => {
    const { code, stderr, starts } = await chat({ stdin: '/help\n/quit\nfirst\n' })
    for (const name of ['tools', 'prompt', 'step', 'edit', 'retry', 'undo', 'save', 'why', 'set', 'quit'])
      expect(stderr).toMatch(new RegExp(`^ {2}/${name}\\b`, 'm'))
    expect([code, starts]).toEqual([0, []])
  })

  test('/set makes no secret of a header public, not even when it is taken back', async () => {
    const reply = answer('it is zebra-of-mine')
    const { cwd, file, starts } = await chat(
      {
        person: typed(
          '/set header X-Key: zebra-of-mine\r',
          'is it zebra-of-mine?\r',
          '/set header default\r',
          'zebra-of-mine\r',
          '/save chat.md\r',
          CTRL_D,
        ),
      },
      { replies: [reply, reply] },
    )
    expect(starts).toHaveLength(2)
    for (const name of [file ?? '', 'chat.md', '.saydo/history'])
      expect(readFileSync(join(cwd, name), 'utf8')).not.toContain('zebra-of-mine')
  })

  test('/tools, /prompt and /why show what they say, on stderr', async () => {
    const { stdout, stderr } = await chat(
      { stdin: '/tools\nfirst\n/prompt\n/why 1\n' },
      { replies: [CALL.replace('{"', "{'").replace('":', "':"), answer('391')] },
    )
    expect(stdout).toBe('391\n')
    expect(stderr).toContain('calculator(expression)')
    expect(stderr).toContain('── sent with it')
    expect(stderr).toContain('INPUT_JSON5')
    expect(stderr).toContain('JSON5 held')
  })

  test('/undo takes back the last turn, also for a later -c', async () => {
    const { prompts, starts, cwd } = await chat({ stdin: 'first\nsecond\n/undo\nthird\n' })
    expect(prompts[2]).toContain('first')
    expect(prompts[2]).not.toContain('second')
    expect(starts[2]?.after).toBe(starts[0]?.run)
    const later = await chat({ cwd, argv: ['-c'], stdin: 'fourth\n' })
    expect(later.prompts[0]).toContain('third')
    expect(later.prompts[0]).not.toContain('second')
    expect(later.starts.map(({ task }) => task)).toEqual(['first', 'second', 'third', 'fourth'])
  })

  test('/undo says what it cannot undo, and when there is nothing', async () => {
    const { stderr, code } = await chat({ stdin: 'first\n/undo\n/undo\n' }, { replies: [CALL, answer('391')] })
    expect(stderr).toContain('taken back: first; what its calls did stays done; before it 0 turns')
    expect(stderr).toContain('nothing was said yet')
    expect(code).toBe(2)
  })

  test('/retry asks for the last reply again, and for nothing before it', async () => {
    const { stdout, prompts, starts } = await chat(
      { stdin: 'first\n/retry\n' },
      { replies: [CALL, answer('one'), answer('two')] },
    )
    expect(stdout).toBe('one\ntwo\n')
    expect(prompts).toHaveLength(3)
    expect(prompts[2]).toBe(prompts[1])
    expect(starts[1]).toMatchObject({ after: null, forked: { run: starts[0]?.run, step: 2 } })
  })

  test('/retry goes on with a turn that was ended', async () => {
    const person: Person = [
      [PROMPT, 'first, then second\r'],
      ['waiting for the model', CTRL_C],
      [PROMPT, '/set temperature 0.5\r'],
      [PROMPT, '/retry\r'],
      [PROMPT, CTRL_D],
    ]
    const untilWarm: Mood = e => (e.request.body.temperature === 0.5 ? e.answer(e.next()) : undefined)
    const { stdout, verdict, prompts } = await chat({ person }, { replies: [answer('one')], moods: [untilWarm] })
    expect([stdout, verdict]).toEqual(['one\n', '1 turn, 1 answered'])
    expect(prompts.at(-1)).toContain('first, then second')
  })

  test('/set changes the next turns, and refuses what a flag would', async () => {
    const { stderr, prompts } = await chat({ stdin: 'first\n/set lang de\nsecond\n/set lang\n/set lang xx\n' })
    expect(prompts[1]).toContain('Frage')
    expect(prompts[1]).toContain('first')
    expect(stderr).toContain('lang "de"')
    expect(stderr).toMatch(/lang got 'xx': one of en, zh/)
  })

  test.each([
    ['/set temprature 1', "there is no option 'temprature' to set — did you mean temperature?"],
    ['/edit 7', 'the last turn has no reply of step 7 — it has 1'],
    ['/edit x', "'x' is no step: a number such as 3, or 3.2, is wanted"],
    ['/edit', 'no editor is set — set VISUAL or EDITOR'],
    ['/save chat.doc', 'chat.doc ends in none of .md, .txt and .saydo.yaml'],
  ])('%s: %s', async (line, told) => {
    const { verdict } = await chat({ stdin: `first\n${line}\n` })
    expect(verdict).toContain(told)
  })

  test('/save writes the conversation, the last answer, or a fixture', async () => {
    const { cwd } = await chat({ stdin: 'first\n/save a.md\nsecond\n/save a.md\n/save b.txt\n/save c.saydo.yaml\n' })
    expect(readFileSync(join(cwd, 'a.md'), 'utf8')).toBe('> first\n\none\n\n> second\n\ntwo\n')
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('two\n')
    expect(readFileSync(join(cwd, 'c.saydo.yaml'), 'utf8')).toMatch(/user: first[\s\S]*user: second/)
  })

  test('/save does not write over what is of another chat', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'a.md'), 'mine\n')
    const { verdict } = await chat({ cwd, stdin: 'first\n/save a.md\n' })
    expect(verdict).toContain('a.md is there already')
    expect(readFileSync(join(cwd, 'a.md'), 'utf8')).toBe('mine\n')
  })
})

describe('/edit', () => {
  /** An editor that makes a replacement. */
  const sed = (script: string) => ({ EDITOR: `sed -i '${script}'`, PATH: process.env.PATH ?? '' })

  test('goes on from the changed reply, and drops what stood behind it', async () => {
    const { stdout, stderr, prompts, starts } = await chat(
      { stdin: 'first\n/edit 1\n', env: sed('s/17/18/') },
      { replies: [CALL, answer('391'), answer('414')] },
    )
    expect(stdout).toBe('391\n414\n')
    expect(stderr).toContain('Observation: 414')
    expect(prompts).toHaveLength(3)
    expect(prompts[2]).toContain('18 * 23')
    expect(prompts[2]).not.toContain('391')
    expect(starts[1]).toMatchObject({ forked: { run: starts[0]?.run, step: 1 } })
  })

  test('of an answer needs no model', async () => {
    const { stdout, prompts } = await chat({ stdin: 'first\n/edit\n', env: sed('s/one/eleven/') })
    expect(stdout).toBe('one\neleven\n')
    expect(prompts).toHaveLength(1)
  })

  test.each([
    ['fails', { EDITOR: 'false' }, 'false ended with code 1: nothing is changed'],
    ['is not there', { EDITOR: '/nowhere/vi' }, '/nowhere/vi ended with code 127: nothing is changed'],
  ])('leaves all as it is when the editor %s', async (_, env, told) => {
    const { stdout, verdict, starts } = await chat({ stdin: 'first\n/edit\n', env })
    expect([stdout, starts.length]).toEqual(['one\n', 1])
    expect(verdict).toContain(told)
  })

  test.each([
    ['the same', 'true', 'the text is the same'],
    ['empty', 'truncate -s 0', 'the text is empty'],
  ])('does nothing when the text is %s', async (_, editor, told) => {
    const env = { EDITOR: editor, PATH: process.env.PATH ?? '' }
    const { code, stderr, starts } = await chat({ stdin: 'first\n/edit\n', env })
    expect([code, starts.length]).toEqual([0, 1])
    expect(stderr).toContain(told)
  })
})

describe('--step', () => {
  const STOP = '[enter, e, r, s, a, ?] '

  test('shows each reading, and goes on when told', async () => {
    const person: Person = [
      [PROMPT, 'first\r'],
      [STOP, '?\n'],
      [STOP, 'r\n'],
      [STOP, '\n'],
      [STOP, '\n'],
      [PROMPT, CTRL_D],
    ]
    const { stdout, stderr } = await chat({ argv: ['--step'], person }, { replies: [CALL, answer('391')] })
    expect(stdout).toBe('391\n')
    expect(stderr).toContain('call     calculator {"expression":"17 * 23"}')
    expect(stderr).toContain('enter: go on')
    expect(stderr).toContain('Action Input: {"expression": "17 * 23"}')
    expect(stderr.indexOf('step 1')).toBeLessThan(stderr.indexOf('Observation: 391'))
  })

  test('s lets the turn go on by itself, the next one stops again', async () => {
    const person: Person = [
      [PROMPT, 'first\r'],
      [STOP, 's\n'],
      [PROMPT, 'second\r'],
      [STOP, '\n'],
      [PROMPT, CTRL_D],
    ]
    const { stdout } = await chat({ argv: ['--step'], person }, { replies: [CALL, answer('one'), answer('two')] })
    expect(stdout).toBe('one\ntwo\n')
  })

  test('a ends the turn before anything is done', async () => {
    const person: Person = [
      [PROMPT, 'first\r'],
      [STOP, 'a\n'],
      [PROMPT, CTRL_D],
    ]
    const { code, stdout, stderr } = await chat({ argv: ['--step'], person }, { replies: [CALL] })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).not.toContain('Observation')
  })

  test('e changes the reply before anything is done', async () => {
    const person: Person = [
      [PROMPT, 'first\r'],
      [STOP, 'e\n'],
      [STOP, '\n'],
      [STOP, '\n'],
      [PROMPT, CTRL_D],
    ]
    const env = { EDITOR: `sed -i 's/17/18/'`, PATH: process.env.PATH ?? '' }
    const { stdout, stderr } = await chat({ argv: ['--step'], person, env }, { replies: [CALL, answer('414')] })
    expect(stdout).toBe('414\n')
    expect(stderr).not.toContain('Observation: 391')
    expect(stderr).toContain('Observation: 414')
  })

  test.each([
    ['that is left as it was goes on', 'true', '391\n', '1 turn, 1 answered'],
    ['is given up when the editor fails', 'false', '', '1 turn, 0 answered'],
  ])('a reply under e %s', async (_, editor, answers, told) => {
    const person: Person = [
      [PROMPT, 'first\r'],
      [STOP, 'e\n'],
      ...(answers === '' ? [] : ([[STOP, 's\n']] as const)),
      [PROMPT, CTRL_D],
    ]
    const env = { EDITOR: editor, PATH: process.env.PATH ?? '' }
    const { stdout, verdict } = await chat({ argv: ['--step'], person, env }, { replies: [CALL, answer('391')] })
    expect([stdout, verdict]).toEqual([answers, told])
  })

  test('/step turns it on and off', async () => {
    const person = typed('/step\r', '/step\r', 'first\r', CTRL_D)
    const { stdout, stderr } = await chat({ person })
    expect(stdout).toBe('one\n')
    expect(stderr).not.toContain(STOP)
  })
})

describe('saydo chat --continue', () => {
  test('goes on with the last conversation, its tools and its model', async () => {
    const { cwd, file } = await chat({ stdin: 'first\n' })
    const endpoint = await startEndpoint({ replies: [answer('two')] })
    open.push(endpoint)
    const { stdout, stderr } = await saydo(['chat', '-c', '--url', endpoint.url], { cwd, stdin: '/tools\nsecond\n' })
    expect(stdout).toBe('two\n')
    expect(stderr).toContain('calculator(expression)')
    expect(stderr).toContain(`recorded: ${file}`)
    expect(JSON.stringify(endpoint.asked[0]?.body)).toContain('first')
    expect(endpoint.asked[0]?.body.model).toBe('m')
  })

  test('takes the one that is named, though another is newer', async () => {
    const { cwd, starts } = await chat({ stdin: 'first\n' })
    await chat({ cwd, stdin: 'elsewhere\n' })
    const { prompts } = await chat({ cwd, argv: ['-c', starts[0]?.run ?? ''], stdin: 'second\n' })
    expect(prompts[0]).toContain('first')
    expect(prompts[0]).not.toContain('elsewhere')
  })

  test('goes on behind what saydo run recorded, and can retry it', async () => {
    const cwd = emptyFolder()
    const endpoint = await startEndpoint({ replies: [answer('one'), answer('two')] })
    open.push(endpoint)
    const env = { SAYDO_URL: endpoint.url }
    await saydo(['run', 'first', '--model', 'm'], { cwd, env })
    const { stdout } = await saydo(['chat', '-c'], { cwd, env, stdin: '/retry\n' })
    expect(stdout).toBe('two\n')
  })

  test.each([
    [['-c'], 'no run is recorded here'],
    [['-c', 'zzz'], "there is no run 'zzz'"],
  ])('%j says that there is none', async (argv, told) => {
    const { code, verdict } = await chat({ argv, stdin: 'x\n' })
    expect(code).toBe(2)
    expect(verdict).toContain(told)
  })

  test('is recorded where it was', async () => {
    const { cwd } = await chat({ stdin: 'first\n' })
    const { verdict } = await chat({ cwd, argv: ['-c', '--no-record'], stdin: 'x\n' })
    expect(verdict).toContain('--no-record is of a new run')
  })
})
