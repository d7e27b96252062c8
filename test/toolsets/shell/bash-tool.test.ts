// The tools bash and job, over a real bash: every command comes back, the session stays, and what became of it is said.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../../../src/core/sandbox.js'
import { OutOfTimeError } from '../../../src/tools/out-of-time-error.js'
import { openSandbox } from '../../../src/toolsets/sandbox/open-sandbox.js'
import { bashTool } from '../../../src/toolsets/shell/bash-tool.js'
import { jobTool } from '../../../src/toolsets/shell/job-tool.js'
import { Shell } from '../../../src/toolsets/shell/shell.js'

const workspace = mkdtempSync(join(tmpdir(), 'saydo-bash-'))
let sandbox: Sandbox
let shell: Shell

beforeAll(async () => {
  sandbox = await openSandbox({ workspace, backend: 'local' })
  shell = await Shell.open(sandbox)
})

afterAll(async () => {
  await shell.close()
  await sandbox.destroy()
  rmSync(workspace, { recursive: true, force: true })
})

async function call(make: typeof bashTool, input: object, signal = new AbortController().signal): Promise<string> {
  const tool = make(async () => shell)
  return (await tool.run(input as never, { signal, callId: '1.1' })) as string
}

/** What the model reads of a command whose time is up; that fails its call. */
async function timedOut(input: object): Promise<string> {
  const failed = await bash(input).catch(error => error)
  expect(failed).toBeInstanceOf(OutOfTimeError)
  return (failed as OutOfTimeError).text
}

const bash = (input: object | string) => call(bashTool, typeof input === 'string' ? { command: input } : input)
const job = (input: object) => call(jobTool, input)

describe('a command', () => {
  test.each([
    ['output and errors in their order', 'echo a; echo b >&2; echo c', 'a\nb\nc\n[exit code 0]'],
    ['nothing', 'true', '[exit code 0]'],
    ['its exit code', 'false', '[exit code 1]'],
    ['a trailing comment', 'echo hi # there', 'hi\n[exit code 0]'],
    ['only a comment', '# nothing', '[exit code 0]'],
    ['no text at all', '', '[exit code 0]'],
    ['a heredoc', "cat <<'E'\na $b\nE", 'a $b\n[exit code 0]'],
    ['a program in the background', 'sleep 99 & echo on', expect.stringMatching(/on\n\[exit code 0\]$/)],
    ['one that reads', 'cat', '[exit code 0]'],
    ['an interpreter, which finds no terminal', 'python3; node', '[exit code 0]'],
    ['what would be shown page by page', 'seq 3 | $PAGER; seq 4 | $GIT_PAGER | tail -1', '1\n2\n3\n4\n[exit code 0]'],
    ['blank lines and lines of digits', "printf '1\\n\\n\\n22\\n'", '1\n\n\n22\n[exit code 0]'],
    ['one that is not there', 'saydo-no-such', expect.stringMatching(/command not found\n\[exit code 127\]$/)],
    [
      'quotes of all kinds',
      `printf '%s|' "a'b" 'c"d' \`echo e\` $'f\\ng'`,
      'a\'b|c"d|e|f\ng|\n[exit code 0]'.replace('|\n[', '|\n['),
    ],
    ['a last line without its end', 'printf x', 'x\n[exit code 0]'],
    ['text like the end of a command', "printf '\\0__saydo_mark\\0x'", expect.stringContaining('[binary output, 15 bytes]')],
    ['a progress bar', "printf '10%%\\r100%%\\n'", '100%\n[exit code 0]'],
    ['colours', "printf '\\033[31mred\\033[0m\\n'", 'red\n[exit code 0]'],
    ['what steers a screen', "printf '\\033[2J\\033]0;title\\007\\033P1;2q\\033\\\\\\033(Bon\\n'", 'on\n[exit code 0]'],
    ['bold as a printer makes it', "printf 'N\\010NO\\010O\\n'", 'NO\n[exit code 0]'],
    ['several lines with loops', 'for i in 1 2\ndo\n  echo $i\ndone', '1\n2\n[exit code 0]'],
  ])('comes back: %s', async (_, command, told) => {
    expect(await bash(command)).toEqual(told)
  })

  test('that would open an editor goes on without one', async () => {
    const git = 'git -c user.name=a -c user.email=a@b.c'
    await bash('mkdir mended && cd mended && git init -q && touch a && git add a')
    expect(await bash(`${git} commit -q`)).toMatch(/empty commit message\.\n\[exit code 1\]$/)
    expect(await bash(`${git} commit -qm first && touch b && git add b && ${git} commit -q --amend && git log --format=%s`)).toBe(
      'first\n[exit code 0]',
    )
  })

  test('that is no bash is told and not run', async () => {
    expect(await bash("touch was-run; echo 'open")).toMatch(/unexpected EOF while looking for matching .*\n\[exit code 2\]$/)
    expect(await bash('ls was-run 2>&1')).toMatch(/\[exit code 2\]$/)
  })

  test('that exits ends the bash, which is said, and the next gets a new one', async () => {
    expect(await bash('x=1; exit 3')).toMatch(/\[exit code 3\]\n\[that ended the bash/)
    expect(await bash('echo "<$x>"')).toMatch(/^\[the bash had ended; .*\]\n<>\n\[exit code 0\]$/)
  })

  test('finds the variables, functions, status and folder of those before it', async () => {
    await shell.session.restart()
    await bash('mkdir -p sub; cd sub; declare word=v; f() { echo "f $1"; }; false')
    expect(await bash('echo $? $word; f 1; basename "$PWD"')).toBe('1 v\nf 1\nsub\n[exit code 0]')
    expect(shell.session.cwd).toMatch(/\/sub$/)
  })

  test.each([
    ['closes its output', 'exec 1>&-', 'echo on', 'on\n[exit code 0]'],
    ['sends its output elsewhere', 'exec >/dev/null 2>&1', 'echo on; ls /none', /^on\nls: .*\n\[exit code 2\]$/],
    ['opens a file', 'exec 9>lock', 'echo in >&9; cat lock', 'in\n[exit code 0]'],
    ['names a function eval', 'eval() { :; }', 'echo on', 'on\n[exit code 0]'],
    ['names a function local', 'local() { :; }', 'echo on', 'on\n[exit code 0]'],
    ['names a function printf', 'printf() { :; }', 'echo on', 'on\n[exit code 0]'],
    ['names a function exit', 'exit() { :; }', 'exit; echo on', 'on\n[exit code 0]'],
    ['keeps a name that is not its own', 'readonly status=5', 'false', '[exit code 1]'],
    ['takes every word for an assignment', 'set -k', 'echo on', 'on\n[exit code 0]'],
    ['splits at digits', 'IFS=0123456789', 'false', '[exit code 1]'],
    ['gives echo another meaning', "alias echo='printf %s'", 'echo on', 'on\n[exit code 0]'],
    ['wants a prompt', "PS1='> '; PS2='.. '", 'echo on', 'on\n[exit code 0]'],
    ['takes its folder away', 'mkdir gone; cd gone; rmdir ../gone', 'cd ..; ls gone', /No such file.*\n\[exit code 2\]$/],
    ['opens few files', 'ulimit -n 21', 'echo on', 'on\n[exit code 0]'],
    ['stops at an unset variable', 'set -u; echo $none', 'echo on', 'on\n[exit code 0]'],
  ])('that %s does no harm to the next', async (_, command, next, told) => {
    await shell.session.restart()
    await bash(command)
    expect(await bash(next)).toEqual(typeof told === 'string' ? told : expect.stringMatching(told))
  })

  test('cannot print the end mark by printing every variable', async () => {
    expect(await bash('set; declare -p; declare -f; env')).toMatch(/\[exit code 0\]$/)
  })

  test.each([
    ['sleep 30; echo after'],
    ['while :; do :; done'],
    ['while :; do sleep 0.02; done'],
    ["trap '' INT; sleep 30"],
    [`bash -c 'trap "" INT; sleep 30'`],
  ])(
    'is interrupted when its time is up, and the bash goes on: %s',
    async command => {
      // a trap of the row before would hold
      await shell.session.restart()
      await bash('kept=yes')
      expect(await timedOut({ command: `echo begun; ${command}`, timeout: 1 })).toMatch(
        /^begun\n\[it took longer than 1 s and was interrupted, exit code 1(30|37); the bash goes on\]$/,
      )
      expect(await bash('echo $kept')).toBe('yes\n[exit code 0]')
    },
    20_000,
  )

  test('is interrupted when the run is', async () => {
    await shell.session.restart()
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 200)
    expect(await call(bashTool, { command: 'sleep 30' }, abort.signal)).toMatch(/\[it was interrupted, exit code 130;/)
  })

  test('that prints much is shown by its beginning and its end, and is whole in a file', async () => {
    const told = await bash('seq 1 20000')
    expect(told).toMatch(/^1\n2\n[\s\S]*\n\[… \d+ bytes left out …\]\n[\s\S]*\n20000\n\[the whole output is in (\S+);/)
    const file = /whole output is in (\S+);/.exec(told)?.[1] ?? ''
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(20_001)
  })

  test('that prints without end is stopped', async () => {
    expect(await bash('yes')).toMatch(/\[it printed too much and was interrupted, exit code \d+; the bash goes on\]$/)
  }, 20_000)

  test('takes input while it runs, and can be read on and interrupted', async () => {
    const ask = 'read -p "name? " name; echo "hi $name"; read more; echo "$more"; sleep 50'
    expect(await bash({ command: ask, interactive: true })).toMatch(/\[it is still running/)
    expect(await bash({ input: 'Ada\n' })).toMatch(/^hi Ada\n\[it is still running/)
    await expect(bash('ls')).rejects.toThrow('a command is still running')
    expect(await bash({ input: 'x\n' })).toMatch(/^x\n\[it is still/)
    expect(await bash({ command: '' })).toMatch(/^\[it is still running/)
    expect(await bash({ command: 'ctrl+c' })).toBe('[exit code 130]')
    expect(await bash('cat')).toBe('[exit code 0]')
  }, 20_000)

  test('is started anew by restart', async () => {
    await bash('x=1; cd /')
    expect(await bash({ restart: true })).toMatch(/^The bash was restarted/)
    expect(await bash('echo "<$x>"')).toBe('<>\n[exit code 0]')
  })

  test.each([
    [{}, 'no command was given'],
    [{ input: 'x' }, 'nothing is running that could read input'],
    [{ command: 'a\0b' }, 'cannot hold a NUL'],
    [{ command: 'ctrl+c' }, 'nothing is running that could be interrupted'],
  ])('that cannot be is refused: %j', async (input, message) => {
    await expect(bash(input)).rejects.toThrow(message)
  })
})

describe('jobs', () => {
  test('are started with the variables of the bash, read, listed and killed', async () => {
    await bash('word=hello')
    const started = await bash({ command: 'echo $word; sleep 60', background: true })
    const id = Number(/job (\d+)/.exec(started)?.[1])
    await expect.poll(() => job({ action: 'read', id }), { timeout: 5000 }).toMatch(/^hello\n\[job \d+, running/)
    expect(await job({ action: 'read', id })).toMatch(/^\(nothing new was printed\)/)
    expect(await job({ action: 'list' })).toContain(`job ${id}, running, 6 bytes printed: echo $word; sleep 60`)
    expect(await job({ action: 'kill', id })).toContain('exit code 137')
    await expect(job({ action: 'read', id: 99 })).rejects.toThrow('there is no job 99')
  }, 20_000)

  test('are spared when a command is interrupted', async () => {
    const started = await bash({ command: 'sleep 2; echo done', background: true })
    const id = Number(/job (\d+)/.exec(started)?.[1])
    await timedOut({ command: "trap '' INT; sleep 30", timeout: 1 })
    await expect.poll(() => job({ action: 'read', id }), { timeout: 8000 }).toContain('exit code 0, 5 bytes')
  }, 20_000)
})
