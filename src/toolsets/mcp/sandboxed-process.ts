// A command → a process in a sandbox, which holds it to its workspace. A command with a path is one of the sandbox, as programs inside see it.
import type { Sandbox, SandboxProcess } from '../../core/sandbox.js'
import type { StartProcess } from './server-process.js'

/** Where there is no network, `npx` would ask it for a package again and again, for longer than anybody waits. */
const PATIENCE = { npm_config_fetch_retries: '0' }

export function startIn(sandbox: Sandbox): StartProcess {
  return async ({ command, args, env, cwd }, events) => {
    const child = await sandbox.spawn([command, ...args], { env: { ...PATIENCE, ...env }, ...(cwd === undefined ? {} : { cwd }) })
    const read = Promise.all([
      eachOf(child.stdout, chunk => events.onOutput(Buffer.from(chunk))),
      eachOf(child.stderr, chunk => events.onSaid(Buffer.from(chunk).toString('utf8'))),
    ])
    child.exited.then(({ code, end }) => events.onExit(`it ended with exit code ${code}${end === 'exit' ? '' : ` (${end})`}`))
    Promise.allSettled([child.exited, read]).then(events.onOver)
    return serverProcess(child)
  }
}

function serverProcess(child: SandboxProcess) {
  let backlog = 0
  // one after the other, so that messages stay whole
  let writing = Promise.resolve()
  return {
    get backlog() {
      return backlog
    },
    write(text: string) {
      backlog += text.length
      writing = writing
        .then(() => child.write(text))
        .catch(() => {})
        .finally(() => {
          backlog -= text.length
        })
    },
    end(how: 'input' | 'ask' | 'kill') {
      if (how === 'input') child.endInput()
      else if (how === 'kill') child.kill().catch(() => {})
    },
    release() {},
  }
}

async function eachOf(chunks: AsyncIterable<Uint8Array>, take: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of chunks) take(chunk)
}
