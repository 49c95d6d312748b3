#!/usr/bin/env bash
# Runs a command on the CPUs and the memory near the GPU of this rank. Written by gpuflow advise from the machine's own CPU affinity.
set -euo pipefail
case "${LOCAL_RANK:?set by torchrun}" in
@CASES@
*) nodes="" cpus="" ;;
esac
# A container may forbid it, or leave other CPUs: then the rank runs unbound.
numa=(numactl --cpunodebind="$nodes" --membind="$nodes" --)
cpu=(taskset --cpu-list "$cpus")
if [ -n "$nodes" ] && "${numa[@]}" true 2>/dev/null; then
  exec "${numa[@]}" "$@"
elif [ -n "$cpus" ] && "${cpu[@]}" true 2>/dev/null; then
  exec "${cpu[@]}" "$@"
fi
exec "$@"
