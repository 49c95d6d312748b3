#!/usr/bin/env bash
# Makes lib/$2.aot in the unpacked archive $1 by running the commands of rehearsal-$2.txt once (Java 25 or newer).
# There are three, because every archived class is linked at each start: facts and diagnose need few of them.
set -euo pipefail
stage=$1 archive=$2
here=$(cd "$(dirname "$0")" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -e "s#{samples}#$here/../samples#g; s#{home}#$stage#g; s#{work}#$work#g" "$here/rehearsal-$archive.txt" >"$work/commands"
classpath=
IFS=: read -ra jars <"$stage/lib/classpath"
for jar in "${jars[@]}"; do classpath=$classpath${classpath:+:}$stage/lib/$jar; done
cd "$work"
"$stage/runtime/bin/java" -Xmx2g -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xlog:disable -Xlog:all=error:stderr \
  -XX:AOTCacheOutput="$stage/lib/$archive.aot" -Dgpuflow.home="$stage" -cp "$classpath" io.gpuflow.cli.Rehearsal "$work/commands" </dev/null
[ -s "$stage/lib/$archive.aot" ]
