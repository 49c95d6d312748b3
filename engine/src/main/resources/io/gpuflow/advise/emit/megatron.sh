#!/usr/bin/env bash
# @ABOUT@
# Written by gpuflow advise: the arguments for Megatron-LM's pretrain_gpt.py. Run it in a checkout of Megatron-LM, on every node: ./megatron.sh [more arguments]
# Made-up data and a tokenizer that does nothing: put yours in DATA.
set -euo pipefail
@ENV@
MODEL=(
@MODEL@
)
PARALLEL=(
@PARALLEL@
)
TRAINING=(
@TRAINING@
)
DATA=(
  --mock-data
  --tokenizer-type NullTokenizer
  --vocab-size @VOCAB@
)
exec @COMMAND@ pretrain_gpt.py "${MODEL[@]}" "${PARALLEL[@]}" "${TRAINING[@]}" "${DATA[@]}" "$@"
