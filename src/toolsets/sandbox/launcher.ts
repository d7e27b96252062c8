// Limits → words to put in front of a command line, so that it runs within them: a shell that lets go of all files it was left, enters the control groups,
// takes the limits of one process upon itself and becomes the command.
import { release } from 'node:os'
import { BASH } from './backend-sandbox.js'
import type { Cgroups } from './cgroups.js'
import { SECRET_FD } from './group.js'
import type { SandboxSettings } from './settings.js'

const KIB_PER_MIB = 1024

/**
 * Who can't enter its groups doesn't run; a limit that is lower already stays. A file that whoever started this process had open would be open inside
 * as well.
 */
const ENTER = `for file in /proc/self/fd/*; do file=\${file##*/}; [ "$file" -le ${SECRET_FD} ] || eval "exec $file>&-"; done
for group in $1; do echo 0 > "$group/cgroup.procs" || exit 125; done
{ ulimit -c 0; ulimit -t "$2"; ulimit -f "$3"; ulimit -n "$4"; [ "$5" = 0 ] || ulimit -d "$5"; } 2>/dev/null
shift 5; exec "$@"`

export function limitedBy({ folders, holdsMemory }: Cgroups, settings: SandboxSettings): readonly string[] {
  const { cpuSeconds, fileMiB, openFiles, memoryMiB } = settings
  // bash counts -f and -d in kibibytes
  const perProcess = [cpuSeconds, fileMiB * KIB_PER_MIB, openFiles, holdsMemory ? 0 : memoryMiB * KIB_PER_MIB]
  return [...BASH, ENTER, 'bash', folders.join(' '), ...perProcess.map(String)]
}

/** The same for what a group can hold alone, to stand within the namespaces of a command: there its processes are counted apart. */
export function limitedInside(cgroups: Cgroups, { processes }: SandboxSettings): readonly string[] {
  return countsInside(cgroups) ? [...BASH, 'ulimit -u "$1"; shift; exec "$@"', 'bash', `${processes}`] : []
}

/** What is held and what is not, for people. */
export function limitNotes(together: HeldTogether, settings: SandboxSettings): readonly string[] {
  const { holdsMemory, holdsProcesses } = together
  const { memoryMiB, processes, cpuSeconds, fileMiB, diskMiB } = settings
  const held = [
    `${memoryMiB} MiB of memory ${holdsMemory ? 'together' : 'for each process'}`,
    ...(holdsProcesses ? [`${processes} processes`] : countsInside(together) ? [`${processes} processes of each command`] : []),
    `${cpuSeconds} s of computing for each process`,
    `files of ${fileMiB} MiB, ${diskMiB} MiB written`,
  ]
  return [
    `limits: ${held.join(', ')}`,
    ...(holdsProcesses || countsInside(together)
      ? []
      : ['the number of processes is not limited: this user may not make control groups']),
  ]
}

/** What holds for all programs of a sandbox together, rather than for each of them. */
type HeldTogether = Pick<Cgroups, 'holdsMemory' | 'holdsProcesses'>

/** Before Linux 5.14 all processes of the user would count, and root is never held to it. */
function countsInside({ holdsProcesses }: HeldTogether): boolean {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const isRecent = process.platform === 'linux' && (major > 5 || (major === 5 && minor >= 14))
  return !holdsProcesses && isRecent && process.getuid?.() !== 0
}
