#!/usr/bin/env bash
# Computes the exact odds of the cells of the headline study in which heavy cavalry charges from the front, fights ten million
# battles of each, and compares the two. You can give another number of battles: recipes/agree.sh 1e6.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cells=(--set attacker.0.type=heavy-cavalry --set approach=front)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
grognard() {
    cargo run --quiet --release -- "$@"
}

grognard exact square-vs-line "${cells[@]}" --json --no-report --out "$out/exact" >"$out/exact.json"
grognard run square-vs-line "${cells[@]}" --json --no-report --out "$out/sampled" --runs "${1:-1e7}" --keep none >"$out/sampled.json"
for metric in attacker defender draw turns attacker.losses defender.losses defender.routed defender.ever_routed; do
    grognard compare "$out/exact" "$out/sampled" --metric "$metric"
done
