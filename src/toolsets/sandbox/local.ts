// The backend that is none: programs run on this machine with all that its user may do. For those who ask for it, and it says so.
import { randomBytes } from 'node:crypto'
import type { Backend } from './backend-sandbox.js'
import { Keeper } from './keeper.js'
import { descendants, killMarked, MARK, send } from './processes.js'
import type { SandboxSettings } from './settings.js'

/** What a program gets of this environment. */
const PASSED = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR']

export async function localBackend({ root, diskMiB, env }: SandboxSettings): Promise<Backend> {
  const id = randomBytes(8).toString('hex')
  const keeper = await Keeper.start({ cleanUp: 'kill_marked "$1"', args: [id] })
  const passed = Object.fromEntries(PASSED.flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])))
  let count = 0
  return {
    name: 'local',
    root,
    workspace: root,
    diskMiB,
    hidesFiles: false,
    notes: ['commands run on this machine, unprotected: they may read, change and send whatever its user may'],
    launch(argv, cwd, own) {
      const mark = `${id}.${count++}`
      return {
        argv,
        cwd,
        env: { ...passed, ...env, ...own, [MARK]: mark },
        sweep: () => killMarked(mark),
        async interrupt(pid) {
          for (const below of descendants(pid)) send(below.pid, 'SIGINT')
        },
      }
    },
    close: () => keeper.end(),
  }
}
