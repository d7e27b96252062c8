// The program of a shell session, for bash: what is written to its input → commands run one after the other in an interactive bash below it.
// Three bashes, each for one thing. The outer one waits for the inner one and ends with its status. The inner one runs the commands; it is
// interactive, since only such a bash gives up a command at SIGINT and goes on. The relay reads what is asked for, so that a command can be
// interrupted, or given input, while it runs.

/**
 * `$1` is a folder for its files. Its input: frames of four texts, each ended by NUL: `run TEXT BEFORE AFTER` (lines for the inner bash: TEXT,
 * quoted, between the two), `line LINE` (as it is), `input TEXT`, `interrupt MODE` (`INT`, or `KILL` for what does not heed that), `kill PID`; unused texts are empty.
 * A text that is no bash is not run: what is wrong with it is printed, and the mark in the last line of AFTER with status 2.
 */
export const SHELL_PROGRAM = `
dir=$1
rm -f "$dir/lines" "$dir/input"
mkfifo "$dir/lines" "$dir/input" || exit 125

# every process with the one above it, where there is no /proc as ps knows them
processes() {
  local each line rest
  [[ -r /proc/self/stat ]] || { ps -A -o pid= -o ppid=; return; }
  for each in /proc/[0-9]*/stat; do
    { IFS= read -r line <"$each"; } 2>/dev/null || continue
    rest=\${line##*) }
    rest=\${rest#* }
    echo "\${line%% *} \${rest%% *}"
  done
}

# of the processes $1 those below $2, except for $3 (ids between blanks) and what is below those
below() {
  local pid above size=0 found=" $2 "
  while ((\${#found} > size)); do
    size=\${#found}
    while read -r pid above; do
      [[ $found == *" $above "* && " $2 $3 $found" != *" $pid "* ]] && found+="$pid "
    done <<<"$1"
  done
  echo "\${found#" $2 "}"
}

# The inner bash alone is never killed: it holds the session. It heeds SIGINT only when what it waits for dies of that, so both get it at once.
interrupt() {
  local all pid above inner children=
  inner=$(<"$dir/inner")
  all=$(processes)
  while read -r pid above; do [[ $above == "$inner" ]] && children+="$pid "; done <<<"$all"
  kill -INT "$inner" $children
  kill -"$1" $(below "$all" "$inner" " $(cat "$dir"/job-*.pid | tr '\\n' ' ') ")
} 2>/dev/null

relay() {
  local kind a b c said
  while IFS= read -r -d '' kind && IFS= read -r -d '' a && IFS= read -r -d '' b && IFS= read -r -d '' c; do
    case $kind in
      run)
        if said=$("$BASH" -O extglob -n <<<"$a" 2>&1); then printf '%s%q%s\n' "$b" "$a" "$c" >"$dir/lines"
        else printf '%s\\n\\0%s 2 \\0' "\${said//"$BASH: "/}" "\${c##* }"; fi ;;
      line) printf '%s\\n' "$a" >"$dir/lines" ;;
      input) printf %s "$a" 1<>"$dir/input" & ;;
      interrupt) interrupt "$a" ;;
      kill) kill -KILL "$a" $(below "$(processes)" "$a" '') 2>/dev/null ;;
    esac
  done
}

relay <&0 &
exec 0<&-
"$BASH" --norc --noprofile -i 0<>"$dir/lines" 2>/dev/null
exit $?
`

/** What the inner bash is told first; the folder is that of the program. */
export function firstLines(folder: string): string {
  return [
    'PS1= PS2=; set +H +o history +m',
    `builtin echo $$ >${folder}/inner`,
    // the status of a command stays the status behind it, unless a bash under set -e would end for it
    `__saydo_mark() { builtin printf '\\0%s %s %s\\0' "$2" "${'$'}{3-$1}" "$PWD"; [[ $- == *e* ]] || return "$1"; }`,
  ].join('\n')
}
