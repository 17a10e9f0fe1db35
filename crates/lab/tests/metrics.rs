//! Metrics of packs: requested by a study, counted during its battles, and stored in its results.

use grognard_lab::Side;
use grognard_lab::folder_run::FolderRun;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::results::{Manifest, Method, Results, merge};
use grognard_lab::runner::{Fighter, Keep, Noting, Shard};
use grognard_lab::study::{Changes, Study};
use grognard_lab::tally::Histogram;
use grognard_source::Sources;
use grognard_stats::{Level, RatioSums};

const STUDY: &str = r#"
study = "wings"
pack = "ancients-hex"
runs = 300
turns = 6
metrics = ["flank-attack-share", "flank-cover", "self-exposure", "harass-turns"]

[side.south]
doctrine = "line"
units = [{ type = "heavy-infantry", at = [0, 1] }, { type = "medium-cavalry", at = [-2, 2] }, { type = "light-bow", at = [1, 1] }]

[side.north]
doctrine = "line"
units = [{ type = "medium-infantry", at = [0, -1] }, { type = "heavy-cavalry", at = [3, -2] }]

[vary]
"north.0.type" = ["medium-infantry", "heavy-infantry"]

[set]
"deck.on" = false
"#;

fn read(text: &str) -> Result<Study, String> {
    let mut sources = Sources::new();
    let file = sources.add("study.toml", text);
    Study::read(file, None, &Changes::default(), &mut sources).map_err(|faults| faults.render(&sources, false))
}

fn fought(study: &Study, folder: &std::path::Path) -> Results {
    folder_run(folder).fight(study, &Silent, &Stop::new()).expect("a run")
}

fn folder_run(folder: &std::path::Path) -> FolderRun {
    FolderRun {
        folder: folder.to_owned(),
        resume: false,
        shard: Shard::WHOLE,
        precision: None,
        promise: grognard_lab::results::Promise::default(),
        luck: false,
        watch: false,
        level: Level::P95,
        keep: Keep::None,
        threads: 2,
        command: String::new(),
    }
}

#[test]
fn what_is_counted_is_kept_and_read_back() {
    let study = read(STUDY).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let results = fought(&study, &folder.path().join("wings"));
    let again = Results::open(folder.path().join("wings")).unwrap();
    assert_eq!((&again.tallies, again.summary()), (&results.tallies, results.summary()));
    for cell in 0..2 {
        // The sums are those of the battles, one by one.
        let counted = study.fight_noting(cell, 0..300, Noting::default()).counted;
        for side in Side::BOTH {
            for (place, sums) in results.tallies[cell as usize].gauges[side].iter().enumerate() {
                let of: u64 = counted.iter().map(|battle| u64::from(battle[side][place].of)).sum();
                let part: i64 = counted.iter().map(|battle| i64::from(battle[side][place].part)).sum();
                assert_eq!((sums.runs, sums.part, sums.of), (300, part, of));
            }
        }
        let share = results.estimate(cell, Some(Side::First), "flank-attack-share").expect("an estimate");
        assert!(share.low < share.mean && share.mean < share.high && share.high <= 1.0, "{share:?}");
        let cover = results.estimate(cell, Some(Side::First), "flank-cover").expect("an estimate");
        assert!((0.0..=1.0).contains(&cover.mean));
    }
    let difference = results.difference(1, Some(Side::Second), "flank-attack-share").expect("a difference");
    assert!(difference.low <= difference.mean && difference.mean <= difference.high);
}

#[test]
fn counting_changes_no_battle() {
    let plain = STUDY.lines().filter(|line| !line.starts_with("metrics")).collect::<Vec<_>>().join("\n");
    let (study, plain) = (read(STUDY).unwrap(), read(&plain).unwrap());
    assert_ne!(study.identity, plain.identity, "results with other metrics are no continuation");
    for cell in 0..2 {
        for noting in [Noting::default(), Noting { luck: true }] {
            let fought = study.fight_noting(cell, 0..100, noting);
            assert_eq!(fought.outcomes, plain.fight(cell, 0..100).into_iter().collect());
            assert_eq!(fought.counted.len(), 100);
            let without = plain.fight_noting(cell, 0..100, noting);
            assert!(without.counted.is_empty());
            assert_eq!(without.fallen, fought.fallen);
            assert_eq!(
                grognard_lab::memoised_cells::MemoisedCells::new(&study).fight_noting(cell, 0..100, noting),
                fought
            );
        }
    }
}

#[test]
fn exact_odds_leave_out_what_is_counted_along_the_way() {
    let study = read(STUDY).unwrap();
    assert_eq!(study.counted(), ["flank-attack-share", "flank-cover", "self-exposure", "harass-turns"]);
    assert_eq!(study.manifest(Method::Sampled).metrics.len(), study.manifest(Method::Exact).metrics.len() + 4);
}

#[test]
fn metrics_that_the_pack_does_not_have_are_refused() {
    let fault = read(&STUDY.replace("\"flank-cover\"", "\"flank-covers\"")).unwrap_err();
    assert!(fault.contains("flank-cover`") && fault.contains("study.toml:6"), "{fault}");
    let twice = read(&STUDY.replace("\"flank-cover\"", "\"flank-attack-share\"")).unwrap_err();
    assert!(twice.contains("listed twice"), "{twice}");
}

/// Two duellists exchange blows: each point of difference costs the worse one a figure, and every figure is worth a
/// point.
const BLOWS: (&str, &str) = (
    r#"
pack = "blows"
title = "A point a figure"
version = "0.1.0"
extends = "refduel"

[victory]
limit = "points"

[[victory.points]]
id = "blood"
for = "figures"
points = 1
cite = ["house"]
note = "A point a figure."

[[metric]]
id = "margin"
title = "points ahead"
on = "battle-ends"
count = "margin"
cite = ["house"]
note = "By how much a side leads."

[[metric]]
id = "turns-ahead"
title = "turns in which it leads"
on = "turn-ends"
count = "margin > 0"
cite = ["house"]
note = "For how long a side leads."
"#,
    r#"
study = "blows"
pack = "blows"
seed = 7
runs = 4000
turns = 2
metrics = ["turns-ahead", "margin"]

[side.red]
units = [{ type = "one-up" }]

[side.blue]
units = [{ type = "plain" }]

[vary]
turns = [1, 2]
"#,
);

fn blows(folder: &std::path::Path) -> Study {
    blows_with(folder, &Changes::default(), BLOWS.0, BLOWS.1)
}

fn blows_with(folder: &std::path::Path, changes: &Changes, pack: &str, study: &str) -> Study {
    std::fs::create_dir_all(folder.join("blows")).expect("a folder");
    std::fs::write(folder.join("blows/pack.toml"), pack).expect("a pack");
    std::fs::write(folder.join("blows.toml"), study).expect("a study");
    let mut sources = Sources::new();
    let study = Study::load(&folder.join("blows.toml"), changes, &mut sources);
    study.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// The chances of each lead after this many turns of blows, out of 36 for each turn, for the side that adds one to its
/// die: `(6 - |lead - 1|) / 36` in one turn, from -4 to 6. Equal totals cost each side a figure and do not change the
/// lead.
fn leads(turns: u32) -> Vec<(i32, u64)> {
    let mut all = std::collections::BTreeMap::from([(0, 1)]);
    for _ in 0..turns {
        let mut next = std::collections::BTreeMap::new();
        for (before, ways) in all {
            for own in 1..=6 {
                for foe in 1..=6 {
                    *next.entry(before + own + 1 - foe).or_insert(0) += ways;
                }
            }
        }
        all = next;
    }
    all.into_iter().collect()
}

#[test]
fn exact_odds_have_the_margin_of_points() {
    let folder = tempfile::tempdir().unwrap();
    let study = blows(folder.path());
    assert_eq!(study.counted(), ["turns-ahead"], "what the end does not tell is left out");
    let options = grognard_lab::exact::SolveOptions {
        limits: grognard_exact::Limits::default(),
        cells: Vec::new(),
        time: None,
        threads: 2,
        command: String::new(),
    };
    let unwatched = grognard_lab::exact::Unwatched;
    let exact = options.solve_into(&folder.path().join("odds"), &study, &unwatched, &Stop::new()).expect("few states");
    let again = Results::open(folder.path().join("odds")).expect("results");
    assert_eq!((&again.odds, again.summary()), (&exact.odds, exact.summary()));
    let json = grognard_lab::json::to_json(&exact);
    for (place, turns) in [(0, 1), (1, 2)] {
        let (odds, leads, whole) = (&exact.odds[place], leads(turns), 36u64.pow(turns));
        for (side, sign) in [(Side::First, 1), (Side::Second, -1)] {
            let counted = &odds.counted[side][0];
            let mut expected: Vec<(i32, u64)> = leads.iter().map(|&(lead, ways)| (sign * lead, ways)).collect();
            expected.sort_unstable();
            let found = counted.values.iter().map(|(lead, chance)| (*lead, chance.fraction.clone().expect("few")));
            let fraction = |ways: u64| grognard_exact::Fraction::parse(&format!("{ways}/{whole}")).expect("a fraction");
            assert_eq!(
                found.collect::<Vec<_>>(),
                expected.iter().map(|&(lead, ways)| (lead, fraction(ways))).collect::<Vec<_>>()
            );
            // Adding one to the die is worth one point a turn.
            let mean = f64::from(sign) * f64::from(turns);
            let row = exact.estimate(place as u32, Some(side), "margin").expect("a mean");
            assert!((row.mean - mean).abs() < 1e-12 && (row.high - row.low).abs() < 1e-12, "{row:?}");
            let name = format!("{}.margin", ["red", "blue"][side.index()]);
            let cell = &json["cells"][place];
            let pairs = cell["histograms"][&name].as_array().expect("a histogram");
            for (pair, &(lead, ways)) in pairs.iter().zip(&expected) {
                assert_eq!(pair[0], lead);
                assert!((pair[1].as_f64().expect("a chance") - ways as f64 / whole as f64).abs() < 1e-15);
            }
            assert_eq!(pairs.len(), expected.len());
            assert!((cell["metrics"][&name]["mean"].as_f64().expect("a mean") - mean).abs() < 1e-12);
        }
        // Every end has the leads of both sides, and the side in the lead has won.
        for end in &odds.ends {
            assert_eq!(end.counted[0], -end.counted[1]);
            assert_eq!(
                end.counted[0],
                i32::from(end.outcome.sides.second.losses) - i32::from(end.outcome.sides.first.losses)
            );
        }
        assert!((odds.ends.iter().map(|end| end.chance.value).sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let difference = exact.difference(1, Some(Side::First), "margin").expect("a difference");
    assert!((difference.mean - 1.0).abs() < 1e-12);
    // Sampled battles have the same mean and the same share of each lead. With seed 7, 40,000 battles a cell and 5
    // standard errors for each of 34 numbers, the chance of a false alarm is 1 in 50,000.
    const BATTLES: f64 = 40_000.0;
    let sampled = fought(&study, &folder.path().join("fought"));
    for (cell, turns) in [(0, 1), (1, 2)] {
        let counted = study.fight_noting(cell, 0..BATTLES as u64, Noting::default()).counted;
        let (mut mean, mut square) = (0.0, 0.0);
        for (lead, ways) in leads(turns) {
            let share = ways as f64 / 36f64.powi(turns as i32);
            (mean, square) = (mean + share * f64::from(lead), square + share * f64::from(lead * lead));
            let found = counted.iter().filter(|battle| battle.first[1].part == lead).count() as f64 / BATTLES;
            assert!(
                (found - share).abs() <= 5.0 * (share * (1.0 - share) / BATTLES).sqrt(),
                "{lead}: {found}, {share}"
            );
        }
        let found = counted.iter().map(|battle| f64::from(battle.first[1].part)).sum::<f64>() / BATTLES;
        assert!((found - mean).abs() <= 5.0 * ((square - mean * mean) / BATTLES).sqrt(), "{found}, {mean}");
        // The interval of a run has that width: 1.96 standard errors on either side.
        let row = sampled.estimate(cell, Some(Side::First), "margin").expect("an estimate");
        assert!((row.mean - mean).abs() <= (row.high - row.low) / 2.0 * 5.0 / 1.9, "{row:?}");
    }
}

/// A margin can be as large as a side's figures allow: twenty points either way.
///
/// With the widest possible range, equal armies that fought both ways had a mean of 0.00 ± 11.
#[test]
fn the_margin_has_its_own_range() {
    let folder = tempfile::tempdir().unwrap();
    let range = |study: &Study| {
        let metrics = study.manifest(Method::Sampled).metrics;
        let margin = metrics.into_iter().find(|metric| metric.key == "margin").and_then(|metric| metric.ratio);
        margin.map(|ratio| (ratio.low, ratio.high)).expect("it has one")
    };
    let study = blows(folder.path());
    assert_eq!(range(&study), (-20, 20));
    // Every possible lead lies within the range.
    assert_eq!(leads(2).first().zip(leads(2).last()).map(|(low, high)| (low.0, high.0)), Some((-8, 12)));
    let doubled = BLOWS.0.replace("count = \"margin\"", "count = \"math.greatest(2 * margin, -6)\"");
    assert_eq!(range(&blows_with(folder.path(), &Changes::default(), &doubled, BLOWS.1)), (-6, 40));
    let mirrored = BLOWS.1.replace("one-up", "plain").replace("turns = 2", "turns = 2\nboth-ways = true");
    let study = blows_with(folder.path(), &Changes::default(), BLOWS.0, &mirrored);
    let row = fought(&study, &folder.path().join("mirrored")).estimate(0, Some(Side::First), "margin").unwrap().clone();
    // If 2,000 rounds all give 0, anything unseen has a probability of at most 1 - 0.025^(1/2000) = 0.00184.
    assert!(row.mean == 0.0 && (-0.04..0.0).contains(&row.low) && (0.0..0.04).contains(&row.high), "{row:?}");
}

/// Intervals of the margin from 40 battles each contain the true mean, one point a turn, as often as they claim. With
/// 1,000 intervals, a share of 0.95 has a standard error of 0.007: below 0.92, it is too low by four standard errors.
/// Student's theory is not exact for such values, so the level is 0.95 to within a hundredth.
#[test]
fn the_interval_of_the_margin_keeps_its_level() {
    let folder = tempfile::tempdir().unwrap();
    let study = blows(folder.path());
    let ratio = study.manifest(Method::Sampled).metrics.last().and_then(|metric| metric.ratio).expect("the margin");
    let range = (ratio.low as f64, ratio.high as f64);
    for (cell, mean) in [(0, 1.0), (1, 2.0)] {
        let counted = study.fight_noting(cell, 0..40_000, Noting::default()).counted;
        let holds = |battles: &[grognard_lab::BySide<Vec<grognard_engine::Gauged>>]| {
            let mut sums = RatioSums::default();
            battles.iter().for_each(|battle| sums.add(battle.first[1].part, battle.first[1].of));
            grognard_stats::ratio(&sums, range, 0.0, Level::P95).holds(mean)
        };
        let held = counted.chunks(40).filter(|battles| holds(battles)).count();
        assert!((920..=980).contains(&held), "{held} of 1,000 in cell {cell}");
    }
}

/// The margin of each battle of a cell, for each side, counted one by one.
fn margins(study: &Study, cell: u32) -> [Histogram; 2] {
    let counted = study.fight_noting(cell, 0..study.runs, Noting::default()).counted;
    Side::BOTH.map(|side| counted.iter().map(|battle| (battle[side][1].part, 1)).collect())
}

/// Checks the counts of battles by margin: the same as one by one, in `--json`, in the folder, and under the names of
/// exact odds.
fn check_margins(study: &Study, results: &Results) {
    let again = Results::open(&results.folder).expect("results");
    assert_eq!(again.tallies, results.tallies);
    let json = grognard_lab::json::to_json(&again);
    for cell in 0..2 {
        let tally = &again.tallies[cell as usize];
        let expected = margins(study, cell);
        assert!(expected[0].iter().count() > 5, "{expected:?}");
        let histograms = json["cells"][cell as usize]["histograms"].as_object().expect("histograms");
        assert_eq!(histograms.keys().collect::<Vec<_>>(), ["red.margin", "blue.margin"]);
        for (side, expected) in Side::BOTH.into_iter().zip(&expected) {
            assert_eq!(tally.counted[side], std::slice::from_ref(expected));
            let pairs = histograms[["red.margin", "blue.margin"][side.index()]].as_array().expect("pairs");
            let share = |count: u64| count as f64 / study.runs as f64;
            let told =
                |pair: &serde_json::Value| (pair[0].as_i64().expect("a value"), pair[1].as_f64().expect("a share"));
            let expected: Vec<_> = expected.iter().map(|(value, count)| (i64::from(value), share(count))).collect();
            assert_eq!(pairs.iter().map(told).collect::<Vec<_>>(), expected);
            // The mean of the values is the metric.
            let mean: f64 = expected.iter().map(|(value, share)| *value as f64 * share).sum();
            let row = again.estimate(cell, Some(side), "margin").expect("a mean");
            assert!((row.mean - mean).abs() < 1e-9, "{} and {mean}", row.mean);
        }
    }
}

#[test]
fn sampled_battles_are_counted_by_the_margin_however_they_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let with =
        |runs: u64| blows_with(folder.path(), &Changes { runs: Some(runs), ..Changes::default() }, BLOWS.0, BLOWS.1);
    let study = with(10_000);
    let whole =
        FolderRun { threads: 1, ..folder_run(&at("whole")) }.fight(&study, &Silent, &Stop::new()).expect("a run");
    check_margins(&study, &whole);
    let same = |results: &Results, how: &str| {
        let tallies = |folder: &std::path::Path| std::fs::read(folder.join("data/tallies.parquet")).expect("tallies");
        assert!(tallies(&results.folder) == tallies(&whole.folder), "{how}");
        assert_eq!(results.tallies, whole.tallies, "{how}");
    };
    same(
        &FolderRun { threads: 8, ..folder_run(&at("threads")) }.fight(&study, &Silent, &Stop::new()).unwrap(),
        "threads",
    );
    fought(&with(5_000), &at("resumed"));
    let resumed = FolderRun { resume: true, ..folder_run(&at("resumed")) };
    same(&resumed.fight(&study, &Silent, &Stop::new()).unwrap(), "resumed");
    let shards = ["1/2", "2/2"].map(|shard| {
        let shard = FolderRun { shard: shard.parse().unwrap(), ..folder_run(&at(&shard.replace('/', "-"))) };
        shard.fight(&study, &Silent, &Stop::new()).expect("a shard")
    });
    same(&merge(&shards, &at("merged"), "", false, &Silent, &Stop::new()).expect("a sum"), "merged");
}

/// The margin depends on the role that a side has in the battle.
#[test]
fn battles_fought_both_ways_are_counted_by_the_margin_of_each_side() {
    let folder = tempfile::tempdir().unwrap();
    let text = BLOWS.1.replace("turns = 2", "turns = 2\nboth-ways = true");
    let study = blows_with(folder.path(), &Changes::default(), BLOWS.0, &text);
    let results = fought(&study, &folder.path().join("both"));
    check_margins(&study, &results);
    let counted = &results.tallies[0].counted;
    let (red, blue) = (&counted.first[0], &counted.second[0]);
    assert!(red.iter().eq(blue.iter().rev().map(|(value, count)| (-value, count))), "{red:?} {blue:?}");
    // Red adds one to its die in both roles: from -4 to 6.
    assert_eq!(red.iter().map(|(value, _)| value).collect::<Vec<_>>(), (-4..=6).collect::<Vec<_>>());
}

/// A lead beyond a thousand points is counted exactly: twelve figures at a hundred points each.
#[test]
fn leads_of_more_than_a_thousand_points_are_not_cut() {
    let folder = tempfile::tempdir().unwrap();
    let pack = BLOWS.0.replace("points = 1\n", "points = 100\n");
    let study = blows_with(folder.path(), &Changes::default(), &pack, BLOWS.1);
    let results = fought(&study, &folder.path().join("dear"));
    let found: Vec<i32> = results.tallies[1].counted.first[0].iter().map(|(value, _)| value).collect();
    assert_eq!(found, (-8..=12).map(|lead| lead * 100).collect::<Vec<_>>());
}

/// A metric with unbounded values has no histogram, and neither has one that is counted during battles; nothing is
/// stored for them.
#[test]
fn a_metric_of_wide_range_has_a_mean_alone() {
    let folder = tempfile::tempdir().unwrap();
    let pack = BLOWS.0.replace("count = \"margin\"", "count = \"margin * 9\"");
    let study = blows_with(folder.path(), &Changes::default(), &pack, BLOWS.1);
    let results = fought(&study, &folder.path().join("wide"));
    assert!(results.manifest.counted_keys().is_empty());
    assert!(results.tallies.iter().all(|tally| tally.counted.iter().all(Vec::is_empty)));
    assert_eq!(grognard_lab::json::to_json(&results)["cells"][0].get("histograms"), None);
    assert!(results.estimate(0, Some(Side::First), "margin").is_some());
    // Eight times the maximum lead of a side, eight thousand points, is less than 65,535.
    let pack = BLOWS.0.replace("count = \"margin\"", "count = \"margin * 8\"");
    let study = blows_with(folder.path(), &Changes::default(), &pack, BLOWS.1);
    assert_eq!(study.manifest(Method::Sampled).counted_keys(), ["margin"]);
}

#[test]
fn a_folder_from_before_is_read_and_no_run_goes_on_with_half_a_histogram() {
    let folder = tempfile::tempdir().unwrap();
    let study = blows(folder.path());
    let results = fought(&study, &folder.path().join("new"));
    let sampled = |histogram: bool| {
        let mut manifest = study.manifest(Method::Sampled);
        for ratio in manifest.metrics.iter_mut().filter_map(|metric| metric.ratio.as_mut()) {
            ratio.histogram &= histogram;
        }
        manifest
    };
    assert_eq!(serde_json::to_value(sampled(true).metrics.last()).unwrap()["ratio"]["histogram"], true);
    // The key is absent, as in folders from earlier versions.
    let old = serde_json::to_value(sampled(false)).unwrap();
    assert_eq!(old["metrics"].as_array().unwrap().last().unwrap()["ratio"].get("histogram"), None);
    let old: Manifest = serde_json::from_value(old).expect("a manifest");
    assert!(old.counted_keys().is_empty());
    let mut read = results.clone();
    read.manifest.metrics = old.metrics.clone();
    assert_eq!(grognard_lab::json::to_json(&read)["cells"][0].get("histograms"), None);
    let differences = grognard_lab::results::Differences::between(&old, &sampled(true)).expect("they differ");
    assert_eq!(differences.to_string(), "the list of metrics with a histogram is none there and margin here");
}
