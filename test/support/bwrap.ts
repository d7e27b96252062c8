// Bubblewrap, for tests that run programs in a sandbox; where it is not installed they are left out, and say so.
import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSandbox } from '../../src/toolsets/sandbox/open-sandbox.js'
import type { BackendName, SandboxOptions } from '../../src/toolsets/sandbox/settings.js'

export const HAS_BWRAP = works('bwrap', ['--version'])

/** For the name of a suite. */
export const WITHOUT_BWRAP = HAS_BWRAP ? '' : ' (left out: apt-get install -y bubblewrap)'

/** Backends that can be tried here. */
export const BACKENDS_HERE: readonly BackendName[] = [
  'local',
  ...(HAS_BWRAP ? (['bwrap'] as const) : []),
  ...(HAS_BWRAP && works('socat', ['-V']) && works('rg', ['--version']) ? (['srt'] as const) : []),
]

export function makeWorkspace(): string {
  return mkdtempSync(join(tmpdir(), 'saydo-work-'))
}

export function open(backend: BackendName, options: Partial<SandboxOptions> = {}) {
  return openSandbox({ workspace: makeWorkspace(), backend, ...options })
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function works(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
