// A container and the commands in it → the arguments of `docker`, which anybody on this machine can read: no value that a user gave stands in them.

import { WORKSPACE } from './bwrap-arguments.js'
import { MARK } from './processes.js'
import type { ProtectedPaths } from './protected-paths.js'
import type { SandboxSettings } from './settings.js'

/** Of the container; the command comes after it. `owner`: `UID:GID`. */
export function containerArguments(
  name: string,
  settings: SandboxSettings,
  { paths, held }: Pick<ProtectedPaths, 'paths' | 'held'>,
  owner: string,
): string[] {
  const { root, memoryMiB, processes, cpuSeconds, fileMiB, openFiles, image } = settings
  return [
    ...['run', '--rm', '--interactive', '--init', '--pull', 'never', '--name', name],
    // what goes through its input and output is no log
    ...['--log-driver', 'none', '--network', 'none', '--read-only'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--user', owner],
    ...['--memory', `${memoryMiB}m`, '--memory-swap', `${memoryMiB}m`, '--pids-limit', `${processes}`],
    ...['--ulimit', `cpu=${cpuSeconds}`, '--ulimit', `fsize=${fileMiB * 1024 * 1024}`],
    ...['--ulimit', `nofile=${openFiles}`, '--ulimit', 'core=0'],
    ...['--tmpfs', `/tmp:rw,exec,nosuid,nodev,mode=1777,size=${memoryMiB}m`],
    ...mount(root, WORKSPACE),
    ...held.flatMap(path => mount(`${root}/${path}`, `${WORKSPACE}/${path}`)),
    ...paths.flatMap(path => mount(`${root}/${path}`, `${WORKSPACE}/${path}`, 'readonly')),
    ...['--workdir', WORKSPACE, '--entrypoint', 'env', image],
  ]
}

/** Of one command in it. The values of `env` come from the environment of `docker`, by name (see `dockerEnvironment`). */
export function commandArguments(
  name: string,
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): string[] {
  const variables = Object.entries(env).flatMap(([key, value]) => ['--env', isOfDocker(key) ? `${key}=${value}` : key])
  return ['exec', '--interactive', '--workdir', cwd, ...variables, name, ...argv]
}

/** Of `docker` itself: what leads it to its daemon, from `outer`, and the values for a command. */
export function dockerEnvironment(
  outer: Readonly<Record<string, string | undefined>>,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = Object.entries(outer).filter((entry): entry is [string, string] => entry[1] !== undefined && isOfDocker(entry[0]))
  return Object.fromEntries([...Object.entries(env).filter(([key]) => !isOfDocker(key)), ...own])
}

const OF_MARK = `tr '\\0' '\\n' <"$each/environ" | grep -qx "${MARK}=$1"`

/** Kills what carries the mark `$1`, wherever it went in the container. */
export const KILL_MARKED = `for each in /proc/[0-9]*; do if ${OF_MARK}; then kill -9 "\${each#/proc/}"; fi; done 2>/dev/null`

/** Interrupts what the program with the mark `$1` has started, not the program: its parent is outside of the container. */
export const INTERRUPT_MARKED = `for each in /proc/[0-9]*; do if ${OF_MARK} && ! grep -q '^PPid:.0$' "$each/status"; then kill -2 "\${each#/proc/}"; fi; done 2>/dev/null`

/** Such a variable would change what `docker` does, or the program itself: these are no secrets, and stand in the arguments. */
function isOfDocker(name: string): boolean {
  return /^(?:PATH|HOME|USER|TMPDIR|SSH_AUTH_SOCK|(?:XDG|LD)_[A-Z0-9_]+|DOCKER_(?:HOST|CONTEXT|CONFIG|CERT_PATH|API_VERSION|TLS|TLS_VERIFY))$/.test(
    name,
  )
}

/** `docker` reads it as a line of a table, with commas between: what holds one stands in quotes. */
function mount(source: string, target: string, ...flags: readonly string[]): string[] {
  const fields = ['type=bind', `source=${source}`, `target=${target}`, ...flags]
  return ['--mount', fields.map(field => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')]
}
