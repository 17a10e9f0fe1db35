//! Metrics of packs: asked for by a study, counted along its battles, kept in its results.

use grognard_lab::Side;
use grognard_lab::campaign::Campaign;
use grognard_lab::progress::{Silent, Stop};
use grognard_lab::results::{Method, Results};
use grognard_lab::runner::{Fighter, Keep, Noting, Shard};
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;
use grognard_stats::Level;

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
    let campaign = Campaign {
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
    };
    campaign.fight(study, &Silent, &Stop::new()).expect("a run")
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
            assert_eq!(fought.outcomes, plain.fight(cell, 0..100));
            assert_eq!(fought.counted.len(), 100);
            let without = plain.fight_noting(cell, 0..100, noting);
            assert!(without.counted.is_empty());
            assert_eq!(without.fallen, fought.fallen);
            assert_eq!(grognard_lab::army::Army::new(&study).fight_noting(cell, 0..100, noting), fought);
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
