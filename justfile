# Every recipe is plain cargo or bash. Without `just`, copy its line.

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

# Run every test, including the examples in the documentation.
test:
    cargo test --workspace

# Build the API documentation; warnings are errors.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps

# Run the headline study in full and write its report.
main:
    cargo run --release -- run square-vs-line

# Rerun the studies whose reports are published: all of them, or those you name.
results *STUDIES:
    results/published/make {{STUDIES}}

# Ask the questions again whose answers are published in results/published/questions.
questions:
    results/published/questions/make

# Tune 1,000 studies with planted answers, and count what was found and what was wrong, for docs/questions.md.
planted:
    PLANTED=1000 cargo test --release -p grognard-lab --lib questions::planted -- --nocapture

# Measure every workload next to NumPy's reference duel, for docs/speed.md (needs Python; installs NumPy in target/peers).
bench:
    cargo build --release
    benches/peers/run workloads

# Measure two duels in Grognard, Python, numba and NumPy; check the odds with icepool and dyce; write results/bench (needs Python).
peers:
    cargo build --release
    benches/peers/run peers

# Check best play and training against games solved by hand and ten million battles, and training against 1,000 planted nulls.
players:
    BATTLES=10000000 cargo test --release -p grognard-exact --test exact best:: -- --include-ignored --nocapture
    NULLS=1000 cargo test --release -p grognard-lab --lib questions::train -- --nocapture
    cargo test --release -p grognard-lab --test lab -- players:: judged:: trained::
    cargo test --release -p grognard --test command -- best:: replay:: train::

# Measure best play of twelve cells and nine minutes of training, for docs/speed.md (needs Python; `--only best` takes two minutes).
experts *ARGS:
    cargo build --release
    recipes/experts.py {{ARGS}}

# Benchmark battles, dice and the runner by themselves (criterion).
criterion *ARGS:
    cargo bench -p grognard-benches {{ARGS}}

# Print the digest and the speed of a fixed workload.
signature:
    cargo run --release -p grognard-benches --bin signature

# Measure how long variants of a large pack take to set up, and compare every variant of every pack with the same pack compiled from scratch.
variants:
    cargo run --release -p grognard-benches --bin variants
    cargo test --release -p grognard-rules --lib -- --ignored every_variant

# Measure the cost of a cell in a study with many cells: setting it up, and fighting and writing it.
cells *TURNS:
    cargo run --release -p grognard-benches --bin cells -- {{TURNS}}

# Measure what peeking at a running study does to its intervals, for docs/how-the-numbers-are-made.md.
peeking:
    cargo run --release -p grognard-stats --example peeking

# Measure how often the intervals cover the true value over their whole range: the tables and charts of docs/how-the-numbers-are-made.md.
# Takes a few minutes of processor time, not counting the build.
covered:
    cargo run --release -p grognard --example covered

# Measure what common random numbers are worth when one number in the rules changes by 1, for docs/how-the-numbers-are-made.md.
pairing:
    cargo run --release -p grognard --example pairing

# Compare ten million battles in each of four cells of the headline study with the exact odds.
agree:
    bash recipes/agree.sh

# Draw the picture in docs/built-in.md.
picture:
    cargo run --release -p grognard --example one-throw

# Test the studio in a real browser, and measure how quickly it answers (needs Chromium and Python).
studio *ARGS:
    recipes/studio/run {{ARGS}}

# Build the engine as a WebAssembly module for `grognard studio --export`: a few minutes (needs a toolchain, and says which one).
module *FILE:
    recipes/module/build {{FILE}}

# Read every file of a results folder with pyarrow, pandas, polars and DuckDB, and run the queries of docs/queries.md (needs Python).
files:
    recipes/files/check

# Kill workers of a local Dask cluster while they fight, and compare the total with a single run (needs Python; `--rounds 5` measures speed).
dask *ARGS:
    recipes/dask/check {{ARGS}}

# Build the wheel of the Python package into a folder, python/target/wheels unless another is named (needs Python; installs maturin).
wheel *DIR:
    recipes/python/wheel {{DIR}}

# Build the wheel, install it in a fresh environment and test it there, against the command and with mypy (needs Python).
python:
    recipes/python/check

# Measure how much more two workers of a local Dask cluster do than one, with the Python package (runs `just python` once, first).
throughput *ARGS:
    recipes/python/throughput {{ARGS}}

# Draw the storyboard in docs/drawn.md.
storyboard:
    cargo run --release -- replay figures-armies --storyboard docs/images/storyboard.svg

# Run the same battles with differently built programs, and compare the digests.
determinism:
    bash recipes/determinism.sh

# Compare the exact odds of every built-in study that is small enough with half a million battles in each cell.
exact:
    cargo test --release -p grognard-lab --test lab sampled_against_exact:: -- --include-ignored

# Try a hundred thousand damaged packs, expressions, studies and results folders (`just test` tries the corpus and a few more).
hostile:
    PROPTEST_CASES=100000 cargo test --release -p grognard-rules --test fuzz
    PROPTEST_CASES=100000 cargo test --release -p grognard-lab --test lab hostile::

# Break every rule row of all packs, or of those you name, and list the breaks that no clause test catches.
mutants *PACKS:
    PACKS="{{PACKS}}" cargo test -p grognard-engine --test engine -- --ignored --exact clauses::mutants::mutants_are_caught --nocapture

# Break the engine's mechanisms, in files whose paths contain one of these or in all, and list the breaks that no test catches (needs `cargo install cargo-mutants`).
mutants-engine *FILES:
    cargo run --release --quiet --manifest-path recipes/mutants/Cargo.toml --target-dir "${CARGO_TARGET_DIR:-target}/mutants/tool" -- {{FILES}}

# Update the generated parts of docs/reference.md and of the packs' pages.
reference:
    BLESS=1 cargo test -p grognard --test reference

# Build the documentation site, target/docs/index.html (installs mdBook if it is missing, which takes a few minutes, once).
docs:
    command -v mdbook > /dev/null || cargo install mdbook --locked
    mdbook build docs

# Run all notebooks, or those you name, in their kernels, and keep their outputs (installs a kernel first, which takes a few minutes, once).
notebooks *NAMES:
    notebooks/run {{NAMES}}

# Check that the library's interface has only grown since the last release (installs cargo-semver-checks if it is missing).
semver:
    recipes/semver.sh

# Package every crate for publication, and build each from its package (takes a few minutes).
package:
    cargo package --workspace

# Build the archive of a release for this machine: the command, manual pages, completions and licences.
release *DIR:
    recipes/release {{DIR}}

# Run everything that CI runs.
ci:
    bash .ci/run
