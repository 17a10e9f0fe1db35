# Every recipe is plain cargo (or bash): without `just`, copy its line.

# List the recipes.
default:
    @just --list

# Format the code.
fmt:
    cargo fmt --all

# Check the formatting and the lints; warnings are errors.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets -- -D warnings

# Run every test, those of the documentation included.
test:
    cargo test --workspace

# Build the API documentation; warnings are errors.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# The main job: fight the headline study in full and write its report.
main:
    cargo run --release -- run square-vs-line

# Fight the studies again whose reports are published: all of them, or those that are named.
results *STUDIES:
    results/published/make {{STUDIES}}

# Measure battles, dice and the runner (criterion).
bench *ARGS:
    cargo bench -p grognard-benches {{ARGS}}

# Print the digest and the speed of a fixed workload.
signature:
    cargo run --release -p grognard-benches --bin signature

# Measure what looking at a study while it is fought does to its intervals, for docs/how-the-numbers-are-made.md.
peeking:
    cargo run --release -p grognard-stats --example peeking

# Sum up exactly how often intervals hold the truth, over their whole range, and draw it for docs/how-the-numbers-are-made.md.
covered:
    cargo run --release -p grognard --example covered

# Measure what the same dice are worth where one number of the rules moves by a pip, for docs/how-the-numbers-are-made.md.
pairing:
    cargo run --release -p grognard --example pairing

# Hold ten million battles of each of four cells of the headline study against their exact odds.
agree:
    bash recipes/agree.sh

# Draw the second picture of the README.
picture:
    cargo run --release -p grognard --example one-throw

# Fight the same battles with differently built programs, and hold their digests against each other.
determinism:
    bash recipes/determinism.sh

# Hold every shipped study, as far as it can be worked out, against half a million battles of each cell.
exact:
    cargo test --release -p grognard-lab --test sampled_against_exact -- --include-ignored

# Try a hundred thousand damaged packs, expressions, studies and results folders (the corpus and a few are part of `just test`).
hostile:
    PROPTEST_CASES=100000 cargo test --release -p grognard-rules --test fuzz
    PROPTEST_CASES=100000 cargo test --release -p grognard-lab --test hostile

# Break every rule row of the packs, or of those that are named, and list the breaks that no clause test catches.
mutants *PACKS:
    PACKS="{{PACKS}}" cargo test -p grognard-engine --test clauses -- --ignored --exact mutants::mutants_are_caught --nocapture

# Break the engine's mechanisms (one file with `-f FILE`) and list what no clause test catches (needs `cargo install cargo-mutants`).
mutants-engine *ARGS:
    cargo mutants -p grognard-engine {{ARGS}}

# Write docs/reference.md again from the schemas.
reference:
    BLESS=1 cargo test -p grognard --test reference

# Build the documentation as a site, target/docs/index.html (installs mdBook first if it is missing: some minutes, once).
docs:
    command -v mdbook > /dev/null || cargo install mdbook --locked
    mdbook build docs

# Run the notebooks, or those that are named, and keep their outputs (installs a kernel first: some minutes, once).
notebooks *NAMES:
    notebooks/run {{NAMES}}

# Package every crate as it would be published, and build each from its package (some minutes).
package:
    cargo package --workspace

# Everything that CI runs.
ci:
    bash .ci/run
