//! The engine enumerated: one step is walked along every path of its dice, equal states are merged, and so on to the end.
//!
//! The same `step` that battles are sampled with so gives exact odds, which are held against figures from elsewhere and
//! against sampled battles.

mod common;

use std::collections::BTreeMap;

use common::{Men, agree, drill, load, unit};
use grognard_dice::{EnumeratedDice, SeededDice};
use grognard_engine::{Battle, BySide, Deployment, Outcome, Setup, Side, SidePlan, Unwitnessed, deploy, fight, step};
use grognard_rules::model::Rules;

/// Everything a battle can come to, with its probability.
struct Solved {
    outcomes: Vec<(Outcome, f64)>,
}

impl Solved {
    /// Pushes the distribution over states forward, a step at a time, until every battle is over.
    fn of(rules: &Rules, setup: &Setup) -> Self {
        let mut states = vec![(setup.start.clone(), 1.0)];
        let mut outcomes: Vec<(Outcome, f64)> = Vec::new();
        while !states.is_empty() {
            let mut merged: BTreeMap<String, (Battle, f64)> = BTreeMap::new();
            let mut dice = EnumeratedDice::new();
            for (state, chance) in states {
                let mut sum = 0.0;
                while dice.next_path() {
                    let mut battle = state.clone();
                    let over = step(rules, setup, &mut battle, &mut dice, &mut Unwitnessed);
                    sum += dice.chance();
                    let chance = chance * dice.chance();
                    match over {
                        None => merged.entry(format!("{battle:?}")).or_insert((battle, 0.0)).1 += chance,
                        Some(outcome) => match outcomes.iter_mut().find(|known| known.0 == outcome) {
                            Some(known) => known.1 += chance,
                            None => outcomes.push((outcome, chance)),
                        },
                    }
                }
                assert!((sum - 1.0).abs() < 1e-12, "the paths of a step sum to {sum}");
            }
            states = merged.into_values().collect();
        }
        let solved = Self { outcomes };
        let sum = solved.chance(|_| true);
        assert!((sum - 1.0).abs() < 1e-9, "all outcomes sum to {sum}");
        solved
    }

    fn chance(&self, holds: impl Fn(&Outcome) -> bool) -> f64 {
        self.outcomes.iter().filter(|(outcome, _)| holds(outcome)).map(|(_, chance)| chance).sum()
    }

    fn wins(&self, winner: Option<Side>) -> f64 {
        self.chance(|outcome| outcome.winner == winner)
    }

    fn mean_turns(&self) -> f64 {
        self.outcomes.iter().map(|(outcome, chance)| f64::from(outcome.turns) * chance).sum()
    }
}

fn setup(rules: &Rules, first: (Option<&str>, &Men), second: (Option<&str>, &Men), turns: u8) -> Setup {
    let side = |name: &str, (doctrine, men): (Option<&str>, &Men)| SidePlan {
        name: name.into(),
        doctrine: doctrine.map(str::to_owned),
        units: vec![men.plan()],
        ..SidePlan::default()
    };
    let sides = BySide::new(side("first", first), side("second", second));
    deploy(rules, &Deployment { sides, turns, ..Deployment::default() }).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn risk(rules: &Rules, attackers: u16, defenders: u16) -> Setup {
    let army = |figures| unit("army").figures(figures);
    setup(rules, (None, &army(attackers)), (None, &army(defenders)), 200)
}

/// J. Osborne, Mathematics Magazine 76(2), 2003: P(attacker wins) against 1 to 10 defenders.
#[test]
fn risk_battles_have_the_published_odds() {
    let table = [
        (1, [0.417, 0.106, 0.027, 0.007, 0.002, 0.000, 0.000, 0.000, 0.000, 0.000]),
        (2, [0.754, 0.363, 0.206, 0.091, 0.049, 0.021, 0.011, 0.005, 0.003, 0.001]),
        (3, [0.916, 0.656, 0.470, 0.315, 0.206, 0.134, 0.084, 0.054, 0.033, 0.021]),
        (4, [0.972, 0.785, 0.642, 0.477, 0.359, 0.253, 0.181, 0.123, 0.086, 0.057]),
        (5, [0.990, 0.890, 0.769, 0.638, 0.506, 0.397, 0.297, 0.224, 0.162, 0.118]),
        (6, [0.997, 0.934, 0.857, 0.745, 0.638, 0.521, 0.423, 0.329, 0.258, 0.193]),
        (7, [0.999, 0.967, 0.910, 0.834, 0.736, 0.640, 0.536, 0.446, 0.357, 0.287]),
        (8, [1.000, 0.980, 0.947, 0.888, 0.818, 0.730, 0.643, 0.547, 0.464, 0.380]),
        (9, [1.000, 0.990, 0.967, 0.930, 0.873, 0.808, 0.726, 0.646, 0.558, 0.480]),
        (10, [1.000, 0.994, 0.981, 0.954, 0.916, 0.861, 0.800, 0.724, 0.650, 0.568]),
    ];
    let rules = load("risk");
    for (attackers, row) in table {
        for (defenders, published) in (1..).zip(row) {
            let wins = Solved::of(&rules, &risk(&rules, attackers, defenders)).wins(Some(Side::First));
            assert!(
                (wins - published).abs() < 0.0005,
                "{attackers} against {defenders}: {wins}, published {published}"
            );
        }
    }
    for (attackers, defenders, published) in
        [(5, 5, 0.506_202_829), (10, 8, 0.723_969_978), (10, 10, 0.567_592_872), (20, 20, 0.633_432_242)]
    {
        let wins = Solved::of(&rules, &risk(&rules, attackers, defenders)).wins(Some(Side::First));
        assert!((wins - published).abs() < 6e-10, "{attackers} against {defenders}: {wins}, published {published}");
    }
}

/// Computed twice outside this project: fractions by dynamic programming, and icepool.
#[test]
fn the_reference_duel_has_the_published_odds() {
    let rules = load("refduel");
    for (kind, first, second, draw, turns) in [
        ("plain", 0.472_988_714_4, 0.472_988_714_4, 0.054_022_571_1, 6.356_596_452),
        ("one-up", 0.832_768_680_6, 0.136_329_520_8, 0.030_901_798_6, 5.828_478_107),
        ("two-up", 0.980_453_100_6, 0.014_350_393_4, 0.005_196_506_0, 4.689_337_330),
        ("three-up", 0.999_631_789_1, 0.000_241_830_7, 0.000_126_380_3, 3.717_047_682),
    ] {
        let solved = Solved::of(&rules, &setup(&rules, (None, &unit(kind)), (None, &unit("plain")), 12));
        for (winner, published) in [(Some(Side::First), first), (Some(Side::Second), second), (None, draw)] {
            let got = solved.wins(winner);
            assert!((got - published).abs() < 6e-11, "{kind}, {winner:?}: {got}, published {published}");
        }
        assert!((solved.mean_turns() - turns).abs() < 6e-10, "{kind}: {} turns", solved.mean_turns());
    }
}

/// Merging equal states loses nothing: walking whole battles gives the same.
#[test]
fn merging_states_changes_no_odds() {
    let rules = load("risk");
    let small = load("refduel");
    let frail = |kind: &str| unit(kind).figures(11);
    for (rules, setup) in [
        (&rules, risk(&rules, 3, 2)),
        (&rules, risk(&rules, 3, 3)),
        (&small, setup(&small, (None, &frail("one-up")), (None, &frail("plain")), 2)),
    ] {
        let solved = Solved::of(rules, &setup);
        let mut walked: Vec<(Outcome, f64)> = Vec::new();
        let mut dice = EnumeratedDice::new();
        while dice.next_path() {
            let outcome = fight(rules, &setup, &mut dice, &mut Unwitnessed);
            match walked.iter_mut().find(|known| known.0 == outcome) {
                Some(known) => known.1 += dice.chance(),
                None => walked.push((outcome, dice.chance())),
            }
        }
        assert_eq!(walked.len(), solved.outcomes.len());
        for (outcome, chance) in walked {
            let merged = solved.chance(|other| *other == outcome);
            assert!((merged - chance).abs() < 1e-12, "{outcome:?}: {merged} merged, {chance} walked");
        }
    }
}

/// A charge on the plane, to the end of the turn: every outcome sampled as often as it should be.
///
/// About a hundred comparisons with one fixed seed; outcomes that fewer than ten battles are expected to come to are added
/// up, as the normal limit does not hold for each of them.
#[test]
fn a_sampled_charge_comes_to_what_the_exact_one_does() {
    const BATTLES: u64 = 60_000;
    let rules = drill();
    let horse = unit("heavy-cavalry").figures(4).at(0.0, 10.0);
    for formation in ["line", "column", "square", "skirmish"] {
        let foot = unit("light-battalion").figures(6).formation(formation).at(0.0, 0.0);
        let setup = setup(rules, (Some("charge-home"), &horse), (Some("stand"), &foot), 1);
        let solved = Solved::of(rules, &setup);
        let mut counts = vec![0_u64; solved.outcomes.len()];
        let mut dice = SeededDice::new(1815);
        for index in 0..BATTLES {
            dice.battle(index);
            let outcome = fight(rules, &setup, &mut dice, &mut Unwitnessed);
            let place = solved.outcomes.iter().position(|(known, _)| *known == outcome);
            counts[place.unwrap_or_else(|| panic!("{formation}: {outcome:?} cannot happen"))] += 1;
        }
        let (mut rare, mut rare_chance) = (0, 0.0);
        for ((outcome, chance), count) in solved.outcomes.iter().zip(counts) {
            if chance * (BATTLES as f64) < 10.0 {
                (rare, rare_chance) = (rare + count, rare_chance + chance);
            } else {
                agree(&format!("{formation}, {outcome:?}"), count, BATTLES, *chance);
            }
        }
        agree(&format!("{formation}, the rare rest"), rare, BATTLES, rare_chance);
    }
}
