// A command → a process of this machine, in a group of its own, which ends with this one. It gets no more of the environment than programs need to run.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { Keeper } from '../sandbox/keeper.js'
import type { ProcessEvents, ServerProcess, StdioCommand } from './server-process.js'
import { commandFor } from './windows-command.js'

/** What a server gets without being given it: no keys, no tokens. */
const INHERITED =
  process.platform === 'win32'
    ? [
        'APPDATA',
        'HOMEDRIVE',
        'HOMEPATH',
        'LOCALAPPDATA',
        'PATH',
        'PATHEXT',
        'SYSTEMDRIVE',
        'SYSTEMROOT',
        'TEMP',
        'USERNAME',
        'USERPROFILE',
      ]
    : ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

/** How long the last it said is waited for, in ms: what left its group may hold the pipes for ever. */
const DRAIN_MS = 250

const alive = new Set<ChildProcessWithoutNullStreams>()

export async function startLocally(given: StdioCommand, events: ProcessEvents): Promise<ServerProcess> {
  const { command, args, verbatim } = commandFor(given)
  const inherited = INHERITED.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  const child = spawn(command, args, {
    env: { ...Object.fromEntries(inherited), ...given.env },
    ...(given.cwd === undefined ? {} : { cwd: given.cwd }),
    stdio: 'pipe',
    // a group of its own, so that what it starts ends with it
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  })
  child.stdout.on('data', events.onOutput)
  child.stderr.setEncoding('utf8').on('data', events.onSaid)
  // what breaks here shows by the end of the process
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
  child.on('exit', (code, signal) => {
    alive.delete(child)
    // what it has started goes with it, and holds its pipes open no longer
    signalGroup(child, 'SIGKILL')
    setTimeout(() => release(child), DRAIN_MS).unref()
    events.onExit(signal ? `it was ended by ${signal}` : `it ended with exit code ${code}`)
  })
  child.on('close', events.onOver)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', error => reject(new Error(whyNotStarted(error, given))))
  })
  alive.add(child)
  endsWithUs(child)
  return {
    get backlog() {
      return child.stdin.writableLength
    },
    write: text => void (child.stdin.writable && child.stdin.write(text)),
    end(how) {
      if (how === 'input') child.stdin.end()
      else signalGroup(child, how === 'ask' ? 'SIGTERM' : 'SIGKILL')
    },
    release: () => release(child),
  }
}

/** Also where this process is killed and can end nothing any more, and the server does not heed the end of its input. */
function endsWithUs(child: ChildProcessWithoutNullStreams): void {
  if (process.platform === 'win32' || child.pid === undefined) return
  const keeper = Keeper.start({ cleanUp: 'kill -9 "-$1"', args: [String(child.pid)] })
  const end = () => keeper.then(started => started.end())
  // where none can be, a server is ended as long as this process is there
  child.once('exit', () => void end().catch(() => {}))
  keeper.catch(() => {})
}

function release(child: ChildProcessWithoutNullStreams): void {
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy()
  child.unref()
}

process.on('exit', () => {
  for (const child of alive) signalGroup(child, 'SIGKILL')
})

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    child.kill(signal)
  }
}

function whyNotStarted(error: NodeJS.ErrnoException, { command, cwd }: StdioCommand): string {
  if (error.code !== 'ENOENT') return `${command} can't be started: ${error.message}`
  return `there is no command ${command} on the PATH${cwd === undefined ? '' : `, or no folder ${cwd}`}`
}
