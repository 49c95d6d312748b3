# Outlives gpuflow by a moment: when gpuflow is killed so that it can't clean up, ends what it started.
# Reads from gpuflow: the mark, the first digits of the limits on file locks (or -), then a line "start PID" and "end PID" for each command that leads a
# session of its own, and "bye" when gpuflow ends well. End of input without "bye": gpuflow is dead.
# Needs sh, grep, sleep and /proc; tr where grep stops at a zero byte (busybox); timeout is welcome.
trap '' HUP INT QUIT TERM PIPE
export LC_ALL=C
cd /proc || exit 1
IFS= read -r mark || exit 0
IFS= read -r locks || exit 0
running=' '
while IFS=' ' read -r what pid; do
  case $what in
    start) running="$running$pid " ;;
    end) running="${running%% "$pid" *} ${running#* "$pid" }" ;;
    bye) exit 0 ;;
  esac
done
exec 0</dev/null

# A process stuck in the kernel can block whoever reads its environ.
limit() { shift; "$@"; }
if timeout 1 true 2>/dev/null; then limit() { timeout -s KILL "$@"; }; fi

if printf 'a=b\000%s\000' "$mark" | grep -qF "$mark"; then
  carries() { limit 1 grep -qsF "$mark" "$1"; }
else
  carries() { limit 1 tr '\000' '\n' <"$1" | grep -qF "$mark"; } 2>/dev/null
fi

marked() { # prints the environ of each process that carries the mark
  if printf 'a=b\000%s\000' "$mark" | grep -qF "$mark"; then
    fast=$(limit 10 grep -lsF "$mark" [0-9]*/environ)
    if [ $? -lt 124 ]; then echo "$fast"; return; fi
  fi
  for file in [0-9]*/environ; do
    carries "$file" && echo "$file"
  done
}

limited() { # prints the limits of each living process that has a limit of ours
  [ "$locks" = - ] && return
  for file in $(limit 10 grep -ls "^Max file locks .* $locks[0-9]\{7\} " [0-9]*/limits); do
    grep -q ') Z ' "${file%/limits}/stat" || echo "$file"
  done
}

signal() { # sends it to all that is ours; fails when nothing is marked
  for leader in $running; do kill "-$1" "-$leader"; done
  found="$(marked) $(limited)"
  for file in $found; do kill "-$1" "${file%/*}"; done
  [ "$found" != ' ' ]
} 2>/dev/null

signal TERM && sleep 1
quiet=0
rounds=0
# Twice in a row none: one look may come between a fork and its exec.
while [ $quiet -lt 2 ] && [ $rounds -lt 60 ]; do
  rounds=$((rounds + 1))
  if signal KILL; then quiet=0; else quiet=$((quiet + 1)); fi
  sleep 0.2 2>/dev/null || sleep 1
done
