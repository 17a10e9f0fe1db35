#!/usr/bin/env bash
# Builds the engine in different ways, fights the same battles with each build, and compares the digests: without and with optimisation, for
# all features of this processor, and for the fewest features that the target allows.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/determinism
expected=
digests() {
    local name=$1 flags=$2
    shift 2
    local found
    found=$(RUSTFLAGS="$flags" cargo run --quiet --target-dir "$target/$name" -p grognard-engine --example digests "$@")
    if [ -z "$expected" ]; then
        expected=$found
        printf '%s\n' "$found"
    fi
    if [ "$found" != "$expected" ]; then
        printf '%s fights different battles:\n%s\n' "$name" "$found" >&2
        exit 1
    fi
    printf '%-10s the same\n' "$name"
}

digests debug ""
digests release "" --release
digests native "-C target-cpu=native" --release
case $(uname -m) in
x86_64)
    digests avx2 "-C target-feature=+avx2,+bmi2,+fma" --release
    digests plain "-C target-feature=-sse3,-ssse3,-sse4.1,-sse4.2,-avx,-avx2" --release
    ;;
esac
