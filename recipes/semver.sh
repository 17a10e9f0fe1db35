#!/usr/bin/env bash
# Checks that the interface of grognard-kit has changed only as its version allows, against the last release (the newest tag v*).
#
# Installs cargo-semver-checks if it is missing, which takes a few minutes. Before the first release, there is nothing to compare with.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

last=$(git tag --list 'v*' --sort=-version:refname | head -n 1)
if [ -z "$last" ]; then
    # A clone without tags must not pass for a project without releases.
    if grep --quiet '^## \[[0-9]' CHANGELOG.md; then
        echo "CHANGELOG.md has releases, and this clone has no tag v* to compare with: run git fetch --tags" >&2
        exit 1
    fi
    echo "nothing to compare with: this is before the first release"
    exit
fi
if ! cargo semver-checks --version > /dev/null 2>&1; then
    cargo install cargo-semver-checks --locked
fi
cargo semver-checks --package grognard-kit --baseline-rev "$last"
