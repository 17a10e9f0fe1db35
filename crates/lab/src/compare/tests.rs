//! Comparisons of two cells, from made-up battles and from battles that were fought.

use std::path::Path;

use grognard_source::{Override, Sources};
use grognard_stats::Level;

use super::*;
use crate::progress::{Silent, Stop};
use crate::results::{Ending, ResultsWriter};
use crate::runner::{Keep, Tallied, run};
use crate::study::{Changes as StudyChanges, Study};
use crate::testing::{Skirmishes, manifest, options};

const RUNS: u64 = 6_000;
const BASELINES: [Option<u32>; 3] = [Some(0), Some(0), Some(0)];

/// A folder with the battles of [`Skirmishes`], in which a higher cell is worse for the first side.
fn folder(at: &Path, keep: Keep, change: impl FnOnce(&mut Manifest)) -> Results {
    let mut manifest = manifest(&BASELINES, RUNS, keep);
    change(&mut manifest);
    let mut writer = ResultsWriter::create(at, manifest).unwrap();
    let mut tallied = Tallied::new(0, &BASELINES);
    let options = crate::runner::RunOptions { keep, ..options(&BASELINES, 0..RUNS) };
    let ending = run(&options, &Skirmishes, &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
    writer.finish(&tallied, ending).unwrap()
}

fn wins(compared: &Compared, after: u32) -> (&Couple, &Difference) {
    let couple = compared.couples.iter().find(|couple| couple.after.cell == after).unwrap();
    (couple, couple.difference("attacker", &compared.sides).unwrap())
}

#[test]
fn cells_of_a_folder_are_compared_by_counted_or_by_kept_pairs() {
    let place = tempfile::tempdir().unwrap();
    let results = folder(&place.path().join("a"), Keep::All, |_| ());
    let counted = Compared::of_cells(&results, None, Level::P95).unwrap();
    assert_eq!(counted.couples.len(), 2);
    assert!(counted.changes.is_none());
    let (couple, difference) = wins(&counted, 1);
    assert_eq!(couple.pairing, Pairing::All);
    // With the same luck, each further cell wins 5 fewer battles in 100. All battles that differ are losses.
    assert!((difference.apart.point + 0.05).abs() < 0.01, "{difference:?}");
    assert!(difference.stands() && difference.corrected_p < 1e-9);
    // The discordant share is 0.05, and the variances are 0.4 · 0.6 + 0.35 · 0.65: by arithmetic (0.05 − 0.05²) /
    // 0.4675 = 0.1016.
    assert!((difference.variance_ratio.unwrap() - 0.1016).abs() < 0.02, "{difference:?}");
    assert!(difference.together.half_width() > difference.apart.half_width());

    // All battles are kept, so another baseline finds the same pairs; only the interval is somewhat too wide.
    let other = Compared::of_cells(&results, Some(1), Level::P95).unwrap();
    let (couple, back) = wins(&other, 0);
    assert_eq!(couple.pairing, Pairing::Kept(RUNS));
    assert!((back.apart.point + difference.apart.point).abs() < 1e-12);
    assert!(back.apart.half_width() >= difference.apart.half_width());
    assert!(back.apart.half_width() < 1.2 * difference.apart.half_width());
    assert!((back.variance_ratio.unwrap() - difference.variance_ratio.unwrap()).abs() < 1e-12);
    assert!(matches!(Compared::of_cells(&results, Some(3), Level::P95), Err(CompareError::NoCell { cells: 3, .. })));
}

#[test]
fn folders_are_paired_as_far_as_seeds_and_kept_battles_allow() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let before = folder(&at("before"), Keep::First(2_000), |_| ());
    let pairing = |after: &Results| {
        let compared = Compared::of_folders(&before, after, Level::P95).unwrap();
        assert_eq!(compared.couples.len(), 3);
        (compared.couples[0].pairing, wins(&compared, 1).1.clone())
    };
    let same = folder(&at("same"), Keep::First(1_000), |_| ());
    let (kept, difference) = pairing(&same);
    assert_eq!((kept, difference.apart.point, difference.p), (Pairing::Kept(1_000), 0.0, 1.0));
    assert!(difference.apart.half_width() > 0.0 && difference.apart.half_width() < 0.005, "{difference:?}");

    let seeded = folder(&at("seeded"), Keep::First(2_000), |manifest| manifest.seed = 7);
    let (none, independent) = pairing(&seeded);
    assert_eq!(none, Pairing::None(Unpaired::Seeds));
    // Two shares of 0.35 from 6,000 battles each: 1.96 · √(2 · 0.35 · 0.65 / 6,000) = 0.0171.
    assert!((independent.apart.half_width() - 0.0171).abs() < 0.0005, "{independent:?}");
    assert_eq!(independent.variance_ratio, None);

    let unkept = folder(&at("unkept"), Keep::None, |_| ());
    assert_eq!(pairing(&unkept).0, Pairing::None(Unpaired::NotKept));
    let renamed = folder(&at("renamed"), Keep::None, |manifest| manifest.sides[0] = "french".to_owned());
    assert!(matches!(Compared::of_folders(&before, &renamed, Level::P95), Err(CompareError::OtherSides { .. })));
}

#[test]
fn a_tampered_part_is_not_believed() {
    let place = tempfile::tempdir().unwrap();
    let results = folder(&place.path().join("a"), Keep::All, |_| ());
    let part = place.path().join("a/data/battles/part-00000.parquet");
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[40] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    // The damaged file is named, and the counts are compared without it.
    let compared = Compared::of_cells(&results, Some(1), Level::P95).unwrap();
    assert!(compared.lost[0].contains("its contents have changed since it was written"), "{:?}", compared.lost);
    assert_eq!(compared.couples[0].pairing, Pairing::None(Unpaired::NotKept));
    std::fs::remove_dir_all(place.path().join("a/data/battles")).unwrap();
    let compared = Compared::of_folders(&results, &results, Level::P95).unwrap();
    assert_eq!((compared.lost.len(), compared.couples.len()), (2, 3), "{:?}", compared.lost);
}

#[test]
fn nothing_known_of_a_cell_is_said_and_no_panic() {
    let place = tempfile::tempdir().unwrap();
    let mut results = folder(&place.path().join("a"), Keep::None, |_| ());
    results.tallies.clear();
    assert!(matches!(Compared::of_cells(&results, None, Level::P95), Err(CompareError::NoBattles(_))));
    results.manifest.method = Method::Exact;
    assert!(matches!(Compared::of_cells(&results, None, Level::P95), Err(CompareError::NoBattles(_))));
}

/// A folder of battles fought both ways, all of them kept.
fn folder_of_rounds(at: &Path, first: u32) -> Results {
    let manifest = manifest(&BASELINES, RUNS, Keep::All);
    let mut writer = ResultsWriter::create(at, manifest).unwrap();
    let mut tallied = Tallied::new(0, &BASELINES);
    let options = crate::runner::RunOptions { keep: Keep::All, both_ways: true, ..options(&BASELINES, 0..RUNS) };
    let ending = run(&options, &Later(first), &mut tallied, &mut writer, &Silent, &Stop::new()).unwrap();
    writer.finish(&tallied, ending).unwrap()
}

/// [`Skirmishes`] with other numbers of cells.
struct Later(u32);

impl crate::runner::Fighter for Later {
    fn fight(&self, cell: u32, battles: std::ops::Range<u64>) -> Vec<grognard_engine::Outcome> {
        Skirmishes.fight(cell + self.0, battles)
    }
}

#[test]
fn rounds_are_paired_with_rounds_and_with_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    let plain = folder(&at("plain"), Keep::All, |_| ());
    let [before, after] = [("before", 0), ("after", 1)].map(|(name, first)| folder_of_rounds(&at(name), first));
    let mixed = Compared::of_folders(&plain, &before, Level::P95).unwrap();
    assert_eq!(mixed.couples[0].pairing, Pairing::None(Unpaired::Ways));

    let compared = Compared::of_folders(&before, &after, Level::P95).unwrap();
    let (couple, difference) = wins(&compared, 0);
    assert_eq!(couple.pairing, Pairing::Kept(RUNS));
    // With the same luck, 5 fewer battles in 100 are won; the counted pairs of one folder give the same.
    let (_, counted) = {
        let cells = Compared::of_cells(&before, None, Level::P95).unwrap();
        let (couple, difference) = wins(&cells, 1);
        (couple.pairing, difference.clone())
    };
    assert!((difference.apart.point - counted.apart.point).abs() < 1e-12);
    // Student's interval from the kept pairs is a little narrower than the exact one from all counted pairs.
    let narrower = difference.apart.half_width() / counted.apart.half_width();
    assert!((0.85..1.0).contains(&narrower), "{difference:?} {counted:?}");
    assert_eq!(difference.variance_ratio, counted.variance_ratio);
    assert!(difference.variance_ratio.is_some_and(|ratio| ratio < 0.5));
}

#[test]
fn changes_of_every_part_are_told() {
    let place = tempfile::tempdir().unwrap();
    let second = |need: u8| crate::results::PackHeader {
        text: format!("[[roll]]\nid = 'fire'\nneed = {need}\n"),
        ..crate::results::PackHeader::default()
    };
    let with = |name: &str, need: u8| {
        let mut results = folder(&place.path().join(name), Keep::None, |_| ());
        results.manifest.more_packs = vec![second(need)];
        results
    };
    let compared = Compared::of_folders(&with("a", 7), &with("b", 8), Level::P95).unwrap();
    let paths: Vec<String> = compared.changes.unwrap().list.into_iter().map(|change| change.path).collect();
    assert_eq!(paths, ["part.1.roll.fire.need"]);
}

fn study(name: &str, set: &[&str]) -> Study {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies")).join(name).with_extension("toml");
    let mut sources = Sources::new();
    let set = set.iter().map(|text| {
        let file = sources.add("--set", *text);
        Override::parse(file, &sources).unwrap()
    });
    let changes = StudyChanges { runs: Some(8_192), set: set.collect(), ..StudyChanges::default() };
    Study::load(&path, &changes, &mut sources).unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

fn duel(name: &str, set: &[&str]) -> Compared {
    let (before, after) = (study(name, &[]), study(name, set));
    let duel = Duel { before: &before, after: &after, level: Level::P95, threads: 2 };
    let (compared, ending) = duel.fight(&Silent, &Stop::new()).unwrap();
    assert_eq!(ending, Ending::AllRuns);
    compared
}

#[test]
fn a_duel_says_what_was_changed_and_what_came_of_it() {
    let compared = duel("risk-dice", &["roll.assault.ties=\"own\""]);
    let changes = compared.changes.as_ref().unwrap();
    assert_eq!(changes.list.len(), 1, "{changes:?}");
    let difference = |couple: &Couple| couple.difference("attacker", &compared.sides).unwrap().clone();
    assert!(compared.couples.iter().all(|couple| difference(couple).apart.point >= 0.0));
    // Couples are sorted: flipped ones first, and within each kind the largest differences first.
    let flipped: Vec<bool> = compared.couples.iter().map(Couple::is_flipped).collect();
    assert!(flipped.is_sorted_by(|one, other| one >= other), "{flipped:?}");
}

#[test]
fn cells_go_together_by_their_values() {
    let compared = duel("square-vs-line", &["defender.0.formation=\"square\""]);
    assert_eq!(compared.couples.len(), 9);
    assert_eq!(compared.alone[0].len(), 27);
    assert!(compared.couples.iter().all(|couple| couple.before.label.contains("square")));
    let difference = |couple: &Couple| couple.difference("attacker", &compared.sides).unwrap().clone();
    assert!(compared.couples.iter().all(|couple| difference(couple).apart.point == 0.0));
}
