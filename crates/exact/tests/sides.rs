//! Battles of three and four sides, compared with a dynamic program in whole numbers from the rules in the pack. Fleets
//! of ships with one gun each all shoot at the same time, at any other fleet: every ship chooses a fleet and hits it on
//! a 4 or more, and all hits are applied together.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use grognard_dice::SeededDice;
use grognard_engine::{BySide, Deployment, Outcome, Setup, Side, SidePlan, UnitPlan, Unwitnessed, deploy, fight};
use grognard_exact::{Limits, Solution, solve};
use grognard_rules::compile;
use grognard_rules::model::Rules;
use grognard_source::{Document, Sources};
use num_bigint::BigUint;

use crate::agree::agree;

/// The pack; a fleet is beaten when it has lost this percentage of its ships.
fn rules(broken: u8) -> Rules {
    let text = format!(
        r#"
pack = "fleets"
title = "Fleets"
version = "1"
board = "none"
arms = ["ships"]

[morale]
state = [{{ id = "afloat" }}]

[unit]
ship = {{ title = "Ship", arm = "ships", figures = 1 }}

[army]

[roll.guns]
title = "guns"
mechanic = "pool"
own = {{ dice = "d6", count = 1, need = 4 }}

[[roll.guns.result]]
id = "hit"
foe = {{ lose = "hits" }}

[[phase]]
id = "guns"
title = "Guns"
mechanism = "exchange"
roll = "guns"
by = "both"
half = "first"
simultaneous = true
casualties = {{ order = ["ship"] }}

[doctrine.any]
title = "shoots at anyone"
row = []

[doctrine.strongest]
title = "shoots at the strongest"
row = []
attacks = "enemy.start - enemy.lost"

[doctrine.weakest]
title = "shoots at the weakest"
row = []
attacks = "enemy.lost - enemy.start"

[victory]
broken = {broken}
"#
    );
    let mut sources = Sources::new();
    let file = sources.add("fleets.toml", text);
    let rules = Document::parse(file, &sources).and_then(|document| compile(&document, &sources));
    rules.unwrap_or_else(|faults| panic!("{}", faults.render(&sources, false)))
}

/// A fleet: its ships, and the doctrine by which they choose targets.
type Fleet = (u8, &'static str);

fn battle(rules: &Rules, fleets: &[Fleet], turns: u8) -> Setup {
    let side = |side: Side| {
        let (ships, doctrine) = fleets[side.index()];
        let ship = UnitPlan { kind: "ship".into(), ..UnitPlan::default() };
        SidePlan {
            name: ["red", "blue", "green", "white"][side.index()].into(),
            doctrine: Some(doctrine.into()),
            units: vec![ship; ships.into()],
            ..SidePlan::default()
        }
    };
    let plan = Deployment { sides: BySide::of(fleets.len(), side), turns, ..Deployment::default() };
    deploy(rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"))
}

fn solved(rules: &Rules, setup: &Setup) -> Solution {
    solve(rules, setup, &Limits::default(), &mut |_| ControlFlow::Continue(()))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The possible winners, with no winner last.
fn winners(sides: usize) -> impl Iterator<Item = Option<Side>> {
    Side::first(sides).iter().copied().map(Some).chain([None])
}

/// The chance of each winner, and of none, as fractions.
fn chances(rules: &Rules, setup: &Setup) -> Vec<(BigUint, BigUint)> {
    let solution = solved(rules, setup);
    let fraction = |winner| solution.chance(|outcome: &Outcome| outcome.winner == winner).fraction;
    let all = winners(setup.start.sides().len()).map(|winner| fraction(winner).expect("a fraction"));
    all.map(|fraction| (fraction.numerator, fraction.denominator)).collect()
}

/// The number of equally likely outcomes of a shot: half of them hit, and up to three fleets are equally likely
/// targets.
const SHOT: u64 = 36;

/// The fleets that a fleet may shoot at under its doctrine; `fleets` are the ships left.
fn targets(fleets: &[u8], own: usize, doctrine: &str) -> Vec<usize> {
    let afloat: Vec<usize> = (0..fleets.len()).filter(|&fleet| fleet != own && fleets[fleet] > 0).collect();
    let wanted = match doctrine {
        "strongest" => afloat.iter().map(|&fleet| fleets[fleet]).max(),
        "weakest" => afloat.iter().map(|&fleet| fleets[fleet]).min(),
        _ => None,
    };
    afloat.into_iter().filter(|&fleet| wanted.is_none_or(|ships| fleets[fleet] == ships)).collect()
}

/// The weights of the winners after this many turns, and their sum.
fn by_hand(fleets: &[Fleet], turns: u32) -> (Vec<BigUint>, BigUint) {
    let mut ends = vec![BigUint::default(); fleets.len() + 1];
    let ships: u32 = fleets.iter().map(|&(ships, _)| u32::from(ships)).sum();
    let volley = BigUint::from(SHOT).pow(ships);
    let mut open = BTreeMap::from([(fleets.iter().map(|&(ships, _)| ships).collect::<Vec<u8>>(), BigUint::from(1_u8))]);
    for turn in 1..=turns {
        let mut next: BTreeMap<Vec<u8>, BigUint> = BTreeMap::new();
        for (left, weight) in open {
            // The ships left after each combination of hits, shot by shot.
            let mut hit = BTreeMap::from([(vec![0_u8; left.len()], BigUint::from(1_u8))]);
            let mut shots = 0;
            for (own, &(_, doctrine)) in fleets.iter().enumerate() {
                let among = targets(&left, own, doctrine);
                for _ in 0..left[own] {
                    shots += 1;
                    let mut after: BTreeMap<Vec<u8>, BigUint> = BTreeMap::new();
                    for (hits, weight) in hit {
                        for &target in &among {
                            let mut more = hits.clone();
                            more[target] += 1;
                            *after.entry(more).or_default() += &weight * (SHOT / 2 / among.len() as u64);
                        }
                        *after.entry(hits).or_default() += weight * (SHOT / 2);
                    }
                    hit = after;
                }
            }
            let missing = BigUint::from(SHOT).pow(ships - shots);
            for (hits, of_volley) in hit {
                let left: Vec<u8> = left.iter().zip(&hits).map(|(ships, hits)| ships.saturating_sub(*hits)).collect();
                let weight = &weight * &of_volley * &missing;
                let afloat: Vec<usize> = (0..left.len()).filter(|&fleet| left[fleet] > 0).collect();
                let rest = volley.pow(turns - turn);
                match afloat.as_slice() {
                    &[winner] => ends[winner] += weight * rest,
                    [] => ends[fleets.len()] += weight * rest,
                    _ => *next.entry(left).or_default() += weight,
                }
            }
        }
        open = next;
    }
    ends[fleets.len()] += open.into_values().sum::<BigUint>();
    (ends, volley.pow(turns))
}

/// Compares the solver with the program: the fractions must be the same.
fn compare(rules: &Rules, fleets: &[Fleet], turns: u8) {
    let (ends, all) = by_hand(fleets, turns.into());
    assert_eq!(ends.iter().sum::<BigUint>(), all, "{fleets:?}");
    for ((numerator, denominator), end) in chances(rules, &battle(rules, fleets, turns)).into_iter().zip(ends) {
        assert_eq!(numerator * &all, end * denominator, "{fleets:?}");
    }
}

#[test]
fn three_fleets_that_shoot_at_each_other_have_the_odds_of_a_programme_in_whole_numbers() {
    let rules = rules(100);
    for doctrines in [["any"; 3], ["strongest"; 3], ["weakest"; 3], ["strongest", "weakest", "any"]] {
        for ships in [[1, 1, 1], [3, 1, 1], [1, 2, 2]] {
            let fleets: Vec<Fleet> = ships.into_iter().zip(doctrines).collect();
            compare(&rules, &fleets, 3);
        }
    }
}

#[test]
fn four_fleets_have_the_odds_of_a_programme_in_whole_numbers() {
    let rules = rules(100);
    for doctrines in [["any"; 4], ["strongest", "weakest", "any", "strongest"]] {
        for ships in [[1, 1, 1, 1], [2, 1, 1, 1], [2, 1, 2, 1]] {
            let fleets: Vec<Fleet> = ships.into_iter().zip(doctrines).collect();
            compare(&rules, &fleets, 2);
        }
    }
}

/// Four comparisons with one fixed seed.
#[test]
fn sampled_battles_of_three_fleets_agree_with_the_exact_odds() {
    const BATTLES: u64 = 60_000;
    let rules = rules(100);
    let fleets = [(2, "strongest"), (2, "any"), (1, "weakest")];
    let setup = battle(&rules, &fleets, 4);
    let solution = solved(&rules, &setup);
    let mut dice = SeededDice::new(1815);
    let mut wins = BTreeMap::new();
    for index in 0..BATTLES {
        dice.battle(index);
        *wins.entry(fight(&rules, &setup, &mut dice, &mut Unwitnessed).winner).or_insert(0) += 1;
    }
    for winner in winners(3) {
        let chance = solution.chance(|outcome| outcome.winner == winner).value;
        agree(&format!("{winner:?}"), wins.get(&winner).copied().unwrap_or(0), BATTLES, chance);
    }
}

#[test]
fn equal_fleets_of_three_and_four_sides_have_equal_chances_to_the_last_digit() {
    let rules = rules(100);
    for doctrine in ["any", "strongest", "weakest"] {
        for (sides, ships) in [(3, 2), (4, 1)] {
            let found = chances(&rules, &battle(&rules, &vec![(ships, doctrine); sides], 3));
            let (draws, wins) = found.split_last().expect("chances");
            assert!(wins.iter().all(|win| *win == wins[0]) && draws != &wins[0], "{doctrine}: {found:?}");
        }
    }
}

#[test]
fn fleets_have_the_same_chances_in_whatever_order_a_study_names_them() {
    let rules = rules(100);
    let fleets: [Fleet; 3] = [(2, "any"), (2, "strongest"), (1, "weakest")];
    let as_named = chances(&rules, &battle(&rules, &fleets, 3));
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let found = chances(&rules, &battle(&rules, &order.map(|place| fleets[place]), 3));
        for (at, place) in order.into_iter().enumerate() {
            assert_eq!(found[at], as_named[place], "{order:?}");
        }
        assert_eq!(found[3], as_named[3], "{order:?}");
    }
}

#[test]
fn a_fleet_that_is_beaten_leaves_the_battle_and_the_others_fight_on() {
    let rules = rules(50);
    let solution = solved(&rules, &battle(&rules, &[(2, "any"), (2, "any"), (2, "any")], 3));
    let mut left = 0;
    for (outcome, _) in solution.outcomes() {
        for (&side, end) in Side::first(3).iter().zip(outcome.sides.iter()) {
            // One ship lost is half of the fleet: a fleet without losses is not beaten, and one with a loss does not
            // win.
            assert!(end.losses > 0 || end.routed_units == 0, "{outcome:?}");
            assert!(end.losses == 0 || outcome.winner != Some(side), "{outcome:?}");
            // The other ship has left the battle, afloat.
            left += usize::from(end.losses == 1 && end.routed_units == 2);
        }
    }
    assert!(left > 0, "the last two fleets fight on without the first to be beaten");
    // If all fleets are beaten at the same time, there is no winner, and none of the last fleets leaves.
    let all = solution.outcomes().filter(|(outcome, _)| outcome.sides.iter().all(|end| end.losses > 0));
    assert!(all.into_iter().all(|(outcome, _)| outcome.winner.is_none()));
}
