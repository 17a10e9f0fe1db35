//! Units that a result calls: exact odds compared with fractions computed by hand, and with sampled battles.

use std::ops::ControlFlow;

use crate::agree::agree;
use crate::common::load;
use grognard_dice::SeededDice;
use grognard_engine::{Arrives, BySide, Deployment, SidePlan, UnitPlan, Unwitnessed, deploy, fight};
use grognard_exact::{Limits, solve};

/// A squad fires one die a turn and then, on a five or more, calls another, which fires from the next turn on. In three
/// turns there are five shots with probability 1/3, four with 2/9 and three with 4/9. Each costs the fort a figure with
/// probability 1/2.
#[test]
fn a_called_unit_has_the_odds_of_its_call() {
    const BATTLES: u64 = 60_000;
    let rules = load("horn");
    let unit = |kind: &str, arrives| UnitPlan { kind: kind.into(), arrives, ..UnitPlan::default() };
    let side = |name: &str, units| SidePlan { name: name.into(), units, ..SidePlan::default() };
    let squads = vec![unit("squad", None), unit("squad", Some(Arrives::Called))];
    let sides = BySide::new(side("squads", squads), side("garrison", vec![unit("fort", None)]));
    let plan = Deployment { sides, turns: 3, ..Deployment::default() };
    let setup = deploy(&rules, &plan).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let solution = solve(&rules, &setup, &Limits::default(), &mut |_| ControlFlow::Continue(())).expect("odds");
    let mut counts = [0_u64; 6];
    let mut dice = SeededDice::new(1815);
    for index in 0..BATTLES {
        dice.battle(index);
        let outcome = fight(&rules, &setup, &mut dice, &mut Unwitnessed);
        counts[usize::from(outcome.sides.second.losses)] += 1;
    }
    // The number of ways to hit this often with five, four and three shots, out of 32, 16 and 8.
    let ways = [[1, 5, 10, 10, 5, 1], [1, 4, 6, 4, 1, 0], [1, 3, 3, 1, 0, 0]];
    for (losses, &count) in (0_u16..).zip(&counts) {
        let [five, four, three] = ways.map(|ways| f64::from(ways[usize::from(losses)]));
        let chance = five / 32.0 / 3.0 + four / 16.0 * 2.0 / 9.0 + three / 8.0 * 4.0 / 9.0;
        let found = solution.chance(|outcome| outcome.sides.second.losses == losses).value;
        assert!((found - chance).abs() < 1e-13, "{losses}: {found}, by hand {chance}");
        agree(&format!("{losses} lost"), count, BATTLES, chance);
    }
}
