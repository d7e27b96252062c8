// What a keeper does when a sandbox is over, as functions of a shell: the words `kill_marked MARK`, `take_rights WORKSPACE
// FILE`, `clear_away FOLDER GROUPS` and `unmake WORKSPACE NAMES` may follow. Programs may still be ending, and start others meanwhile, so two of them go
// on for a second. What was made to run with the rights of its owner since FILE was written, and that owner is a user of this machine, does so no more.
import { MARK } from './processes.js'
import { NOTHING } from './protected-paths.js'

export const CLEAN_UP = `
kill_marked() {
  for round in 1 2 3 4 5 6 7 8 9 10; do
    found=
    for each in /proc/[0-9]*; do
      if grep -q "${MARK}=$1[.]" "$each/environ"; then kill -9 "\${each#/proc/}" && found=1; fi
    done
    [ -n "$found" ] || return
  done
}
clear_away() {
  for round in 1 2 3 4 5 6 7 8 9 10; do
    left=
    chmod -R u+rwX "$1"; rm -rf -- "$1"
    for group in "$1" $2; do
      rmdir "$group"
      if [ -e "$group" ]; then left=1; fi
    done
    [ -n "$left" ] || return
    sleep 0.1
  done
}
unmake() {
  cd -- "$1" || return
  for name in $2; do
    if [ -d "$name" ]; then rmdir "$name"
    elif [ "$(head -c 100 "$name")" = '${NOTHING.trim()}' ]; then rm -f "$name"
    fi
  done
}
take_rights() {
  find "$1" -xdev -type f -perm /6000 -cnewer "$2" -exec chmod a-s {} +
}
exec 2>/dev/null
`
