//! Metrics that are read only at the start and end of turns and battles. No other events are built for them, and their
//! values are the same as if all events were built.

use std::collections::BTreeSet;

use grognard_dice::SeededDice;
use grognard_engine::{Event, Gauges, Scene, Setup, Witness, deploy, fight};
use grognard_rules::model::{On, Rules};

use crate::common::{deployment, load, unit};

/// Passes every event to a witness that asks only for turn events.
struct Whole<W>(W);

impl<W: Witness> Witness for Whole<W> {
    fn see(&mut self, scene: Scene<'_>, event: &Event) {
        self.0.see(scene, event);
    }
}

/// Records the names of events.
#[derive(Default)]
struct Names {
    only_turns: bool,
    names: BTreeSet<&'static str>,
}

impl Witness for Names {
    fn only_turns(&self) -> bool {
        self.only_turns
    }

    fn see(&mut self, _: Scene<'_>, event: &Event) {
        self.names.insert(event.name());
    }
}

/// A small battle of a pack.
fn battle(rules: &Rules, doctrine: &str, kind: &str) -> Setup {
    let own = [unit(kind).at(-4.0, -6.0).facing(0.0), unit(kind).at(4.0, -6.0).facing(0.0)];
    let foes = [unit(kind).at(-4.0, 6.0).facing(180.0), unit(kind).at(4.0, 6.0).facing(180.0)];
    let mut plan = deployment((doctrine, &own), (doctrine, &foes));
    plan.turns = 5;
    deploy(rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

const PACKS: [(&str, &str, &str); 4] = [
    ("sf-skirmish", "hunt", "trooper"),
    ("bag-of-orders", "close-in", "section"),
    ("patrol", "fire-only", "rifles"),
    ("ranked-fantasy", "attack", "spearmen"),
];

#[test]
fn metrics_of_turns_come_out_as_with_every_event() {
    let mut metrics = 0;
    for (pack, doctrine, kind) in PACKS {
        let rules = load(pack);
        let setup = battle(&rules, doctrine, kind);
        let of_turns = |on: On| matches!(on, On::TurnBegins | On::TurnEnds | On::BattleEnds);
        let which: Vec<u8> =
            (0_u8..).zip(rules.gauges.iter()).filter(|(_, gauge)| of_turns(gauge.on)).map(|(at, _)| at).collect();
        metrics += which.len();
        let (mut few, mut all) = (Gauges::new(&rules, 2, &which), Whole(Gauges::new(&rules, 2, &which)));
        let mut counted = BTreeSet::new();
        for number in 0..100 {
            let mut dice = SeededDice::new(1815);
            dice.battle(number);
            few.begin();
            let outcome = fight(&rules, &setup, &mut dice, &mut few);
            dice.battle(number);
            all.0.begin();
            assert_eq!(fight(&rules, &setup, &mut dice, &mut all), outcome, "{pack}, battle {number}");
            assert_eq!(few.counts(), all.0.counts(), "{pack}, battle {number}");
            counted.insert(format!("{:?}", few.counts()));
        }
        assert!(which.is_empty() || counted.len() > 1, "{pack}: the metrics are the same in every battle");
    }
    assert!(metrics >= 4, "{metrics}");
}

#[test]
fn only_events_of_turns_are_made_for_who_takes_no_others() {
    for (pack, doctrine, kind) in PACKS {
        let rules = load(pack);
        let setup = battle(&rules, doctrine, kind);
        let names = |only_turns: bool| {
            let mut seen = Names { only_turns, ..Names::default() };
            fight(&rules, &setup, &mut SeededDice::new(1815), &mut seen);
            seen.names
        };
        assert_eq!(names(true), BTreeSet::from(["half-turn", "half-turn-over", "over"]), "{pack}");
        assert!(names(false).contains("rolled"), "{pack}");
    }
}
