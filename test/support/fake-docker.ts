// A `docker` that keeps its containers with bubblewrap: it understands what saydo asks of the real one, and writes down each call. Images are names; those
// that begin with `missing` are not there.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PROGRAM = `#!/usr/bin/env bash
state="$(dirname "$0")/state"
printf '%s\\0' "$@" | tr '\\n' ' ' | tr '\\0' '\\t' >> "$state/calls"; echo >> "$state/calls"
[ ! -e "$state/no-daemon" ] || { echo "Cannot connect to the Docker daemon" >&2; exit 1; }
base=(--unshare-user --unshare-net --unshare-pid --die-with-parent --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --proc /proc --dev /dev)
case "$1" in
  version) echo 28.0.0 ;;
  image) case "$3" in missing*) echo "No such image: $3" >&2; exit 1 ;; esac ;;
  run)
    [ ! -e "$state/no-run" ] || { echo "docker: Error response from daemon: it is broken" >&2; exit 125; }
    shift; mounts=() image= folder=/
    while [ -z "$image" ]; do
      case "$1" in
        --rm|--interactive|--init|--read-only) shift ;;
        --name) name=$2; shift 2 ;;
        --workdir) folder=$2; shift 2 ;;
        --mount)
          how=--bind; [[ $2 != *,readonly ]] || how=--ro-bind
          from=\${2#*source=}; to=\${2#*target=}
          mounts+=("$how" "\${from%%,target=*}" "\${to%%,*}"); shift 2 ;;
        --*) shift 2 ;;
        *) image=$1; shift ;;
      esac
    done
    mkdir "$state/$name.tmp"
    env -i PATH="$PATH" bwrap --info-fd 9 "\${base[@]}" --bind "$state/$name.tmp" /tmp "\${mounts[@]}" --chdir "$folder" -- env "$@" <&0 9>"$state/$name" &
    wait $!
    rm -rf "$state/$name" "$state/$name.tmp" ;;
  exec)
    shift; variables=() folder=/
    while :; do
      case "$1" in
        --interactive) shift ;;
        --workdir) folder=$2; shift 2 ;;
        --env) case "$2" in *=*) variables+=("$2") ;; *) variables+=("$2=\${!2}") ;; esac; shift 2 ;;
        *) break ;;
      esac
    done
    name=$1; shift
    [ -e "$state/$name" ] || { echo "Error response from daemon: No such container: $name" >&2; exit 1; }
    pid=$(sed -n "s/.*child-pid[^0-9]*\\([0-9]*\\).*/\\1/p" "$state/$name")
    exec nsenter --target "$pid" --user --mount --net --pid --preserve-credentials -- env -i PATH=/usr/bin:/bin "\${variables[@]}" sh -c 'cd "$0" && exec "$@"' "$folder" "$@" ;;
  rm)
    pid=$(sed -n "s/.*child-pid[^0-9]*\\([0-9]*\\).*/\\1/p" "$state/$3") && kill -9 "$pid"
    rm -rf "$state/$3" "$state/$3.tmp" ;;
  *) echo "docker: unknown command $1" >&2; exit 1 ;;
esac
`

export interface FakeDocker {
  /** To stand first in PATH. */
  readonly folder: string
  /** The arguments of each call until now. */
  calls(): readonly (readonly string[])[]
  /** From now on. */
  breakDown(how: 'no-daemon' | 'no-run'): void
}

export function fakeDocker(folder: string): FakeDocker {
  const state = join(folder, 'state')
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'calls'), '')
  writeFileSync(join(folder, 'docker'), PROGRAM)
  chmodSync(join(folder, 'docker'), 0o755)
  return {
    folder,
    calls: () =>
      readFileSync(join(state, 'calls'), 'utf8')
        .split('\n')
        .filter(line => line !== '')
        .map(line => line.split('\t').slice(0, -1)),
    breakDown: how => writeFileSync(join(state, how), ''),
  }
}
