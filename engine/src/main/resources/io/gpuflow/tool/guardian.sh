# Outlives gpuflow by a moment: when gpuflow is killed so that it can't clean up, ends what it started.
# Reads lines from gpuflow: the mark first, then "start PID" and "end PID" of each command that leads
# a session of its own, and "bye" when gpuflow ends well. End of input without "bye": gpuflow is dead.
# Needs sh, grep, sleep and /proc; tr as well where grep stops at a zero byte (busybox).
trap '' HUP INT QUIT TERM PIPE
LC_ALL=C
export LC_ALL
cd /proc || exit 1
IFS= read -r mark || exit 0
running=' '
while IFS=' ' read -r what pid; do
  case $what in
    start) running="$running$pid " ;;
    end) running="${running%% $pid *} ${running#* $pid }" ;;
    bye) exit 0 ;;
  esac
done
exec 0</dev/null

if printf 'a=b\000%s\000' "$mark" | grep -qF "$mark"; then
  marked() { grep -lsF "$mark" [0-9]*/environ; }
else
  marked() {
    for file in [0-9]*/environ; do
      tr '\000' '\n' 2>/dev/null <"$file" | grep -qF "$mark" && echo "$file"
    done
  }
fi

signal() { # sends it to every process that carries the mark; fails when there is none
  for leader in $running; do kill "-$1" "-$leader" 2>/dev/null; done
  # A process stuck in the kernel can block whoever reads its environ.
  found=$(marked & scan=$!; (sleep 10; kill -KILL $scan) >/dev/null 2>&1 & dog=$!
    wait $scan; kill -KILL $dog) 2>/dev/null
  for file in $found; do kill "-$1" "${file%/environ}" 2>/dev/null; done
  [ -n "$found" ]
}

signal TERM && sleep 1
quiet=0
rounds=0
# Twice in a row none: one look may come between a fork and its exec.
while [ $quiet -lt 2 ] && [ $rounds -lt 60 ]; do
  rounds=$((rounds + 1))
  if signal KILL; then quiet=0; else quiet=$((quiet + 1)); fi
  sleep 0.2 2>/dev/null || sleep 1
done
