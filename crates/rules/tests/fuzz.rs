//! Runs the fuzz targets as plain tests, on the corpus as it is and on slightly damaged packs and expressions.
//!
//! `PROPTEST_CASES` sets how many are tried.

#[path = "../../../fuzz/exercise/expression.rs"]
mod expression;
#[path = "../../../fuzz/exercise/mutation.rs"]
mod mutation;
#[path = "../../../fuzz/exercise/pack.rs"]
mod pack;

use std::path::Path;
use std::sync::LazyLock;

use grognard_rules::library::built_in;
use mutation::{Damage, corpus, mutated};
use proptest::prelude::*;

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");

static PACKS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let small = ["risk", "refduel", "symbol-die", "bluecher-shock"].map(|name| {
        let pack = built_in(name).expect("a built-in pack");
        pack.files.iter().map(|(_, text)| *text).collect::<Vec<_>>().join("\n")
    });
    let hostile = corpus(&Path::new(FUZZ).join("pack")).into_iter().map(|(_, text)| text);
    small.into_iter().chain(hostile).collect()
});

static EXPRESSIONS: LazyLock<Vec<String>> =
    LazyLock::new(|| corpus(&Path::new(FUZZ).join("expression")).into_iter().map(|(_, text)| text).collect());

/// A file of the corpus is sound if and only if its name begins with `good`.
fn as_named(target: &str, exercise: impl Fn(&str) -> bool) {
    for (name, text) in corpus(&Path::new(FUZZ).join(target)) {
        let good = Path::new(&name).file_name().is_some_and(|file| file.to_string_lossy().starts_with("good"));
        assert_eq!(exercise(&text), good, "{name}");
    }
}

#[test]
fn the_corpus_of_packs() {
    as_named("pack", pack::exercise);
    assert!(PACKS[..4].iter().all(|text| pack::exercise(text)));
}

#[test]
fn the_corpus_of_expressions() {
    as_named("expression", expression::exercise);
}

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    prop::collection::vec(any::<Damage>(), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_packs(seed in any::<prop::sample::Index>(), damage in damage()) {
        pack::exercise(&mutated(seed.get::<String>(&PACKS), &damage, &PACKS));
    }

    #[test]
    fn damaged_expressions(seed in any::<prop::sample::Index>(), damage in damage()) {
        expression::exercise(&mutated(seed.get::<String>(&EXPRESSIONS), &damage, &EXPRESSIONS));
    }
}
