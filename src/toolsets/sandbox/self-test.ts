// A sandbox that was just opened → shown to run a command, and to keep one from writing beside its workspace and, where it promises that, from reading
// there. A program that only looks like bwrap is found out here.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SaydoError } from '../../core/errors.js'
import type { Sandbox } from '../../core/sandbox.js'
import type { Backend } from './backend-sandbox.js'

const SECRET = 'a file of this machine'
const TRY = `printf works; cat "$1/secret" 2>/dev/null; echo reached > "$1/reached" 2>/dev/null; true`

/** Rejects with `SANDBOX` for what a sandbox does not hold. */
export async function selfTest(sandbox: Sandbox, { name, hidesFiles }: Backend): Promise<void> {
  const outside = mkdtempSync(join(tmpdir(), 'saydo-outside-'))
  try {
    writeFileSync(join(outside, 'secret'), SECRET)
    const { code, stdout, stderr } = await sandbox.exec(['sh', '-c', TRY, 'sh', outside], { timeoutMs: 15_000 })
    const said = new TextDecoder().decode(stdout)
    if (code !== 0 || !said.startsWith('works'))
      throw refused(name, `a command ends with code ${code}: ${new TextDecoder().decode(stderr).trim().slice(0, 300)}`)
    if (name === 'local') return
    if (existsSync(join(outside, 'reached'))) throw refused(name, 'a command can write outside of the workspace')
    if (hidesFiles && said.includes(SECRET)) throw refused(name, 'a command can read the files of this machine')
  } finally {
    rmSync(outside, { recursive: true })
  }
}

function refused(name: string, why: string): SaydoError {
  return new SaydoError('SANDBOX', `The sandbox ${name} does not work here: ${why}.`, {
    hint: 'Nothing is run without it. Choose another sandbox, or local where no protection is wanted.',
  })
}
