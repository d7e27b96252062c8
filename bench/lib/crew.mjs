// One process for each reader, so that none warms up or litters another's heap, and one question at a time, so that rounds take turns and a busy
// moment of the machine hits all alike. Questions are the jobs that a measure exports; a job that takes too long ends its process.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url))

/** Starts a process for each reader; those that can't be loaded are in `missing`, with the reason. */
export async function openCrew(ids, measure, execArgv = []) {
  const crew = new Map()
  const missing = {}
  for (const id of ids) {
    const { child, hello } = await start(id, measure, execArgv)
    if (hello.error === undefined) crew.set(id, { child, version: hello.version })
    else missing[id] = hello.error
  }
  return {
    ids: [...crew.keys()],
    missing,
    versions: Object.fromEntries([...crew].map(([id, { version }]) => [id, version])),
    /** Gives what the job gave, or `{error}`. */
    async ask(id, job, args, timeoutMs = 30_000) {
      const member = crew.get(id)
      const answer = nextMessage(member.child, timeoutMs)
      member.child.send({ job, args })
      const given = await answer
      if (given.lost) member.child = (await start(id, measure, execArgv)).child
      return given.lost ? { error: given.lost } : given.value
    },
    close() {
      for (const { child } of crew.values()) child.kill()
    },
  }
}

async function start(id, measure, execArgv) {
  const child = fork(WORKER, [id, measure], { execArgv, stdio: ['ignore', 'ignore', 'ignore', 'ipc'], serialization: 'advanced' })
  const hello = await nextMessage(child, 60_000)
  return { child, hello: hello.lost ? { error: hello.lost } : hello.value }
}

function nextMessage(child, timeoutMs) {
  return new Promise(resolve => {
    const settle = given => {
      clearTimeout(timer)
      child.removeAllListeners('message')
      child.removeAllListeners('exit')
      resolve(given)
    }
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      settle({ lost: `more than ${timeoutMs / 1000} s` })
    }, timeoutMs)
    child.once('message', value => settle({ value }))
    child.once('exit', status => settle({ lost: `the process ended with ${status}` }))
  })
}
