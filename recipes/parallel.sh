#!/usr/bin/env bash
# Runs a study in shards with GNU parallel, and merges them: recipes/parallel.sh STUDY SHARDS OUT [FLAGS OF run…]
#
# After an interruption, run the same command again: each shard resumes. JOBS shards run at a time [default: one for each core].
# For several machines with a shared folder, add `--sshlogin HOST1,HOST2 --workdir "$PWD"` to `parallel`.
set -euo pipefail

study=$1 shards=$2 out=$3
shift 3

mkdir -p "$out.shards"
seq "$shards" | parallel --quote --jobs "${JOBS:-100%}" --halt soon,fail=1 \
    grognard run "$study" --shard "{}/$shards" --threads 1 --resume --quiet --no-report \
    --out "$out.shards/{}" "$@" >"$out.shards/log"

grognard merge "$out".shards/*/ --out "$out"
