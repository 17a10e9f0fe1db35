//! Judged battles of a game that is solved by hand, in `crates/exact/tests/best`.

use grognard_engine::Side;
use grognard_exact::Limits;
use grognard_lab::exact::{Assumed, Judgement, Unwatched, judge, judge_by_fighting};
use grognard_lab::progress::Stop;
use grognard_lab::questions::BestPlay;
use grognard_lab::replay::narrate;
use grognard_lab::sensitivity::Quantity;
use grognard_lab::study::{Changes, Study};
use grognard_source::Sources;

/// Bytes for solving a battle.
const ROOM: u64 = 64 << 20;

/// The horse charges or waits in each of three turns, under this doctrine.
pub(crate) fn charge_or_wait(doctrine: &str, sources: &mut Sources) -> Study {
    led_by("default", doctrine, sources)
}

/// The same study, with the horse led by a player of this doctrine.
fn led_by(player: &str, doctrine: &str, sources: &mut Sources) -> Study {
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().join("field");
    std::fs::create_dir(&folder).expect("a folder can be made");
    let pack = include_str!("../../exact/tests/packs/charge-or-wait/pack.toml");
    std::fs::write(folder.join("pack.toml"), pack).expect("a file can be written");
    let text = format!(
        "study = 'charge-or-wait'\npack = 'field'\nturns = 3\n[side.rider]\nplayer = '{player}'\ndoctrine = '{doctrine}'\nunits = [{{ type = 'horse' }}]\n\
         [side.target]\ndoctrine = 'foot'\nunits = [{{ type = 'foot' }}]\n"
    );
    let file = sources.add("study.toml", text);
    let study = Study::read(file, Some(place.path()), &Changes::default(), sources);
    study.unwrap_or_else(|faults| panic!("{}", faults.render(sources, false)))
}

fn best(study: &Study, battle: u64) -> Judgement {
    let judged = judge(study, &study.cells[0], battle, ROOM, &|| true).expect("it is small");
    assert_eq!(judged.assumed, Assumed::BestPlay);
    judged
}

/// A battle judged with just enough memory for its doctrines.
fn by_doctrines(study: &Study, battle: u64) -> Judgement {
    let with = |bytes: u64| judge(study, &study.cells[0], battle, bytes, &|| true).ok();
    let judged = (0..).find_map(|step| with(step << 6)).expect("it is small");
    assert_eq!(judged.assumed, Assumed::Doctrines { tried: true });
    judged
}

/// Waiting in turn 1 is worth 7/9, and 5/6 in turn 2 with both figures. A charge succeeds in 3/6, 4/6 and 5/6.
#[test]
fn options_are_worth_what_best_play_makes_of_them() {
    let study = charge_or_wait("as-late-as-it-can", &mut Sources::new());
    let question = BestPlay {
        quantity: Quantity::score(&study, Side::First),
        limits: Limits::default(),
        time: None,
        precision: None,
        only_both: false,
        threads: 1,
    };
    let solved = question.solve(&[&study.cells[0]], &Unwatched, &Stop::new()).expect("it can be solved");
    let start = solved[0].values.best_best.low;
    let near = |value: f64, other: f64| (value - other).abs() < 1e-12;
    assert!(near(start, 7.0 / 9.0), "{start}");
    let mut turns = [0; 3];
    for battle in 0..40 {
        let judged = best(&study, battle);
        assert!(near(judged.start.point, start) && judged.start.low == judged.start.high, "{judged:?}");
        for decision in &judged.decisions {
            let [(_, hold), (_, charge)] = &decision.options[..] else { panic!("{decision:?}") };
            let turn = usize::from(decision.turn) - 1;
            turns[turn] += 1;
            assert!(near(charge.point, [3.0, 4.0, 5.0][turn] / 6.0) && charge.low == charge.high, "{decision:?}");
            let waits = [[7.0 / 9.0; 2], [5.0 / 6.0, 5.0 / 9.0], [0.0; 2]][turn];
            assert!(waits.iter().any(|&worth| near(hold.point, worth)), "{decision:?}");
            assert!(decision.lost == 0.0 && decision.mark().is_empty(), "{decision:?}");
        }
    }
    assert!(turns.iter().all(|&met| met > 0), "{turns:?}");
}

/// The parts add up exactly, not just within rounding.
#[test]
fn start_luck_and_decisions_add_up_to_the_outcome_exactly() {
    let sum = |judged: &Judgement| {
        judged.start.point + judged.luck() - judged.given_away(Side::First) + judged.given_away(Side::Second)
    };
    for doctrine in ["at-once", "as-late-as-it-can"] {
        let study = charge_or_wait(doctrine, &mut Sources::new());
        for battle in 0..40 {
            let fought = judge_by_fighting(&study, &study.cells[0], battle, 30, &|| true).expect("it is wanted");
            for judged in [best(&study, battle), by_doctrines(&study, battle), fought] {
                assert_eq!(sum(&judged), judged.outcome, "{judged:?}");
                assert!(!judged.decisions.is_empty() && !judged.luck.is_empty(), "{judged:?}");
            }
        }
    }
}

/// A horse whose doctrine is to charge at once, but which waits once, charges in turn 2: 4/6.
#[test]
fn without_room_for_best_play_options_are_worth_what_doctrines_make_of_them() {
    let study = charge_or_wait("at-once", &mut Sources::new());
    for battle in 0..10 {
        let judged = by_doctrines(&study, battle);
        assert!(judged.start.point == 0.5 && judged.start.low == judged.start.high, "{judged:?}");
        let [decision] = &judged.decisions[..] else { panic!("{judged:?}") };
        let [(_, hold), (_, charge)] = &decision.options[..] else { panic!("{decision:?}") };
        assert!((hold.point - 4.0 / 6.0).abs() < 1e-12 && hold.low == hold.high, "{decision:?}");
        assert!(charge.point == 0.5 && (decision.lost - 1.0 / 6.0).abs() < 1e-12 && decision.mark() == "??");
        assert!(judged.sum[0].starts_with("Judged by exact odds of both doctrines"), "{:?}", judged.sum);
    }
}

/// The dice choose for a random player: 55/108 by hand, in `crates/exact/tests/best`.
#[test]
fn a_random_player_is_not_judged() {
    let study = led_by("random", "at-once", &mut Sources::new());
    let mut shots = 0;
    for battle in 0..20 {
        let judged = best(&study, battle);
        assert!(judged.decisions.is_empty() && (judged.start.point - 55.0 / 108.0).abs() < 1e-12, "{judged:?}");
        assert_eq!(judged.lines, narrate(&study, &study.cells[0], battle));
        shots += usize::from(judged.luck.len() > 1);
    }
    assert!(shots > 0, "every horse charges at once");
}

#[test]
fn a_battle_that_takes_more_memory_is_not_solved() {
    let study = charge_or_wait("at-once", &mut Sources::new());
    assert!(judge(&study, &study.cells[0], 0, 1, &|| true).is_err());
}
