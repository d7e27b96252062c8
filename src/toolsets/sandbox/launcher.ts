// Limits → words to put in front of a command line, so that it runs within them: a shell that lets go of all files it was left, enters the control groups,
// takes the limits of one process upon itself and becomes the command.
import { BASH } from './backend-sandbox.js'
import type { Cgroups } from './cgroups.js'
import { SECRET_FD } from './group.js'
import type { SandboxSettings } from './settings.js'

const MiB = 1024

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
  const perProcess = [cpuSeconds, fileMiB * MiB, openFiles, holdsMemory ? 0 : memoryMiB * MiB]
  return [...BASH, ENTER, 'bash', folders.join(' '), ...perProcess.map(String)]
}

/** What is held and what is not, for people. */
export function limitNotes({ holdsMemory, holdsProcesses }: Cgroups, settings: SandboxSettings): readonly string[] {
  const { memoryMiB, processes, cpuSeconds, fileMiB, diskMiB } = settings
  const held = [
    `${memoryMiB} MiB of memory ${holdsMemory ? 'together' : 'for each process'}`,
    ...(holdsProcesses ? [`${processes} processes`] : []),
    `${cpuSeconds} s of computing for each process`,
    `files of ${fileMiB} MiB, ${diskMiB} MiB written`,
  ]
  return [
    `limits: ${held.join(', ')}`,
    ...(holdsProcesses ? [] : ['the number of processes is not limited: this user may not make control groups']),
  ]
}
