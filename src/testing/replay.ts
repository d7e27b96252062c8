// A fixture file, or a folder of them → tests: one for each turn.
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SaydoError } from '../core/errors.js'
import { FIXTURE_ENDING } from '../transcript/fixture.js'
import { type OpenFixture, openFixture } from './open-fixture.js'
import { Replay, type ReplayOptions } from './replay-run.js'
import { testRunner } from './test-runner.js'

/**
 * Tells the test runner (vitest, or that of Node) of one test for each turn of the file: `await replay('fixtures/runs/rivers.saydo.yaml')`, at the
 * top of a test file. Under `vitest -u` what is concluded today goes into the file.
 */
export async function replay(file: string | URL, options: ReplayOptions = {}): Promise<void> {
  const runner = await testRunner()
  const path = file instanceof URL || file.startsWith('file:') ? fileURLToPath(file) : file
  const known = await openFixture(path, { mode: 'replay', ...options }).catch((error: unknown) => ({ error }))
  const name = basename(path).replace(/(?:\.saydo)?\.ya?ml$/, '')
  runner.describe(name, () => {
    // a file that can't be read is a test that fails
    if ('error' in known) return runner.test('is a fixture', () => Promise.reject(known.error))
    const played: Promise<Replay>[] = []
    const open = () => Replay.open(path, { update: runner.updates(), ...options }).catch(withHint)
    // a turn goes on from those before it, also where it alone was chosen, or comes first
    const upTo = (at: number): Promise<Replay> => {
      const before = at === 0 ? open : () => upTo(at - 1)
      played[at] ??= before().then(run => run.turn().then(() => run, withHint))
      return played[at]
    }
    for (const [at, turn] of known.turns.entries()) runner.test(titleOf(turn), async () => void (await upTo(at)))
  })
}

/** The same for every `*.saydo.yaml` of a folder and those below it. Throws `CONFIG` when there is none. */
export async function replayDir(folder: string | URL, options: ReplayOptions = {}): Promise<void> {
  const path = folder instanceof URL ? fileURLToPath(folder) : folder
  const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith(FIXTURE_ENDING))
  if (files.length === 0) throw new SaydoError('CONFIG', `there is no fixture in ${path}`)
  for (const file of files.sort()) await replay(join(path, file), options)
}

/** A test runner shows a message and no more. */
function withHint(error: unknown): never {
  if (error instanceof SaydoError && error.hint !== undefined) error.message += `\n→ ${error.hint}`
  throw error
}

const LONGEST_TITLE = 70

function titleOf({ user }: OpenFixture['turns'][number]): string {
  const line = user.replace(/\s{1,1000}/g, ' ').trim()
  return line.length > LONGEST_TITLE ? `${line.slice(0, LONGEST_TITLE - 1)}…` : line || '(no task)'
}
