#!/bin/sh
# Stands in for all_reduce_perf and its like where there is no GPU: takes their options, prints their table, writes
# NCCL's log. FAKE says what goes wrong: wrong, hang, nolib, crash; VIA is the transport it logs; BUSBW what it reaches.
from=8 to=33554432 gpus=1
while [ $# -gt 0 ]; do
  case $1 in
    -b) from=$2 ;; -e) to=$2 ;; -g) gpus=$2 ;; -f) ;;
    *) echo "$0: unknown option $1" >&2; exit 1 ;;
  esac
  shift 2
done
bytes() { echo "$1" | awk '{ n = $1 + 0; u = toupper(substr($1, length($1))); k = index("KMGT", u); while (k-- > 0) n *= 1024; printf "%.0f", n }'; }
name=$(basename "$0")
if [ "$FAKE" = nolib ]; then
  case $LD_LIBRARY_PATH in
    *wheel/nvidia/nccl/lib*) ;;
    *) echo "$0: error while loading shared libraries: libnccl.so.2: cannot open shared object file: No such file or directory" >&2; exit 127 ;;
  esac
fi
if [ -n "$NCCL_DEBUG_FILE" ]; then
  log=$(echo "$NCCL_DEBUG_FILE" | sed "s/%p/$$/; s/%h/host/")
  {
    echo "host:$$:$$ [0] NCCL INFO NCCL version 2.28.9+cuda13.0"
    echo "host:$$:$$ [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via ${VIA:-P2P/direct pointer}"
    echo "host:$$:$$ [1] NCCL INFO Channel 00/0 : 1[1] -> 0[0] via ${VIA:-P2P/direct pointer}"
  } >"$log"
fi
echo "# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809"
echo "# Collective test starting: $name"
echo "# nThread 1 nGpus $gpus minBytes $from maxBytes $to step: 2(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0 unalign: 0"
echo "#"
echo "# Using devices"
i=0
while [ "$i" -lt "$gpus" ]; do
  echo "#  Rank  $i Group  0 Pid  $$ on       host device  $i [0000:0$i:00] NVIDIA H200"
  i=$((i + 1))
done
echo "#"
echo "#                                                              out-of-place                       in-place          "
echo "#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong "
echo "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)         "
[ "$FAKE" = hang ] && sleep 1000
if [ "$FAKE" = crash ]; then
  echo "host: Test NCCL failure common.cu:1279 'unhandled cuda error (run with NCCL_DEBUG=INFO for details) / '"
  echo " .. host pid $$: Test failure common.cu:1454"
  exit 3
fi
awk -v from="$(bytes "$from")" -v to="$(bytes "$to")" -v n="$gpus" -v most="${BUSBW:-340}" -v fake="$FAKE" -v name="$name" 'BEGIN {
  f = (n - 1) / n; if (name ~ /^all_reduce/) f *= 2; if (name ~ /^(broadcast|reduce_perf|sendrecv)/) f = 1
  for (s = from; s <= to; s *= 2) {
    bus = most * s / (s + 4e6); alg = f ? bus / f : 0; t = alg > 0 ? s / alg / 1000 : 10
    wrong = fake == "wrong" && s == to ? 5 : 0; sum += 2 * bus; rows += 2; bad += 2 * wrong
    printf "%12.0f  %12.0f     float     sum      -1  %7.2f  %6.2f  %6.2f  %6d  %7.2f  %6.2f  %6.2f  %6d\n", s, s / 4, t, alg, bus, wrong, t, alg, bus, wrong
  }
  printf "# Out of bounds values : %d %s\n# Avg bus bandwidth    : %.4f \n#\n# Collective test concluded: %s\n#\n", bad, bad ? "FAILED" : "OK", sum / rows, name
}'
