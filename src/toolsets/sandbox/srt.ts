// The backend srt: sandbox-runtime of Anthropic, for a network of named hosts, and for macOS. It keeps state of its whole process and takes its
// signals, so it lives in a small process of its own, which turns commands into command lines; its type alone enters here.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime'
import { SaydoError } from '../../core/errors.js'
import type { Backend } from './backend-sandbox.js'
import { type BaseFolder, makeBaseFolder, removeOrphans } from './base-folder.js'
import { makeCgroups } from './cgroups.js'
import { Keeper } from './keeper.js'
import { limitedBy, limitNotes } from './launcher.js'
import { killMarked, MARK, send, startedInside } from './processes.js'
import { protectPaths } from './protected-paths.js'
import type { SandboxSettings } from './settings.js'

const PACKAGE = '@anthropic-ai/sandbox-runtime'
const START_MS = 20_000

/** `argv`: what to import, and its configuration. Says `ready`, then for each command, one JSON text a line, its command line. */
const PROGRAM = `
import { createInterface } from 'node:readline'
const [url, config] = process.argv.slice(1)
const { SandboxManager } = await import(url)
const say = value => process.stdout.write(JSON.stringify(value) + '\\n')
try {
  const { errors } = await SandboxManager.checkDependenciesAsync()
  if (errors.length > 0) throw new Error(errors.join('; '))
  await SandboxManager.initialize(JSON.parse(config))
  say({ ready: true })
  for await (const line of createInterface({ input: process.stdin })) {
    try { say({ argv: await SandboxManager.wrapWithSandboxArgv(JSON.parse(line), 'bash') }) } catch (error) { say({ error: String(error.message) }) }
  }
} catch (error) { say({ error: String(error.message) }) }
await SandboxManager.reset()
process.exit(0)
`

interface Wrapped {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Rejects with `MISSING_PACKAGE` where it is not installed, `CONFIG` where it can't work. */
export async function srtBackend(settings: SandboxSettings): Promise<Backend> {
  const url = packageUrl()
  removeOrphans()
  const { root, diskMiB } = settings
  const { paths, made } = protectPaths(root)
  const base = makeBaseFolder()
  const cgroups = makeCgroups(base.name, settings)
  const id = randomBytes(8).toString('hex')
  const keeper = await Keeper.start({
    cleanUp: 'kill_marked "$1"; clear_away "$2" "$3"; unmake "$4" "$5"',
    args: [id, base.path, cgroups.folders.join(' '), root, made.join(' ')],
  })
  const wrapper = new Wrapper(url, configOf(settings, base, paths), { ...cleanEnv(base), [MARK]: `${id}.0` })
  const close = async () => {
    await wrapper.end()
    await keeper.end()
  }
  await wrapper.ready.catch(async error => {
    await close()
    throw error
  })
  let count = 1
  return {
    name: 'srt',
    root,
    workspace: root,
    diskMiB,
    hidesFiles: false,
    notes: [
      settings.allowHosts.length === 0 ? 'no network' : `no network but ${settings.allowHosts.join(', ')}`,
      'nothing can be written but the workspace; all files of this machine but those of its user can be read',
      ...limitNotes(cgroups, settings),
    ],
    async launch(argv, cwd, own) {
      const { argv: wrapped, env } = await wrapper.wrap(argv.map(quoted).join(' '))
      const mark = `${id}.${count++}`
      return {
        argv: [...limitedBy(cgroups, settings), ...wrapped],
        cwd,
        env: { ...env, ...settings.env, ...own, [MARK]: mark },
        sweep: () => killMarked(mark),
        async interrupt(pid) {
          for (const below of startedInside(pid)) send(below, 'SIGINT')
        },
      }
    },
    close,
  }
}

class Wrapper {
  readonly ready: Promise<void>
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  /** One question at a time: the answers come in order. */
  #last: Promise<unknown>

  constructor(url: string, config: SandboxRuntimeConfig, env: Readonly<Record<string, string>>) {
    const args = ['--input-type=module', '--eval', PROGRAM, url, JSON.stringify(config)]
    this.#child = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'pipe', 'ignore'], env: { ...env } })
    this.#child.stdin?.on('error', () => {})
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
    this.ready = this.#next(START_MS).then(() => this.#rest(false))
    this.#last = this.ready
  }

  async wrap(command: string): Promise<Wrapped> {
    const answer = this.#last.then(async () => {
      this.#rest(true)
      this.#child.stdin?.write(`${JSON.stringify(command)}\n`)
      const { argv } = (await this.#next(START_MS)) as { readonly argv: Wrapped }
      this.#rest(false)
      return argv
    })
    this.#last = answer.catch(() => {})
    return answer
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.ref()
    this.#child.stdin?.end()
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 3000)
    await once(this.#child, 'exit')
    clearTimeout(late)
  }

  async #next(ms: number): Promise<unknown> {
    const late = setTimeout(() => this.#child.kill('SIGKILL'), ms)
    const { value, done } = await this.#lines.next()
    clearTimeout(late)
    const said = done ? { error: 'it ended' } : JSON.parse(value)
    if (said.error === undefined) return said
    throw new SaydoError('CONFIG', `The sandbox srt does not work here: ${said.error}.`, {
      hint: 'On Linux it needs bubblewrap, socat and ripgrep: apt-get install bubblewrap socat ripgrep.',
    })
  }

  /** An idle one is no reason for this process to go on. */
  #rest(awake: boolean): void {
    for (const handle of [this.#child, this.#child.stdin, this.#child.stdout]) {
      const { ref, unref } = (handle ?? {}) as { ref?: () => void; unref?: () => void }
      if (awake) ref?.call(handle)
      else unref?.call(handle)
    }
  }
}

function packageUrl(): string {
  try {
    return import.meta.resolve(PACKAGE)
  } catch (cause) {
    throw new SaydoError('MISSING_PACKAGE', 'The sandbox srt is not installed.', { hint: `npm i ${PACKAGE}@0.0.78`, cause })
  }
}

function configOf({ root, allowHosts }: SandboxSettings, base: BaseFolder, paths: readonly string[]): SandboxRuntimeConfig {
  const tmp = join(base.path, 'tmp')
  return {
    network: { allowedDomains: [...allowHosts], deniedDomains: [] },
    filesystem: {
      denyRead: [homedir(), '/etc/shadow', '/run'],
      allowRead: [root, tmp],
      allowWrite: [root, tmp],
      denyWrite: paths.map(path => join(root, path)),
    },
  }
}

function cleanEnv(base: BaseFolder): Record<string, string> {
  const tmp = join(base.path, 'tmp')
  return { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: tmp, LANG: 'C.UTF-8', TMPDIR: tmp }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
