#!/usr/bin/env bash
# Fights a study in shards with GNU parallel, and adds them up: recipes/parallel.sh STUDY SHARDS OUT [FLAGS OF run…]
#
# Given again after it was interrupted, it goes on where each shard stands. JOBS shards are fought at a time, one for each core
# unless told. For several machines with a shared folder, add `--sshlogin HOST1,HOST2 --workdir "$PWD"` to `parallel`.
set -euo pipefail

study=$1 shards=$2 out=$3
shift 3

mkdir -p "$out.shards"
seq "$shards" | parallel --quote --jobs "${JOBS:-100%}" --halt soon,fail=1 \
    grognard run "$study" --shard "{}/$shards" --threads 1 --resume --quiet --no-report \
    --out "$out.shards/{}" "$@" >"$out.shards/log"

grognard merge "$out".shards/*/ --out "$out"
