#!/usr/bin/env bash
# @ABOUT@
# Written by gpuflow advise. Arguments are passed on to the script: ./launch.sh --steps 100
set -euo pipefail
cd "$(dirname "$0")"
@ENV@
exec @COMMAND@
