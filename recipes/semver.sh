#!/usr/bin/env bash
# Checks that the interface of grognard-kit has changed only as its version allows, against the last release.
#
# Before the first release there is nothing to compare with, and the check says so. Needs cargo-semver-checks.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

last=$(git tag --list 'v*' --sort=-version:refname | head -n 1)
if [ -z "$last" ]; then
    echo "skipped: there is no release yet (no tag v*)"
    exit
fi
if ! cargo semver-checks --version > /dev/null 2>&1; then
    if [ "${INSTALL:-1}" = 0 ] || ! cargo install cargo-semver-checks --locked; then
        echo "skipped: cargo-semver-checks is not installed"
        exit
    fi
fi
cargo semver-checks --package grognard-kit --baseline-rev "$last"
