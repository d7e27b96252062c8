// A revision of a git repository → its files whose names end so, with their texts. Asks git; nothing else of a repository is touched.
import { execFileSync } from 'node:child_process'
import { SaydoError } from '../core/errors.js'

/** By their paths from the folder, which may lie within the repository. Throws `CONFIG` when git can't say. */
export function filesAt(revision: string, ending: string, cwd: string): ReadonlyMap<string, string> {
  // what begins with a dash would be an option
  if (!/^[\w@^~{}][\w./@^~{}-]{0,200}$/.test(revision)) throw new SaydoError('CONFIG', `there is no revision '${revision}'`)
  const names = git(['ls-tree', '-r', '--name-only', '-z', revision], cwd)
    .split('\0')
    .filter(name => name.endsWith(ending))
  return new Map(names.map(name => [name, git(['show', `${revision}:./${name}`], cwd)]))
}

function git(args: readonly string[], cwd: string): string {
  try {
    return execFileSync('git', [...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
    })
  } catch (cause) {
    const said = String((cause as { readonly stderr?: string }).stderr ?? (cause as Error).message)
      .trim()
      .split('\n')[0]
    throw new SaydoError('CONFIG', `git can't say: ${said}`, { hint: 'name two revisions of this repository: main..HEAD', cause })
  }
}
