// Command-line arguments and a world → an exit code. Builds the command line from the commands' own data; reports every error in one form.
import { CommanderError, Option, Command as Program } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { SaydoError } from '../core/errors.js'
import { isSlip, nearNames } from '../core/near-names.js'
import type { Command, ExitCode, Invocation, Io, OptionSpec, Verdict } from './command.js'
import { commands } from './commands/index.js'
import { errorLines } from './error-lines.js'
import { visible } from './visible.js'

/** The command that a bare task means. */
const DEFAULT_COMMAND = 'run'

/** Runs one command line; never throws and never exits. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    io.stdout.write(`${packageJson.version}\n`)
    return 0
  }
  let verdict: Verdict | undefined
  const implied = impliesDefault(argv)
  const program = buildProgram(io, async (command, invocation) => {
    if (implied) refuseMistypedCommand(invocation.args)
    verdict = await command.run(invocation)
  })
  try {
    await program.parseAsync(implied ? [DEFAULT_COMMAND, ...argv] : argv, { from: 'user' })
  } catch (error) {
    return report(error, io, argv.includes('-v') || argv.includes('--verbose'))
  }
  if (verdict?.line) io.stderr.write(`${visible(verdict.line)}\n`)
  return verdict?.code ?? 0
}

/** The whole command line, for `--help`, the README and docs/. */
export function buildProgram(io: Io, run: (command: Command, invocation: Invocation) => Promise<void>): Program {
  const program = new Program('saydo')
  const output = {
    writeOut: (text: string) => io.stdout.write(text),
    writeErr: (text: string) => io.stderr.write(text),
    getOutHelpWidth: () => 100,
    getErrHelpWidth: () => 100,
  }
  program
    .description('Agents for models that can only talk: text in, Thought / Action / Observation, answer out.')
    .usage('[command] [options]')
    .version(packageJson.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'show help for a command')
    .exitOverride()
    .configureOutput(output)
    .addHelpText(
      'after',
      '\nA bare task is run:  saydo "What is 6 * 7?" --url http://localhost:8080\nStart here:          saydo demo',
    )
  for (const command of commands) {
    const sub = program.command(command.name).summary(command.summary).description(command.summary)
    // commander's own suggestion would be --help for --temp
    sub.exitOverride().showSuggestionAfterError(false).helpOption('-h, --help', 'show this help')
    sub.configureOutput({ ...output, outputError: (said, write) => write(`${said}${fixOf(said, command)}`) })
    if (command.positional) sub.argument(command.positional)
    for (const option of command.options) sub.addOption(toOption(option))
    if (command.examples.length > 0)
      sub.addHelpText('after', `\nExamples:\n${command.examples.map(line => `  ${line}`).join('\n')}`)
    sub.action(() => run(command, { args: sub.args, options: givenOptions(sub), io }))
  }
  return program
}

/** Without the `true` that commander puts where `--no-stream` was not given: it would win over the config file. */
function givenOptions(sub: Program): Record<string, unknown> {
  return Object.fromEntries(Object.entries(sub.opts()).filter(([name]) => sub.getOptionValueSource(name) !== 'default'))
}

function toOption(spec: OptionSpec): Option {
  const option = new Option(spec.flags, spec.description)
  if (spec.choices) option.choices([...spec.choices])
  if (spec.group) option.helpGroup(spec.group)
  const { parse } = spec
  if (!parse && !spec.repeat) return option
  return option.argParser((text: string, previous: unknown) => {
    const value = parse ? readValue(spec.flags, text, parse) : text
    return spec.repeat ? [...(Array.isArray(previous) ? previous : []), value] : value
  })
}

function readValue(flags: string, text: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(text)
  } catch (error) {
    throw new CommanderError(2, 'saydo.invalidValue', `error: option '${flags}' got '${text}': ${(error as Error).message}`)
  }
}

/** What commander says of a usage error → the line that tells the fix; empty when it needs none. */
function fixOf(said: string, { name, options }: Command): string {
  const [, kind, given = ''] = /^error: (unknown option|too many arguments)(?: '([^'=]{0,200}))?/.exec(said) ?? []
  if (kind === undefined) return ''
  const flags = options.flatMap(option => /--[a-z-]+/.exec(option.flags)?.[0] ?? [])
  if (kind === 'too many arguments')
    return flags.includes('--tools') ? 'a file of tools stands behind its option: --tools FILE\n' : ''
  if (/^-(?:\d|.*\s)/.test(given)) return 'a task that begins with a dash stands last, behind --: saydo --url … -- "-5 plus 3?"\n'
  const near = nearNames(given, flags)
  return near.length > 0 ? `did you mean ${near.join(' or ')}?\n` : `saydo ${name} --help lists what there is\n`
}

/** `saydo "task" --url …` is `saydo run "task" --url …`. */
function impliesDefault([first]: readonly string[]): boolean {
  const own = ['help', '-h', '--help', '-V', '--version']
  return first === undefined || !(own.includes(first) || commands.some(command => command.name === first))
}

/** A single bare word that is nearly a command is a slip, not a task. */
function refuseMistypedCommand(args: readonly string[]): void {
  const [word] = args
  if (word === undefined || args.length > 1 || !/^[a-z]+$/i.test(word)) return
  const near = [...commands.map(command => command.name), 'help'].find(
    name => isSlip(word, name) || (word !== name && word.toLowerCase() === name),
  )
  if (near === undefined) return
  throw new SaydoError('CONFIG', `there is no command '${word}'`, {
    hint: `did you mean saydo ${near}? To run it as a task: saydo run ${word}`,
  })
}

/** One error → one message with its fix on stderr, and the exit code for its kind. */
export function report(error: unknown, io: Io, verbose: boolean): ExitCode {
  if (error instanceof CommanderError) {
    // commander has printed usage errors already; help and version are no errors
    if (error.code === 'saydo.invalidValue') io.stderr.write(`${visible(error.message)}\n`)
    return error.exitCode === 0 ? 0 : 2
  }
  for (const line of errorLines(error, verbose)) io.stderr.write(`${line}\n`)
  return exitCodeOf(error instanceof SaydoError ? error : undefined)
}

function exitCodeOf(error: SaydoError | undefined): ExitCode {
  if (!error) return 1
  switch (error.code) {
    case 'CONFIG':
    case 'TEMPLATE':
    case 'MISSING_PACKAGE':
    case 'STATE':
      return 2
    case 'SCRIPT_EXHAUSTED':
    case 'FIXTURE_INVALID':
    case 'FIXTURE_VERSION':
    case 'FIXTURE_MISSING':
    case 'FIXTURE_EXHAUSTED':
    case 'FIXTURE_UNUSED':
    case 'FIXTURE_STALE':
    case 'FIXTURE_MISMATCH':
      return 4
    case 'ABORTED':
      return 130
    default:
      return 3
  }
}
