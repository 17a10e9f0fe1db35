//! Made-up battles for tests.

use std::ops::Range;
use std::path::Path;

use grognard_engine::{BySide, METRICS, Outcome, Side, SideOutcome};
use grognard_source::{Override, Sources};

use crate::results::{
    CellHeader, Ending, FORMAT, Files, Made, Manifest, Method, MetricHeader, PackHeader, Progress, Promise,
    ReportHeader, Setting, StudyHeader, Value, Varied, sha256,
};
use crate::runner::{BLOCK, Fighter, Keep, RunOptions};
use crate::study::{Changes, Study};

/// The study of squares and lines between beginners, whose cavalry charges squares as well, and its sources.
pub(crate) fn squares_of_beginners(runs: Option<u64>) -> (Study, Sources) {
    let mut sources = Sources::new();
    let set = ["attacker.doctrine=charge-home", "defender.doctrine=stand"].map(|text| {
        let file = sources.add("--set", text);
        Override::parse(file, &sources).expect("a path and a value")
    });
    let changes = Changes { runs, set: set.into(), ..Changes::default() };
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/square-vs-line.toml"));
    (Study::load(path, &changes, &mut sources).expect("a good study"), sources)
}

/// Battles drawn from a hash of their index: the same numbers in every cell, interpreted more harshly the higher the
/// cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Skirmishes;

impl Fighter for Skirmishes {
    fn fight(&self, cell: u32, battles: Range<u64>) -> Vec<Outcome> {
        battles.map(|battle| skirmish(cell, battle)).collect()
    }
}

fn skirmish(cell: u32, battle: u64) -> Outcome {
    let word = (battle + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let (luck, fury) = ((word >> 32) % 100, (word >> 20) % 7);
    let winner = match luck + 5 * u64::from(cell) {
        0..40 => Some(Side::First),
        40..50 => None,
        _ => Some(Side::Second),
    };
    let side = |side: Side| {
        let beaten = winner == Some(side.other());
        let losses = fury as u16 + 3 * u16::from(beaten);
        SideOutcome {
            start: 12,
            losses,
            units: 2,
            routed_units: beaten.into(),
            shaken_units: (fury > 4).into(),
            rout_turn: if beaten { 3 } else { 0 },
        }
    };
    Outcome { winner, turns: 3 + fury as u8 % 6, sides: BySide::from_fn(side) }
}

/// All files of a results folder by path, with the manifest stripped of how it was made: everything that is the same in
/// all folders with the same battles.
#[cfg(feature = "folders")]
pub(crate) fn tree(folder: &std::path::Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    let mut files = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.file_type().unwrap().is_dir() {
            files.extend(tree(&entry.path()).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            files.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    if let Some(manifest) = files.get_mut("manifest.json") {
        let mut json: serde_json::Value = serde_json::from_slice(manifest).unwrap();
        json.as_object_mut().unwrap().remove("made");
        *manifest = serde_json::to_vec_pretty(&json).unwrap();
    }
    files
}

/// Fails unless two results folders contain the same bytes.
#[cfg(feature = "folders")]
#[track_caller]
pub(crate) fn assert_same(one: &std::path::Path, other: &std::path::Path, name: &str) {
    let (one, other) = (tree(one), tree(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>(), "{name}");
    for (path, bytes) in &one {
        assert!(*bytes == other[path], "{name}: {path}");
    }
}

/// Options to fight `battles` in cells with these baselines.
pub(crate) fn options(baselines: &[Option<u32>], battles: Range<u64>) -> RunOptions {
    RunOptions {
        baselines: baselines.to_vec(),
        battles,
        precision: None,
        decide: false,
        intervals: grognard_stats::Intervals::default(),
        both_ways: false,
        luck: false,
        histograms: Vec::new(),
        keep: Keep::None,
        threads: 2,
    }
}

/// The manifest of a study whose cells have these baselines.
pub(crate) fn manifest(baselines: &[Option<u32>], runs: u64, keep: Keep) -> Manifest {
    let value = |cell: u32| Value { text: cell.to_string(), number: Some(cell.into()) };
    let cell = |(cell, baseline): (u32, &Option<u32>)| CellHeader {
        cell,
        label: format!("{cell}"),
        vary: vec![Setting { path: "attacker.0.figures".to_owned(), value: value(cell) }],
        turns: 8,
        figures: vec![12, 12],
        units: vec![2, 2],
        baseline: *baseline,
    };
    let (study, pack) = ("study = \"skirmish\"\n", "pack = \"hash\"\n");
    Manifest {
        format: FORMAT,
        tool: "0.0.0".to_owned(),
        study: StudyHeader {
            name: "skirmish".to_owned(),
            title: "Skirmish".to_owned(),
            text: study.to_owned(),
            sha256: sha256(study.as_bytes()),
        },
        more_packs: Vec::new(),
        pack: PackHeader {
            name: "hash".to_owned(),
            title: "Hash".to_owned(),
            version: "1".to_owned(),
            text: pack.to_owned(),
            sha256: sha256(pack.as_bytes()),
        },
        identity: sha256(b"skirmish"),
        seed: 1815,
        runs,
        precision: None,
        luck: false,
        lost_only: false,
        sides: vec!["attacker".to_owned(), "defender".to_owned()],
        vary: vec![Varied {
            path: "attacker.0.figures".to_owned(),
            values: (0..baselines.len() as u32).map(value).collect(),
        }],
        cells: (0..).zip(baselines).map(cell).collect(),
        metrics: METRICS
            .iter()
            .map(|metric| MetricHeader {
                key: metric.key.to_owned(),
                title: metric.title.to_owned(),
                share: metric.share,
                ratio: None,
            })
            .collect(),
        method: Method::Sampled,
        level: 0.95,
        promise: Promise::default(),
        progress: Progress {
            block: BLOCK,
            first: 0,
            battles: 0,
            ending: Ending::Unfinished,
            digest: "0000000000000000".to_owned(),
        },
        files: Files { keep: keep.limit(), ..Files::default() },
        report: ReportHeader::default(),
        made: Made::default(),
    }
}
