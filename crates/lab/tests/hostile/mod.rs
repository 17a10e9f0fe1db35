//! Runs the fuzz targets as plain tests, on the corpus as it is and on slightly damaged studies, packs (whose battles
//! are fought) and results folders.
//!
//! `PROPTEST_CASES` sets the number of cases.

#[path = "../../../../fuzz/exercise/mod.rs"]
mod exercise;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use exercise::mutation::{Damage, corpus, mutated};
use exercise::results::write_signed;
use exercise::{battle, expression, pack, results, study};
use grognard_lab::folder_run::FolderRun;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::runner::{Keep, Shard};
use grognard_lab::study::{Changes, Study};
use grognard_rules::library::built_in;
use grognard_source::Sources;
use proptest::prelude::*;
use tempfile::TempDir;

const FUZZ: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus");

/// The small studies; studies of the large packs take too long to compile a thousand times.
const STUDIES: [&str; 4] = [
    include_str!("../../../../studies/risk-dice.toml"),
    include_str!("../../../../studies/refduel.toml"),
    include_str!("../../../../studies/bluecher-shock.toml"),
    include_str!("../../../../studies/symbol-die.toml"),
];

fn texts(target: &str) -> impl Iterator<Item = String> {
    corpus(&Path::new(FUZZ).join(target)).into_iter().map(|(_, text)| text)
}

static SEEDS: LazyLock<Vec<String>> =
    LazyLock::new(|| STUDIES.iter().map(|text| (*text).to_owned()).chain(texts("study")).collect());

static PACKS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let small = ["risk", "refduel", "bluecher-shock", "symbol-die"].map(|name| {
        let pack = built_in(name).expect("a built-in pack");
        pack.files.iter().map(|(_, text)| *text).collect::<Vec<_>>().join("\n")
    });
    small.into_iter().collect()
});

/// A results folder of a run that was resumed once.
static FOLDER: LazyLock<(TempDir, Vec<u8>)> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut sources = Sources::new();
    let text = "study = 'duel'\npack = 'risk'\nturns = 60\n[vary]\nattacker.0.figures = [3, 4]\n\
        [report]\nplayers = ['random', 'best']\n\
        [side.attacker]\nunits = [{ type = 'army', figures = 5 }]\n[side.defender]\nunits = [{ type = 'army', figures = 3 }]\n";
    let file = sources.add("study.toml", text);
    let mut folder_run = FolderRun {
        folder: folder.path().to_owned(),
        resume: false,
        shard: Shard::WHOLE,
        precision: None,
        level: Default::default(),
        promise: Default::default(),
        luck: false,
        watch: true,
        keep: Keep::First(150),
        threads: 1,
        command: String::new(),
    };
    for runs in [100, 200] {
        let changes = Changes { runs: Some(runs), ..Changes::default() };
        let study = Study::read(file, None, &changes, &mut sources).expect("a sound study");
        folder_run.fight(&study, &Silent, &Stop::new()).expect("it can be fought");
        folder_run.resume = true;
    }
    let manifest = fs::read(folder.path().join("manifest.json")).expect("it is there");
    (folder, manifest)
});

const FILES: [&str; 7] = [
    "data/tallies.parquet",
    "data/cells.parquet",
    "data/summary.parquet",
    "data/battles/part-00000.parquet",
    "data/battle_sides/part-00000.parquet",
    "watched.json",
    "players.json",
];

/// A copy of the folder to be damaged.
fn copy() -> TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    for below in ["data/battles", "data/battle_sides"] {
        fs::create_dir_all(copy.path().join(below)).expect("a folder can be made");
    }
    for file in FILES {
        fs::copy(FOLDER.0.path().join(file), copy.path().join(file)).expect("a file can be copied");
    }
    copy
}

#[test]
fn the_corpora() {
    for (name, text) in corpus(&Path::new(FUZZ).join("study")) {
        let good = PathBuf::from(&name).file_name().is_some_and(|file| file.to_string_lossy().starts_with("good"));
        assert_eq!(study::exercise(&text), good, "{name}");
    }
    for text in STUDIES {
        assert!(study::exercise(text));
    }
    for text in texts("pack") {
        battle::exercise(&text);
        pack::exercise(&text);
    }
    for text in texts("expression") {
        expression::exercise(&text);
    }
    for text in texts("results") {
        let copy = copy();
        write_signed(copy.path(), text.as_bytes());
        results::exercise(copy.path());
    }
    let copy = copy();
    write_signed(copy.path(), &FOLDER.1);
    assert!(results::exercise(copy.path()));
}

/// Damage by someone who also updated the hash of the changed file.
#[test]
fn morale_of_another_number_of_sides() {
    let copy = copy();
    let path = copy.path().join("watched.json");
    let mut watched: serde_json::Value = serde_json::from_slice(&fs::read(&path).expect("it is there")).expect("JSON");
    drop(watched["cells"][0]["morale"].as_array_mut().expect("a list of sides").pop());
    fs::write(&path, watched.to_string()).expect("it can be written");
    write_signed(copy.path(), &FOLDER.1);
    let said = grognard_lab::results::Results::open(copy.path()).expect_err("one side is missing").to_string();
    assert!(said.contains("cell 0 does not have the morale of 2 sides"), "{said}");
}

#[test]
fn every_pack_is_fought_by() {
    assert!(PACKS.iter().all(|text| battle::exercise(text)));
}

fn damage() -> impl Strategy<Value = Vec<Damage>> {
    prop::collection::vec(any::<Damage>(), 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(128) })]

    #[test]
    fn damaged_studies(seed in any::<prop::sample::Index>(), damage in damage()) {
        study::exercise(&mutated(seed.get::<String>(&SEEDS), &damage, &SEEDS));
    }

    #[test]
    fn damaged_packs_in_battle(seed in any::<prop::sample::Index>(), damage in damage()) {
        battle::exercise(&mutated(seed.get::<String>(&PACKS), &damage, &PACKS));
    }

    #[test]
    fn damaged_manifests(damage in damage()) {
        let manifest = String::from_utf8(FOLDER.1.clone()).expect("JSON is text");
        let copy = copy();
        write_signed(copy.path(), mutated(&manifest, &damage, &[]).as_bytes());
        results::exercise(copy.path());
    }

    #[test]
    fn damaged_files_with_their_hash_put_right(
        file in prop::sample::select(&FILES[..]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 1..6),
    ) {
        let copy = copy();
        let path = copy.path().join(file);
        let mut bytes = fs::read(&path).expect("it is there");
        for (place, byte, cut) in damage {
            let at = place.index(bytes.len());
            if cut { drop(bytes.drain(at..(at + usize::from(byte % 8)).min(bytes.len()))) } else { bytes[at] = byte }
        }
        fs::write(&path, bytes).expect("it can be written");
        write_signed(copy.path(), &FOLDER.1);
        results::exercise(copy.path());
    }
}
