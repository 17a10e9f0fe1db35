#!/usr/bin/env bash
# Runs a study as a Slurm array, with a task for each shard, and merges the shards when all are done:
# recipes/slurm.sh STUDY SHARDS OUT [FLAGS OF run…]
#
# If a task fails, submit the same command again: each shard resumes.
set -euo pipefail

study=$1 shards=$2 out=$3
shift 3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

mkdir -p "$out.shards"
array=$(sbatch --parsable --array="1-$shards" --output="$out.shards/%a.log" \
    "$here/slurm-shard.sbatch" "$study" "$shards" "$out" "$@")
sbatch --job-name=grognard-merge --dependency="afterok:$array" --output="$out.shards/merge.log" \
    --wrap "grognard merge '$out'.shards/*/ --out '$out'"
